# SPDX-License-Identifier: GPL-2.0-or-later
package Woken;

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Deferred qw($HOGS);
use Report qw(whole_report);

our @EXPORT = qw(woken);

use constant { MS => 1_000_000, THROTTLED_MS => 50, PERIOD_MS => 1000, HZ => 100 };

=head1 NAME

Woken - cases: a reader that another process wakes, idle and beside ten real-time threads that never sleep

=head2 woken()

An ordinary reader lives on the 50 ms of each second that throttling takes from real-time processes. A real-time reader that
goes before those threads would be throttled with them, so there the guard is off.

=cut

my $GUARD = '/proc/sys/kernel/sched_rt_runtime_us';
my %CASE = (
    'thread-idle'  => ["realfeel -s thread -f @{[HZ]} -p 50 -a 0 -n 300 -o report", 'fifo 51', \&idle],
    'thread-rr'    => [unguarded("start -f @{[HZ]} -s thread -P rr -p 20 -a 0 -d 6s; $HOGS; end"), 'fifo 21', \&realtime],
    'thread-other' => ["start -f @{[HZ]} -s thread -P other -a 0 -d 6s; $HOGS; end", 'fifo 96', \&ordinary],
);

sub unguarded {
    my ($script) = @_;
    return "guard=\$(cat $GUARD); echo -1 >$GUARD; $script; status=\$?; echo \$guard >$GUARD; (exit \$status)";
}

sub woken {
    return map {
        my ($name, $command, $waker, $check) = ($_, @{ $CASE{$_} });
        [$name, $command, 0, sub { checked($_[0], $waker, $check) }];
    } sort keys %CASE;
}

# What holds on any machine: each request of the waker's grid has a latency.
sub checked {
    my ($left, $waker, $check) = @_;
    my $report = whole_report($left->{report} // '');
    is($report->{waker}, $waker, 'the waker');
    cmp_ok(abs($report->{duration_s} * HZ - $report->{periods}), '<', 0.02 * $report->{periods} + 2, 'no request is lost');
    note(join ', ', map { "$_ $report->{$_}" } qw(samples missed wakeup_mean_ns wakeup_sd_ns wakeup_max_ns));
    $check->($report);
}

# In virtual time.
sub idle {
    my ($report) = @_;
    is($report->{missed}, 0, 'each is served before the next');
    my $us = $report->{wakeup_mean_ns} / 1000;
    cmp_ok($us, '>', 10, 'a process is waited for');
    cmp_ok($us, '<', 200, 'and is not held up');
}

sub realtime {
    my ($report) = @_;
    cmp_ok($report->{wakeup_max_ns} / MS, '<', 1, 'threads of lower priority do not hold it up');
}

sub ordinary {
    my ($report) = @_;
    my $ms = $report->{wakeup_max_ns} / MS;
    cmp_ok($ms, '>', 2 * THROTTLED_MS, 'it is held up by real-time threads');
    cmp_ok($ms, '<', 2 * PERIOD_MS, 'until they are throttled');
    cmp_ok($report->{missed}, '>', $report->{samples}, 'and then takes all requests at once');
}

1;
