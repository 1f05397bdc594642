# SPDX-License-Identifier: GPL-2.0-or-later
# What --check lists: the values of a machine on which all is well, and what is other on another one.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Sim;
use Test::More;

my $CPUS     = '/sys/devices/system/cpu';
my $CPU      = "$CPUS/cpu0";
my $STAT     = '/proc/stat';
my $PREEMPT  = '/sys/kernel/debug/sched/preempt';
my $SIBLINGS = 'topology/thread_siblings_list';
my $GOVERNOR = "$CPU/cpufreq/scaling_governor";
my @OPTIONS  = qw(-s nanosleep -a 0);

# A CPU with two idle states and a governor.
my %CPU0 = ($GOVERNOR => 'performance', map {
    my $state = "$CPU/cpuidle/state$_";
    ("$state/name" => "C$_", "$state/latency" => $_, "$state/disable" => 0)
} 0, 1);

# The run, and the lines of --check, with these files and this script.
sub lines {
    my ($options, $files, @script) = @_;
    my $run = simulate(['--check', @$options], script => \@script, files => { %CPU0, %$files }, shell => 'ulimit -n 1024; exec "$@"');
    return ($run, split /\n/, $run->{out});
}

my ($well, @well) = lines(\@OPTIONS, {});
is_deeply(\@well, [
    'output: ok', 'clock: ok: monotonic', 'files: ok: 1024 may be open', 'source: ok: nanosleep at 2048 Hz', 'rights: ok: fifo 95',
    'throttling: ok: real-time processes may run 950000 of each 1000000 us', 'hypervisor: ok: none',
    'preemption: ok: full (PREEMPT_DYNAMIC)', "scheduler: ok: the kernel's own", 'timers: ok: high-resolution', 'timer thread: ok',
    'idle states: ok: limited to 0 us; without that: C0 0, C1 1', 'governor: ok: performance',
    'own processes: ok: keeper and standby on CPUs 1-3',
    'siblings: ok: none', 'clocksource: ok: tsc', 'all ok',
], '--check lists all that it looks at');

# One test: where these files are others, and this happens, these lines are not as above.
sub differs {
    my ($what, $options, $files, $script, @expected) = @_;
    my ($run, @lines) = lines($options, $files, @$script);
    my %as_above = map { $_ => 1 } @well;
    my $status = $expected[-1] =~ /^\d+ finding/ ? 1 : 0;
    is_deeply(["$run->{status}$run->{err}", grep { !$as_above{$_} } @lines], [$status, @expected], $what);
}

for (
    ['throttling is off', '/proc/sys/kernel/sched_rt_runtime_us', -1, 'throttling: ok: off'],
    ['another scheduler', '/sys/kernel/sched_ext/root/ops', 'scx_lavd', 'scheduler: ok: scx_lavd, by sched_ext'],
    ['idle states that cannot be held off', '/dev/cpu_dma_latency', undef, 'idle states: ok: C0 0, C1 1'],
    ['PREEMPT_LAZY', $PREEMPT, 'none (lazy) full', 'preemption: ok: lazy (PREEMPT_DYNAMIC)'],
) {
    my ($what, $path, $text, $line) = @$_;
    differs($what, \@OPTIONS, { $path => $text }, [], $line);
}

# The limits of a machine are what it is measured for: they are listed, and no run warns of them.
my $WAITS = 'so a wake-up has to wait until the kernel has finished other work, at times for milliseconds; '
    . 'a PREEMPT_RT kernel would bound the tail, and preempt=full at boot would shorten it';
my $LIMIT = 'no findings, 1 limit of the machine';
for (
    [$PREEMPT, '(none) voluntary full', "preemption: none (PREEMPT_DYNAMIC), $WAITS"],
    [$PREEMPT, 'none (voluntary) full', "preemption: voluntary (PREEMPT_DYNAMIC), $WAITS"],
    ["$CPU/$SIBLINGS", '0,900,901', 'siblings: another thread runs on the core of CPU 0 (CPUs 900-901), and what it does '
        . 'slows wake-ups; switch it off, as in echo 0 >/sys/devices/system/cpu/cpu900/online, or boot with nosmt'],
) {
    my ($path, $text, $line) = @$_;
    differs("$path: $text", \@OPTIONS, { $path => $text }, [], $line, $LIMIT);
    my ($report) = ends_so("$path: $text: a run", simulate([@OPTIONS, qw(-n 5 -o report)], files => { $path => $text }),
        'exit 0', 'complete 5, valid');
    is($report->{preflight}, 'ok', "$path: $text: the report");
}

