# SPDX-License-Identifier: GPL-2.0-or-later
# Several CPUs at once: what is refused, a part of the report for each, and what is said of all.
use strict;
use warnings;
use Fcntl qw(O_NONBLOCK O_RDONLY);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(min sum0 uniq);
use POSIX qw(mkfifo);
use Report;
use RunCommand qw(contents);
use Sim;
use Test::More;

my $CPU = '/sys/devices/system/cpu';
my @TWO = (qw(-s nanosleep -f 100 -a), '0,1');

# One test: all that --check finds, with the last line.
sub finds {
    my ($options, $of, @expected) = @_;
    my $run = simulate(['--check', @$options], %$of);
    is_deeply([grep { !/^[a-z ]+: ok(?:: |$)/ } split /\n/, $run->{out}], \@expected, "--check @$options");
    return $run;
}

my $NOT_ALL = 'leave it out, as --cpu=all does, or use --best-effort';
my $ABSENT = "rights: bind to CPU 1023: Invalid argument: the machine has CPUs 0-3; $NOT_ALL";
my %PRESENT = (files => { "$CPU/present" => '0-1022', "$CPU/online" => '0-99,1021' });
my @UNBOUND = ('siblings: unknown', '1 finding, 1 unknown: this system does not show it');
finds([qw(-s nanosleep -a), '1,1023'], {}, $ABSENT, @UNBOUND);
finds([qw(-s nanosleep -a 1020-1023)], \%PRESENT,
    'rights: bind to CPUs 1020-1023: Invalid argument: the machine has CPUs 0-1022, and 1020,1022 are offline, '
    . 'and 1021 is not in the cpuset of this process; ' . $NOT_ALL =~ s/it/them/r, @UNBOUND);
finds([qw(-s nanosleep -a), '1020,1022'], \%PRESENT,
    'rights: bind to CPUs 1020,1022: Invalid argument: they are offline; ' . $NOT_ALL =~ s/it/them/r, @UNBOUND);
finds([qw(-s nanosleep -a all)], {}, 'all ok');

# Each CPU is looked at.
finds([qw(-s nanosleep --dma-latency=off -a), '0,1'], { files => { map { @$_ } map { my $state = "$CPU/cpu$_/cpuidle/state0";
    ["$CPU/cpu$_/cpufreq/scaling_governor" => $_ ? 'powersave' : 'performance', "$state/name" => 'C1', "$state/latency" => 200 * $_,
        "$state/disable" => 0] } 0, 1 } },
    "idle states: C1 takes 200 us to leave, by which wake-ups are late, and is not disabled ($CPU/cpu1/cpuidle/state0); "
    . 'give --dma-latency=0us as root, or cpupower idle-set -D 10',
    'governor: powersave on CPU 1, so its frequency follows the load; cpupower frequency-set -g performance', '2 findings');

# The RTC is for one CPU, as is the timer of the sound system. auto takes another source then, and says nothing of it.
my %RTC = (script => ['set rtc /dev/rtc0']);
my $ONE = 'only one process can open it, but 2 CPUs need a process each; use --source=nanosleep, or name one CPU';
my @looks = (
    finds([qw(-s alsa -a 0-1)], \%RTC, "source: --source=alsa: $ONE", '1 finding'),
    finds([qw(-s rtc -a 0-1)], \%RTC, "source: --source=rtc: $ONE", '1 finding'),
    finds([qw(-D /dev/rtc0 -a 0-1)], \%RTC, "source: --source=rtc: $ONE", '1 finding'),
    finds([qw(-a 0-1)], \%RTC, 'all ok'),
);
like($looks[-1]{out}, qr/^source: ok: nanosleep at 2048 Hz$/m, 'the source for several CPUs is nanosleep');
is_deeply([map { $_->{log} =~ / rtc .*/g } @looks], [], 'the RTC is left alone');
ends_so('auto, and another refusal', simulate([qw(-n 1 -a 0-1 -o nowhere/report)], %RTC), 'exit 1',
    'write nowhere/report: No such file or directory; name another file, in a folder that exists and is yours, with --output');

