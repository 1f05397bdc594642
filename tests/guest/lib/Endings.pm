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

Endings - cases: however a run ends, it leaves a whole report, the RTC as it was, and no process

=cut

# The endings of a run: name, options, what is done to it (see init), exit status that the shell sees.
my @ENDINGS = (
    ['end',         '-n 8192', ':',                     0],
    ['duration',    '-d 3s',   ':',                     0],
    ['sigint',      '-d 30s',  'kill -INT $keeper',     3],
    ['sigterm',     '-d 30s',  'kill -TERM $keeper',    3],
    ['sighup',      '-d 30s',  'kill -HUP $keeper',     3],
    ['kill-meter',  '-d 30s',  'kill -KILL $meter',     3],
    ['kill-keeper', '-d 30s',  'kill -KILL $keeper',    128 + 9],
);

# 99 is above the priority of every thread of the kernel: a program that does not step down first hangs a PREEMPT_RT
# kernel.
sub endings {
    return map { ending($_, 95), ending($_, 99) } @ENDINGS;
}

sub ending {
    my ($ending, $priority) = @_;
    my ($name, $options, $action, $status) = @$ending;
    my $script = "start --source=rtc $options -p $priority; $action; end";
    return ["$name-at-$priority", $script, $status, sub {
        my ($left) = @_;
        is(periodic($left->{rtc_during}), 'yes 2048', 'periodic interrupt on while measuring');
        my $report = whole_report($left->{report} // '');
        is($report->{status}, $status ? 'interrupted' : 'complete', 'status of the report');
        is($report->{priority}, $priority, 'priority');
    }];
}

1;
