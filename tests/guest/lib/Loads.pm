# SPDX-License-Identifier: GPL-2.0-or-later
package Loads;

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Cases qw(periodic);
use Report qw(whole_report);

our @EXPORT = qw(loads);

=head1 NAME

Loads - cases: however a run with a load ends, nothing is left of either

=cut

# It takes all the CPU that it can get, and a part of it has a session of its own.
my $LOAD = q(-- sh -c 'setsid sleep 98765 & while :; do :; done');

# Name, options, what is done to the run (see init), exit status that the shell sees, what the verdict says.
my @ENDINGS = (
    ['load',             '-d 2s', ':',                                                  0,       qr/^valid$/],
    ['load-kill-meter',  '-d 1h', 'kill -KILL $meter',                                  3,       qr/the measuring process was killed/],
    ['load-kill-keeper', '-d 1h', 'kill -KILL $keeper',                                 128 + 9, qr/^valid$/],
    ['load-kill-standby', '-d 1h', 'kill -KILL $standby; sleep 1; kill -INT $keeper',   3,       qr/the standby was killed/],
    ['load-kill-meter-keeper', '-d 1h', 'kill -STOP $keeper; kill -KILL $meter $keeper', 128 + 9, qr/the measuring process was killed/],
    ['load-kill-meter-standby', '-d 1h', 'kill -KILL $meter $standby',                  3,       qr/the standby was killed/],
);

sub loads {
    return map { ending(@$_) } @ENDINGS;
}

sub ending {
    my ($name, $options, $action, $status, $verdict) = @_;
    my $script = "start -s rtc -p 99 $options $LOAD; ps >before; $action; end; s=\$?; ps >after; (exit \$s)";
    return [$name, $script, $status, sub {
        my ($left) = @_;
        is(periodic($left->{rtc_during}), 'yes 2048', 'periodic interrupt on while measuring');
        is_deeply([map { scalar(() = $left->{$_} =~ /98765/g) > 0 } qw(before after)], [1, ''], 'the load ran, and is gone');
        my $report = whole_report($left->{report} // '');
        is($report->{status}, $status ? 'interrupted' : 'complete', 'status of the report');
        like($report->{verdict}, $verdict, 'verdict');
    }];
}

1;
