# SPDX-License-Identifier: GPL-2.0-or-later
# What would spoil a run is reported before it, all at once: by --check, by warnings, and in the report. refusals.t has what
# ends it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Report;
use Sim;
use Test::More;

my $RUNTIME   = '/proc/sys/kernel/sched_rt_runtime_us';
my $SOURCE    = '/sys/devices/system/clocksource/clocksource0/current_clocksource';
my $GOVERNOR  = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor';
my $STATE     = '/sys/devices/system/cpu/cpu0/cpuidle/state';
my $LIMIT     = '/sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us';
my $SIBLINGS  = '/sys/devices/system/cpu/cpu0/topology/thread_siblings_list';
my $BOX       = '/sys/fs/cgroup/cpu';
my @AREAS     = ('output', 'clock', 'files', 'source', 'rights', 'throttling', 'hypervisor', 'preemption', 'scheduler', 'timers',
    'timer thread', 'idle states', 'governor', 'own processes', 'siblings', 'clocksource');

# What a CPU has besides what each machine has.
my %CPU  = ($GOVERNOR => 'performance', $LIMIT => 0,
    map { ("$STATE$_/name" => "C$_", "$STATE$_/latency" => $_, "$STATE$_/disable" => 0) } 0 .. 4);
my %SLOW = ("${STATE}2/latency" => 133, "${STATE}3/latency" => 33, "${STATE}4/latency" => 400, "${STATE}4/disable" => 1);

sub run_of {
    my ($options, $script, $files) = @_;
    return simulate([qw(-s nanosleep -a 0), split ' ', $options], script => $script, files => { %CPU, %$files },
        under => ['child=1000']);
}

# The process that a line names has another number each time.
sub plain { return map { s/process \K\d+/N/r } @_ }

