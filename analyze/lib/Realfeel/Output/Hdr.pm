# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Output::Hdr;
use strict;
use warnings;

use List::Util qw(max min);
use Realfeel::Base::Units qw(epoch);
use Realfeel::Model::Cpus qw(place pooled);

use constant {
    DIGITS              => 4,           # as many as a report's bins have
    SUB_BUCKETS         => 1 << 15,     # the power of two from 2 * 10**DIGITS on
    SUB_BUCKET_BITS     => 15,
    LEAST               => 1,           # ns
    GREATEST            => 10**12,      # ns: 1000 s, where a report's last bin begins
    COOKIE              => 0x1c849313,
    COMPRESSED_COOKIE   => 0x1c849314,
    NS_PER_US           => 1000,
    NS_PER_MS           => 1e6,
    SEVEN_BITS          => 0x7f,
    MORE                => 0x80,
    WHOLE               => 10,          # steps from 0 to 1, of which the first half are taken
};

=head1 NAME

Realfeel::Output::Hdr - what HdrHistogram writes: its table of percentiles, and a log of histograms

=head1 FUNCTIONS

=head2 hgrm(@reports)

The table that HdrHistogram prints and plots, of all reports together. Values are microseconds, each the upper edge of
its bin and never more than the maximum. There are five steps for each halving of the distance to 100 %, until the
maximum is reached: the last lines stand for a sample or two, and are no estimates of what a longer run would show.

=cut