# A part for each CPU, in order; what is of the run is the same in each.
my @OF_RUN = qw(command version started kernel_release kernel_version cpus_online source frequency_hz period_ns clock phases);
for ([qw(nanosleep spread)], [qw(nanosleep aligned --aligned)], [qw(timerfd spread)], [qw(timerfd aligned --aligned)]) {
    my ($source, $phases, @options) = @$_;
    my @parts = ends_so("$source, $phases: samples", simulate(['-s', $source, qw(-a all -f 1000 -n 20 -o report), @options]),
        'exit 0', ('complete 20, valid') x 4);
    my @ns = map { $phases eq 'spread' ? 250_000 * $_ : 0 } 0 .. 3;
    is_deeply([map { "$_->{part} on $_->{cpu}: $_->{source} $_->{phases} $_->{phase_ns}" } @parts],
        [map { $_ + 1 . " of 4 on $_: $source $phases $ns[$_]" } 0 .. 3], "$source, $phases: parts");
    is(scalar(uniq(map { "@$_{@OF_RUN}" } @parts)), 1, "$source, $phases: one run");
}
my ($only) = ends_so('a list of one CPU', simulate([qw(-a 1 --aligned -n 5 -o report)]), 'exit 0', 'complete 5, valid');
is_deeply([$only->{cpu}, grep { exists $only->{$_} } qw(part phases phase_ns)], [1],
    'a run on a list of one CPU has no parts and no phase');

my $PERIOD_NS = 3_333_333;

