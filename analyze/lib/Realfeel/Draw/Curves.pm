# SPDX-License-Identifier: GPL-2.0-or-later
# How rare large values are: percentiles, and the share of values above each.
package Realfeel::Draw::Curves;
use Realfeel::Base::Modern;

use List::Util qw(max min);
use Realfeel::Answer::Percentiles;
use Realfeel::Draw::Axis qw(decade_above decade_below linear_top);
use Realfeel::Draw::Words qw(words);

use constant {
    LEAST_US     => 0.005,      # a logarithmic axis has no 0
    INTERVALS    => 4,          # of more runs, confidence intervals would hide each other
    BOUNDS       => 2,          # and bounds, which are curves, of more than two
    ALL          => 0.99,       # it begins where so many lie above

    # Of percentiles.
    BEYOND       => 10,         # so many values beyond make a percentile
    PER_DECADE   => 100,        # points of a curve
    LINEAR       => 20,         # an axis from 0 serves up to so many times the least median

    # Of the share above.
    LEAST_2002   => 50,
    STEP         => 1.03,       # from one point of the curve to the next, to either side
    WIDE         => 1.02,       # where the upper edge of a bin is so many times the lower, the share stays up to it
    ROOM         => 1.5,        # beyond the maximum, for its bound
    BOUND        => 12,
    TOP          => 1.5,        # the axis ends above the share of all
    BULK         => 0.5,        # of larger shares the bound is not told: it takes long and cannot be seen
};

# The value that all but one in N do not exceed; each curve is split where fewer than ten values lie beyond
sub percentiles ($runs) {
    my @values = $runs->values;
    my $scale = _scale($runs);
    my @maxima = map { [@$_[1, 0, 2]] } @{ $runs->maxima($scale->{unit}{us}, map { $_->n } @values) };
    my @intervals = @values <= INTERVALS ? map { _intervals($_, $scale, $runs) } 0 .. $#values : ();
    return {
        unit      => $scale->{unit},
        data      => [(map { _curve($scale, $_) } @values), \@maxima, \@intervals],
        time_axis => 'y',
        x         => [1, max(10, decade_above($runs->n))],
        y         => $scale->{y},
        label     => words('axis.percentile'),
        texts     => { of_rest => words('key.rest'), of_interval => words('key.interval') },
        numbers   => { has_intervals => (grep { $_->[2] < $_->[3] } @intervals) ? 1 : 0 },
    };
}

# Linear from 0 if that shows the tail, else logarithmic
sub _scale ($runs) {
    my $high = max($runs->max, $runs->limits);
    my @medians = map { $_->median } $runs->some;
    if (@medians == grep { defined && $high <= LINEAR * $_ } @medians) {
        my $unit = $runs->linear_unit($high);
        return { unit => $unit, y => [0, linear_top($high / $unit->{us})], least => 0 };
    }
    my $least = max(LEAST_US, min(map { ($_->beyond(ALL * $_->n))[1] } $runs->some));
    my ($unit, undef, $y) = $runs->log_axis($least / 1.1, 1.1 * $high);
    return { unit => $unit, y => $y, least => LEAST_US };
}

# Two blocks of [one in, value], split where fewer than ten values lie beyond; a value holds up to the next N
sub _curve ($scale, $values) {
    my $n = $values->n or return ([[1, $scale->{y}[0]]]) x 2;
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

# The corners of the curve that can be told apart
sub _points ($scale, $values) {
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

# [one in, value, low, high, run] for each percentile. A missing bound is the end of the axis; without any, the value
# alone.
sub _intervals ($i, $scale, $runs) {
    my ($values, $report) = (($runs->values)[$i], ($runs->reports)[$i]);
    my @known = grep { defined $_->{value_us} }
        Realfeel::Answer::Percentiles::percentiles($values, $report->pieces, $runs->measure);
    return map {
        my ($value, $low, $high) = map { defined $_ ? max($scale->{least}, $_) / $scale->{unit}{us} : undef }
            @$_{qw(value_us low_us high_us)};
        my @ends = defined $low || defined $high ? ($low // $scale->{y}[0], $high // $scale->{y}[1]) : ($value) x 2;
        [100 / (100 - $_->{percentile}), $value, @ends, $i + 1];
    } @known;
}

# Both axes are logarithmic. The observed shares, and for few runs their 95 % bounds.
sub exceedance ($runs) {
    my @values = $runs->values;
    my $most = max(LEAST_US, $runs->max);
    my $least = max($runs->of_2002 ? LEAST_2002 : LEAST_US, min(map { ($_->beyond(ALL * $_->n))[0] } $runs->some));
    my ($unit, $low, $x) = $runs->log_axis($least, max(ROOM * $most, $runs->limits));
    my $us = $unit->{us};
    my @curves = map { _falling($low, $us, $_) } @values;
    my @bounds = map { @values <= BOUNDS ? _bound($low, $us, $runs, $_) : [] } 0 .. $#values;
    my @heights = map { @$_ > 1 ? $_->[-2][1] : 0 } @curves;
    return {
        unit    => $unit,
        data    => [@curves, @bounds, $runs->maxima($us, @heights)],
        x       => $x,
        y       => [min(0.1, decade_below(0.7 / $runs->n)), TOP, 'power'],
        label   => words('axis.share_above', counted => $runs->counted),
        texts   => { of_bound => words('key.upper_bound') },
        numbers => { has_bound => (grep { @$_ > 1 } @bounds) ? 1 : 0 },
    };
}

# The corners [value, share] that can be told apart: the share falls within a narrow bin, and stays between bins
sub _falling ($left, $us, $values) {
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

# [value, share]: the bound holds up to the next value, and from the last to the maximum
sub _bound ($left, $us, $runs, $i) {
    my ($values, $report) = (($runs->values)[$i], ($runs->reports)[$i]);
    my $intervals = Realfeel::Answer::Percentiles::intervals($values, $report->pieces, $runs->measure);
    my @rows;
    for my $edge ($intervals ? _edges($left, $values) : ()) {
        my $one_in = $intervals->sure_one_in($edge);
        push @rows, [$edge / $us, 1 / $one_in] if $one_in;
    }
    return [@rows, [($values->max // $left) / $us, @rows ? $rows[-1][1] : 0]];
}

# Some upper edges of bins, below the maximum
sub _edges ($left, $values) {
    my $n = $values->n or return;
    my (undef, $high, $count) = $values->columns;
    my ($beyond, @edges) = ($n);
    for my $i (0 .. $#$high - 1) {
        $beyond -= $count->[$i];
        next if $beyond > BULK * $n || $high->[$i] < $left;
        push @edges, $high->[$i] if !@edges || $high->[$i] > $edges[-1] * 10**(1 / BOUND);
    }
    return @edges;
}

1;
