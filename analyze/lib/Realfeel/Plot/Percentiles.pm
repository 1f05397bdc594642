# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Percentiles;
use strict;
use warnings;

use List::Util qw(max min);
use Realfeel::Plot::Axis qw(decade_above linear_top log_range);
use Realfeel::Plot::Cells qw(blocks maxima);
use Realfeel::Stats qw(percentiles);

use constant {
    BEYOND       => 10,         # so many values beyond make a percentile
    PER_DECADE   => 100,        # points of a curve
    LINEAR       => 20,         # an axis from 0 serves up to so many times the least median
    BULK         => 0.99,       # a logarithmic axis begins where so many lie beyond
    LEAST_US     => 0.005,      # a logarithmic axis has no 0
    UNSEEN       => [0.1, 1, 1, 1, 1],      # a row outside the axes, for gnuplot complains of an empty data set
    INTERVALS    => 4,          # of more runs, confidence intervals would hide each other
};

=head1 NAME

Realfeel::Plot::Percentiles - the value that all but one in so many do not exceed

=head1 FUNCTIONS

=head2 plan($runs)

Of each run the curve as far as ten values lie beyond, and the rest of it.

=cut

sub plan {
    my ($runs) = @_;
    my @values = $runs->values;
    my $scale = _scale($runs);
    my @maxima = map { [@$_[1, 0, 2]] } @{ maxima($runs, $scale->{unit}{us}, map { $_->n } @values) };
    my @intervals = @values <= INTERVALS ? map { _intervals($_, $scale, $runs) } 0 .. $#values : ();
    return {
        unit      => $scale->{unit},
        data      => blocks((map { _curve($scale, $_) } @values), \@maxima, @intervals ? \@intervals : [UNSEEN]),
        time_axis => 'y',
        x         => [1, max(10, decade_above($runs->n)), 'own'],
        y         => [@$scale{qw(low high)}, $scale->{is_log} ? 'log' : 'linear'],
        label     => 'percentile (%), by the number of nines',
        numbers   => [$scale->{is_log}],
    };
}

# From 0 where the tail can be seen so, else logarithmic.
sub _scale {
    my ($runs) = @_;
    my $high = max($runs->max, $runs->limits);
    my @medians = map { $_->median } $runs->some;
    my $is_log = grep({ !defined } @medians) || $high > LINEAR * min(@medians) ? 1 : 0;
    return { $is_log ? _logarithmic($runs, $high) : _linear($runs, $high), is_log => $is_log };
}

sub _linear {
    my ($runs, $high) = @_;
    my $unit = $runs->linear_unit($high);
    return (unit => $unit, low => 0, high => linear_top($high / $unit->{us}), least => 0);
}

sub _logarithmic {
    my ($runs, $high) = @_;
    my $least = max(LEAST_US, min(map { ($_->beyond(BULK * $_->n))[1] } $runs->some));
    my ($low, $top) = log_range($least / 1.1, 1.1 * $high);
    my $unit = $runs->log_unit($low, $top);
    return (unit => $unit, low => $low / $unit->{us}, high => $top / $unit->{us}, least => LEAST_US);
}

# Two blocks of [one in, value]: a value holds from one in so many on to the next. The second begins where less than ten
# values lie beyond.
sub _curve {
    my ($scale, $values) = @_;
    my $n = $values->n or return ([[1, $scale->{low}]], [[1, $scale->{low}]]);
    my @points = _points($scale, $values);
    my ($sure, $last) = (max(1, $n / BEYOND), $points[0][1]);
    my (@first, @rest);
    for (@points) {
        my ($one_in, $value) = @$_;
        push @rest, @rest ? () : [$sure, $last], $_ if $one_in > $sure;
        push @first, $_ if $one_in <= $sure;
        $last = $value if $one_in <= $sure;
    }
    push @first, [$sure, $last];
    return (\@first, @rest ? \@rest : [[$sure, $last]]);
}

# The corners of the curve, as many as can be told apart.
sub _points {
    my ($scale, $values) = @_;
    my (undef, $high, $count) = $values->columns;
    my ($n, $max) = ($values->n, $values->max);
    my ($beyond, $drawn, $step) = ($n, 1, 10**(1 / PER_DECADE));
    my @points;
    for my $i (0 .. $#$count) {
        $beyond -= $count->[$i];
        my $one_in = $n / max(1, $beyond);
        next if $i && $i < $#$count && $one_in < $drawn * $step;
        my $value = max($scale->{least}, min($high->[$i], $max)) / $scale->{unit}{us};
        push @points, [$drawn, $value], [$one_in, $value];
        $drawn = $one_in;
    }
    return @points;
}

# [one in, value, low, high, run] of each percentile that the run supports. One without a bound ends at the end of the
# axis, one without any is the value alone.
sub _intervals {
    my ($i, $scale, $runs) = @_;
    my ($values, $report) = (($runs->values)[$i], ($runs->reports)[$i]);
    my $dependence = $runs->of_2002 ? undef : $report->dependence;
    my @known = grep { defined $_->{value_us} } percentiles($values, $dependence, $runs->measure);
    return map {
        my ($value, $low, $high) = map { defined $_ ? max($scale->{least}, $_) / $scale->{unit}{us} : undef }
            @$_{qw(value_us low_us high_us)};
        my @ends = defined $low || defined $high ? ($low // $scale->{low}, $high // $scale->{high}) : ($value) x 2;
        [100 / (100 - $_->{percentile}), $value, @ends, $i + 1];
    } @known;
}

1;
