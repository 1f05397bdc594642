# SPDX-License-Identifier: GPL-2.0-or-later
# The machine as the report's header has it, before the run and after.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Report;
use Sim;
use Test::More;

my $CPU       = '/sys/devices/system/cpu';
my $CLOCKS    = '/sys/devices/system/clocksource/clocksource0/available_clocksource';
my $PREEMPT   = '/sys/kernel/debug/sched/preempt';
my $SCHED_EXT = '/sys/kernel/sched_ext';
my $DMI       = '/sys/class/dmi/id';

# Files of each CPU.
sub each_cpu { my ($name, $content) = @_; return map { ("$CPU/cpu$_/$name" => $content) } 0 .. 3 }

# One test: on a machine of these files the header has these facts, and none of them has changed at the end.
sub facts_are {
    my ($facts, $files, @script) = @_;
    my $run = simulate([qw(-s nanosleep -n 5 -o report)], files => $files, script => \@script);
    my $report = parse_report($run->{report} // '');
    my $name = join ', ', map { "$_: " . substr($facts->{$_}, 0, 50) } sort keys %$facts;
    is_deeply([{ map { $_ => $report->{$_} } keys %$facts }, (grep { /_after$/ } keys %$report), faults_of($run)], [$facts], $name)
        or diag $run->{err};
}

facts_are(@$_) for (
    [{ isolcpus => 'managed_irq,2-3', nohz_full => '2-3', rcu_nocbs => 'all' },
        { '/proc/cmdline' => 'quiet isolcpus=managed_irq,2-3 nohz_full=2-3 rcu_nocbs=all -- isolcpus=9' }],
    [{ isolcpus => 'none', nohz_full => 'none', rcu_nocbs => 'none' }, { '/proc/cmdline' => 'quiet' }],
    [{ isolcpus => 'unknown', kernel_command_line => 'unknown' }, { '/proc/cmdline' => undef }],
    [{ cpu_model => 'Fast', microcode => '0x2f', hypervisor => 'none' },
        { '/proc/cpuinfo' => "model name\t: Fast\nmicrocode\t: 0x2f\nflags\t\t: fpu tsc" }],
    [{ hypervisor => 'kvm', microcode => 'unknown' }, { '/proc/cpuinfo' => "flags\t\t: fpu hypervisor", $CLOCKS => 'kvm-clock tsc' }],
    [{ hypervisor => 'hyperv' }, { '/proc/cpuinfo' => "flags\t\t: fpu hypervisor", $CLOCKS => 'hyperv_clocksource_tsc_page' }],
    [{ hypervisor => 'VMware, Inc.' },
        { '/proc/cpuinfo' => "flags\t\t: hypervisor x", $CLOCKS => 'tsc', "$DMI/sys_vendor" => 'VMware, Inc.' }],
    [{ hypervisor => 'xen' }, { '/sys/hypervisor/type' => 'xen' }],
    [{ smt => 'off' }, { "$CPU/smt/control" => 'off' }],
    [{ sched_ext => 'scx_lavd' }, { "$SCHED_EXT/state" => 'enabled', "$SCHED_EXT/root/ops" => 'scx_lavd' }],
    [{ sched_ext => 'none' }, { "$SCHED_EXT/state" => 'disabled', "$SCHED_EXT/root/ops" => '' }],
    [{ sched_ext => 'unknown' }, { "$SCHED_EXT/state" => 'enabling', "$SCHED_EXT/root/ops" => '' }],
    [{ smt_siblings => '0,2 1,3' }, { "$CPU/online" => '0-4',
        map { ("$CPU/cpu$_/topology/thread_siblings_list" => $_ == 4 ? 4 : $_ % 2 ? '1,3' : '0,2') } 0 .. 4 }],
    [{ smt_siblings => 'none' }, { "$CPU/online" => '0-1' }],
    [{ smt_siblings => 'unknown' }, { "$CPU/online" => '0', "$CPU/cpu0/topology/thread_siblings_list" => '' }],
    [{ mitigations => 'a: Vulnerable | b: Mitigation: B; on' }, { "$CPU/vulnerabilities/b" => 'Mitigation: B; on',
        "$CPU/vulnerabilities/a" => 'Vulnerable', "$CPU/vulnerabilities/c" => 'Not affected' }],
    [{ mitigations => 'none' }, { "$CPU/vulnerabilities/c" => 'Not affected' }],
    [{ mitigations => substr(join(' | ', 'a: ' . 'x' x 255, map { "b$_: " . 'y' x 250 } 1 .. 9), 0, 2044) . '...' },
        { "$CPU/vulnerabilities/a" => 'x' x 255, map { ("$CPU/vulnerabilities/b$_" => 'y' x 250) } 1 .. 9 }],
    [{ idle_driver => 'intel_idle' }, { "$CPU/cpuidle/current_driver" => 'intel_idle' }],
    [{ idle_states_us => 'POLL 0, C6 133 disabled' }, { map { each_cpu(@$_) } ['cpuidle/state0/name' => 'POLL'],
        ['cpuidle/state0/latency' => 0], ['cpuidle/state1/name' => 'C6'], ['cpuidle/state1/latency' => 133],
        ['cpuidle/state1/disable' => 1], ['cpuidle/state2/latency' => undef] }],
    [{ governor => 'performance', frequency_khz => '800000 to 3600000' }, { each_cpu('cpufreq/scaling_governor' => 'performance'),
        each_cpu('cpufreq/scaling_min_freq' => 800000), each_cpu('cpufreq/scaling_max_freq' => 3600000) }],
    [{ governor => 'CPU 0: powersave, CPU 1-3: performance' },
        { each_cpu('cpufreq/scaling_governor' => 'performance'), "$CPU/cpu0/cpufreq/scaling_governor" => 'powersave' }],
    [{ boost => 'on' }, { "$CPU/cpufreq/boost" => 1 }],
    [{ boost => 'off' }, { "$CPU/intel_pstate/no_turbo" => 1 }],
    [{ rt_runtime_us => -1, rt_period_us => 500000 },
        { '/proc/sys/kernel/sched_rt_runtime_us' => -1, '/proc/sys/kernel/sched_rt_period_us' => 500000 }],
    [{ cgroup => '1:cpu:/a, 0::/b' }, { '/proc/self/cgroup' => "1:cpu:/a\n0::/b" }],
    [{ tuned_profile => 'realtime' }, { '/etc/tuned/active_profile' => 'realtime' }],
    [{ container => 'lxc' }, { '/run/systemd/container' => 'lxc' }],
    [{ container => 'docker' }, { '/.dockerenv' => '', '/run/systemd/container' => '' }],
    [{ boot_id => 'a-b' }, { '/proc/sys/kernel/random/boot_id' => 'a-b' }],
    [{ distribution => 'A "B" 12 (c)' }, { '/etc/os-release' => qq(NAME=X\nPRETTY_NAME="A \\"B\\" 12 (c)"\nVERSION_ID=1) }],
    [{ distribution => 'Linux' }, { '/etc/os-release' => 'PRETTY_NAME=Linux' }],
    [{ distribution => 'unknown' }, { '/etc/os-release' => 'NAME=X' }],
    [{ board => 'Dell Inc. R640, Dell 0H28RR', bios => 'Dell 2.1 06/13/2019' },
        { "$DMI/sys_vendor" => 'Dell Inc.', "$DMI/product_name" => 'R640  ', "$DMI/board_vendor" => 'Dell',
          "$DMI/board_name" => '0H28RR', "$DMI/bios_vendor" => 'Dell', "$DMI/bios_version" => '2.1', "$DMI/bios_date" => '06/13/2019' }],
    [{ board => 'Board 4' }, { '/proc/device-tree/model' => "Board 4\0" }],
);

# The model of preemption, from what it is known, the kernel's version and release, and the files of the machine.
my $DYNAMIC = '#1 SMP PREEMPT_DYNAMIC';
my $BUILT   = "CONFIG_PREEMPT_BUILD=y\n# CONFIG_PREEMPT_VOLUNTARY is not set\n# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_";
for (
    ['full (PREEMPT_DYNAMIC)', $PREEMPT, $DYNAMIC, '6.18.0', $PREEMPT => 'none voluntary (full) lazy'],
    ['lazy (PREEMPT_DYNAMIC)', $PREEMPT, $DYNAMIC, '6.18.0', $PREEMPT => 'none (lazy)'],
    ['unknown (PREEMPT_DYNAMIC)', 'unknown', $DYNAMIC, '6.18.0',
        '/boot/config-6.18.0' => "${BUILT}LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y"],
    ['PREEMPT_RT', 'kernel_version', '#1 SMP PREEMPT_RT', '6.18.0', $PREEMPT => 'none (lazy)'],
    ['PREEMPT_RT', 'kernel_version', '#1 SMP PREEMPT RT', '5.10.0'],
    ['unknown (PREEMPT_DYNAMIC)', '/boot/config-5.12.0', '#1 SMP PREEMPT', '5.12.0',
        '/boot/config-5.12.0' => "CONFIG_PREEMPT=y\nCONFIG_PREEMPT_DYNAMIC=y"],
    ['full', 'kernel_version', '#1 SMP PREEMPT', '6.1.0', '/boot/config-6.2.0' => 'CONFIG_PREEMPT_LAZY=y'],
    ['full or lazy', 'kernel_version', '#1 SMP PREEMPT', '6.13.1'],
    ['lazy', '/boot/config-6.13.1', '#1 SMP PREEMPT', '6.13.1', '/boot/config-6.13.1' => "${BUILT}LAZY=y"],
    ['none or voluntary', 'kernel_version', '#1 SMP', '6.1.0'],
    ['voluntary', '/boot/config-4.18.0', '#1 SMP', '4.18.0', '/boot/config-4.18.0' => 'CONFIG_PREEMPT_VOLUNTARY=y'],
    ['none or voluntary', 'kernel_version', '#1 SMP', '4.18.0', '/boot/config-4.18.0' => 'CONFIG_PREEMPT=y'],
) {
    my ($model, $from, $version, $release, %files) = @$_;
    facts_are({ preemption => $model, preemption_from => $from }, { $PREEMPT => '', %files }, "set version $version",
        "set release $release");
}

# What changes during a run of two seconds. A fact that can no longer be read counts as unchanged.
sub changes {
    my ($name, $files, $script, $facts, @outcome) = @_;
    my ($report) = ends_so($name, simulate([qw(-s nanosleep -f 100 -n 200 -o report)], files => $files, script => $script), @outcome);
    is_deeply({ map { $_ => $report->{$_} } keys %$facts, grep { /_after$/ } keys %$report }, $facts, "$name: header");
}

my %GOVERNORS = each_cpu('cpufreq/scaling_governor' => 'powersave');
changes('the governor changes, and a scheduler is loaded',
    { %GOVERNORS, "$CPU/smt/control" => 'on', "$SCHED_EXT/state" => 'disabled', "$SCHED_EXT/root/ops" => '' },
    [(map { "1 put $_ performance" } sort keys %GOVERNORS), "1 put $CPU/smt/control", "1 put $SCHED_EXT/root/ops scx_lavd"],
    { governor => 'powersave', governor_after => 'performance', sched_ext_after => 'scx_lavd' },
    'exit 0', 'warning: governor: powersave on CPU 0 and 3 more, so their frequency follows the load; cpupower frequency-set -g '
        . 'performance',
    'complete 200, suspect: sched_ext changed: none -> scx_lavd; governor changed: powersave -> performance');
changes('the right to read the model of preemption ends', { $PREEMPT => '(voluntary)' },
    ['set version #1 SMP PREEMPT', 'set release 5.14.0', "1 put $PREEMPT"],
    { preemption => 'voluntary (PREEMPT_DYNAMIC)', preemption_from => $PREEMPT }, 'exit 0', 'complete 200, valid');

# The name of the run, and the program's version.
my ($version) = simulate(['--version'])->{out} =~ /^realfeel (\S+)$/;
for (["--label=night 3\t\\o/ \xc3\xbc", "night 3\\x09\\\\o/ \xc3\xbc"], ['--quiet', undef]) {
    my ($option, $label) = @$_;
    my $report = parse_report(simulate([qw(-s nanosleep -n 5 -o report), $option])->{report});
    is_deeply([@$report{qw(label version)}], [$label, $version], 'the name of the run is ' . ($label // 'not given'));
}

# Every other one of 1024 CPUs, as on a machine with two threads a core.
my $list = join ',', map { 2 * $_ } 0 .. 511;
my ($report) = ends_so('512 CPUs', simulate([qw(-s nanosleep -n 5 -o report), actor('sleep=100')],
    script => ['set cpus 1024', "set allowed $list"]), 'exit 0', 'complete 5, valid; load: signal 15, by the run');
is("$report->{load_cpus}; $report->{cpu}", "$list; any ($list)", '512 CPUs of the load and of the meter');

done_testing;
