# SPDX-License-Identifier: GPL-2.0-or-later
package Endings;

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Cases qw(periodic);
use Report qw(whole_report);

our @EXPORT = qw(endings);

=head1 NAME

Endings - cases: however a run ends, it leaves a whole report, the device as it was, and no process

=cut

# The sources whose device is the run's own: their rates.
my %HZ = (rtc => 2048, alsa => 1000);

# The endings of a run: name, options, what is done to it (see init), exit status that the shell sees, what else holds
# for the report, and its status, where that does not follow from the exit status. A keeper that is stopped does not act
# between two kills.
my @ENDINGS = (
    ['end',         '-n 8192', ':',                     0],
    ['duration',    '-d 3s',   ':',                     0],
    ['sigint',      '-d 30s',  'kill -INT $keeper',     3],
    ['sigterm',     '-d 30s',  'kill -TERM $keeper',    3],
    ['sighup',      '-d 30s',  'kill -HUP $keeper',     3],
    ['kill-meter',  '-d 30s',  'kill -KILL $meter',     3],
    ['kill-keeper', '-d 30s',  'kill -KILL $keeper',    128 + 9],
    ['kill-standby', '-d 30s', 'kill -KILL $standby; sleep 1; kill -INT $keeper', 3, goes_on(2)],
    ['kill-meter-keeper',  '-d 30s', 'sleep 2; kill -STOP $keeper; kill -KILL $meter $keeper', 128 + 9, killed_after(3)],
    ['kill-meter-standby', '-d 30s', 'sleep 2; kill -KILL $meter $standby', 3, killed_after(3)],
    ['kill-standby-keeper', '-d 30s -C 1s', 'sleep 2; kill -KILL $standby $keeper', 128 + 9, undef, 'checkpoint'],
    ['sigusr1',     '-d 30s',  'kill -USR1 $keeper; sleep 1; cp report checkpoint; kill -INT $keeper', 3, \&saved_before],
    ['stop-keeper', '-d 30s',  paused('$keeper', 7),    3, nothing_lost(9)],
    ['stop-meter',  '-d 30s',  paused('$meter', 7),     3, all_missed(7)],
);

=head2 endings($source, @priorities)

The cases for C<rtc> or C<alsa>. 99 is above the priority of every thread of the kernel: a program that does not step down
first hangs a PREEMPT_RT kernel.

=cut

sub endings {
    my ($source, @priorities) = @_;
    return map { my $ending = $_; map { ending($source, $_, @$ending) } @priorities } @ENDINGS;
}

sub ending {
    my ($source, $priority, $name, $options, $action, $status, $check, $saved) = @_;
    my $script = "start --source=$source -f $HZ{$source} $options -p $priority; $action; end";
    return ["$name-at-$priority", $script, $status, sub {
        my ($left) = @_;
        $source eq 'rtc' ? check_rtc($left) : check_timer($left);
        my $report = whole_report($left->{report} // '');
        is($report->{status}, $saved // ($status ? 'interrupted' : 'complete'), 'status of the report');
        is($report->{priority}, $priority, 'priority');
        $check->($report, $left) if $check;
    }];
}

# That it is as it was, is checked for every case.
sub check_rtc {
    my ($left) = @_;
    is(periodic($left->{rtc_during}), "yes $HZ{rtc}", 'periodic interrupt on while measuring');
}

sub check_timer {
    my ($left) = @_;
    my @uses = map { /^ *Client application \d+ : (\w+)$/mg } @$left{qw(timers_during timers_after)};
    is("@uses", 'running', 'the timer is in use while measuring, and not afterwards');
}

sub goes_on {
    my ($seconds) = @_;
    return sub {
        my ($report) = @_;
        is($report->{verdict}, 'valid', 'verdict');
        cmp_ok($report->{samples}, '>=', ($seconds - 0.5) * $report->{frequency_hz}, 'no sample is lost');
    };
}

# What the meter counted since the last flip, about a second, may be lost.
sub killed_after {
    my ($seconds) = @_;
    return sub {
        my ($report) = @_;
        like($report->{verdict}, qr/the measuring process was killed/, 'verdict');
        cmp_ok($report->{samples}, '>=', ($seconds - 1.5) * $report->{frequency_hz}, 'at most the last second is lost');
    };
}

sub saved_before {
    my ($report, $left) = @_;
    my $checkpoint = whole_report($left->{checkpoint} // '', 'a whole checkpoint');
    is($checkpoint->{status}, 'checkpoint', 'status of the checkpoint');
    cmp_ok($checkpoint->{samples}, '<', $report->{samples}, 'the run went on');
}

# A process stands still for some seconds, longer than a source may be silent, and goes on for one.
sub paused {
    my ($pid, $seconds) = @_;
    return "kill -STOP $pid; sleep $seconds; kill -CONT $pid; sleep 1; kill -INT \$keeper";
}

sub nothing_lost {
    my ($seconds) = @_;
    return sub {
        my ($report) = @_;
        unlike($report->{verdict}, qr/stopped waking/, 'the source is not taken for dead');
        cmp_ok($report->{samples}, '>=', ($seconds - 0.5) * $report->{frequency_hz}, 'no sample is lost');
    };
}

sub all_missed {
    my ($seconds) = @_;
    return sub {
        my ($report) = @_;
        unlike($report->{verdict}, qr/stopped waking/, 'the source is not taken for dead');
        cmp_ok($report->{missed}, '>=', ($seconds - 0.5) * $report->{frequency_hz}, 'the periods of the pause are missed');
        cmp_ok($report->{lateness_max_ns}, '>=', ($seconds - 0.5) * 1e9, 'the first of them is the worst');
    };
}

1;
