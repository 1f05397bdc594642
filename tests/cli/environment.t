# SPDX-License-Identifier: GPL-2.0-or-later
# The machine as the report's header has it, before the run and after.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use Program;
use Report;
use RunCommand qw(run start finish wait_until contents);
use Test::More;

my $CPU     = '/sys/devices/system/cpu';
my $CLOCKS  = '/sys/devices/system/clocksource/clocksource0/available_clocksource';
my $PREEMPT = '/sys/kernel/debug/sched/preempt';
my @CPUS    = grep { -d "$CPU/cpu$_" } 0 .. 1023;

sub report_of {
    my ($status, $out, $err) = run(no_rtc(), fake_root(@_), program(qw(-s nanosleep -P other --best-effort -n 5 -o -)));
    is($status, 0, 'exit status') or diag $err;
    return whole_report($out);
}

# Files of each CPU.
sub each_cpu {
    my ($name, $content) = @_;
    return map { ("$CPU/cpu$_/$name" => $content) } @CPUS;
}

# Files and settings of the machine, and the facts.
my @MACHINES = (
    [['/proc/cmdline' => 'quiet isolcpus=managed_irq,2-3 nohz_full=2-3 rcu_nocbs=all -- isolcpus=9'],
        {isolcpus => 'managed_irq,2-3', nohz_full => '2-3', rcu_nocbs => 'all'}],
    [['/proc/cmdline' => 'quiet'], {isolcpus => 'none', nohz_full => 'none', rcu_nocbs => 'none'}],
    [['/proc/cmdline' => undef], {isolcpus => 'unknown', kernel_command_line => 'unknown'}],
    [['/proc/cpuinfo' => "model name\t: Fast\nmicrocode\t: 0x2f\nflags\t\t: fpu tsc"],
        {cpu_model => 'Fast', microcode => '0x2f', hypervisor => 'none'}],
    [['/proc/cpuinfo' => "flags\t\t: fpu hypervisor", $CLOCKS => 'kvm-clock tsc'], {hypervisor => 'kvm', microcode => 'unknown'}],
    [['/proc/cpuinfo' => "flags\t\t: fpu hypervisor", $CLOCKS => 'hyperv_clocksource_tsc_page'], {hypervisor => 'hyperv'}],
    [['/proc/cpuinfo' => "flags\t\t: hypervisor x", $CLOCKS => 'tsc', '/sys/class/dmi/id/sys_vendor' => 'VMware, Inc.'],
        {hypervisor => 'VMware, Inc.'}],
    [['/sys/hypervisor/type' => 'xen'], {hypervisor => 'xen'}],
    [["$CPU/smt/control" => 'off'], {smt => 'off'}],
    [["$CPU/vulnerabilities/b" => 'Mitigation: B; on', "$CPU/vulnerabilities/a" => 'Vulnerable',
        "$CPU/vulnerabilities/c" => 'Not affected'], {mitigations => 'a: Vulnerable | b: Mitigation: B; on'}],
    [["$CPU/vulnerabilities/c" => 'Not affected'], {mitigations => 'none'}],
    [["$CPU/vulnerabilities/a" => 'x' x 255, map { ("$CPU/vulnerabilities/b$_" => 'y' x 250) } 1 .. 9], {mitigations => qr/y\.\.\.$/}],
    [["$CPU/cpuidle/current_driver" => 'intel_idle'], {idle_driver => 'intel_idle'}],
    [[map { each_cpu(@$_) } ['cpuidle/state0/name' => 'POLL'], ['cpuidle/state0/latency' => 0], ['cpuidle/state1/name' => 'C6'],
        ['cpuidle/state1/latency' => 133], ['cpuidle/state1/disable' => 1], ['cpuidle/state2/latency' => undef]],
        {idle_states_us => 'POLL 0, C6 133 disabled'}],
    [[each_cpu('cpufreq/scaling_governor' => 'performance'), each_cpu('cpufreq/scaling_min_freq' => 800000),
        each_cpu('cpufreq/scaling_max_freq' => 3600000)], {governor => 'performance', frequency_khz => '800000 to 3600000'}],
    [["$CPU/cpufreq/boost" => 1], {boost => 'on'}],
    [["$CPU/intel_pstate/no_turbo" => 1], {boost => 'off'}],
    [['/proc/sys/kernel/sched_rt_runtime_us' => -1, '/proc/sys/kernel/sched_rt_period_us' => 500000],
        {rt_runtime_us => -1, rt_period_us => 500000}],
    [['/proc/self/cgroup' => "1:cpu:/a\n0::/b"], {cgroup => '1:cpu:/a, 0::/b'}],
    [['/etc/tuned/active_profile' => 'realtime'], {tuned_profile => 'realtime'}],
    [['/run/systemd/container' => 'lxc'], {container => 'lxc'}],
    [['/.dockerenv' => '', '/run/systemd/container' => ''], {container => 'docker'}],
    [['/proc/sys/kernel/random/boot_id' => 'a-b'], {boot_id => 'a-b'}],
    [[version => '#1 SMP PREEMPT_DYNAMIC', $PREEMPT => 'none voluntary (full) lazy'], {preemption => 'full (PREEMPT_DYNAMIC)'}],
    [[version => '#1 SMP PREEMPT_DYNAMIC', $PREEMPT => 'none (lazy)'], {preemption => 'lazy (PREEMPT_DYNAMIC)'}],
    [[version => '#1 SMP PREEMPT_DYNAMIC', $PREEMPT => ''], {preemption => 'unknown (PREEMPT_DYNAMIC)'}],
    [[version => '#1 SMP PREEMPT_RT'], {preemption => 'PREEMPT_RT'}],
    [[version => '#1 SMP PREEMPT RT'], {preemption => 'PREEMPT_RT'}],
    [[version => '#1 SMP PREEMPT', release => '6.1.0'], {preemption => 'full'}],
    [[version => '#1 SMP PREEMPT', release => '6.13.1'], {preemption => 'full or lazy'}],
    [[version => '#1 SMP'], {preemption => 'none or voluntary'}],
);

