# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Draw::Histogram;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(counts_axis log_cells logarithmic);

use List::Util qw(max min);
use POSIX qw(ceil floor);
use Realfeel::Draw::Axis qw(decade_above);
use Realfeel::Draw::Words qw(words);

use constant {
    PER_DECADE  => 20,
    DIGITS      => 4,         # of a report's bins
    FINEST_US   => 0.01,
    COARSEST_US => 1e10,
    TOLERANCE   => 1e-6,
    PERCENT     => 100,
    ONE         => 0.7,       # the axis begins below 1, that of shares below that of one value of the longest run
    LOW         => 7,         # but not above this
    TOP         => 150,
    LEAST_TOP   => 5,         # of an axis of counts
    ROOM        => 1.2,       # above the largest count
};

=head1 NAME

Realfeel::Draw::Histogram - counts over time

=head1 DESCRIPTION

A cell is an array of its two edges and the number of values between them.

=head1 FUNCTIONS

=head2 counts($runs)

Both axes are logarithmic.

=cut

sub counts ($runs) {
    my @cells = log_cells($runs);
    return { logarithmic($runs, @cells), y => counts_axis(\@cells) };
}

=head2 shares($runs)

The same, but each run's counts are shares of that run, so that runs of different lengths compare.

=cut

sub shares ($runs) {
    my @values = $runs->values;
    my @cells = log_cells($runs);
    for my $i (0 .. $#cells) { $_->[2] *= PERCENT / $values[$i]->n for @{ $cells[$i] } }
    my $low = min(LOW, ONE * PERCENT / $runs->n);
    my %drawn = logarithmic($runs, @cells);
    my $label = words('axis.shares', counts => $drawn{label});
    return { %drawn, label => $label, y => [$low, TOP, 'log'] };
}

=head2 log_cells($runs)

Of each run the values in cells that suit a logarithmic axis, an array of these, ascending: 20 to a decade, but the
buckets of files of 2002 as they are. Such an axis has no 0: the first cell begins in its middle where it would begin
there.

=cut

sub log_cells ($runs) {
    my @edges = _log_edges();
    my @cells = map { [$runs->of_2002 ? $_->cells : _cells_of($_, @edges)] } $runs->values;
    for my $first (map { $_->[0] // () } @cells) { $first->[0] ||= $first->[1] / 2 }
    return @cells;
}

# The values in cells between these edges.
sub _cells_of ($distribution, @edges) {
    my $i = 0;
    return $distribution->regroup(sub ($value) {
        $i++ while $edges[$i + 1] <= $value && $i < $#edges - 1;
        return @edges[$i, $i + 1];
    })->cells;
}

# The edges of such cells, in us.
sub _log_edges {
    my @edges = (0, FINEST_US);
    push @edges, _next_edge($edges[-1]) while $edges[-1] < COARSEST_US;
    return @edges;
}

# The nearest edge of a report's bins that is a full step on. So the drawn bins never cut a bin of a report, and where
# those are coarse, below 0.1 us, they are drawn as they are.
sub _next_edge ($edge) {
    my $least = $edge * 10**(1 / PER_DECADE);
    my $width = max(FINEST_US, 10**(floor(log($least) / log(10)) - DIGITS + 1));
    return 0 + sprintf '%.2f', $width * ceil($least / $width - TOLERANCE);
}

=head2 counts_axis(\@cells, $room)

An axis for the counts of the cells of all runs, with room for so many times the largest, by default 1.2.

=cut

sub counts_axis ($cells, $room = undef) {
    my @counts = map { $_->[2] } map { @$_ } @$cells;
    return [ONE, decade_above(($room // ROOM) * max(LEAST_TOP, @counts)), 'power'];
}

=head2 logarithmic($runs, @cells)

What pictures of such cells have in common: C<data>, C<unit>, C<x> and C<label>.

=cut

sub logarithmic ($runs, @cells) {
    my @edges = map { @$_[0, 1] } map { @$_ } @cells;
    my ($unit, $low, $x) = $runs->log_axis(min(@edges), max(@edges, $runs->limits));
    return (
        unit  => $unit,
        data  => _outlines($runs, $low, $unit->{us}, @cells),
        x     => $x,
        label => $runs->per_bin,
    );
}

# The outlines of the runs, and their maxima, each as high as the last cell.
sub _outlines ($runs, $least, $us, @cells) {
    my @heights = map { @$_ ? $_->[-1][2] : 0 } @cells;
    return [(map { _steps($least, $us, @$_) } @cells), $runs->maxima($us, @heights)];
}

# The outline of a histogram, rows of [edge, count], the count up to the next edge. Each unbroken row of cells stands
# between two edges of count 0, lest a line be drawn across the empty ones; without cells there is one such edge.
sub _steps ($least, $us, @cells) {
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

1;
