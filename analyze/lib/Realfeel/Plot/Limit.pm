# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Limit;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(limit_lines near_limits);

use List::Util qw(uniqnum);
use Realfeel::Plot::Axis qw(plain);

use constant {
    NEAR    => 5,               # a limit so many times above the largest value is still shown
    MOST    => 3,
    # The name of a line stands above the limit up to this part of the axis, else below: on the side that has more room,
    # but on a y axis above unless it would lie outside.
    ABOVE   => { x => 0.5, y => 0.92 },
};

=head1 NAME

Realfeel::Plot::Limit - the limits of --max that a picture shows

=head1 FUNCTIONS

=head2 near_limits($measure, $max, @reports)

The limits of the reports in us, ascending, as far as they are not far above C<$max>, the largest value, and few. There
are none unless the L<Realfeel::Plot::Measure> is lateness, which they are for.

=cut

sub near_limits {
    my ($measure, $max, @reports) = @_;
    return unless $measure->name eq 'lateness';
    my @limits = sort { $a <=> $b } uniqnum grep { defined && $_ > 0 } map { $_->us('max_ns') } @reports;
    @limits = grep { $_ <= NEAR * $max } @limits;
    return @limits <= MOST ? @limits : ();
}

=head2 limit_lines($is, $axis, $us, $symbol, @limits)

The text that the templates take, words by three: where the limit is on the axis, its name, and 1 where the name stands
above it, -1 where it stands below. The axis, C<x> or C<y>, is an array of its ends and whether it is linear or
logarithmic; C<$us> is its unit, and C<$symbol> how us are written. A limit outside the axis is left out.

=cut

sub limit_lines {
    my ($is, $axis, $us, $symbol, @limits) = @_;
    my ($low, $high, $scale) = @$axis;
    my @words;
    for my $limit (@limits) {
        my $place = $limit / $us;
        next unless $place > $low && $place <= $high;
        my $part = $scale eq 'linear' ? ($place - $low) / ($high - $low) : log($place / $low) / log($high / $low);
        push @words, plain($place), sprintf('--max=%.10g%s', $limit, $symbol), $part < ABOVE->{$is} ? 1 : -1;
    }
    return "@words";
}

1;
