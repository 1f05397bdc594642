# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Draw::Histogram;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(counts_axis log_cells logarithmic);

use List::Util qw(max min);
use POSIX qw(ceil floor);
use Realfeel::Draw::Axis qw(decade_above decade_below linear_top number round_above);
use Realfeel::Draw::Words qw(words);

use constant {
    PER_DECADE    => 20,
    DIGITS        => 4,         # of a report's bins
    FINEST_US     => 0.01,
    COARSEST_US   => 1e10,
    TOLERANCE     => 1e-6,
    PERCENT       => 100,
    ONE           => 0.7,       # the axis begins below 1, that of shares below that of one value of the longest run
    LOW           => 7,         # but not above this
    TOP           => 150,
    LEAST_TOP     => 5,         # of an axis of counts
    ROOM          => 1.2,       # above the largest count
    COLUMNS       => 400,       # of a linear axis
    LETTERS       => 60,        # across a terminal
    LINEAR_MAX_US => 1,         # the linear part of a signed axis
    LINEAR_BINS   => 10,        # of each of its sides
    DECADES       => 1e4,       # of its larger side, unless the linear part becomes too large
    BUCKET_US     => 100,       # of files of 2002
};

=head1 NAME

Realfeel::Draw::Histogram - counts over time

=head1 DESCRIPTION

A cell is an array of its two edges and the number of values between them.

=head1 FUNCTIONS

=head2 counts($runs)

Both axes are logarithmic.

=cut

sub counts {
    my ($runs) = @_;
    my @cells = log_cells($runs);
    return { logarithmic($runs, @cells), y => counts_axis(\@cells), numbers => { is_log => 1 } };
}

=head2 shares($runs)

The same, but each run's counts are shares of that run, so that runs of different lengths compare.

=cut

