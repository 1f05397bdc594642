# SPDX-License-Identifier: GPL-2.0-or-later
# The figures of 2002.
package Realfeel::Answer::Classic;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(buckets classic);

use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(printable);

use constant {
    LADDER_MS => [0.1, 0.2, 0.5, 0.7, 1, 5, 10, 50, 100, 500, 1000, 5000, 10000],
    BUCKET_US => 100,
    PER_MS    => 10,
};

# Interval errors in ms, in buckets of 0.1 ms; a bin belongs to the bucket that holds its lower edge, early wake-ups
# count as 0
sub buckets ($report) {
    my $interval = $report->interval
        or die printable($report->file . ': has no interval errors, which the table of 2002 needs; leave it out')
        . "\n";
    return $interval->regroup(sub {
        my $index = $_[0] < 0 ? 0 : int($_[0] / BUCKET_US);
        return ($index / PER_MS, ($index + 1) / PER_MS);
    });
}

# Takes every sample to be in the middle of its bucket. Returns a hash of file, number of buckets and samples; and, if
# there are any, minimum_ms, the upper edge of the first bucket, maximum_ms, the lower edge of the last, mean_ms,
# median_ms, mode_ms, occurred, the count of the mode, variance and sd_ms (undef for one sample), and below, hashes of
# threshold_ms and percent.
sub classic ($report) {
    my $buckets = buckets($report);
    my %counts = (file => text($report->file), buckets => number($buckets->bins), samples => number($buckets->n));
    return \%counts unless $buckets->n;
    my @cells = $buckets->cells;
    my ($mode, $occurred) = $buckets->mode;
    my ($variance, $top) = ($buckets->variance, $buckets->max);
    my %figures = (
        minimum_ms => $cells[0][1], maximum_ms => $cells[-1][0], mean_ms => $buckets->mean,
        median_ms => $buckets->median, mode_ms => $mode, occurred => $occurred,
        variance => $variance, sd_ms => defined $variance ? sqrt $variance : undef,
    );
    my @thresholds = ((grep { $_ < $top } @{ LADDER_MS() }), $top);
    return {
        %counts, (map { $_ => number($figures{$_}) } keys %figures),
        below => [map { { threshold_ms => $_, percent => 100 * $buckets->below($_) / $buckets->n } } @thresholds],
    };
}

1;
