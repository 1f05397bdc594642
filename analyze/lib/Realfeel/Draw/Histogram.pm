# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Draw::Histogram;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(logarithmic);

use List::Util qw(max min);
use POSIX qw(floor);
use Realfeel::Draw::Axis qw(decade_below linear_top log_range number round_above);
use Realfeel::Draw::Cells qw(cells_of counts_axis log_cells log_edges outlines steps);
use Realfeel::Draw::Words qw(words);

use constant {
    PERCENT       => 100,
    ONE           => 0.7,       # the axis of shares begins below that of one value of the longest run
    LOW           => 7,         # but not above this
    TOP           => 150,
    COLUMNS       => 400,       # of a linear axis
    LETTERS       => 60,        # across a terminal
    FINEST_US     => 0.01,
    TOLERANCE     => 1e-6,
    LINEAR_MAX_US => 1,         # the linear part of a signed axis
    DECADES       => 1e4,       # of its larger side, unless the linear part becomes too large
    BUCKET_US     => 100,       # of files of 2002
};

=head1 NAME

Realfeel::Draw::Histogram - counts over time

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

=head2 logarithmic($runs, @cells)

What pictures of such cells have in common: C<data>, C<unit>, C<x> and C<label>.

=cut

sub logarithmic {
    my ($runs, @cells) = @_;
    my @edges = map { @$_[0, 1] } map { @$_ } @cells;
    my ($low, $high) = log_range(min(@edges), max(@edges, $runs->limits));
    my $unit = $runs->log_unit($low, $high);
    return (
        unit  => $unit,
        data  => outlines($runs, $low, $unit->{us}, @cells),
        x     => [(map { $_ / $unit->{us} } $low, $high), 'log'],
        label => $runs->per_bin,
    );
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
        data    => outlines($runs, 0, $unit->{us}, @cells),
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
each side is one bin. On it the place of a value is 1 and as many as it has decades above the linear part.

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
        data    => [(map { steps(0, 1, @$_) } @cells), _extremes($linear, \@values, \@cells)],
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
    my ($zero, @edges) = log_edges($linear);
    my @cells = $runs->of_2002 ? $values->cells : cells_of($values, (map { -$_ } reverse @edges), $zero, @edges);
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