sub shares {
    my ($runs) = @_;
    my @values = $runs->values;
    my @cells = log_cells($runs);
    for my $i (0 .. $#cells) { $_->[2] *= PERCENT / $values[$i]->n for @{ $cells[$i] } }
    my $low = min(LOW, ONE * PERCENT / $runs->n);
    my %drawn = logarithmic($runs, @cells);
    my $label = words('axis.shares', counts => $drawn{label});
    return { %drawn, label => $label, y => [$low, TOP, 'log'], numbers => { is_log => 1 } };
}

=head2 log_cells($runs)

Of each run the values in cells that suit a logarithmic axis, an array of these, ascending: 20 to a decade, but the
buckets of files of 2002 as they are. Such an axis has no 0: the first cell begins in its middle where it would begin
there.

=cut

sub log_cells {
    my ($runs) = @_;
    my @edges = _log_edges(FINEST_US);
    my @cells = map { [$runs->of_2002 ? $_->cells : _cells_of($_, @edges)] } $runs->values;
    for my $first (map { $_->[0] // () } @cells) { $first->[0] ||= $first->[1] / 2 }
    return @cells;
}

# The values in cells between these edges.
sub _cells_of {
    my ($distribution, @edges) = @_;
    my $i = 0;
    return $distribution->regroup(sub {
        my ($value) = @_;
        $i++ while $edges[$i + 1] <= $value && $i < $#edges - 1;
        return @edges[$i, $i + 1];
    })->cells;
}

# The edges of such cells, in us: 0, the first, a power of 10, and all above.
sub _log_edges {
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

=head2 logarithmic($runs, @cells)

What pictures of such cells have in common: C<data>, C<unit>, C<x> and C<label>.

=cut

sub logarithmic {
    my ($runs, @cells) = @_;
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
sub _outlines {
    my ($runs, $least, $us, @cells) = @_;
    my @heights = map { @$_ ? $_->[-1][2] : 0 } @cells;
    return [(map { _steps($least, $us, @$_) } @cells), $runs->maxima($us, @heights)];
}

# The outline of a histogram, rows of [edge, count], the count up to the next edge. Each unbroken row of cells stands
# between two edges of count 0, lest a line be drawn across the empty ones; without cells there is one such edge.
sub _steps {
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

=head2 linear($runs)

As the OSADL's farm prints them: the axis of time is linear from 0.

=cut

sub linear {
    my ($runs) = @_;
    my $unit = $runs->linear_unit($runs->max);
    my $width = _width($runs);
    my @cells = map { [$_->regroup(_columns($width))->cells] } $runs->values;
    my $end = linear_top(max($runs->max, $runs->limits, map { $_->[-1][1] } grep { @$_ } @cells));
    return {
        unit    => $unit,
        data    => _outlines($runs, 0, $unit->{us}, @cells),
        x       => [0, $end / $unit->{us}, 'linear'],
        y       => counts_axis(\@cells),
        numbers => { is_log => 0 },
        label   => words('axis.counts_linear', counted => $runs->counted, width => number($width / $unit->{us}),
            unit => $unit->{symbol}),
    };
}

# A round number, and no bin is wider.
sub _width {
    my ($runs) = @_;
    my $max = $runs->max;
    my $widest = 0;
    for ($runs->values) {
        my ($low, $high) = $_->columns;
        $widest = max($widest, map { min($high->[$_], $max) - $low->[$_] } 0 .. $#$low);
    }
    return round_above(max(FINEST_US, $widest, $max / ($runs->look->{is_terminal} ? LETTERS : COLUMNS)));
}

sub _columns {
    my ($width) = @_;
    return sub {
        my $column = floor($_[0] / $width + TOLERANCE);
        return ($column * $width, ($column + 1) * $width);
    };
}

=head2 signed($runs)

Early and late wake-ups, by their interval errors. The axis is logarithmic to both sides, and linear around 0, where
each side has ten bins, unless these would be narrower than those of a report: a single one would stand as high above
the others as it is wider. On it the place of a value is 1 and as many as it has decades above the linear part.

=cut

sub signed {
    my ($runs) = @_;
    my @values = $runs->values;
    my ($least, $most) = (min(0, map { $_->min } $runs->some), max(0, $runs->max));
    my $linear = $runs->of_2002 ? BUCKET_US : _linear_part(max(-$least, $most));
    my $unit = $runs->log_unit($linear, max(-$least, $most));
    my @cells = map { [_in_places($linear, $runs, $_)] } @values;
    return {
        unit    => $unit,
        data    => [(map { _steps(0, 1, @$_) } @cells), _extremes($linear, \@values, \@cells)],
        x       => [_ends($linear, $least, $most, @cells), 'own'],
        y       => counts_axis(\@cells),
        label   => $runs->per_bin,
        numbers => { linear => $linear / $unit->{us} },
    };
}

sub _linear_part {
    my ($magnitude) = @_;
    return FINEST_US unless $magnitude > 0;
    return min(LINEAR_MAX_US, max(FINEST_US, decade_below($magnitude) / DECADES));
}

# The ends of the axis, half a decade from 0 at least.
sub _ends {
    my ($linear, $least, $most, @cells) = @_;
    my @edges = map { @$_[0, 1] } map { @$_ } @cells;
    return (min(-1.5, _place($linear, $least), @edges) - 0.1, max(1.5, _place($linear, $most), @edges) + 0.1);
}

sub _place {
    my ($linear, $us) = @_;
    my $size = abs $us;
    my $place = $size <= $linear ? $size / $linear : 1 + log($size / $linear) / log(10);
    return $us < 0 ? -$place : $place;
}

sub _in_places {
    my ($linear, $runs, $values) = @_;
    my ($zero, @edges) = _log_edges($linear);
    my $width = max(FINEST_US, $linear / LINEAR_BINS);
    unshift @edges, map { $width * $_ } 1 .. $linear / $width - 1 + TOLERANCE;
    my @cells = $runs->of_2002 ? $values->cells : _cells_of($values, (map { -$_ } reverse @edges), $zero, @edges);
    return map { [_place($linear, $_->[0]), _place($linear, $_->[1]), $_->[2]] } @cells;
}

# The least and the largest of each run: [place, height, run].
sub _extremes {
    my ($linear, $values, $cells) = @_;
    return [map { my $run = $_; (
        [_place($linear, $values->[$run]->min), $cells->[$run][0][2],  $run + 1],
        [_place($linear, $values->[$run]->max), $cells->[$run][-1][2], $run + 1],
    ) } grep { $values->[$_]->n } 0 .. $#$values];
}

1;
