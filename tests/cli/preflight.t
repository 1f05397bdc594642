# SPDX-License-Identifier: GPL-2.0-or-later
# What would spoil a run is told before it, all at once: by --check, by warnings, and in the report.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use Listing;
use POSIX qw(:errno_h);
use Program;
use Report;
use RunCommand qw(run contents start finish wait_until);
use Test::More;
use WellMachine;

my @AREAS = (
    'output', 'clock', 'rights', 'files', 'source', 'throttling', 'hypervisor', 'preemption', 'scheduler', 'timers', 'timer thread',
    'idle states', 'governor', 'own processes', 'siblings', 'clocksource',
);

my %SLOW_STATE = ("${STATE}2/latency" => 133, "${STATE}3/latency" => 33, "${STATE}4/latency" => 400, "${STATE}4/disable" => 1);
my %REALTIME   = (version => '#1 SMP PREEMPT_RT');

my $BOX        = '/sys/fs/cgroup/cpu';
my $MAY_RUN    = 'real-time processes may run';
my $SLOW_STATE = "C2 takes 133 us to leave, by which .*, and is not disabled \\(${STATE}2\\); "
               . ".*--dma-latency=0us or --idle-latency=0us.* idle-set -D 10";
my $HPET       = 'hpet is read through the kernel, .*; look in dmesg .*';
my $POWERSAVE  = "powersave on CPU $CPU, so its frequency .*; cpupower frequency-set -g performance";
my $THREAD     = 'the thread that expires the timer \(ktimers, process \d+\) has the real-time priority 0, .*; '
               . 'pgrep ktimers/ \| xargs -n 1 chrt -f -p';

my $ON_SIBLINGS = 'keeper and standby on CPUs? [\d,-]+, which slows wake-ups';

# A control group of version 1, whose real-time processes may run so many of each 1000000 us.
sub box {
    my ($runtime_us, $mounted) = @_;
    my $directory = $mounted // "$BOX/box";
    return (
        '/proc/self/cgroup'                => "3:memory:/\n2:cpu,cpuacct:/box\n1:cpuset:/\n0::/",
        '/proc/self/mounts'                => "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\ncgroup $BOX cgroup rw,cpu,cpuacct 0 0",
        "$directory/cpu.rt_runtime_us" => $runtime_us,
        "$directory/cpu.rt_period_us"  => 1000000,
    );
}

# The area, what is other on the machine, options, and what is found: the line behind the area, or undef.
my @FLAWS = (
    ['throttling',   {$RT_RUNTIME => 0}, [], "$MAY_RUN 0 of .*, .* at 2048 Hz alone takes about 10240; echo 950000 >$RT_RUNTIME"],
    ['throttling',   {$RT_RUNTIME => 20000},  ['-f', 2001],   "$MAY_RUN 20000 of .*; echo 950000 >$RT_RUNTIME"],
    ['throttling',   {$RT_RUNTIME => 20000},  ['-f', 1999],   undef],
    ['throttling',   {$RT_RUNTIME => 950000}, ['-f', 100000], "$MAY_RUN 950000 of .*; lower --frequency"],
    ['throttling',   {box(5000)},             [],             "$MAY_RUN 5000 of .*; echo 950000 >$BOX/box/cpu.rt_runtime_us"],
    ['throttling',   {box(30000)},            [],             undef],
    ['throttling',   {$RT_RUNTIME => -1}, ['-f', 100000], 'it is off, and measuring at 100000 Hz alone takes .*; lower --frequency'],
    ['throttling',   {$RT_RUNTIME => -1}, ['-f', 50000], undef],
    ['throttling',   {$RT_RUNTIME => 0},  ['-P', 'other'], undef],
    ['timers',       {resolution_ns => 4000000}, [], 'they expire only every 4000000 ns: .*; boot without highres=off, .*'],
    ['timers',       {resolution_ns => 1},       [], undef],
    ['clocksource',  {$CLOCKSOURCE => 'hpet'}, [], $HPET],
    ['clocksource',  {$CLOCKSOURCE => 'arch_sys_counter'}, [], undef],
    ['governor',     {$GOVERNOR => 'powersave'}, [], $POWERSAVE],
    ['own processes', {$SIBLINGS => "$CPU,900"}, [], undef],
    allowed_cpus() < 2 ? () :
        ['own processes', {$SIBLINGS => join ',', allowed_cpus()}, [], "siblings of measured CPUs are used by $ON_SIBLINGS; measure .*"],
    ['idle states',  {%SLOW_STATE}, ['--dma-latency=off'], $SLOW_STATE],
    ['idle states',  {%SLOW_STATE}, ['--dma-latency=200us'], $SLOW_STATE],
    ['idle states',  {%SLOW_STATE}, ['--dma-latency=9us'], undef],
    ['idle states',  {%SLOW_STATE}, [], undef],
    ['idle states',  {%SLOW_STATE}, ['--idle-latency=9us'], undef],
    ['idle states',  {%SLOW_STATE}, ['--idle-latency=200us'], $SLOW_STATE],
    ['idle states',  {%SLOW_STATE, $IDLE_LIMIT => 'n/a'}, ['--dma-latency=off'], undef],
    ['idle states',  {%SLOW_STATE, $IDLE_LIMIT => 200}, ['--dma-latency=off'], $SLOW_STATE],
    ['idle states',  {%SLOW_STATE, '/dev/cpu_dma_latency' => undef}, [], $SLOW_STATE],
    ['timer thread', {%REALTIME}, [qw(-s timerfd -p 50)], "$THREAD 50, or use --source=nanosleep"],
    ['timer thread', {%REALTIME}, [qw(-s nanosleep)], undef],
    ['timer thread', {%REALTIME}, [qw(-s timerfd -P other)], undef],
);