sub hgrm {
    my $latency = pooled({ reports => [@_], of => scalar @_ })->latency;
    my $n = $latency->n;
    my ($mean, $sd, $max) = map { $n ? $latency->$_ // 0 : 0 } qw(mean sd max);
    return join '', sprintf("%12s %14s %10s %14s\n\n", 'Value', 'Percentile', 'TotalCount', '1/(1-Percentile)'),
        _lines($latency),
        sprintf("#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", $mean, $sd),
        sprintf("#[Max     = %12.3f, Total count    = %12d]\n", $max, $n),
        sprintf("#[Buckets = %12d, SubBuckets     = %12d]\n", _powers(), SUB_BUCKETS);
}

# Each share is 1 - rest / (whole * 2**halvings), so that a rank is compared with it in whole numbers.
sub _lines {
    my ($latency) = @_;
    my $n = $latency->n or return;
    my (undef, $high, $counts) = $latency->columns;
    my ($whole, $rest, $above, $value, @lines) = (WHOLE, WHOLE, $n);
    for my $i (0 .. $#$counts) {
        $above -= $counts->[$i];
        $value = min($high->[$i], $latency->max);
        while ($above * $whole <= $n * $rest) {
            push @lines, sprintf "%12.3f %2.12f %10d %14.2f\n", $value, 1 - $rest / $whole, $n - $above, $whole / $rest;
            ($whole, $rest) = _next_share($whole, $rest);
            last unless $above;
        }
    }
    return (@lines, sprintf "%12.3f %2.12f %10d\n", $value, 1, $n);
}

sub _next_share {
    my ($whole, $rest) = @_;
    return --$rest > WHOLE / 2 ? ($whole, $rest) : (2 * $whole, WHOLE);
}

# How many powers of two the histogram spans.
sub _powers {
    my ($count, $end) = (1, SUB_BUCKETS);
    for (; $end <= GREATEST; $end *= 2) { $count++ }
    return $count;
}

=head2 hlog(@reports)

The log, version 1.3, with one line for each report, tagged with its CPU where the run is on several: its start and
length in seconds, the maximum in milliseconds, and the compressed histogram, version 2, in base 64. Its values are
whole nanoseconds with four significant digits. An HdrHistogram has no negative values: an early wake-up counts as 0. A
bin stands for its middle; one value stands for the exact minimum and one for the exact maximum. Of the values in an
open last bin no more is known than their maximum, and there they count.

=cut

sub hlog {
    my @reports = @_;
    return join '', map { "$_\n" }
        '#[Histogram log format version 1.3]',
        _comment($reports[0]),
        _start($reports[0]->header('started')),
        '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
        map { _interval($_) } @reports;
}

sub _comment {
    my ($report) = @_;
    my ($latency, $value) = map { $report->latency_words($_) } qw(name value);
    return "#[\u$latency in ns, one value for each $value; Interval_Max in ms]";
}

sub _interval {
    my ($report) = @_;
    my @points = _points($report->latency);
    my $max_ns = @points ? $points[-1][0] : 0;
    my ($of, $number) = place($report);
    return (defined $of ? 'Tag=' . uc($of) . "$number," : '')
        . sprintf '%.3f,%.3f,%.6f,%s', 0, $report->header('duration_s') // 0, $max_ns / NS_PER_MS, _encoded(@points);
}

sub _start {
    my ($started) = @_;
    my $seconds = epoch($started) // return;
    return (sprintf('#[StartTime: %.3f (seconds since epoch), %s]', $seconds, $started),
        sprintf '#[BaseTime: %.3f (seconds since epoch)]', $seconds);
}

# One [nanoseconds, count] for each bin, ascending.
sub _points {
    my ($distribution) = @_;
    return unless $distribution->n;
    my ($min, $max) = map { _ns($distribution->$_) } qw(min max);
    my @points = map { [_ns(($_->[0] + $_->[1]) / 2), $_->[2]] } $distribution->cells;
    $points[-1][0] = $max if defined $distribution->open_from;
    $_->[0] = max($min, min($max, $_->[0])) for @points;
    return grep { $_->[1] } [$min, _take($points[0], $distribution->n > 1)], @points, [$max, _take($points[-1], 1)];
}

sub _ns {
    my ($us) = @_;
    return max(0, sprintf '%.0f', $us * NS_PER_US);
}

# One value less for the bin, if it may be taken and is there.
sub _take {
    my ($point, $may) = @_;
    return 0 unless $may && $point->[1];
    $point->[1]--;
    return 1;
}

sub _encoded {
    my @points = @_;
    require Compress::Zlib;
    require MIME::Base64;
    my $counts = _counts(@points);
    my $most   = max(GREATEST, map { 2 * $_->[0] } @points);
    my $plain  = pack('N4 q> q> d>', COOKIE, length $counts, 0, DIGITS, LEAST, $most, 1) . $counts;
    my $deflated = Compress::Zlib::compress($plain);
    return MIME::Base64::encode_base64(pack('N2', COMPRESSED_COOKIE, length $deflated) . $deflated, '');
}

# Every count from the first cell to the last that is not empty; a run of empty ones is its length, negative.
sub _counts {
    my @points = @_;
    my %count;
    $count{ _index($_->[0]) } += $_->[1] for @points;
    my ($bytes, $next) = ('', 0);
    for my $index (sort { $a <=> $b } keys %count) {
        my $empty = $index - $next;
        $bytes .= _number($empty > 1 ? -$empty : 0) if $empty;
        $bytes .= _number($count{$index});
        $next = $index + 1;
    }
    return $bytes;
}

# Cells are 1 ns wide below SUB_BUCKETS, and twice as wide for each further power of two.
sub _index {
    my ($ns) = @_;
    my $shift = 0;
    $shift++ while $ns >> $shift >= SUB_BUCKETS;
    return ($shift << SUB_BUCKET_BITS - 1) + ($ns >> $shift);
}

# Seven bits a byte, the least first, the sign lowest of all; a ninth byte would hold eight.
sub _number {
    my ($number) = @_;
    my $rest = $number < 0 ? -2 * $number - 1 : 2 * $number;
    my @bytes;
    while ($rest > SEVEN_BITS && @bytes < 8) {
        push @bytes, $rest & SEVEN_BITS | MORE;
        $rest >>= 7;
    }
    return pack 'C*', @bytes, $rest;
}

1;
