# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Tics;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(log_tics);

use List::Util qw(all);
use POSIX qw(ceil floor);
use Realfeel::Plot::Axis qw(plain);

use constant {
    # Which numbers of a decade have labels, and of how many decades one: the first that has room is taken.
    DENSITIES => [[[1, 2, 5], 1], [[1, 3], 1], [[1], 1], [[1], 2], [[1], 3], [[1], 4], [[1], 6]],
    GAP       => { x => 1.5, y => 0.3 },        # between two labels, in letters or lines
    TOLERANCE => 1e-6,
    PLAIN     => [1e-4, 1e6],                   # outside, a label is a power of 10
    FINE_UPTO => 7,                             # decades, of which each number has a mark
};

=head1 NAME

Realfeel::Plot::Tics - where a logarithmic axis has marks, and which have labels

=head1 FUNCTIONS

=head2 log_tics($low, $high, %axis)

The text that the templates take: words in pairs, a label, C<-> where there is none, and where it is. There are two
labels or more where that is possible, and none touches another. Of the axis there are C<is> (C<x> or C<y>), C<room>,
how many letters (x) or lines (y) it is long, and C<power>, how a power of 10 is written (a format of sprintf). Labels
are powers of 10 where the axis C<is_count>, and where numbers would be long.

=cut

sub log_tics {
    my ($low, $high, %axis) = @_;
    my @labels = _labels($low, $high, \%axis);
    my %has_label = map { $_->[1] => 1 } @labels;
    my @marks = map { ['-', $_] } grep { !$has_label{$_} } _minor($low, $high);
    return join ' ', map { ($_->[0], plain($_->[1])) } @labels, @marks;
}

sub _labels {
    my ($low, $high, $axis) = @_;
    my @powers = $axis->{is_count} || $low < PLAIN->[0] || $high > PLAIN->[1] ? _spaced($low, $high, $axis, 1) : ();
    return @powers > 1 || $axis->{is_count} ? @powers : _spaced($low, $high, $axis, 0);
}

# The first density that has room, else the sparsest.
sub _spaced {
    my ($low, $high, $axis, $is_power) = @_;
    my @sparse;
    for my $density (@{ DENSITIES() }) {
        my ($digits, $step) = @$density;
        next if $is_power && @$digits > 1;
        my @places = _places($low, $high, $digits, $step);
        my @labels = map { [$is_power ? _power($axis->{power}, $_) : plain($_), $_] } @places;
        last if @sparse && @labels < 2;
        return @labels if @labels > 1 && _have_room($low, $high, $axis, @labels);
        @sparse = @labels;
    }
    return @sparse;
}

sub _power {
    my ($format, $number) = @_;
    return sprintf $format, floor(log($number) / log(10) + 0.5);
}

sub _places {
    my ($low, $high, $digits, $step) = @_;
    my ($first, $last) = (ceil(log($low) / log(10) - TOLERANCE), ceil(log($high) / log(10) - TOLERANCE));
    my @decades = $step == 1 ? $first - 1 .. $last : grep { ($_ - $first) % $step == 0 } $first .. $last;
    return grep { $_ >= $low * (1 - TOLERANCE) && $_ <= $high * (1 + TOLERANCE) }
        map { my $decade = $_; map { 0 + "${_}e$decade" } @$digits } @decades;
}

sub _minor {
    my ($low, $high) = @_;
    my $decades = log($high / $low) / log(10);
    return _places($low, $high, $decades <= FINE_UPTO ? [1 .. 9] : [1], 1);
}

# Half of each label stands to either side of its place.
sub _have_room {
    my ($low, $high, $axis, @labels) = @_;
    my $per = $axis->{room} / log($high / $low);
    return all {
        my ($before, $after) = @labels[$_ - 1, $_];
        my $needed = $axis->{is} eq 'y' ? 1 : (_length($before->[0]) + _length($after->[0])) / 2;
        $per * log($after->[1] / $before->[1]) >= $needed + GAP->{ $axis->{is} };
    } 1 .. $#labels;
}

# An exponent is small and its markup is not seen.
sub _length { return length($_[0] =~ s/[\^{}]//gr) }

1;
