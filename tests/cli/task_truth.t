#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What is measured of a thread from outside, against its own stamps: each kind of sleep, each policy, one of several threads.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IPC::Open2 qw(open2);
use Program;
use Report;
use RunCommand qw(beside run);
use Sleeper;
use Test::More;
use Time::HiRes qw(sleep);

# How the threads sleep, their policy, and how many they are.
my @RUNS = (
    [qw(nanosleep fifo 1)], [qw(nanosleep other 8)], [qw(nanosleep deadline 1)],
    [qw(cond fifo 1)], [qw(epoll fifo 1)], [qw(timerfd fifo 8)], [qw(posix other 1)],
);

use constant PERIOD_NS => 1_000_000;

# What happens to a process again and again while it is measured.
my @CPUS = allowed_cpus();
use constant STORM => 'beside so many timers that records are lost';
my %HARD = (
    'stopped now and then'  => sub { kill STOP => $_[0]; sleep 0.03; kill CONT => $_[0]; sleep 0.1 },
    'moved to another CPU'  => sub { run(qw(taskset -a -c -p), $_, $_[0]) for @CPUS },
    STORM, sub { system qw(stress-ng --quiet --timeout 1 --timer 1 --timer-freq 200000) },
);

# Returns the report of its last thread, and the thread's stamps, each a line.
sub measured {
    my ($kind, $policy, $threads, $happens) = @_;
    my $pid = open2(my $out, my $in, $SLEEPER, $kind, $policy, 1e9 / PERIOD_NS, $threads);
    my $thread = (split ' ', <$out> // '')[-1];
    plan skip_all => 'SCHED_DEADLINE is refused here: EBUSY or EPERM' if !defined $thread && $policy eq 'deadline';
    my @measured;
    beside($happens ? sub { $happens->($pid) } : sub { sleep 1 },
        sub { @measured = run(program('-s', "task:$thread", qw(-q -d 1s -P fifo -p 90 -o -))) });    # it reads in time
    my ($status, $report, $err) = @measured;
    kill CONT => $pid;
    close $in;
    my @lines = grep { /^$thread / } <$out>;
    waitpid $pid, 0;
    is("$status $err", '0 ', 'it is measured');
    return (whole_report($report), @lines);
}

sub own_us { return map { my @ns = split; ($ns[3] - $ns[1]) / 1000 } @_ }

# Each wake-up is seen no later than by its own stamp. So at most as many are this late as there are own stamps that late.
sub seen_too_late {
    my ($report, @own_us) = @_;
    my @rows = sort { $b->{from_us} <=> $a->{from_us} } grep { $_->{lateness} } @{ $report->{sets}{histogram} };
    my @latest = sort { $b <=> $a } @own_us;
    my ($seen, $own, @wrong) = (0, 0);
    for my $row (@rows) {
        $seen += $row->{lateness};
        $own++ while $own < @latest && $latest[$own] >= $row->{from_us};
        push @wrong, "$seen from $row->{from_us} us on, of $own" if $seen > $own;
    }
    return join '; ', @wrong;
}

sub agrees {
    my ($kind, $policy, $threads) = @_;
    my ($report, @lines) = measured($kind, $policy, $threads);
    my $irregular = irregular(PERIOD_NS, @lines);
    is($report->{thread_policy}, $policy, 'the report has its policy');
    cmp_ok($report->{timed}, '>', 0, 'its own timer woke it');
    my $is_doubted = $report->{verdict} =~ /wake-ups of the thread have incomplete records/;
    is(!!$is_doubted, $report->{unmatched} > int($report->{samples} / 100), 'the verdict says so if much is unmatched');
    is(seen_too_late($report, own_us(@lines)), '', 'none is seen later than by the thread itself');
    cmp_ok($report->{lateness_min_ns}, '>=', 0, 'nor before it is due');
    my $slack_ns = $policy eq 'other' && $kind ne 'timerfd' && $kind ne 'posix' ? 50_000 : 0;
    is($report->{slack_mean_ns}, sprintf('%.3f', $slack_ns), 'the slack of its timers') if $kind ne 'epoll';
    my @wrong = $kind eq 'epoll' ? $report->{inferred_period_ns} // () : wrong_periods(PERIOD_NS, $irregular, $report);
    is_deeply(\@wrong, [], 'the period is inferred, where the timeouts have one');
}

# Whatever happens, no wake-up is counted that was not, none twice, and none later than the thread has seen it.
sub holds {
    my ($happens) = @_;
    plan skip_all => 'stress-ng not found: apt-get install stress-ng' if $happens eq STORM && (run(qw(which stress-ng)))[0];
    plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];
    my ($report, @lines) = measured(qw(nanosleep fifo 1), $HARD{$happens});
    cmp_ok($report->{samples}, '>', 0, 'some are matched');
    cmp_ok($report->{samples} + $report->{unmatched}, '<=', @lines + 2, "none is counted twice: $report->{unmatched} unmatched");
    is(seen_too_late($report, own_us(@lines)), '', 'none is seen later than by the thread itself');
    cmp_ok($report->{lateness_min_ns}, '>=', 0, 'nor before it is due');
}

workspace();
my (undef, undef, $refusal) = run(program('-s', "task:$$", qw(-q -d 10ms -o -)));
SKIP: {
    skip "--source=task is refused here: $1" if $refusal =~ /\Arealfeel: --source=task: (.*)/;
    subtest "@$_[0 .. 2]" => sub { agrees(@$_) } for @RUNS;
    for my $happens (sort keys %HARD) {
        subtest $happens => sub { holds($happens) };
    }
}

done_testing;
