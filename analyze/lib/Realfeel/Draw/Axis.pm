# SPDX-License-Identifier: GPL-2.0-or-later
# The ends of axes, and the marks on them. An axis is [end, end, kind]; kinds are linear; log; power, logarithmic for
# counts; and own, whose marks the template makes.
package Realfeel::Draw::Axis;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(decade_above decade_below drawing limit_name linear_top log_range log_tics number);

use List::Util qw(all max);
use POSIX qw(ceil floor);

use constant {
    DIGITS      => 4,           # of a report's bins
    FINEST_US   => 0.01,
    TOLERANCE   => 1e-6,
    ROOM        => 1.05,        # above a maximum
    ROUND_SCALE => [1, 2, 5],
    # [labelled numbers of a decade, of how many decades one]; the first with room is taken
    DENSITIES   => [[[1, 2, 5], 1], [[1, 3], 1], [[1], 1], [[1], 2], [[1], 3], [[1], 4], [[1], 6]],
    GAP         => { x => 1.5, y => 0.3 },      # between two labels, in letters or lines
    PLAIN       => [1e-4, 1e6],                 # outside, a label is a power of 10
    FINE_UPTO   => 7,                           # decades, of which each number has a mark
    # Up to this part of the axis the name of a limit stands above it, else below, on the side with more room; on a y
    # axis above unless it would lie outside
    ABOVE       => { x => 0.5, y => 0.92 },
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

# [label, place], with an empty label for minor tics: at least two labels if possible, without overlap. %axis has is, x
# or y; room, its length in letters (x) or lines (y); power, the sprintf format of a power of 10; and is_count. Labels
# are powers of 10 on count axes, and where numbers get long.
sub log_tics ($low, $high, %axis) {
    my @labels = _labels($low, $high, \%axis);
    my %has_label = map { $_->[1] => 1 } @labels;
    my @marks = map { ['', $_] } grep { !$has_label{$_} } _minor($low, $high);
    return (@labels, @marks);
}

sub _labels ($low, $high, $axis) {
    my @powers = $axis->{is_count} || $low < PLAIN->[0] || $high > PLAIN->[1] ? _spaced($low, $high, $axis, 1) : ();
    return @powers > 1 || $axis->{is_count} ? @powers : _spaced($low, $high, $axis, 0);
}

# The first density with room, else the sparsest
sub _spaced ($low, $high, $axis, $is_power) {
    my @sparse;
    for my $density (@{ DENSITIES() }) {
        my ($digits, $step) = @$density;
        next if $is_power && @$digits > 1;
        my @places = _places($low, $high, $digits, $step);
        my @labels = map { [$is_power ? _power($axis->{power}, $_) : _plain($_), $_] } @places;
        last if @sparse && @labels < 2;
        return @labels if @labels > 1 && _have_room($low, $high, $axis, @labels);
        @sparse = @labels;
    }
    return @sparse;
}

# Without an exponent
sub _plain ($value) {
    return number($value) unless number($value) =~ /e([-+]\d+)/;
    return sprintf '%.*f', $1 < 0 ? DIGITS - $1 : 0, $value;
}

sub _power ($format, $number) {
    return sprintf $format, floor(log($number) / log(10) + 0.5);
}

sub _places ($low, $high, $digits, $step) {
    my ($first, $last) = (ceil(log($low) / log(10) - TOLERANCE), ceil(log($high) / log(10) - TOLERANCE));
    my @decades = $step == 1 ? $first - 1 .. $last : grep { ($_ - $first) % $step == 0 } $first .. $last;
    return grep { $_ >= $low * (1 - TOLERANCE) && $_ <= $high * (1 + TOLERANCE) }
        map { my $decade = $_; map { 0 + "${_}e$decade" } @$digits } @decades;
}

sub _minor ($low, $high) {
    my $decades = log($high / $low) / log(10);
    return _places($low, $high, $decades <= FINE_UPTO ? [1 .. 9] : [1], 1);
}

# Labels are centred on their places
sub _have_room ($low, $high, $axis, @labels) {
    my $per = $axis->{room} / log($high / $low);
    return all {
        my ($before, $after) = @labels[$_ - 1, $_];
        my $needed = $axis->{is} eq 'y' ? 1 : (_length($before->[0]) + _length($after->[0])) / 2;
        $per * log($after->[1] / $before->[1]) >= $needed + GAP->{ $axis->{is} };
    } 1 .. $#labels;
}

# Exponents are small, and markup is not printed
sub _length ($label) { return length($label =~ s/[\^{}]//gr) }

# A limit of --max with $symbol for us
sub limit_name { return sprintf '--max=%.10g%s', @_ }

# [name, place on x or y, 1 for a name above it or -1 below]; the axis is in $unit. Limits outside the axis are left
# out.
sub _limit_marks ($is, $axis, $unit, $symbol, @limits) {
    my ($low, $high, $kind) = @$axis;
    my @marks;
    for my $limit (@limits) {
        my $place = $limit / $unit->{us};
        next unless $place > $low && $place <= $high;
        my $part = $kind eq 'linear' ? ($place - $low) / ($high - $low) : log($place / $low) / log($high / $low);
        push @marks, [limit_name($limit, $symbol), $place, $part < ABOVE->{$is} ? 1 : -1];
    }
    return @marks;
}

# What Draw::Gnuplot draws, from the data, texts, keys, limits (us) and numbers of a plan, and its axes x and y, whose
# marks are made here unless the plan has its own tics
sub drawing ($look, $plan) {
    my $is = $plan->{time_axis} // 'x';
    my @limits = $plan->{unit}
        ? _limit_marks($is, @$plan{$is, 'unit'}, $look->{symbol}{us}, @{ $plan->{limits} }) : ();
    my (%texts, %numbers);
    for my $axis (qw(x y)) {
        my @tics = @{ $plan->{tics}{$axis} // [_tics($axis, $look, $plan)] };
        $texts{"${axis}_tic"} = [map { $_->[0] } @tics];
        $numbers{"${axis}_place"} = [map { $_->[1] } @tics];
        @numbers{"${axis}_low", "${axis}_high"} = @{ $plan->{$axis} };
    }
    return {
        data    => $plan->{data},
        texts   => { %texts, key => $plan->{keys}, limit_name => [map { $_->[0] } @limits], %{ $plan->{texts} } },
        numbers => {
            %numbers, limit_place => [map { $_->[1] } @limits], limit_side => [map { $_->[2] } @limits],
            %{ $plan->{numbers} // {} },
        },
    };
}

sub _tics ($is, $look, $plan) {
    my ($low, $high, $kind) = @{ $plan->{$is} };
    return unless $kind eq 'log' || $kind eq 'power';
    my $room = ($plan->{room} // $look)->{$is};
    return log_tics($low, $high, is => $is, room => $room, power => $look->{power}, is_count => $kind eq 'power');
}

1;
