# SPDX-License-Identifier: GPL-2.0-or-later
# --policy=deadline: what is granted is in the report, why it is refused is said, and the meter leaves it at the end.
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
use RunCommand qw(run start finish contents wait_until);
use Test::More;

my $LIMIT  = '/proc/sys/kernel/sched_deadline_period';
my $KILLED = 128 + 9;
my $HZ     = 1000;
my @CPUS   = allowed_cpus();

# The options, and what the header says.
my @GRANTED = (
    [[qw(-s nanosleep)],            {period_ns => 488281, deadline_runtime_ns => 244140, timer_slack_ns => 0}],
    [[qw(-s timerfd -f 8192)],      {period_ns => 122070, deadline_runtime_ns => 61035}],
    [[qw(-s rtc -f 64)],            {period_ns => 15625000, deadline_runtime_ns => 7812500}],
    [[qw(-s thread -f 1000)],       {period_ns => 1000000, deadline_runtime_ns => 500000, waker => 'fifo 96'}],
    [[qw(-s nanosleep --best-effort)], {period_ns => 488281, deadline_runtime_ns => 244140}],
);

# Why the kernel says no, its limits of a period, options, what is said.
my $TAKE    = 'take SCHED_DEADLINE';
my @REFUSED = (
    [EINVAL, [100, 4194304], [qw(-f 20000)], "$TAKE: Invalid argument: the kernel takes no period below 100 us, and this rate has "
        . '50.000 us; lower --frequency to 10000, or sysctl kernel.sched_deadline_period_min_us=50'],
    [EINVAL, [100, 200000], [qw(-f 2)], "$TAKE: Invalid argument: the kernel takes no period above 200000 us, and this rate has "
        . '500000.000 us; raise --frequency, or sysctl kernel.sched_deadline_period_max_us=500001'],
    [EBUSY, [100, 4194304], [], "$TAKE: Device or resource busy: deadline tasks may use 950000 of each 1000000 us of a CPU, and the "
        . 'others leave too little of that for 244.140 of each 488.281 us; end some of the others, which ps .* lists as DLN'],
    [ENOSYS, [100, 4194304], [], "$TAKE: Function not implemented: neither .*; look for a seccomp filter or .*"],
);

my $ONE_CPU = "$TAKE: Operation not permitted: this process may run on CPU $CPUS[0] only, not on all CPUs of a root domain; leave "
    . 'out --cpu and taskset, or start in a cpuset of the one measured CPU, whose cpuset.cpus.partition is root, '
    . 'or use --best-effort';

sub granted {
    my ($options, $expected) = @_;
    my ($status, $out, $err) = run(fake_rtc(), calm(), program(qw(-P deadline -n 100 -o -), @$options));
    my $report = whole_report($out);
    my %same = (policy => 'deadline', priority => 0, map { $_ => $expected->{period_ns} } qw(deadline_ns deadline_period_ns));
    is($status, 0, 'exit status') or diag $err;
    is_deeply({map { $_ => $report->{$_} } keys %$expected, keys %same}, {%$expected, %same}, 'header');
    is($report->{samples}, 100, 'samples');
    unlike($report->{verdict}, qr/real-time|policy|granted/, 'nothing is wrong with the policy');
}

sub refused {
    my ($errno, $limits, $options, $line) = @_;
    my %files = ("${LIMIT}_min_us" => $limits->[0], "${LIMIT}_max_us" => $limits->[1],
        '/proc/sys/kernel/sched_rt_runtime_us' => 950000, '/proc/sys/kernel/sched_rt_period_us' => 1000000);
    my @command = fake_root(%files, policy_errno => $errno);
    my ($status, $out, $err) = run(@command, program(qw(-s nanosleep -P deadline -n 1 -o -), @$options));
    is($status, 1, 'exit status');
    like(said($err), qr/\Arealfeel: $line, or use --best-effort\n\z/, 'the reason and the remedy');
}

# Starts a run on the fake RTC. The standby stands before the keeper: killed first, it cannot take over from that.
sub measuring {
    my $run = start(fake_rtc(log => 'log'), program(qw(-P deadline -d 1h -o report -f), $HZ));
    my $meter = wait_for_reads('log', 50);
    return {%$run, meter => $meter, others => [(grep { $_ != $meter } children($run->{pid})), $run->{pid}]};
}

workspace();
my (undef, undef, $refusal) = run(program(qw(-q -s nanosleep -P deadline -n 1 -o -)));
plan skip_all => 'SCHED_DEADLINE is refused here: ' . $refusal =~ s/\n.*//sr if $refusal =~ /$TAKE/;

subtest "granted: @{$_->[0]}" => \&granted, @$_ for @GRANTED;
subtest "refused: $_->[0] @{$_->[2]}" => \&refused, @$_ for @REFUSED;

subtest '--check' => sub {
    my (undef, undef, @lines) = check(program(qw(--check -s nanosleep -f 1000 -P deadline)));
    is_deeply([of_area('rights', @lines)], ['ok: deadline, 500.000 of each 1000.000 us'], 'what was granted');
};

subtest 'on one of several CPUs' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS == 1;
    my ($status, undef, $err) = run(program(qw(-s nanosleep -P deadline -n 1 -o - -a), $CPUS[0]));
    plan skip_all => 'SCHED_DEADLINE is granted on a single CPU here' if !$status;
    like(said($err), qr/\Arealfeel: $ONE_CPU\n\z/, 'the reason and the remedy');
    ($status, undef, $err) = run(program(qw(-s nanosleep -P deadline -n 1 -o - --best-effort -a), $CPUS[0]));
    is($status, 0, 'exit status with --best-effort');
    like($err, qr/^run +INVALID: not real-time: take SCHED_DEADLINE: Operation not permitted/m, 'verdict');
};

# A meter without rights can become ordinary only as one whose children are ordinary, and on PREEMPT_RT it must.
subtest 'the RTC is left by an ordinary process' => sub {
    my $run = measuring();
    kill_in_turn(@{$run->{others}});
    is((finish($run))[0], $KILLED, 'exit status');
    my @changes = grep { $_->{pid} == $run->{meter} && $_->{event} =~ /off|rate|leave/ } events('log');
    is_deeply([map { "$_->{policy} $_->{event}" } @changes], ['other off', 'other rate', 'other leave'], 'by the meter, and nobody else');
};

subtest 'the policy is changed during the run' => sub {
    plan skip_all => 'chrt or taskset not found, or CPU 0 or 1 is not ours' if (run('which', 'chrt'))[0];
    unlink 'log';
    my $run = measuring();
    is((run(qw(chrt -o -p 0), $run->{meter}))[0], 0, 'by chrt');
    kill INT => $run->{pid};
    is((finish($run))[0], 3, 'exit status');
    like(whole_report(contents('report'))->{verdict}, qr/^suspect: .*policy changed: deadline 0 -> other 0/, 'verdict');
};

done_testing;
