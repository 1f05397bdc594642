#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A thread of another program, measured from outside: what is refused, that it is measured and not touched, and that it ends.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Errno qw(EPERM);
use FakeRoot;
use IPC::Open2 qw(open2);
use List::Util qw(first);
use Listing;
use Program;
use Report;
use RunCommand qw(contents finish run start wait_until);
use Sleeper;
use Test::More;
use Time::HiRes qw(sleep);

plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];
my $NONE    = 2 ** 22 + 1;      # no thread has a number beyond 2 ** 22

# Options, the exit status, and the message.
my @REFUSED = (
    [['task'], 1, 'name a thread or process, by its number or name, as in --source=task:1234, or a command after --'],
    [['task:'], 1, 'name a thread or process, by its number or name, as in --source=task:1234, or a command after --'],
    [['task:no such name'], 4, 'there is no such thread; name one that ps -eL lists, by its LWP or its CMD'],
    [["task:$NONE"], 4, 'there is no such thread; name one that ps -eL lists, by its LWP or its CMD'],
    [["task:$$", "--threads=$NONE"], 4, "process $$ has no thread '$NONE'; ps -L -p $$ lists them by LWP and CMD"],
    [["task:$$", '--threads=perl,'], 4, "has no thread ''; ps -L -p $$ lists them by LWP and CMD"],
    [['task', '--threads=1', '--', 'true'], 1, 'all threads of true are measured; leave it out'],
    [['nanosleep', '--threads=1'], 1, 'use --source=task, or --cpu for one on each CPU'],
    [["task:$$", '-a', (allowed_cpus())[0]], 1, 'follows the thread to any CPU; leave --cpu out'],
    [["task:$$", qw(-f 100)], 1, 'has no rate; leave it out'],
    [["task:$$", '--aligned'], 1, 'has no schedule; leave it out'],
    [["task:$$", qw(-D /dev/rtc)], 1, 'has no device; leave one of the two out'],
);

sub refused {
    my ($options, $status, $line) = @_;
    my ($got, $out, $err) = run(program('-s', @$options, qw(-q -n 1 -o -)));
    is("$got $out", "$status ", "@$options: nothing is measured");
    like($err, qr/\Arealfeel: .*\Q$line\E\n\z/, 'it is said why');
}

# A thread that wakes itself at this rate, before other ordinary ones, or it would miss periods beside them. It tells what it
# has seen when its standard input ends.
sub sleeper {
    my ($cpu, $kind, $hz) = @_;
    my %sleeper = (pid => open2(my $out, my $in, qw(nice -n -15 taskset), '-c', $cpu, $SLEEPER, $kind, 'other', $hz));
    my ($thread) = split ' ', <$out> // die "no sleeper\n";
    return {%sleeper, hz => $hz, in => $in, out => $out, thread => $thread};
}

# Returns how often it was irregular, and what it was late by its own stamps, in us, the latest first.
sub ended {
    my ($sleeper) = @_;
    close $sleeper->{in};
    my $out = $sleeper->{out};
    my @lines = <$out>;
    waitpid $sleeper->{pid}, 0;
    my @late_us = map { my (undef, $due, undef, $stamp) = split; ($stamp - $due) / 1000 } @lines;
    return (irregular(1e9 / $sleeper->{hz}, @lines), sort { $b <=> $a } @late_us);
}

sub policy_of {
    my ($thread) = @_;
    return join ' ', map { contents("/proc/$thread/$_->[0]") =~ $_->[1] }
        ['stat', qr/\) \S+ (?:\S+ ){14}(\S+ \S+) (?:\S+ ){20}(\S+ \S+)/], ['status', qr/^Cpus_allowed:\s*(\S+)/m];
}

# Some kernels record nothing of what wakes a CPU from idle. Returns the first CPU of which this one does.
sub recorded {
    return first {
        my $sleeper = sleeper($_, 'nanosleep', 1000);
        my ($status, $out) = run(program('-s', "task:$sleeper->{thread}", qw(-q -d 500ms -o -)));
        my $report = parse_report($out);
        ended($sleeper);
        $status == 0 && $report->{samples} > 50 * $report->{unmatched};
    } allowed_cpus();
}

