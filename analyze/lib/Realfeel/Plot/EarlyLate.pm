# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::EarlyLate;
use strict;
use warnings;

use List::Util qw(max min);
use Realfeel::Plot::Axis qw(decade_below);
use Realfeel::Plot::Cells qw(blocks cells_of counts_axis log_edges steps);

use constant {
    LINEAR_MIN_US => 0.01,
    LINEAR_MAX_US => 1,
    BUCKET_US     => 100,
    DECADES       => 1e4,       # of the larger side, unless the linear part becomes too large
};

=head1 NAME

Realfeel::Plot::EarlyLate - how many wake-ups came early and how many late, by their interval errors

=head1 FUNCTIONS

=head2 plan($runs)

The axis is logarithmic to both sides, and linear around 0, where each side is one bin. On it the place of a value is 1
and as many as it has decades above the linear part.

=cut

sub plan {
    my ($runs) = @_;
    my @values = $runs->values;
    my ($least, $most) = (min(0, map { $_->min } $runs->some), max(0, $runs->max));
    my $linear = $runs->of_2002 ? BUCKET_US : _linear(max(-$least, $most));
    my $unit = $runs->log_unit($linear, max(-$least, $most));
    my @cells = map { [_cells($linear, $runs, $_)] } @values;
    return {
        unit    => $unit,
        data    => blocks((map { steps(0, 1, @$_) } @cells), _extremes($linear, \@values, \@cells)),
        x       => [_ends($linear, $least, $most, @cells), 'own'],
        y       => counts_axis(\@cells),
        label   => $runs->per_bin,
        numbers => [$linear / $unit->{us}],
    };
}

sub _linear {
    my ($magnitude) = @_;
    return LINEAR_MIN_US unless $magnitude > 0;
    return min(LINEAR_MAX_US, max(LINEAR_MIN_US, decade_below($magnitude) / DECADES));
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

sub _cells {
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
