# SPDX-License-Identifier: GPL-2.0-or-later
# A machine on which all is well, as far as its files tell: it hides what this one has.
package WellMachine;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(machine files $CPU $STATE $IDLE_LIMIT $RT_RUNTIME $CLOCKSOURCE $GOVERNOR $MODELS $SIBLINGS);

use FakeRoot;
use RunCommand qw(contents);

# The CPU that is measured, and the files of what may be other.
our ($CPU) = contents('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\d+)/m;
my $CPU_DIRECTORY = "/sys/devices/system/cpu/cpu$CPU";
our $STATE       = "$CPU_DIRECTORY/cpuidle/state";
our $IDLE_LIMIT  = "$CPU_DIRECTORY/power/pm_qos_resume_latency_us";
our $RT_RUNTIME  = '/proc/sys/kernel/sched_rt_runtime_us';
our $CLOCKSOURCE = '/sys/devices/system/clocksource/clocksource0/current_clocksource';
our $GOVERNOR    = "$CPU_DIRECTORY/cpufreq/scaling_governor";
our $MODELS      = '/sys/kernel/debug/sched/preempt';
our $SIBLINGS    = "$CPU_DIRECTORY/topology/thread_siblings_list";

my %WELL = (
    $RT_RUNTIME                           => 950000,
    '/proc/sys/kernel/sched_rt_period_us' => 1000000,
    '/proc/cpuinfo'                       => 'flags : fpu',
    '/sys/hypervisor/type'                => undef,
    '/proc/self/cgroup'                   => '0::/',
    '/dev/cpu_dma_latency'                => '',
    $IDLE_LIMIT                           => 0,
    '/sys/kernel/sched_ext/state'         => 'disabled',
    '/sys/kernel/sched_ext/root/ops'      => '',
    $MODELS                               => 'none voluntary (full)',
    $CLOCKSOURCE                          => 'tsc',
    $GOVERNOR                             => 'performance',
    $SIBLINGS                             => $CPU,
    (map { ("$STATE$_/name" => "C$_", "$STATE$_/latency" => $_, "$STATE$_/disable" => 0) } 0 .. 9),
);

# The words to be put before a command, which then finds this machine, but for these files.
sub machine {
    return fake_root(%WELL, @_);
}

# The files, for the name of a test.
sub files {
    my %files = @_;
    return join ' ', map { m{([^/]+)$} && "$1=" . ($files{$_} // '') =~ s/\n.*//sr } sort keys %files;
}

1;