# When the grid of a meter begins: by the earliest of its wake-ups, after which it goes to sleep again.
sub grid_ns {
    my ($meter, @options) = @_;
    my $log = simulate([@TWO, qw(-f 300 -n 50 -o report), @options], script => ["set trace $meter"])->{log};
    my (undef, @slept_ns) = map { s/\.//r } $log =~ /^(\S+) $meter calls \d+ clock_nanosleep$/mg;
    return min(map { $slept_ns[$_] - $_ * $PERIOD_NS } 0 .. $#slept_ns);
}

is(grid_ns('meter1') - grid_ns('meter0'), int $PERIOD_NS / 2, 'spread: how far the wake-ups are apart, in a period that is not even');
is(grid_ns('meter1', '--aligned') - grid_ns('meter0', '--aligned'), 0, 'aligned: the wake-ups are at the same time');

# Between what is checked at the start and the meters something happens.
my $ONLINE = 'cpus_online changed: 0-3 -> 0,2,3';
my $BIND   = 'bind to CPU 1: Invalid argument';
my $EMPTY  = 'invalid: nothing was measured; the measuring process ended before it could measure';
my $ENDED  = 'load: signal 15, by the run';
runs([@TWO, qw(-n 50)], {},
    ['keeper:fork:3 offline 1' => 'exit 1',
        "$BIND: it is offline; switch it on (echo 1 >$CPU/cpu1/online), or $NOT_ALL"],
);
runs([@TWO, qw(-n 50 --best-effort)], {},
    ['keeper:fork:3 offline 1' =>
        'exit 0', "complete 50, suspect: $ONLINE", "complete 50, invalid: not real-time: $BIND; $ONLINE"],
);
my $PIDS = '/sys/fs/cgroup/pids.events';
for (2, 3) {
    my @script = ("keeper:fork:$_ put $PIDS max 4", "keeper:fork:$_ EAGAIN");
    my $run = simulate([@TWO, qw(-d 1h -o report), actor(qw(fork sleep=1000))], script => \@script, files => {
        '/proc/self/mounts' => 'none /sys/fs/cgroup cgroup2 rw 0 0', '/sys/fs/cgroup/memory.events' => 'oom 1',
        $PIDS => 'max 3',
    });
    ends_so("keeper:fork:$_ EAGAIN", $run, 'exit 1', ($_ == 2 ? 'start a second process' : 'start a measuring process')
        . ': Resource temporarily unavailable; raise pids.max of the control group /, which was reached');
}

# What is on standard error, but for the latencies.
sub said {
    my ($run) = @_;
    return grep { !/^(?:lateness|histogram|report)/ } map { s/ +/ /gr } $run->{err} =~ /^(?:[> ] +\d+ .*|\w+ .*)$/mg;
}

# One test more than in ends_so(): what is said at the end.
sub comes_to {
    my ($options, $script, $outcome, @said) = @_;
    my $run = simulate([@TWO, @$options, qw(-o report)], script => [split /; /, $script]);
    my @parts = ends_so("@$options: $script", $run, @$outcome);
    is_deeply([said($run)], \@said, "@$options: $script: it says so");
    return @parts;
}

comes_to([qw(-n 300)], '', ['exit 0', ('complete 300, valid') x 2],
    '> 0 300 2.96 ~4.05 - 4.05 0',
    '> 1 300 2.96 ~4.05 - 4.05 0',
    'missed 0 of 600 periods of nanosleep at 100 Hz on 2 CPUs', 'run valid');
comes_to([qw(-d 3s)], '', ['exit 0', ('complete 298, valid') x 2],
    '> 0 298 2.96 ~4.05 - 4.05 0',
    '> 1 298 2.96 ~4.05 - 4.05 0',
    'missed 0 of 596 periods of nanosleep at 100 Hz on 2 CPUs', 'run valid');
comes_to([qw(-q -n 5)], '', ['exit 0', ('complete 5, valid') x 2]);
comes_to([qw(-n 50)], 'meter1:prctl:1 KILL meter1', ['exit 1', 'complete 50, valid', "interrupted 0, $EMPTY"],
    '> 0 50 2.96 - - 4.05 0',
    ' 1 0 - - - - 0',
    'missed 0 of 50 periods of nanosleep at 100 Hz on 2 CPUs',
    'run INVALID: CPU 1: nothing was measured, and 1 more interrupted after 0.5 s');

# One CPU is late.
my @parts = comes_to([qw(-n 300 --max=1s)], 'meter1:clock_nanosleep:50 late 1.5',
    ['exit 2', 'complete 300, valid', 'complete 300 + 150 missed, valid'],
    ' 0 300 2.96 ~4.05 - 4.05 0',
    '> 1 300 3.65 ~1461000 - 1500004 150',
    'missed 150 of 750 periods of nanosleep at 100 Hz on 2 CPUs',
    'limit exceeded: counted 51 of 450 periods later than 1 s on CPU 1', 'run valid');
is_deeply([map { $_->{max} } @parts], [qw(kept exceeded)], '--max is in each part');
is(sum0(map { $_->{lateness} } grep { $_->{from_us} >= 1e6 } @{ $parts[1]{sets}{histogram} }), 51,
    'the histogram has the periods above --max');

my $TRACE = 'not stopped: /sys/kernel/debug/tracing/tracing_on: No such file or directory';
@parts = comes_to([qw(-d 1h --break=1s)], 'meter0:clock_nanosleep:50 late 1.5',
    ['exit 2', 'break 49 + 150 missed, valid', 'break 198, valid'],
    '> 0 49 510100 ~1491000 - 1500003 150',
    ' 1 198 2.83 ~4.05 - 4.05 0',
    'missed 150 of 397 periods of nanosleep at 100 Hz on 2 CPUs',
    "break ended at the first delay above 1 s trace: $TRACE", 'run valid ended by --break after 2.0 s of 3600 s');
is_deeply([map { $_->{trace} } @parts], [$TRACE, undef], 'what became of the trace is in the part of the late CPU');

# Interrupted, or one ends before the other: a checkpoint says so, and has all samples.
comes_to([qw(-n 1000000)], '0.5 USR1 keeper; 1 INT keeper', ['exit 3', ('interrupted 98, valid') x 2],
    '> 0 98 2.96 - - 4.05 0',
    '> 1 98 2.83 - - 4.05 0',
    'missed 0 of 196 periods of nanosleep at 100 Hz on 2 CPUs', 'run valid interrupted after 1.0 s');
my $STOPPED = 'suspect: stopped: a signal stopped the measuring process for 4.010 s';
runs([@TWO, qw(-C 0 -n 300)], {},
    ['0.5 USR1 keeper; 0.6 KILL keeper standby meter0 meter1' => 'exit 137', ('checkpoint 49, valid') x 2],
    ['0.5 USR1 keeper; 1 STOP meter0; 4 USR1 keeper; 5 KILL keeper standby meter0' => 'exit 137', 'checkpoint 49, valid',
        'complete 300, valid'],
    ['0.5 USR1 keeper; 1 STOP meter0; 4 USR1 keeper; 5 CONT meter0' => 'exit 0', "complete 300 + 400 missed, $STOPPED",
        'complete 300, valid'],
);

# Rights that are not to be had.
my $REFUSED = 'any:sched_setscheduler:1+ EPERM; any:mlockall:1+ EPERM';
runs([@TWO, qw(-n 20 --best-effort)], {}, [$REFUSED => 'exit 0', ('complete 20, invalid: not real-time: '
    . 'lock memory: Operation not permitted; take SCHED_FIFO 95: Operation not permitted') x 2]);
my $run = simulate([@TWO, qw(-n 20 -o report)], script => [split /; /, $REFUSED]);
is_deeply([$run->{status}, $run->{report}, $run->{err} =~ /^realfeel: (\w+ \w+)/mg], [1, undef, 'lock memory', 'take SCHED_FIFO'],
    'without --best-effort there is no run, and each right is refused once');

# A CPU that is not there: the meter runs on the one that is left, where that is only one, but is not bound to it.
@parts = ends_so('CPUs that are not there', simulate([qw(-s nanosleep -f 100 -n 20 --best-effort -o report -a), '0,1022,1023'],
    script => ['set cpus 2']), 'exit 0', 'complete 20, valid',
    map { "complete 20, invalid: not real-time: bind to CPU $_: Invalid argument" } 1022, 1023);
is_deeply([map { $_->{cpu} } @parts], [0, ('any (1)') x 2], 'parts that are not bound name where they may run');

# The test reads the pipe, which has room for the report, when the run is over.
my $pipe = tempdir(CLEANUP => 1) . '/pipe';
mkfifo($pipe, 0600) or die $!;
sysopen my $reader, $pipe, O_RDONLY | O_NONBLOCK or die $!;
$run = simulate([@TWO, qw(-n 20 -o), $pipe]);
my $text = join '', <$reader>;
is_deeply([map { "$_->{part}: $_->{status} $_->{samples}" } whole_parts($text)], [map { "$_ of 2: complete 20" } 1, 2],
    'parts come through a pipe');
$run = simulate([@TWO, qw(-n 20 -o -)]);
is(scalar(whole_parts($run->{out})), 2, 'parts come on standard output');

# 64 meters.
my $METERS = 64;
my @MANY   = (qw(-s nanosleep -f 16 -a), '0-' . ($METERS - 1));
my %MANY   = (script => ["set cpus $METERS", 'set trace keeper'], files => { "$CPU/online" => '0-63', "$CPU/present" => '0-63' });
my $HEIR   = 'the keeper was killed; the standby writes the report';
my $KILLED = 'interrupted 30, suspect: the measuring process was killed';
my $GOOD   = 'interrupted 30, valid';
$run = simulate([@MANY, qw(-n 128 -o report)], %MANY);
@parts = ends_so("$METERS meters", $run, 'exit 0', ('complete 128, valid') x $METERS);
is_deeply([map { "$_->{part} at $_->{phase_ns}" } @parts],
    [map { $_ + 1 . " of $METERS at " . int $_ * 62_500_000 / $METERS } 0 .. $METERS - 1], 'parts are in order and spread over the period');
is((said($run))[-2], 'missed 0 of 8192 periods of nanosleep at 16 Hz on 64 CPUs', 'the result adds them up');
my @wakes = uniq(grep { $_ > 1 && $_ < 8 } map { /^(\S+) keeper calls / } split /\n/, $run->{log});
is_deeply(\@wakes, [map { "$_.00${_}000000" } 1 .. 7], 'the keeper wakes for all at once');
runs([@MANY, qw(-d 1h)], \%MANY,
    ['2 KILL keeper' => 'exit 137', $HEIR, ($GOOD) x $METERS],
    ['2 KILL standby; 2 INT keeper' => 'exit 3', ($GOOD) x $METERS],
    ['2 KILL meter32; 2 INT keeper' => 'exit 3', ($GOOD) x 32, $KILLED, ($GOOD) x 31],
    ['2 KILL keeper meter63' => 'exit 137', $HEIR, ($GOOD) x 63, $KILLED],
);

done_testing;
