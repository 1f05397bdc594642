# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Hgrm;
use strict;
use warnings;

use List::Util qw(min);
use Realfeel::Export::Hdr qw(bucket_count SUB_BUCKETS);

use constant TICKS_PER_HALF => 5;

=head1 NAME

Realfeel::Export::Hgrm - the table of percentiles that HdrHistogram prints and plots

=head1 FUNCTIONS

=head2 text($report)

Values are microseconds, each the upper edge of its bin and never more than the maximum. There are five steps for each
halving of the distance to 100 %, until the maximum is reached: the last lines stand for a sample or two, and are no
estimates of what a longer run would show.

=cut

sub text {
    my ($report) = @_;
    my $lateness = $report->lateness;
    my $n = $lateness->n;
    my ($mean, $sd, $max) = map { $n ? $lateness->$_ // 0 : 0 } qw(mean sd max);
    return join '', sprintf("%12s %14s %10s %14s\n\n", 'Value', 'Percentile', 'TotalCount', '1/(1-Percentile)'),
        _lines($lateness),
        sprintf("#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", $mean, $sd),
        sprintf("#[Max     = %12.3f, Total count    = %12d]\n", $max, $n),
        sprintf("#[Buckets = %12d, SubBuckets     = %12d]\n", bucket_count(), SUB_BUCKETS);
}

sub _lines {
    my ($lateness) = @_;
    my ($n, $max) = ($lateness->n, $lateness->max);
    my ($share, $count, $value, @lines) = (0, 0);
    for my $cell ($lateness->cells) {
        $count += $cell->[2];
        $value = min($cell->[1], $max);
        for (; $count / $n >= $share && ($count < $n || !@lines || $share < 1); $share = _next_share($share)) {
            push @lines, sprintf "%12.3f %2.12f %10d %14.2f\n", $value, $share, $count, 1 / (1 - $share);
            last if $count == $n;
        }
    }
    push @lines, sprintf "%12.3f %2.12f %10d\n", $value, 1, $n if $n;
    return @lines;
}

sub _next_share {
    my ($share) = @_;
    my $halvings = 1 + int(log(1 / (1 - $share)) / log 2);
    return $share + 1 / (TICKS_PER_HALF * 2**$halvings);
}

1;
