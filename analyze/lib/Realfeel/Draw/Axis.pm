# SPDX-License-Identifier: GPL-2.0-or-later
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
    # Which numbers of a decade have labels, and of how many decades one: the first that has room is taken.
    DENSITIES   => [[[1, 2, 5], 1], [[1, 3], 1], [[1], 1], [[1], 2], [[1], 3], [[1], 4], [[1], 6]],
    GAP         => { x => 1.5, y => 0.3 },      # between two labels, in letters or lines
    PLAIN       => [1e-4, 1e6],                 # outside, a label is a power of 10
    FINE_UPTO   => 7,                           # decades, of which each number has a mark
    # The name of a limit stands above it up to this part of the axis, else below: on the side that has more room, but
    # on a y axis above unless it would lie outside.
    ABOVE       => { x => 0.5, y => 0.92 },
};

=head1 NAME

Realfeel::Draw::Axis - the ends of axes, and the marks on them

=head1 DESCRIPTION

An axis is an array of its ends and its kind: C<linear>; C<log>, logarithmic; C<power>, a logarithmic one of counts; or
C<own>, whose marks the template makes.

=head1 FUNCTIONS

=head2 number($value)

A number as gnuplot is given it.

=cut

sub number ($value) {
    return sprintf '%.10g', $value;
}

=head2 log_range($low, $high)

The round numbers, 1, 2 or 5 of a decade, that enclose the two and are at least a decade apart.

=cut

sub log_range ($low, $high) {
    my ($first, $last) = (_round_index($low), _round_index($high) + 1);
    $last++ while $last - $first < @{ ROUND_SCALE() };
    return map { _round_number($_) } $first, $last;
}

=head2 linear_top($value)

The end of an axis from 0 that has room for the value: a multiple of a tenth of a round number, so that not half of the
picture is empty.

=cut

sub linear_top ($value) {
    $value = max($value, FINEST_US);
    my $step = _round_above($value * ROOM) / 10;
    return $step * ceil($value * ROOM / $step - TOLERANCE);
}

# The least 1, 2 or 5 of a decade that is not less.
sub _round_above ($value) {
    my $index = _round_index($value);
    return _round_number(_round_number($index) * (1 + TOLERANCE) < $value ? $index + 1 : $index);
}

sub _round_number ($index) {
    my $steps = @{ ROUND_SCALE() };
    return 0 + (ROUND_SCALE->[$index % $steps] . 'e' . floor($index / $steps));
}

# The last round number that is not more.
sub _round_index ($value) {
    my $index = @{ ROUND_SCALE() } * floor(log($value) / log(10)) - 1;
    $index++ while _round_number($index + 1) <= $value * (1 + TOLERANCE);
    return $index;
}

=head2 decade_above($value)

The least power of 10 that is not less.

=head2 decade_below($value)

The greatest power of 10 that is not more.

=cut

sub decade_above ($value) { return 10**ceil(log($value) / log(10) - TOLERANCE) }
sub decade_below ($value) { return 10**floor(log($value) / log(10) + TOLERANCE) }

=head2 log_tics($low, $high, %axis)

Arrays of a label, which is empty where there is none, and where it is. There are two labels or more where that is
possible, and none touches another. Of the axis there are C<is> (C<x> or C<y>), C<room>,
how many letters (x) or lines (y) it is long, and C<power>, how a power of 10 is written (a format of sprintf). Labels
are powers of 10 where the axis C<is_count>, and where numbers would be long.

=cut

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

# The first density that has room, else the sparsest.
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

# As a label, without an exponent.
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

# Half of each label stands to either side of its place.
sub _have_room ($low, $high, $axis, @labels) {
    my $per = $axis->{room} / log($high / $low);
    return all {
        my ($before, $after) = @labels[$_ - 1, $_];
        my $needed = $axis->{is} eq 'y' ? 1 : (_length($before->[0]) + _length($after->[0])) / 2;
        $per * log($after->[1] / $before->[1]) >= $needed + GAP->{ $axis->{is} };
    } 1 .. $#labels;
}

# An exponent is small and its markup is not seen.
sub _length ($label) { return length($label =~ s/[\^{}]//gr) }

=head2 limit_name($us, $symbol)

What a limit of --max is called; the symbol is how us are written.

=cut

sub limit_name { return sprintf '--max=%.10g%s', @_ }

# Arrays of the name of a limit, where it is on the axis x or y, and 1 where the name stands above it, -1 where it
# stands below. The axis is in the unit, the symbol is how us are written. A limit outside the axis is left out.
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

=head2 drawing(\%look, \%plan)

What L<Realfeel::Draw::Gnuplot> draws, from the data, the texts, the keys, the limits in us and the numbers of a plan,
and from its axes x and y, whose marks are made here where the plan has no tics of its own.

=cut

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
