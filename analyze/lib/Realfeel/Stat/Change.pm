# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Change;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(LEAST changes changes_among least likeness);

use List::Util qw(sum0);

use constant {
    # How many standard deviations of a normal distribution the sum of ranks has to be off. Of five series of values
    # that do not change, at most 5 % have a false alarm in 100 runs (tests/statistics/trend).
    DEVIATIONS => 4.3,
    BELOW_ANY  => 6,            # the square of any limit; one value alone, or two, do not reach it
    ONE_IN_100 => 2.326,        # standard deviations
    LEAST      => 21,           # values, of which one half is greater than the other, to find a change
    MOST       => 500,          # that are looked at together, so that ten thousand do not take minutes
};

=head1 NAME

Realfeel::Stat::Change - from where on the values of a series lie on another level

=head1 DESCRIPTION

A change-point model with ranks, after Hawkins and Deng (2010) and Ross, Tasoulis and Adams (2011). The values are taken
one after the other, as they came. With each, the latest 500 since the last change are split in two at every place, and
the statistic of Mann and Whitney tells by how many pairs the later ones are greater. The values have changed where it
is farther off than in any series of like values, wherever it is split and whenever it is looked at; then the search
begins anew behind that place. Only the order of the values counts, so nothing is assumed of their distribution, but
that they are independent. Few values that are all beyond many others are rarer than a normal distribution has it, so
the limit follows the kurtosis of the statistic (Cornish and Fisher). Equal values count for neither side. Among many
series one has a change by chance, so the limit is farther off for each of them: of all together as few have a false
alarm as of one.

=head1 FUNCTIONS

C<LEAST> is how many values it takes to find a change.

=head2 least($series)

The same of each of so many series.

=head2 changes(@values)

A list of arrays: the index of the first value of a new level, that of the value with which it was found, and whether
the level is higher. What was found once is found again when more values follow, which tell better where it was.

=head2 changes_among($series, @values)

The same of one of so many series.

=cut

sub least ($series) {
    my $deviations = _deviations($series);
    my $least = LEAST;
    $least++ while sqrt(3 * _pairs($least) / ($least + 1)) < _limit($deviations, _halves($least));
    return $least;
}

sub _halves ($n) { return (int($n / 2), $n - int($n / 2)) }
sub _pairs  { my ($one, $other) = _halves(@_); return $one * $other }

# By the tail of the normal distribution, of which so many deviations leave a share of about exp(-x^2 / 2) outside.
sub _deviations ($series) { return sqrt(DEVIATIONS**2 + 2 * log($series)) }

sub changes { return changes_among(1, @_) }

sub changes_among ($series, @values) {
    my $deviations = _deviations($series);
    my ($start, $end, @window, @rank, @found) = (0, -1);
    while (++$end < @values) {
        $start++ if @window == MOST;
        _take(\@window, \@rank, $values[$end]);
        my ($split, $is_higher) = _split($deviations, \@rank) or next;
        push @found, [$start += $split, $end, $is_higher];
        ($end, @window, @rank) = ($start - 1);
    }
    my @starts = (0, (map { $_->[0] } @found), scalar @values);
    return map { [_place(\@values, @starts[$_ .. $_ + 2]), @{ $found[$_] }[1, 2]] } 0 .. $#found;
}

# One more value, for which the first goes where they are too many. The rank of a value is how many of the others are
# less, minus how many are greater.
sub _take ($window, $rank, $value) {
    my $first = @$window == MOST ? shift @$window : undef;
    shift @$rank if defined $first;
    my ($own, $i) = (0, 0);
    for (@$window) {
        $own += my $is = $value <=> $_;
        $rank->[$i++] -= defined $first ? $is + ($_ <=> $first) : $is;
    }
    push @$window, $value;
    push @$rank, $own;
}

# Before how many values the change is, and whether to a higher level; empty where there is none. The ranks behind
# it add up to by how many of the pairs across it more have the greater value behind: those of pairs on one side cancel.
sub _split ($deviations, $rank) {
    my ($n, $before, $sum, $most, @split) = (scalar @$rank, 0, 0, 1);
    my $least = BELOW_ANY * ($n + 1) / 3;           # by each pair
    for (@$rank[0 .. $n - 2]) {
        $sum -= $_;
        my $pairs = ++$before * ($n - $before);
        next if $sum * $sum < $least * $pairs;
        my $beyond = sqrt($sum**2 / ($pairs * ($n + 1) / 3)) / _limit($deviations, $before, $n - $before);
        ($most, @split) = ($beyond, $before, $sum > 0 ? 1 : 0) if $beyond > $most;
    }
    return @split;
}

# The place at which values are the least off the medians of the levels before and behind that where a change was found.
sub _place ($values, $from, $found, $to) {
    my ($before, $after) = map { _median(@$values[ $_->[0] .. $_->[1] - 1 ]) } [$from, $found], [$found, $to];
    my ($cost, $least, $place) = (0, 0, $found);
    for ($from .. $to - 2) {
        $cost += abs($values->[$_] - $before) - abs($values->[$_] - $after);
        ($least, $place) = ($cost, $_ + 1) if $cost < $least;
    }
    return $place;
}

sub _limit ($deviations, $m, $n) {
    my $kurtosis = -1.2 * ($m * $m + $n * $n + $m * $n + $m + $n) / ($m * $n * ($m + $n + 1));
    return $deviations + $kurtosis / 24 * ($deviations**3 - 3 * $deviations);
}

=head2 likeness(\@levels)

How much each of the values on the levels, arrays, has of the one before it, from 0 to 1: 1 less half of the ratio of
von Neumann with ranks (Bartels, 1982). 0 where neighbours are not more alike than in one of a hundred series of
independent values. Where they are, changes are found that are none.

=cut

sub likeness ($levels) {
    my @off = map { _off_median(@$_) } @$levels;
    return 0 if @off < LEAST;
    my @rank = _ranks(@off);
    my $middle = (@off - 1) / 2;
    my $spread = sum0(map { ($_ - $middle)**2 } @rank) or return 0;
    my $ratio = sum0(map { ($rank[$_] - $rank[$_ - 1])**2 } 1 .. $#rank) / $spread;
    return $ratio < 2 - ONE_IN_100 * 2 / sqrt @off ? 1 - $ratio / 2 : 0;
}

sub _off_median (@values) {
    my $median = _median(@values);
    return map { $_ - $median } @values;
}

sub _median { return (sort { $a <=> $b } @_)[@_ / 2] }

# From 0 on; equal values share theirs.
sub _ranks (@values) {
    my @sorted = sort { $values[$a] <=> $values[$b] } 0 .. $#values;
    my ($from, @rank) = (0);
    for my $to (1 .. @sorted) {
        next if $to < @sorted && $values[ $sorted[$to] ] == $values[ $sorted[$from] ];
        @rank[@sorted[$from .. $to - 1]] = (($from + $to - 1) / 2) x ($to - $from);
        $from = $to;
    }
    return @rank;
}

1;
