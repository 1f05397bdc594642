# SPDX-License-Identifier: GPL-2.0-or-later
# Counts over time. A cell is [low, high, count].
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

# Both axes are logarithmic
sub counts ($runs) {
    my @cells = log_cells($runs);
    return { logarithmic($runs, @cells), y => counts_axis(\@cells) };
}

# Counts as shares of their run, so that runs of different lengths compare
sub shares ($runs) {
    my @values = $runs->values;
    my @cells = log_cells($runs);
    for my $i (0 .. $#cells) { $_->[2] *= PERCENT / $values[$i]->n for @{ $cells[$i] } }
    my $low = min(LOW, ONE * PERCENT / $runs->n);
    my %drawn = logarithmic($runs, @cells);
    my $label = words('axis.shares', counts => $drawn{label});
    return { %drawn, label => $label, y => [$low, TOP, 'log'] };
}

# An array of cells for each run, 20 to a decade, or the buckets of 2002 as they are. There is no 0 on the axis, so a
# first cell from 0 begins in its middle.
sub log_cells ($runs) {
    my @edges = _log_edges();
    my @cells = map { [$runs->of_2002 ? $_->cells : _cells_of($_, @edges)] } $runs->values;
    for my $first (map { $_->[0] // () } @cells) { $first->[0] ||= $first->[1] / 2 }
    return @cells;
}

# Cells between these edges
sub _cells_of ($distribution, @edges) {
    my $i = 0;
    return $distribution->regroup(sub ($value) {
        $i++ while $edges[$i + 1] <= $value && $i < $#edges - 1;
        return @edges[$i, $i + 1];
    })->cells;
}

# In us
sub _log_edges {
    my @edges = (0, FINEST_US);
    push @edges, _next_edge($edges[-1]) while $edges[-1] < COARSEST_US;
    return @edges;
}

# The nearest edge of a report's bin that is a step further. Drawn cells never cut a report's bin; coarse ones, below
# 0.1 us, are drawn as they are.
sub _next_edge ($edge) {
    my $least = $edge * 10**(1 / PER_DECADE);
    my $width = max(FINEST_US, 10**(floor(log($least) / log(10)) - DIGITS + 1));
    return 0 + sprintf '%.2f', $width * ceil($least / $width - TOLERANCE);
}

# With room for $room times the largest count, by default 1.2
sub counts_axis ($cells, $room = ROOM) {
    my @counts = map { $_->[2] } map { @$_ } @$cells;
    return [ONE, decade_above($room * max(LEAST_TOP, @counts)), 'power'];
}

# What these pictures share: data, unit, x and label
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

# And the maxima, each at the height of the last cell
sub _outlines ($runs, $least, $us, @cells) {
    my @heights = map { @$_ ? $_->[-1][2] : 0 } @cells;
    return [(map { _steps($least, $us, @$_) } @cells), $runs->maxima($us, @heights)];
}

# Rows of [edge, count up to the next edge]. Each stretch of cells stands between edges with count 0, so that no line
# crosses empty ones; without cells there is one such edge.
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
