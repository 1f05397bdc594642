#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What delayed the threads of another program: the parts of each wake-up, who had the CPU before the worst, and that the
# report, the terminal and the analyzer name the same culprit.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Built qw(built);
use Cwd qw(abs_path);
use IPC::Open2 qw(open2);
use List::Util qw(sum0);
use Program;
use Report;
use RunCommand qw(contents finish run start wait_until);
use Sleeper;
use Test::More;

plan skip_all => explain_refusal() if explain_refusal();
plan skip_all => 'real-time rights are refused here' unless has_rights();
plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];

my $HOG      = built('hog');
my $ANALYZER = abs_path("$FindBin::Bin/../../analyze/realfeel-analyze");
my $CPU      = (allowed_cpus())[0];

# A thread that wakes itself 500 times a second, until its standard input ends.
sub sleeper {
    my %sleeper = (pid => open2(my $out, my $in, qw(taskset -c), $CPU, $SLEEPER, qw(nanosleep fifo 500)));
    my ($thread) = split ' ', <$out> // die "no sleeper\n";
    return {%sleeper, in => $in, out => $out, thread => $thread};
}

sub end {
    my ($sleeper) = @_;
    close $sleeper->{in};
    1 while readline $sleeper->{out};
    waitpid $sleeper->{pid}, 0;
}

# It is measured while a hog that is above it takes its CPU for 40 ms, five times; again where something else took it for
# longer, so that the worst wake-up is not the hog's. Returns its number, too.
sub stalled {
    my (@options) = @_;
    my @ended;
    for (1 .. 5) {
        @ended = stalled_once(@options);
        return @ended if "@options" eq '--explain=parts' || $ended[3] =~ /^worst .*'hog' \(rt 60\)/m;
    }
    die "something other than the hog takes CPU $CPU for longer than that, again and again:\n$ended[3]\n";
}

sub stalled_once {
    my (@options) = @_;
    unlink 'report';
    my $sleeper = sleeper();
    my $run = start(program('-s', "task:$sleeper->{thread}", qw(-P fifo -o report --force), @options));
    wait_until(sub { kill USR1 => $run->{pid} if has_begun($run->{pid}); -e 'report' });    # a break may have ended it already
    run(qw(taskset -c), $CPU, $HOG, qw(60 5 40));
    kill INT => $run->{pid};
    my @ended = finish($run);
    end($sleeper);
    return ($sleeper->{thread}, @ended);
}

workspace();

subtest 'blame' => sub {
    my ($thread, $status, undef, $err) = stalled('--explain');
    is($status, 0, 'it is measured');
    like($err, qr/^worst +\d+\.\d{3} ms late: 'hog' \(rt 60\) had the CPU for \d+\.\d{3} ms$/m, 'the culprit is named');
    my $report = whole_report(contents('report'));
    is($report->{explain}, 'blame', 'the report has the level');
    is($report->{parts_matched} + $report->{parts_unknown}, $report->{samples}, 'the parts of each wake-up are known or not');
    cmp_ok($report->{parts_unknown}, '<=', $report->{samples} / 50, 'of nearly all they are');
    is($report->{parts_lateness_sum_ns}, sum0(map { $report->{"${_}_sum_ns"} } qw(expiry waking switch again stamp)), 'they add up');
    is("$report->{again_sum_ns} $report->{stamp_sum_ns}", '0 0', 'to the switch, where the measurement ends');
    my @parts_us = map { [column($report, 'events', "${_}_us")]->[0] } qw(expiry waking switch again stamp);
    my ($late_us) = column($report, 'events', 'delay_us');
    cmp_ok(abs($late_us - sum0(@parts_us)), '<', 0.01, 'those of the worst wake-up, too');
    my @switches = grep { $_->{event} == 1 && $_->{kind} eq 'switch_in' } @{ $report->{sets}{records} };
    is("$switches[-1]{name} $switches[-1]{id}", "sleeper $thread", 'the last record before its stamp gives it the CPU');
    my (undef, $why) = run($ANALYZER, 'explain', 'report');
    like($why, qr/'hog' \(rt 60\) ran up to/, 'the analyzer names the culprit');
    like($why =~ s/\s+/ /gr, qr/not below that of the thread: if it can wait, lower it chrt -f -p 49 \S/, 'and what helps the thread');
    unlike($why, qr/realfeel (?:was|itself)|--policy|\bours\b/, 'it does not take the thread for our own');
};

subtest 'parts' => sub {
    my (undef, $status) = stalled('--explain=parts');
    my $report = whole_report(contents('report'));
    is("$status $report->{explain}", '0 parts', 'the parts alone');
    ok(!exists $report->{sets}{records}, 'have no records');
    cmp_ok($report->{switch_max_ns}, '>=', 20e6, 'the wait for the CPU is one');
};

subtest 'break' => sub {
    my (undef, $status, undef, $err) = stalled(qw(--explain --break=20ms));
    is($status, 2, 'the break ends the run');
    my $report = whole_report(contents('report'));
    my ($late_us) = column($report, 'events', 'delay_us');
    cmp_ok($late_us, '>', 20000, 'by the worst wake-up');
    my %had = map { $_->{name} => 1 } grep { $_->{event} == 1 } @{ $report->{sets}{records} };
    ok($had{hog}, 'whose records lead up to it');
};

done_testing();