sub measures {
    my ($cpu, $kind) = @_;
    my $sleeper = sleeper($cpu, $kind, 500);
    my $before = policy_of($sleeper->{thread});
    my ($status, $out, $err) = run(program('-s', "task:$sleeper->{thread}", qw(-q -n 500 -o -)));
    is(policy_of($sleeper->{thread}), $before, "$kind: the thread is as before");
    my ($irregular, @own_us) = ended($sleeper);
    is("$status $err", '0 ', 'it is measured');
    my $report = whole_report($out);
    is("$report->{source} $report->{thread} $report->{thread_name}", "task $sleeper->{thread} sleeper", 'the report names it');
    is("$report->{thread_policy} $report->{thread_cpus} $report->{policy}", "other $cpu other", 'and how it runs');
    cmp_ok($report->{timed}, '>=', 490, 'its own timer woke it');
    my @late_us = column($report, 'events', 'delay_us');
    is(scalar @late_us, 32, 'the worst are listed');
    is_deeply([grep { $late_us[$_] > $own_us[$_] } 0 .. $#late_us], [], 'it sees each wake-up later than the switch');
    is_deeply([wrong_periods(2_000_000, $irregular, $report)], [], 'its period is inferred');
}

# Where perf records nothing, programs record that the thread is woken; if there can be none, its wake-ups are counted.
sub blind {
    my ($cpu) = @_;
    my $sleeper = sleeper($cpu, 'nanosleep', 1000);
    my @options = ('-s', "task:$sleeper->{thread}", qw(-d 500ms -o -));
    my @blind   = fake_root(perf_blind => 1, bpf_errno => EPERM);
    my $misses  = qr/the kernel records only 0 of \d+ wakings and 0 of \d+ task switches on CPU [-,\d]+: wake-ups that it misses /
        . qr/will stay unmatched; run the threads on another CPU \(taskset\)/;
    my (undef, undef, @lines) = check(@blind, realfeel(@options, '--check'));
    like((of_area('source', @lines))[0], qr/\A$misses\z/, '--check says what is not recorded');
    my (undef, $none, $err) = run(@blind, program(@options));
    like($err, qr/^realfeel: warning: --source=task: $misses$/m, 'a run does, too');
    my $report = parse_report($none);
    is($report->{samples}, 0, 'nothing is guessed');
    cmp_ok($report->{unmatched}, '>', 0, 'all wake-ups are counted');
    my (undef, $all) = run(fake_root(perf_blind => 1), program(@options, qw(-q --explain)));
    ended($sleeper);
    $report = parse_report($all);
    cmp_ok($report->{samples}, '>', $report->{unmatched}, 'programs record most, or all');
    my %gets = map { $_->{name} => 1 } grep { $_->{kind} eq 'switch_in' && $_->{id} == $sleeper->{thread} } @{ $report->{sets}{records} };
    is_deeply([keys %gets], ['sleeper'], 'and what has the CPU');
}

# A policy that the program would not take for itself.
sub names {
    my ($cpu, $policy) = @_;
    my $sleeper = sleeper($cpu, 'nanosleep', 500);
    run('chrt', "--$policy", '-a', '-p', 0, $sleeper->{pid});
    my ($status, $out) = run(program('-s', "task:$sleeper->{thread}", qw(-q -n 5 -o -)));
    ended($sleeper);
    is("$status " . whole_report($out)->{thread_policy}, "0 $policy", "$policy is named");
}

sub ends {
    my ($cpu) = @_;
    my $sleeper = sleeper($cpu, 'nanosleep', 1000);
    my $run = start(program('-s', "task:$sleeper->{thread}", qw(-d 1h -o report)));
    wait_for_sample($run, 'report');
    ended($sleeper);
    my ($status, undef, $err) = finish($run);
    is($status, 0, 'a thread that ends ends the run');
    like($err, qr/^thread +$sleeper->{thread} sleeper \(one of \d of its process\), other, on CPU $cpu; ended after \d/m, 'which is told');
    my $report = whole_report(contents('report'));
    is($report->{status}, 'complete', 'it is complete');
    cmp_ok($report->{thread_ended_s}, '<=', $report->{duration_s}, 'the report has it, too');
}

# The only wake-up of this one is its end.
sub ends_asleep {
    my ($pid, $err);
    for my $delay (0.2, 0.5, 1, 2, 5) {
        $pid = fork // die "fork: $!";
        exec qw(sleep 60) or die "sleep: $!" if !$pid;
        my $run = start(program('-s', "task:$pid", qw(-d 1h --best-effort -o asleep)));
        wait_until(sub { has_begun($run->{pid}) });
        sleep $delay;
        kill KILL => $pid;
        waitpid $pid, 0;
        $err = (finish($run))[2];
        last if $err !~ /ended before it could be measured/;
    }
    like($err, qr/^thread +$pid sleep, .*; ended$/m, 'it is not told after how long');
    unlike(contents('asleep'), qr/^# thread_ended_s/m, 'nor in the report');
}

workspace();
subtest 'refused' => sub { refused(@$_) for @REFUSED };

my (undef, undef, $refusal) = run(program('-s', "task:$$", qw(-q -d 10ms -o -)));
my $why = $refusal =~ /\Arealfeel: --source=task: (.*)/ ? $1 : '';
my $cpu = $why ne '' ? undef : recorded();
$why = 'no wake-up from idle is recorded' if !defined $cpu && $why eq '';
SKIP: {
    skip "--source=task is refused here: $why" if !defined $cpu;
    subtest $_ => sub { measures($cpu, $_) } for qw(nanosleep timerfd cond posix);
    subtest 'a kernel that does not record all' => sub { blind($cpu) };
    subtest 'the end' => sub { ends($cpu) };
    subtest 'the end of one that slept' => \&ends_asleep;
    subtest 'other policies' => sub { names($cpu, $_) for qw(batch idle) };
}

done_testing;