# A process that is named as the kernel's thread is.
sub timer_thread {
    my $thread = start(@_, $^X, '-e', "\$0 = 'ktimers/$CPU'; \$| = 1; print 'named'; sleep 1000");
    wait_until(sub { contents("/proc/$thread->{pid}/comm") =~ /^ktimers/ });
    return $thread;
}

sub flaw {
    my ($area, $files, $options, $line) = @_;
    my @command = (machine(%$files), realfeel('-s', 'nanosleep', '-a', $CPU, @$options));
    my ($status, $last, @lines) = check(@command, '--check');
    my ($reason) = ($line // '') =~ /^(.*?); /;
    like("@{[of_area($area, @lines)]}", $line ? qr/\A$line\z/ : qr/\Aok(?:: .*)?\z/, '--check');
    is($status, 1, 'exit status') if $line;

    my (undef, $out, $err) = run(@command, qw(-n 5 -o -));
    my $report = whole_report($out);
    my ($warning) = $err =~ /^realfeel: warning: $area: (.*)$/m;
    $line ? like($warning, qr/\A$line\z/, 'the warning') : is($warning, undef, 'no warning');
    $line ? like($report->{preflight}, qr/(?:\A|; )$area: $reason(?:; |\z)/, 'it stays in the report, without the remedy')
          : unlike($report->{preflight}, qr/$area/, 'nothing stays in the report');
    is((run(@command, qw(-q -n 5 -o report --force)))[2], '', 'nothing is said with --quiet');
}

# Why a real-time policy is refused: the limit, where it is not as here, the machine, and the lines behind the reason.
my $DENIED = '(?:take SCHED_FIFO 95: Operation not permitted)';
my $GROUP  = "the control group /box has no real-time runtime; write one, such as 100000, to";
my @DENIALS = (
    [0,  {},                                          '; run .*, or raise the rtprio limit \(ulimit -r, now 0\) to 95'],
    [94, {},                                          '; run .*, or raise the rtprio limit \(ulimit -r, now 94\) to 95'],
    [undef, {box(0), policy_errno => EPERM},             ": $GROUP $BOX/box/cpu.rt_runtime_us and"],
    [undef, {box(0, $BOX), policy_errno => EPERM},       ": $GROUP $BOX/cpu.rt_runtime_us and"],
    [0,  {box(0)},                                    '; run .*, or raise', ": $GROUP"],
    [0,  {box(950000)},                               '; run .*, or raise'],
    [0,  {box(0), $RT_RUNTIME => -1},                 '; run .*, or raise'],
    [undef, {policy_errno => EPERM},                     ': neither .*; look for a seccomp filter'],
    [undef, {user_slice(), policy_errno => EPERM},
        ': the control group /user.slice/a may be the reason: it is not the root group; leave it \(echo \$\$ >/cg/cgroup.procs\), or boot'],
    [0,  {user_slice()},                              '; run .*, or raise'],
);

# A control group of version 2.
sub user_slice {
    return ('/proc/self/cgroup' => '0::/user.slice/a', '/proc/self/mounts' => 'cgroup2 /cg cgroup2 rw,nosuid,nsdelegate 0 0');
}

sub denial {
    my ($limit, $files, @lines) = @_;
    my @limited = defined $limit ? unprivileged(rtprio => $limit) : ();
    my @command = (machine(%$files), @limited, program('-s', 'nanosleep', '-a', $CPU, '--check'));
    my ($status, $last, @got) = check(@command);
    my @denied = grep { /^take/ } of_area('rights', @got);
    is($status, 1, 'exit status');
    is(scalar @denied, @lines, 'as many lines as there are reasons');
    like($denied[$_] // '', qr/\A${DENIED}$lines[$_].*, or use --best-effort\z/, 'the reason and the remedy') for 0 .. $#lines;
}

workspace();

subtest 'every area is looked at' => sub {
    my ($status, $last, @lines) = check(machine(), program('--check'));
    my (@found, @passed, %seen);
    push @{ $_->[1] =~ /^ok(?:: |\z)/ ? \@passed : \@found }, $_->[0] for @lines;
    my %at = map { $AREAS[$_] => $_ } 0 .. $#AREAS;
    is_deeply([map { $_->[0] } @lines], [@found, @passed], 'what is found stands before what is ok');
    is_deeply($_, [sort { $at{$a} <=> $at{$b} } @$_], 'in this order') for \@found, \@passed;
    is_deeply([sort grep { !$seen{$_}++ } @found, @passed], [sort @AREAS], 'all of them');
    my $findings = @found;
    is($last, $findings == 0 ? 'all ok' : $findings == 1 ? '1 finding' : "$findings findings", 'the last line');
    is($status, $findings ? 1 : 0, 'exit status');
    is_deeply([glob '*'], [], 'no file is made');
};

subtest 'all is well' => sub {
    plan skip_all => 'real-time rights are refused here' unless has_rights();
    my ($status, $last) = check(machine(), program('-s', 'nanosleep', '-a', $CPU, '--check'));
    is("$status $last", '0 all ok', '--check');
    my (undef, $out, $err) = run(machine(), program('-s', 'nanosleep', '-a', $CPU, qw(-n 5 -o -)));
    is(whole_report($out)->{preflight}, 'ok', 'the report');
    unlike($err, qr/^realfeel: /m, 'no warning');
};

my $thread = timer_thread();
for (@FLAWS) {
    my ($area, $files, $options, $line) = @$_;
    subtest "$area: @{[files(%$files)]} @$options" => \&flaw, @$_;
}
kill KILL => $thread->{pid};
finish($thread);

subtest 'a timer thread with a priority' => sub {
    plan skip_all => 'real-time rights are refused here, or chrt not found' if !has_rights() || (run(qw(which chrt)))[0];
    plan skip_all => 'the kernel is PREEMPT_RT and has a timer thread of its own' if (run(qw(uname -v)))[1] =~ /PREEMPT_RT/;
    my $thread = timer_thread(qw(chrt -f 60));
    flaw('timer thread', {%REALTIME}, [qw(-s timerfd -p 60)], undef);
    flaw('timer thread', {%REALTIME}, [qw(-s timerfd -p 61)], $THREAD =~ s/priority 0/priority 60/r . ' 61, or .*');
    kill KILL => $thread->{pid};
    finish($thread);
};

subtest 'several at once' => sub {
    my @options = ('-s', 'nanosleep', '-a', $CPU, '-c', 'foo', '-o', 'nowhere/report');
    my @machine = machine($CLOCKSOURCE => 'hpet', $GOVERNOR => 'powersave');
    my ($status, $last, @lines) = check(@machine, program(@options, '--check'));
    is($status, 1, 'exit status');
    like("@{[of_area('output', @lines)]}", qr{^write nowhere/report: .*; name another}, 'what is refused');
    like("@{[of_area('clock', @lines)]}", qr{^--clock=foo: unknown; one of}, 'all of it');
    like("@{[of_area('clocksource', @lines)]}", qr/^$HPET$/, 'and the flaws');
    like("@{[of_area('governor', @lines)]}", qr/^$POWERSAVE$/, 'all of them');
    is($last, (grep { $_->[1] !~ /^ok\b/ } @lines) . ' findings', 'counted');

    my (undef, $out, $err) = run(@machine, realfeel(@options));
    is($out, '', 'a run that is refused says nothing on standard output');
    like($err, qr/^realfeel: write nowhere.*^realfeel: --clock=foo.*^realfeel: warning: gov.*^realfeel: warning: clocksource/ms,
        'and the same on standard error');
    (undef, undef, $err) = run(@machine, realfeel(@options, '-q'));
    is(said($err), $err, 'without the warnings when it is to be quiet');
    is(() = $err =~ /^realfeel: /mg, 2, 'but with what is refused');
};

SKIP: {
    my @missing = grep { (run('which', $_))[0] } qw(prlimit setpriv);
    skip "@missing not found: apt-get install util-linux", 1 if @missing;
    for (@DENIALS) {
        my ($limit, $files, @lines) = @$_;
        SKIP: {
            my $possible = defined $limit ? (run(unprivileged(rtprio => $limit), 'true'))[0] == 0 : has_rights();
            skip 'this limit cannot be set here: ulimit -r', 1 if !$possible;
            subtest "denied: limit @{[$limit // 'of here']}, @{[files(%$files)]}" => \&denial, @$_;
        }
    }
}

subtest 'a CPU that cannot be had' => sub {
    my @bind = program(qw(--check -s nanosleep -a 1023));
    my %reason = (
        '0'      => 'it is offline; switch it on \(echo 1 >.*/cpu1023/online\), or name one of 0, or',
        '0-1023' => 'it is not in the cpuset of this process; name',
    );
    for my $online (sort keys %reason) {
        my @cpus = fake_root('/sys/devices/system/cpu/present' => '0-1023', '/sys/devices/system/cpu/online' => $online);
        my (undef, undef, @lines) = check(@cpus, @bind);
        like((of_area('rights', @lines))[0], qr/^bind to CPU 1023: Invalid argument: $reason{$online} /, "online are $online");
    }
};

subtest 'root of a container' => sub {
    my @container = qw(unshare --user --map-root-user);
    plan skip_all => 'no user namespace can be made here' if (run(@container, 'true'))[0];
    my (undef, undef, @lines) = check(machine(), 'prlimit', '--rtprio=0', @container, program(qw(--check -s nanosleep)));
    like("@{[of_area('rights', @lines)]}", qr/$DENIED; run it outside this container, whose root has no CAP_SYS_NICE on the host/,
        'is not root of the machine');
    (undef, undef, @lines) = check(fake_rtc(set_errno => EACCES), @container, program(qw(--check -s rtc)));
    like("@{[of_area('source', @lines)]}", qr{^set 2048 Hz on /dev/rtc0: .*; run it outside this container, .* CAP_SYS_RESOURCE},
        'nor for the rate of the RTC');
};

subtest '--best-effort does not hide what is refused' => sub {
    my ($status, $last, @lines) = check(machine(), program(qw(--check --best-effort -P other -a 1023)));
    is($status, 1, 'exit status');
    like((of_area('rights', @lines))[0], qr/^bind to CPU 1023: /, 'the right');
};

subtest 'the RTC' => sub {
    my ($status, $last, @lines) = check(fake_rtc(log => 'log'), program(qw(--check -s rtc -f 500)));
    is_deeply([of_area('source', @lines)], ['ok: rtc at 500 Hz'], 'is tried');
    my @changes = map { "$_->{event} $_->{value} $_->{policy}" } events('log');
    is_deeply(\@changes, ['rate 500 other', 'off 500 other', 'rate 1024 other', 'leave 1024 other'], 'and left as it was');
    unlink 'log';

    my $limit = '/sys/class/rtc/rtc0/max_user_freq';
    my @denied = (fake_rtc(set_errno => EACCES), fake_root($limit => 64));
    (undef, undef, @lines) = check(@denied, program(qw(--check -s rtc)));
    like("@{[of_area('source', @lines)]}", qr{^set 2048 Hz on /dev/rtc0: .*, or raise $limit \(now 64\) to 2048$}, 'its limit');
    my @busy = (fake_rtc(open_errno => EBUSY), fake_root($limit => 64));
    (undef, undef, @lines) = check(@busy, 'setpriv', '--bounding-set=-sys_resource', program(qw(--check -s rtc)));
    my @source = of_area('source', @lines);
    like($source[0], qr{^open /dev/rtc0: .* busy; .*: fuser -v /dev/rtc0}, 'it is busy');
    like($source[1], qr{^set 2048 Hz on /dev/rtc0: .*\(now 64\)}, 'and that its rate would be refused, too');

    ($status, $last, @lines) = check(no_rtc(), program(qw(--check -s rtc)));
    like("@{[of_area('source', @lines)]}", qr{^open /dev/rtc0: No such file or directory; use}, 'is missing');
    is($status, has_rights() ? 4 : 1, 'exit status');
};

subtest 'an output that is full' => sub {
    my ($status, undef, $err) = run('sh', '-c', 'exec "$@" >/dev/full', 'sh', program(qw(--check -s nanosleep)));
    is($status, 1, 'exit status');
    like($err, qr/\Arealfeel: write standard output: No space left on device; .*\n\z/, 'the user is told');
};

is_deeply([glob '*'], ['report'], 'no file is left but the report');
done_testing;
