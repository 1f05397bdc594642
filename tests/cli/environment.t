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
use RunCommand qw(run start finish contents);
use Test::More;

my $CPU     = '/sys/devices/system/cpu';
my $CLOCKS  = '/sys/devices/system/clocksource/clocksource0/available_clocksource';
my $PREEMPT = '/sys/kernel/debug/sched/preempt';
my $SCHED_EXT = '/sys/kernel/sched_ext';
my $DMI     = '/sys/class/dmi/id';
my @CPUS    = grep { -d "$CPU/cpu$_" } 0 .. 1023;

# The machine's own hypervisor stays out of it.
sub report_of {
    my @root = fake_root('/sys/hypervisor/type' => undef, @_);
    my ($status, $out, $err) = run(no_rtc(), @root, program(qw(-s nanosleep -P other --best-effort -n 5 -o -)));
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
    [["$SCHED_EXT/state" => 'enabled', "$SCHED_EXT/root/ops" => 'scx_lavd'], {sched_ext => 'scx_lavd'}],
    [["$SCHED_EXT/state" => 'disabled', "$SCHED_EXT/root/ops" => ''], {sched_ext => 'none'}],
    [["$SCHED_EXT/state" => 'enabling', "$SCHED_EXT/root/ops" => ''], {sched_ext => 'unknown'}],
    [["$CPU/online" => '0-4', map { ("$CPU/cpu$_/topology/thread_siblings_list" => $_ == 4 ? 4 : $_ % 2 ? '1,3' : '0,2') } 0 .. 4],
        {smt_siblings => '0,2 1,3'}],
    [["$CPU/online" => '0-1', map { ("$CPU/cpu$_/topology/thread_siblings_list" => $_) } 0, 1], {smt_siblings => 'none'}],
    [["$CPU/online" => '0', "$CPU/cpu0/topology/thread_siblings_list" => ''], {smt_siblings => 'unknown'}],
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
    [['/etc/os-release' => qq(NAME=X\nPRETTY_NAME="A \\"B\\" 12 (c)"\nVERSION_ID=1)], {distribution => 'A "B" 12 (c)'}],
    [['/etc/os-release' => 'PRETTY_NAME=Linux'], {distribution => 'Linux'}],
    [['/etc/os-release' => 'NAME=X'], {distribution => 'unknown'}],
    [["$DMI/sys_vendor" => 'Dell Inc.', "$DMI/product_name" => 'R640  ', "$DMI/board_vendor" => 'Dell', "$DMI/board_name" => '0H28RR',
        "$DMI/bios_vendor" => 'Dell', "$DMI/bios_version" => '2.1', "$DMI/bios_date" => '06/13/2019'],
        {board => 'Dell Inc. R640, Dell 0H28RR', bios => 'Dell 2.1 06/13/2019'}],
    [["$DMI/sys_vendor" => '', "$DMI/product_name" => '', "$DMI/board_vendor" => '', "$DMI/board_name" => '',
        '/proc/device-tree/model' => "Board 4\0"], {board => 'Board 4'}],
);