# Both CPUs that are measured are threads of a core, and so is any other that may be used.
my %CORE = map { ("$CPUS/cpu$_/$SIBLINGS" => '0-3') } 0 .. 3;
differs('siblings that are all used', [qw(-s nanosleep -a), '0,1', actor()], \%CORE, [],
    'own processes: siblings of measured CPUs are used by measuring processes on CPUs 0-1, and by keeper, standby and load '
    . 'on CPUs 2-3, which slows wake-ups; measure one CPU of each core, and leave a core without any (--cpu), or boot with nosmt',
    'siblings: another thread runs on the core of CPUs 0-1 (CPUs 0-3), and what it does slows wake-ups; switch it off, as in '
    . "echo 0 >$CPUS/cpu2/online, or boot with nosmt", 'load: ok', '1 finding, 1 limit of the machine');

# The time that a hypervisor has taken is looked at for a second.
my %KVM = ('/proc/cpuinfo' => 'flags : fpu hypervisor',
    '/sys/devices/system/clocksource/clocksource0/available_clocksource' => 'kvm-clock tsc');
sub stat_of { my ($ticks) = @_; return join "\n", map { "$_ 1 0 1 9 0 0 0 $ticks 0 0" } 'cpu ', 'cpu0' }
differs('a hypervisor that never took any time', \@OPTIONS, { %KVM, $STAT => stat_of(0) }, [],
    'hypervisor: unknown what kvm takes', 'no findings, 1 unknown: this system does not show it');
differs('a hypervisor that takes nothing', \@OPTIONS, { %KVM, $STAT => stat_of(7) }, [],
    'hypervisor: ok: kvm, nothing taken in the last second');
differs('a hypervisor that takes time', \@OPTIONS, { %KVM, $STAT => stat_of(7), "$STAT.next" => stat_of(19) },
    ["0.5 rename $well->{root}$STAT.next $well->{root}$STAT"],
    'hypervisor: kvm, 120 ms of CPU time taken in the last second, in which a wake-up has to wait; '
    . 'give this machine CPUs of its own, or measure on the host', '1 finding');

# A harness skips what only PREEMPT_RT can do.
for (['full', 4, 'preemption: full, not PREEMPT_RT, as --check=rt asks; boot a kernel that is', $LIMIT],
    ['none', 4, "preemption: none, $WAITS", $LIMIT], ['RT', 0, 'preemption: ok: PREEMPT_RT', 'all ok']) {
    my ($model, $status, @expected) = @$_;
    my $run = simulate(['--check=rt', @OPTIONS[0 .. 1], qw(-a 0)], shell => 'ulimit -n 1024; exec "$@"', files => { %CPU0,
        $PREEMPT => $model eq 'none' ? '(none) full' : 'none (full)' }, script => $model eq 'RT' ? ['set version #1 SMP PREEMPT_RT'] : []);
    my @lines = grep { /^preemption|^no findings|^all ok/ } split /\n/, $run->{out} =~ s/ \(PREEMPT_DYNAMIC\)//gr;
    is_deeply(["$run->{status}$run->{err}", @lines], [$status, @expected], "--check=rt: $model");
}

# On a terminal lines are wrapped at words.
my (undef, @narrow) = lines(\@OPTIONS, { $GOVERNOR => 'powersave' }, 'set columns 40');
is_deeply([@narrow[0 .. 2, 6, 8 .. 9]], [
    'governor: powersave on CPU 0, so its', '    frequency follows the load; cpupower', '    frequency-set -g performance',
    'source: ok: nanosleep at 2048 Hz', 'throttling: ok: real-time processes may', '    run 950000 of each 1000000 us',
], 'a terminal of 40 columns');

done_testing;
