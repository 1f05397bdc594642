# SPDX-License-Identifier: GPL-2.0-or-later
# The ends of axes. An axis is [end, end, kind]; kinds are log; power, logarithmic for counts; and none, whose marks are
# gnuplot's or the template's own.
package Realfeel::Draw::Axis;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(decade_above decade_below drawing limit_name linear_top log_range number);

use List::Util qw(max);
use POSIX qw(ceil floor);

use constant {
    FINEST_US   => 0.01,
    TOLERANCE   => 1e-6,
    ROOM        => 1.05,        # above a maximum
    ROUND_SCALE => [1, 2, 5],
};

# As gnuplot takes it
sub number ($value) {
    return sprintf '%.10g', $value;
}

# The 1, 2 or 5 of a decade on either side, at least a decade apart
sub log_range ($low, $high) {
    my ($first, $last) = (_round_index($low), _round_index($high) + 1);
    $last++ while $last - $first < @{ ROUND_SCALE() };
    return map { _round_number($_) } $first, $last;
}

# The end of an axis from 0: a multiple of a tenth of a round number, so that at most half of the picture is empty
sub linear_top ($value) {
    $value = max($value, FINEST_US);
    my $step = _round_above($value * ROOM) / 10;
    return $step * ceil($value * ROOM / $step - TOLERANCE);
}

# The least 1, 2 or 5 of a decade that is not less
sub _round_above ($value) {
    my $index = _round_index($value);
    return _round_number(_round_number($index) * (1 + TOLERANCE) < $value ? $index + 1 : $index);
}

sub _round_number ($index) {
    my $steps = @{ ROUND_SCALE() };
    return 0 + (ROUND_SCALE->[$index % $steps] . 'e' . floor($index / $steps));
}

# The last round number that is not more
sub _round_index ($value) {
    my $index = @{ ROUND_SCALE() } * floor(log($value) / log(10)) - 1;
    $index++ while _round_number($index + 1) <= $value * (1 + TOLERANCE);
    return $index;
}

# The least power of 10 that is not less
sub decade_above ($value) { return 10**ceil(log($value) / log(10) - TOLERANCE) }
# The greatest power of 10 that is not more
sub decade_below ($value) { return 10**floor(log($value) / log(10) + TOLERANCE) }

# A limit of --max with $symbol for us
sub limit_name { return sprintf '--max=%.10g%s', @_ }

# What Draw::Gnuplot draws, from the data, texts, keys, limits (us) and numbers of a plan, and its axes x and y. Limits
# outside the axis of time are left out.
sub drawing ($look, $plan) {
    my ($low, $high) = @{ $plan->{ $plan->{time_axis} // 'x' } };
    my $us = $plan->{unit} ? $plan->{unit}{us} : 1;
    my @limits = grep { $_ / $us > $low && $_ / $us <= $high } $plan->{unit} ? @{ $plan->{limits} } : ();
    return {
        data  => $plan->{data},
        texts => {
            key => $plan->{keys}, limit_name => [map { limit_name($_, $look->{symbol}{us}) } @limits],
            (map { ("${_}_kind" => $plan->{$_}[2] // '') } qw(x y)), %{ $plan->{texts} },
        },
        numbers => {
            (map { ("${_}_low" => $plan->{$_}[0], "${_}_high" => $plan->{$_}[1]) } qw(x y)),
            limit_place => [map { $_ / $us } @limits], %{ $plan->{numbers} // {} },
        },
    };
}

1;