# Settings and files of the machine, the model of preemption, and from what it is known.
my @DYNAMIC = (version => '#1 SMP PREEMPT_DYNAMIC', release => '6.18.0');
my $BUILT   = "CONFIG_PREEMPT_BUILD=y\n# CONFIG_PREEMPT_VOLUNTARY is not set\n# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_";
my @MODELS = (
    [[@DYNAMIC, $PREEMPT => 'none voluntary (full) lazy'], 'full (PREEMPT_DYNAMIC)', $PREEMPT],
    [[@DYNAMIC, $PREEMPT => 'none (lazy)'], 'lazy (PREEMPT_DYNAMIC)', $PREEMPT],
    [[@DYNAMIC, $PREEMPT => '', '/boot/config-6.18.0' => "${BUILT}LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y"],
        'unknown (PREEMPT_DYNAMIC)', 'unknown'],
    [[version => '#1 SMP PREEMPT_RT', $PREEMPT => 'none (lazy)'], 'PREEMPT_RT', 'kernel_version'],
    [[version => '#1 SMP PREEMPT RT', $PREEMPT => ''], 'PREEMPT_RT', 'kernel_version'],
    [[version => '#1 SMP PREEMPT', release => '5.12.0', $PREEMPT => '',
        '/boot/config-5.12.0' => "CONFIG_PREEMPT=y\nCONFIG_PREEMPT_DYNAMIC=y"], 'unknown (PREEMPT_DYNAMIC)', '/boot/config-5.12.0'],
    [[version => '#1 SMP PREEMPT', release => '6.1.0', $PREEMPT => '', '/boot/config-6.2.0' => 'CONFIG_PREEMPT_LAZY=y'],
        'full', 'kernel_version'],
    [[version => '#1 SMP PREEMPT', release => '6.13.1', $PREEMPT => ''], 'full or lazy', 'kernel_version'],
    [[version => '#1 SMP PREEMPT', release => '6.13.1', $PREEMPT => '', '/boot/config-6.13.1' => "${BUILT}LAZY=y"],
        'lazy', '/boot/config-6.13.1'],
    [[version => '#1 SMP', $PREEMPT => ''], 'none or voluntary', 'kernel_version'],
    [[version => '#1 SMP', release => '4.18.0', $PREEMPT => '', '/boot/config-4.18.0' => 'CONFIG_PREEMPT_VOLUNTARY=y'],
        'voluntary', '/boot/config-4.18.0'],
    [[version => '#1 SMP', release => '4.18.0', $PREEMPT => '', '/boot/config-4.18.0' => 'CONFIG_PREEMPT=y'],
        'none or voluntary', 'kernel_version'],
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

for (@MODELS) {
    my ($machine, $model, $from) = @$_;
    subtest "preemption: $model from $from" => \&facts_are, $machine, {preemption => $model, preemption_from => $from};
}

subtest 'the right to read the model ends with the run' => sub {
    my %machine = (version => '#1 SMP PREEMPT', release => '5.14.0', $PREEMPT => '(voluntary)');
    my $root = 'away';
    my $run = start(no_rtc(), fake_root(root => $root, %machine),
        program(qw(-s nanosleep -P other --best-effort -f 100 -o away.hist)));
    wait_for_sample($run, 'away.hist');
    put("$root$PREEMPT", '');
    kill INT => $run->{pid};
    finish($run);
    my $report = whole_report(contents("away.hist"));
    is("$report->{preemption} $report->{preemption_from}", "voluntary (PREEMPT_DYNAMIC) $PREEMPT", 'before');
    is_deeply([grep { /_after$/ } keys %$report], [], 'another source is not taken for a change');
};

subtest 'CPUs that are not alike' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS < 2;
    my %governors = (each_cpu('cpufreq/scaling_governor' => 'performance'), "$CPU/cpu0/cpufreq/scaling_governor" => 'powersave');
    my $others = @CPUS > 2 ? "1-$CPUS[-1]" : 1;
    is(report_of(%governors)->{governor}, "CPU 0: powersave, CPU $others: performance", 'governor');
};

subtest 'what changes during the run' => sub {
    my $root = 'root';
    my %files = each_cpu('cpufreq/scaling_governor' => 'powersave');
    my @command = (no_rtc(), fake_root(root => $root, %files, "$CPU/smt/control" => 'on', "$SCHED_EXT/state" => 'disabled',
        "$SCHED_EXT/root/ops" => ''),
        program(qw(-s nanosleep -P other --best-effort -f 100 -o report)));
    my $run = start(@command);
    wait_for_sample($run, 'report');
    put("$root$_", 'performance') for keys %files;
    put("$root$CPU/smt/control", '');
    put("$root$SCHED_EXT/root/ops", 'scx_lavd');
    kill INT => $run->{pid};
    finish($run);
    my $report = whole_report(contents('report'));
    is($report->{governor}, 'powersave', 'before');
    is($report->{governor_after}, 'performance', 'after');
    is($report->{sched_ext_after}, 'scx_lavd', 'a scheduler that was loaded meanwhile');
    is_deeply([sort grep { /_after$/ } keys %$report], [qw(governor_after sched_ext_after)], 'what is not known is no change');
    like($report->{verdict}, qr/^\w+: .*sched_ext changed: none -> scx_lavd; governor changed: powersave -> performance/, 'verdict');
};

subtest 'the name of the run' => sub {
    my @run = program(qw(-s nanosleep -P other --best-effort -n 5 -o -));
    my (undef, $out) = run(@run, "--label=night 3\t\\o/ \xc3\xbc");
    is(whole_report($out)->{label}, "night 3\\x09\\\\o/ \xc3\xbc", 'is in the report');
    my ($version) = (run(program('--version')))[1] =~ /^realfeel (\S+)$/;
    is(whole_report($out)->{version}, $version, 'and so is the version of the program');
    ok(!exists whole_report((run(@run))[1])->{label}, 'without one there is none');
};

# Every other one of 1024 CPUs, as on a machine with two threads a core.
subtest 'long lists of CPUs' => sub {
    my $list = join ',', map { 2 * $_ } 0 .. 511;
    workspace();
    my @command = (no_rtc(), fake_root('/proc/self/status' => "VmLck:\t0 kB\nCpus_allowed_list:\t$list"),
        program(qw(-s nanosleep -P other --best-effort -n 5 -o report -- sleep 100)));
    is((run(@command))[0], 0, 'exit status');
    my $report = whole_report(contents('report'));
    is($report->{load_cpus}, $list, 'of the load');
    is($report->{cpu}, "any ($list)", 'of the meter');
};

done_testing;
