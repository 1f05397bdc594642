# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Hdr;
use strict;
use warnings;

use Compress::Zlib ();
use Exporter 'import';
our @EXPORT_OK = qw(bucket_count encoded points SUB_BUCKETS);

use List::Util qw(max min);
use MIME::Base64 ();

use constant {
    DIGITS              => 4,           # as many as a report's bins have
    SUB_BUCKETS         => 1 << 15,     # the power of two from 2 * 10**DIGITS on
    SUB_BUCKET_BITS     => 15,
    LEAST               => 1,           # ns
    GREATEST            => 10**12,      # ns: 1000 s, where a report's last bin begins
    COOKIE              => 0x1c849313,
    COMPRESSED_COOKIE   => 0x1c849314,
    NS_PER_US           => 1000,
    SEVEN_BITS          => 0x7f,
    MORE                => 0x80,
};

=head1 NAME

Realfeel::Export::Hdr - the compressed HdrHistogram, version 2

=head1 DESCRIPTION

Values are whole nanoseconds with four significant digits. An HdrHistogram has no negative values: an early wake-up
counts as 0.

=head1 FUNCTIONS

=head2 points($distribution)

One C<[nanoseconds, count]> for each bin of a distribution in microseconds, ascending. A bin stands for its middle; one
value stands for the exact minimum and one for the exact maximum. Of the values in an open last bin no more is known
than their maximum, and there they count.

=cut

sub points {
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

=head2 encoded(@points)

The histogram of the points as text in base 64, on one line.

=cut

sub encoded {
    my @points = @_;
    my $counts  = _counts(@points);
    my $most    = max(GREATEST, map { 2 * $_->[0] } @points);
    my $plain   = pack('N4 q> q> d>', COOKIE, length $counts, 0, DIGITS, LEAST, $most, 1) . $counts;
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

=head2 bucket_count

How many powers of two such a histogram spans.

=head2 SUB_BUCKETS

Into how many cells it divides each.

=cut

sub bucket_count {
    my ($count, $end) = (1, SUB_BUCKETS);
    for (; $end <= GREATEST; $end *= 2) { $count++ }
    return $count;
}

1;
