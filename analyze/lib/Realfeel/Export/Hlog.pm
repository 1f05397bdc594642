# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Hlog;
use strict;
use warnings;

use Realfeel::Export::Hdr qw(encoded points);
use Time::Local qw(timegm);

use constant NS_PER_MS => 1e6;

=head1 NAME

Realfeel::Export::Hlog - a log of HdrHistograms

=head1 FUNCTIONS

=head2 text($report)

The log, version 1.3, with one line for the run: its start and length in seconds, the maximum in milliseconds, and the
histogram in nanoseconds that L<Realfeel::Export::Hdr> makes.

=cut

sub text {
    my ($report) = @_;
    my @points = points($report->lateness);
    my $max_ns = @points ? $points[-1][0] : 0;
    return join '', map { "$_\n" }
        '#[Histogram log format version 1.3]',
        '#[Lateness in ns, one value for each period; Interval_Max in ms]',
        _start($report),
        '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
        sprintf '%.3f,%.3f,%.6f,%s', 0, $report->header('duration_s') // 0, $max_ns / NS_PER_MS, encoded(@points);
}

sub _start {
    my ($report) = @_;
    my $started = $report->header('started') // '';
    my ($year, $month, @rest) = $started =~ /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/ or return;
    my $seconds = eval { timegm(reverse(@rest), $month - 1, $year) } // return;
    return (sprintf('#[StartTime: %.3f (seconds since epoch), %s]', $seconds, $started),
        sprintf '#[BaseTime: %.3f (seconds since epoch)]', $seconds);
}

1;
