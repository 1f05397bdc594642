# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Draw::Cells;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(cells_of counts_axis log_cells log_edges maxima outlines steps);

use List::Util qw(max);
use POSIX qw(ceil floor);
use Realfeel::Draw::Axis qw(decade_above);

use constant {
    PER_DECADE   => 20,
    DIGITS       => 4,          # of a report's bins
    FINEST_US    => 0.01,
    COARSEST_US  => 1e10,
    TOLERANCE    => 1e-6,
    ONE          => 0.7,        # an axis of counts begins below 1
    LEAST_TOP    => 5,
    ROOM         => 1.2,
};

=head1 NAME

Realfeel::Draw::Cells - data sets for gnuplot, and the cells of which they are made

=head1 DESCRIPTION

A cell is an array of its two edges and the number of values between them.

=head1 FUNCTIONS

=head2 log_cells($runs)

Of each run the values in cells that suit a logarithmic axis, an array of these, ascending: 20 to a decade, but the
buckets of files of 2002 as they are. Such an axis has no 0: the first cell begins in its middle where it would begin
there.

=cut

sub log_cells {
    my ($runs) = @_;
    my @edges = log_edges(FINEST_US);
    my @cells = map { [$runs->of_2002 ? $_->cells : cells_of($_, @edges)] } $runs->values;
    for my $first (map { $_->[0] // () } @cells) { $first->[0] ||= $first->[1] / 2 }
    return @cells;
}

=head2 cells_of($distribution, @edges)

Its values in cells between these edges.

=cut

sub cells_of {
    my ($distribution, @edges) = @_;
    my $i = 0;
    return $distribution->regroup(sub {
        my ($value) = @_;
        $i++ while $edges[$i + 1] <= $value && $i < $#edges - 1;
        return @edges[$i, $i + 1];
    })->cells;
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

# The nearest edge of a report's bins that is a full step on. So the drawn bins never cut a bin of a report, and where
# those are coarse, below 0.1 us, they are drawn as they are.
sub _next_edge {
    my ($edge) = @_;
    my $least = $edge * 10**(1 / PER_DECADE);
    my $width = max(FINEST_US, 10**(floor(log($least) / log(10)) - DIGITS + 1));
    return 0 + sprintf '%.2f', $width * ceil($least / $width - TOLERANCE);
}

=head2 counts_axis(\@cells, $room)

An axis for the counts of the cells of all runs, with room for so many times the largest, by default 1.2.

=cut

sub counts_axis {
    my ($cells, $room) = @_;
    my @counts = map { $_->[2] } map { @$_ } @$cells;
    return [ONE, decade_above(($room // ROOM) * max(LEAST_TOP, @counts)), 'power'];
}

=head2 outlines($runs, $least, $us, @cells)

Those of the L<Realfeel::Draw::Runs>, whose cells are given: their C<steps>, and their C<maxima>, each as high as the
last cell.

=cut

sub outlines {
    my ($runs, $least, $us, @cells) = @_;
    my @heights = map { @$_ ? $_->[-1][2] : 0 } @cells;
    return [(map { steps($least, $us, @$_) } @cells), maxima($runs, $us, @heights)];
}

=head2 steps($least, $us, @cells)

The outline of a histogram, rows of C<[edge, count]>, the count up to the next edge; edges are divided by C<$us>. Each
unbroken row of cells stands between two edges of count 0, lest a line be drawn across the empty ones; without cells
there is one such edge, C<$least>.

=cut

sub steps {
    my ($least, $us, @cells) = @_;
    my (@steps, $edge);
    for (@cells) {
        my ($low, $high, $count) = @$_;
        push @steps, [$edge, 0] if defined $edge && $low > $edge;
        push @steps, [$low, 0] if !defined $edge || $low > $edge;
        push @steps, [$low, $count];
        $edge = $high;
    }
    return [map { [$_->[0] / $us, $_->[1]] } @steps, [$edge // $least, 0]];
}

=head2 maxima($runs, $us, @heights)

Where the maximum of each run is marked: rows of C<[maximum, height, run]>. Runs without values have none.

=cut

sub maxima {
    my ($runs, $us, @heights) = @_;
    my @values = $runs->values;
    return [map { [$values[$_]->max / $us, $heights[$_], $_ + 1] } grep { $values[$_]->n } 0 .. $#values];
}

1;