# One test: --check lists the line of this area, a run warns of it, and its report has it without the remedy; with --quiet
# nothing is printed. Without a line all is well.
sub flaw {
    my ($area, $options, $script, $files, $line) = @_;
    my $check = run_of("$options --check", $script, $files);
    my $run = run_of("$options -n 5 -o report", $script, $files);
    my $quiet = run_of("$options -n 5 -q -o report", $script, $files);
    my ($listed) = $check->{out} =~ /^$area: (.*)$/m;
    my ($reason) = ($line // 'ok') =~ /^(.*?)(?:; |$)/;
    is_deeply(
        ["exit $check->{status}", plain($listed =~ s/^ok: .*/ok/r), plain($run->{err} =~ /^realfeel: (.*)$/mg),
            plain(parse_report($run->{report})->{preflight}), $quiet->{err}],
        ['exit ' . (defined $line ? 1 : 0), $line // 'ok', (defined $line ? "warning: $area: $line" : ()),
            defined $line ? "$area: $reason" : 'ok', ''],
        join ' ', "$area:", grep { $_ ne '' } $options, @$script, map { s{.*/}{}r . ' ' . ($files->{$_} // 'none') } sort keys %$files);
}

# A control group of version 1, whose real-time processes may run so many of each 1000000 us.
sub box {
    my ($runtime_us) = @_;
    return { '/proc/self/cgroup' => '2:cpu,cpuacct:/box', '/proc/self/mounts' => "cgroup $BOX cgroup rw,cpu,cpuacct 0 0",
        "$BOX/box/cpu.rt_runtime_us" => $runtime_us, "$BOX/box/cpu.rt_period_us" => 1000000 };
}

sub throttled {
    my ($runtime_us, $hz, $alone_us, $remedy) = @_;
    return "real-time processes may run $runtime_us of each 1000000 us, and measuring at $hz Hz alone takes about $alone_us; $remedy";
}

my $SLOW_STATE = "C2 takes 133 us to leave, by which wake-ups are late, and is not disabled (${STATE}2); give --dma-latency=0us as "
    . 'root, or cpupower idle-set -D 10';
my $TIMER      = 'the thread that expires the timer (ktimers, process N) has the real-time priority';
my $DELAYS     = 'so a load of higher priority delays the timer; pgrep ktimers/ | xargs -n 1 chrt -f -p';
my @RT         = ('set version #1 SMP PREEMPT_RT', 'keeper:open:1 policy trial0 fifo 60');
my %KTIMERS    = ('/proc/trial0/comm' => 'ktimers/0');
flaw(@$_) for (
    ['throttling', '', [], { $RUNTIME => 0 }, throttled(0, 2048, 10240, "echo 950000 >$RUNTIME")],
    ['throttling', '-f 2001', [], { $RUNTIME => 20000 }, throttled(20000, 2001, 10005, "echo 950000 >$RUNTIME")],
    ['throttling', '-f 1999', [], { $RUNTIME => 20000 }],
    ['throttling', '-f 100000', [], {}, throttled(950000, 100000, 500000, 'lower --frequency')],
    ['throttling', '', [], box(5000), throttled(5000, 2048, 10240, "echo 950000 >$BOX/box/cpu.rt_runtime_us")],
    ['throttling', '', [], box(30000)],
    ['throttling', '-f 100000', [], { $RUNTIME => -1 }, 'it is off, and measuring at 100000 Hz alone takes about 500000 of each '
        . '1000000 us, so other processes may get no CPU time; lower --frequency'],
    ['throttling', '-f 50000', [], { $RUNTIME => -1 }],
    ['throttling', '-P other', [], { $RUNTIME => 0 }],
    ['timers', '', ['set resolution 0.004'], {}, 'they expire only every 4000000 ns: the kernel has no high-resolution timers; boot '
        . 'without highres=off, with a kernel that has CONFIG_HIGH_RES_TIMERS'],
    ['clocksource', '', [], { $SOURCE => 'hpet' }, 'hpet is read through the kernel, so every stamp is late by a microsecond or more; '
        . 'look in dmesg for why the kernel does not use tsc; clocksource=tsc at boot forces it'],
    ['clocksource', '', [], { $SOURCE => 'arch_sys_counter' }],
    ['governor', '', [], { $GOVERNOR => 'powersave' },
        'powersave on CPU 0, so its frequency follows the load; cpupower frequency-set -g performance'],
    ['own processes', '', [], { $SIBLINGS => '0,3' }],
    ['own processes', '', [], { $SIBLINGS => '0-3' }, 'siblings of measured CPUs are used by keeper and standby on CPUs 1-3, which slows '
        . 'wake-ups; measure one CPU of each core, and leave a core without any (--cpu), or boot with nosmt'],
    (map { ['idle states', $_->[0], [], { %SLOW, %{ $_->[1] } }, $_->[2]] }
        ['--dma-latency=off', {}, $SLOW_STATE], ['--dma-latency=200us', {}, $SLOW_STATE], ['--dma-latency=9us', {}], ['', {}],
        ['--dma-latency=off', { $LIMIT => 'n/a' }],
        ['--dma-latency=off', { $LIMIT => 200 }, $SLOW_STATE], ['', { '/dev/cpu_dma_latency' => undef }, $SLOW_STATE]),
    ['timer thread', '-s timerfd -p 61', \@RT, \%KTIMERS, "$TIMER 60, $DELAYS 61, or use --source=nanosleep"],
    ['timer thread', '-s timerfd -p 60', \@RT, \%KTIMERS],
    ['timer thread', '', \@RT, \%KTIMERS],
    ['timer thread', '-s timerfd -P other', \@RT, \%KTIMERS],
);

# What is found comes before what is well, each in this order.
sub areas { my ($run) = @_; return $run->{out} =~ /^([a-z ]+): /mg }

my $check = run_of('--check', [], {});
is_deeply([$check->{status}, areas($check), (split /\n/, $check->{out})[-1], $check->{err}], [0, @AREAS, 'all ok', ''], 'nothing is found');
$check = run_of('-c foo -o nowhere/report --check', [], { $SOURCE => 'hpet', $GOVERNOR => 'powersave' });
my %found = map { $_ => 1 } qw(output clock governor clocksource);
is_deeply([$check->{status}, areas($check), (split /\n/, $check->{out})[-1], $check->{err}],
    [1, qw(output clock governor clocksource), (grep { !$found{$_} } @AREAS), '4 findings', ''], 'what is found stands first');
for my $quiet ('', '-q') {
    my $run = run_of("-c foo -o nowhere/report $quiet", [], { $SOURCE => 'hpet', $GOVERNOR => 'powersave' });
    is_deeply([$run->{out}, map { s/: .*//r } $run->{err} =~ /^realfeel: (?:warning: )?(.*)$/mg],
        ['', 'write nowhere/report', '--clock=foo', $quiet ? () : qw(governor clocksource)],
        $quiet ? '--quiet prints refusals, and no warning' : 'a run that is refused prints refusals and warnings');
}

# The values of what is tried, after which the RTC is as before.
$check = simulate([qw(--check -s rtc -f 500)], script => ['set rtc /dev/rtc0']);
is_deeply([$check->{out} =~ /^source: (.*)$/m, $check->{log} =~ / keeper rtc (\w+ \d+, \w+)$/mg],
    ['ok: rtc at 500 Hz', 'rate 500, ordinary', 'off 500, ordinary', 'rate 1024, ordinary', 'leave 1024, ordinary'], 'the RTC is tried');
done_testing;
