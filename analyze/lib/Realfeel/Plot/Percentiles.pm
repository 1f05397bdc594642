# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Percentiles;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(plan);

use List::Util qw(max min);
use Realfeel::Plot::Axis qw(decade_above linear_top linear_unit log_range log_unit);
use Realfeel::Plot::Limit qw(near_limits);
use Realfeel::Plot::Measure;
use Realfeel::Plot::Steps qw(blocks maxima);
use Realfeel::Plot::Words qw(key_lines);
use Realfeel::Stats qw(summary);

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

=head2 plan(\%look, @reports)

What L<Realfeel::Plot> draws: of each run the curve as far as ten values lie beyond, and the rest of it.

=cut

sub plan {
    my ($look, @reports) = @_;
    my $measure = Realfeel::Plot::Measure->new($look->{measure}, @reports);
    my @values = $measure->all(@reports);
    my $n = max(map { $_->n } @values);
    my @limits = near_limits($measure, max(map { $_->max } grep { $_->n } @values), @reports);
    my $scale = _scale($measure, \@limits, @values);
    my $unit = $look->{symbol}{ $scale->{unit} };
    my @intervals = @reports <= INTERVALS
        ? map { _intervals($_ + 1, $scale, $measure, $reports[$_], $values[$_]) } 0 .. $#reports : ();
    return {
        data    => blocks(
            (map { _curve($scale, $_) } @values), _maxima($scale, @values), @intervals ? \@intervals : [UNSEEN]
        ),
        keys    => key_lines(
            { %$look, unit => $unit, us => $scale->{us} }, $measure->counted, \@reports, \@values
        ),
        x_label => 'percentile (%), by the number of nines',
        y_label => $measure->label . " ($unit)",
        numbers => [max(10, decade_above($n)), @$scale{qw(low high is_log)}],
        axes    => { y => [@$scale{qw(low high)}, $scale->{is_log} ? 'log' : 'linear'] },
        limit_axis => 'y',
        limits  => \@limits,
        us      => $scale->{us},
    };
}

# From 0 where the tail can be seen so, else logarithmic.
sub _scale {
    my ($measure, $limits, @values) = @_;
    my @some = grep { $_->n } @values;
    my $high = max(@$limits, map { $_->max } @some);
    my @medians = grep { defined } map { $_->median } @some;
    if (@medians == @some && $high <= LINEAR * min(@medians)) {
        my ($unit, $us) = $measure->of_2002 ? ('ms', 1000) : linear_unit($high);
        return { unit => $unit, us => $us, low => 0, high => linear_top($high / $us), is_log => 0, least => 0 };
    }
    my $least = max(LEAST_US, min(map { ($_->beyond(BULK * $_->n))[1] } @some));
    my ($low, $top) = log_range($least / 1.1, 1.1 * $high);
    my ($unit, $us) = $measure->of_2002 ? ('ms', 1000) : log_unit($low, $top);
    return { unit => $unit, us => $us, low => $low / $us, high => $top / $us, is_log => 1, least => LEAST_US };
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
        my $value = max($scale->{least}, min($high->[$i], $max)) / $scale->{us};
        push @points, [$drawn, $value], [$one_in, $value];
        $drawn = $one_in;
    }
    return @points;
}

sub _maxima {
    my ($scale, @values) = @_;
    return [map { [$_->[1], $_->[0], $_->[2]] } @{ maxima($scale->{us}, \@values, [map { $_->n } @values]) }];
}

# [one in, value, low, high, run] of each percentile that the run supports. One without an upper bound ends at the axis.
sub _intervals {
    my ($run, $scale, $measure, $report, $values) = @_;
    my $dependence = $measure->of_2002 ? undef : $report->dependence;
    my @known = grep { defined $_->{value_us} } @{ summary($values, $dependence, $measure->name)->{percentiles} };
    return map {
        my ($value, $low, $high) = map { defined $_ ? max($scale->{least}, $_) / $scale->{us} : $scale->{high} }
            @$_{qw(value_us low_us high_us)};
        [100 / (100 - $_->{percentile}), $value, $low, $high, $run];
    } @known;
}

1;
