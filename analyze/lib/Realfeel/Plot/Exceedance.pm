# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Exceedance;
use strict;
use warnings;

use List::Util qw(max min);
use Realfeel::Plot::Axis qw(decade_below log_range);
use Realfeel::Plot::Cells qw(blocks maxima);
use Realfeel::Stats qw(exceedance);

use constant {
    LEAST_US   => 0.005,        # a logarithmic axis has no 0
    LEAST_2002 => 50,
    ALL        => 0.99,         # the axis begins where so many lie above
    STEP       => 1.03,         # from one point of the curve to the next, to either side
    WIDE       => 1.02,         # where the upper edge of a bin is so many times the lower, the share stays up to it
    ROOM       => 1.5,          # beyond the maximum, for its bound
    BOUND      => 12,
    TOP        => 1.5,          # the axis ends above the share of all
    BULK       => 0.5,          # of larger shares the bound is not told: it takes long and cannot be seen
};

=head1 NAME

Realfeel::Plot::Exceedance - the share of values above each value, both axes logarithmic

=head1 FUNCTIONS

=head2 plan($runs)

Of each run the shares that were seen, and the bound of each with 95 % confidence.

=cut

sub plan {
    my ($runs) = @_;
    my @values = $runs->values;
    my $most = max(LEAST_US, $runs->max);
    my $least = max($runs->of_2002 ? LEAST_2002 : LEAST_US, min(map { ($_->beyond(ALL * $_->n))[0] } $runs->some));
    my ($low, $high) = log_range($least, max(ROOM * $most, $runs->limits));
    my $unit = $runs->log_unit($low, $high);
    my $us = $unit->{us};
    my @curves = map { _curve($low, $us, $_) } @values;
    my @bounds = map { _bound($low, $high, $us, $runs, $_) } 0 .. $#values;
    my @heights = map { @$_ > 1 ? $_->[-2][1] : 0 } @curves;
    return {
        unit  => $unit,
        data  => blocks(@curves, @bounds, maxima($runs, $us, @heights)),
        x     => [$low / $us, $high / $us, 'log'],
        y     => [min(0.1, decade_below(0.7 / $runs->n)), TOP, 'power'],
        label => 'share of the ' . $runs->counted . 's above',
    };
}

# Corners [value, share]: between those of one narrow bin the share falls, between bins it stays. As many as can be told
# apart.
sub _curve {
    my ($left, $us, $values) = @_;
    my $n = $values->n or return [[$left / $us, 0]];
    my ($low, $high, $count) = $values->columns;
    my ($beyond, $drawn, $drawn_beyond) = ($n, 0, $n);
    my @points = ([$left / $us, 1]);
    for my $i (0 .. $#$count) {
        my $value = max($left, min($high->[$i], $values->max));
        my $above = $beyond - $count->[$i];
        if ($i == $#$count || $value > $drawn * STEP || $above * STEP < $drawn_beyond) {
            push @points, [max($left, $low->[$i]) / $us, $beyond / $n];
            push @points, [$value / $us, $beyond / $n] if $high->[$i] > $low->[$i] * WIDE;
            push @points, [$value / $us, ($above || $beyond) / $n];
            ($drawn, $drawn_beyond) = ($value, $above);
        }
        $beyond = $above;
    }
    return [@points, [$points[-1][0], 0]];
}

# Rows [value, share]: the bound holds from there up to the next value, and beyond the maximum to the end of the axis.
sub _bound {
    my ($left, $right, $us, $runs, $i) = @_;
    my ($values, $report) = (($runs->values)[$i], ($runs->reports)[$i]);
    my @known = ($report->dependence, $runs->measure);
    my @rows;
    for my $edge (_edges($left, $values)) {
        my $one_in = exceedance($values, @known, $edge)->{fewer_than_one_in};
        push @rows, [$edge / $us, 1 / $one_in] if $one_in;
    }
    return [@rows, [$right / $us, @rows ? $rows[-1][1] : 0]];
}

# Some upper edges of bins, and the maximum.
sub _edges {
    my ($left, $values) = @_;
    my $n = $values->n or return;
    my (undef, $high, $count) = $values->columns;
    my ($beyond, @edges) = ($n);
    for my $i (0 .. $#$high - 1) {
        $beyond -= $count->[$i];
        next if $beyond > BULK * $n || $high->[$i] < $left;
        push @edges, $high->[$i] if !@edges || $high->[$i] > $edges[-1] * 10**(1 / BOUND);
    }
    return (@edges, max($left, $values->max));
}

1;