sub facts_are {
    my ($machine, $facts) = @_;
    my $report = report_of(@$machine);
    for my $key (sort keys %$facts) {
        if (ref $facts->{$key}) { like($report->{$key}, $facts->{$key}, $key) }
        else                    { is($report->{$key}, $facts->{$key}, $key) }
    }
    is_deeply([grep { /_after$/ } keys %$report], [], 'nothing has changed');
}

workspace();
subtest join(q{ }, sort keys %{$_->[1]}) => \&facts_are, @$_ for @MACHINES;

subtest 'CPUs that are not alike' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS < 2;
    my %governors = (each_cpu('cpufreq/scaling_governor' => 'performance'), "$CPU/cpu0/cpufreq/scaling_governor" => 'powersave');
    my $others = @CPUS > 2 ? "1-$CPUS[-1]" : 1;
    is(report_of(%governors)->{governor}, "CPU 0: powersave, CPU $others: performance", 'governor');
};

subtest 'what changes during the run' => sub {
    my $root = 'root';
    my %files = each_cpu('cpufreq/scaling_governor' => 'powersave');
    my @command = (no_rtc(), fake_root(root => $root, %files, "$CPU/smt/control" => 'on'),
        program(qw(-s nanosleep -P other --best-effort -f 100 -d 3s -o report)));
    my $run = start(@command);
    wait_until(sub { contents("/proc/$run->{pid}/task/$run->{pid}/children") =~ /\d/ });
    put("$root$_", 'performance') for keys %files;
    put("$root$CPU/smt/control", '');
    finish($run);
    my $report = whole_report(contents('report'));
    is($report->{governor}, 'powersave', 'before');
    is($report->{governor_after}, 'performance', 'after');
    is_deeply([grep { /_after$/ } keys %$report], ['governor_after'], 'what is not known is no change');
    like($report->{verdict}, qr/^\w+: .*governor changed: powersave -> performance/, 'verdict');
};

done_testing;
