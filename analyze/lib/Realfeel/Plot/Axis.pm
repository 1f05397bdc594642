# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Axis;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(
    decade_above decade_below linear_top linear_unit log_cells log_edges log_range log_unit number plain round_above
);

use List::Util qw(max);
use POSIX qw(ceil floor);

use constant {
    PER_DECADE   => 20,
    DIGITS       => 4,          # of a report's bins
    FINEST_US    => 0.01,
    COARSEST_US  => 1e10,
    TOLERANCE    => 1e-6,
    ROOM         => 1.05,       # above a maximum
    ROUND_SCALE  => [1, 2, 5],
    US_PER_MS    => 1000,
    US_UP_TO     => 1e6,        # a logarithmic axis
    LINEAR_UP_TO => 1e4,        # a linear one, in us
};

=head1 NAME

Realfeel::Plot::Axis - scales, and the cells that suit them

=head1 FUNCTIONS

=head2 number($value)

A number as gnuplot is given it.

=cut

sub number {
    my ($value) = @_;
    return sprintf '%.10g', $value;
}

=head2 plain($value)

The same for an argument: gnuplot reads no exponent there.

=cut

sub plain {
    my ($value) = @_;
    return number($value) unless number($value) =~ /e([-+]\d+)/;
    return sprintf '%.*f', $1 < 0 ? DIGITS - $1 : 0, $value;
}

=head2 log_unit($low, $high)

The unit for a logarithmic axis from C<$low> to C<$high> us, C<us> or C<ms>, and how many us it is: a list of two.

=cut

sub log_unit {
    my ($low, $high) = @_;
    return $high > US_UP_TO || $low * $high > US_PER_MS**2 ? ('ms', US_PER_MS) : ('us', 1);
}

=head2 linear_unit($high)

The same for a linear axis from 0.

=cut

sub linear_unit {
    my ($high) = @_;
    return $high >= LINEAR_UP_TO ? ('ms', US_PER_MS) : ('us', 1);
}

=head2 log_range($low, $high)

The round numbers, 1, 2 or 5 of a decade, that enclose the two and are at least a decade apart.

=cut

sub log_range {
    my ($low, $high) = @_;
    my ($first, $last) = (_round_index($low), _round_index($high) + 1);
    $last++ while $last - $first < @{ ROUND_SCALE() };
    return map { _round_number($_) } $first, $last;
}

=head2 linear_top($value)

The end of an axis from 0 that has room for the value: a multiple of a tenth of a round number, so that not half of the
picture is empty.

=cut

sub linear_top {
    my ($value) = @_;
    $value = max($value, FINEST_US);
    my $step = round_above($value * ROOM) / 10;
    return $step * ceil($value * ROOM / $step - TOLERANCE);
}

=head2 round_above($value)

The least 1, 2 or 5 of a decade that is not less.

=cut

sub round_above {
    my ($value) = @_;
    my $index = _round_index($value);
    return _round_number(_round_number($index) * (1 + TOLERANCE) < $value ? $index + 1 : $index);
}

sub _round_number {
    my ($index) = @_;
    my $steps = @{ ROUND_SCALE() };
    return 0 + (ROUND_SCALE->[$index % $steps] . 'e' . floor($index / $steps));
}

# The last round number that is not more.
sub _round_index {
    my ($value) = @_;
    my $index = @{ ROUND_SCALE() } * floor(log($value) / log(10)) - 1;
    $index++ while _round_number($index + 1) <= $value * (1 + TOLERANCE);
    return $index;
}

=head2 decade_above($value)

The least power of 10 that is not less.

=head2 decade_below($value)

The greatest power of 10 that is not more.

=cut

sub decade_above { return 10**ceil(log($_[0]) / log(10) - TOLERANCE) }
sub decade_below { return 10**floor(log($_[0]) / log(10) + TOLERANCE) }

=head2 log_cells($measure, $distribution)

The values in cells that suit a logarithmic axis, each C<[low, high, count]>, ascending: 20 to a decade, but the buckets
of files of 2002 as they are. Such an axis has no 0: the first cell begins in its middle where it would begin there.

=cut

sub log_cells {
    my ($measure, $distribution) = @_;
    my $cells = $measure && $measure->of_2002 ? $distribution : $distribution->regroup(_grid());
    return map { [$_->[0] || $_->[1] / 2, @$_[1, 2]] } $cells->cells;
}

=head2 log_edges($from)

The edges of such cells, in us: 0, C<$from>, a power of 10, and all above.

=cut

sub log_edges {
    my ($from) = @_;
    my @edges = (0, $from);
    push @edges, _next_edge($edges[-1]) while $edges[-1] < COARSEST_US;
    return @edges;
}

# A function from a value to the two edges of the drawn bin that holds it, quick for values that ascend.
sub _grid {
    my @edges = log_edges(FINEST_US);
    my $i = 0;
    return sub {
        my ($value) = @_;
        $i++ while $edges[$i + 1] <= $value && $i < $#edges - 1;
        return @edges[$i, $i + 1];
    };
}

# The nearest edge of a report's bins that is a full step on. So the drawn bins never cut a bin of a report, and where
# those are coarse, below 0.1 us, they are drawn as they are.
sub _next_edge {
    my ($edge) = @_;
    my $least = $edge * 10**(1 / PER_DECADE);
    my $width = max(FINEST_US, 10**(floor(log($least) / log(10)) - DIGITS + 1));
    return 0 + sprintf '%.2f', $width * ceil($least / $width - TOLERANCE);
}

1;
