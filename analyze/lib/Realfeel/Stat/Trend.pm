# SPDX-License-Identifier: GPL-2.0-or-later
# Where the level of a series changes: a change-point model with ranks, after Hawkins and Deng (2010) and Ross, Tasoulis
# and Adams (2011). Values are taken one by one. Each time, the latest 500 since the last change are split at every
# place, and the statistic of Mann and Whitney says in how many pairs the later value is greater. The level has changed
# where this deviates more than in any series of like values, wherever it is split and whenever it is looked at; the
# search then starts again after that place.
#
# Only the order of the values counts, so nothing is assumed about their distribution, except that they are independent.
# A few values beyond many others are rarer than under a normal distribution, so the limit follows the kurtosis of the
# statistic (Cornish and Fisher). Ties count for neither side. Among many series some change by chance, so the limit
# grows with their number: all of them together have no more false alarms than one.
package Realfeel::Stat::Trend;
use Realfeel::Base::Modern;

use List::Util qw(product sum0);

use constant {
    # How many standard deviations of a normal distribution the sum of ranks has to be off. At most 5 % of sets of five
    # series without a change have a false alarm in 100 runs (tests/statistics/trend).
    DEVIATIONS => 4.3,
    BELOW_ANY  => 6,            # the square of any limit; one value alone, or two, do not reach it
    ONE_IN_100 => 2.326,        # standard deviations
    LEAST      => 21,           # values, of which one half is greater than the other, to find a change
    MOST       => 500,          # that are looked at together, so that ten thousand do not take minutes
};

# How many values it takes to find a change in one of $series series
sub least ($series) {
    my $deviations = _deviations($series);
    my $least = LEAST;
    $least++ while sqrt(3 * product(_halves($least)) / ($least + 1)) < _limit($deviations, _halves($least));
    return $least;
}

sub _halves ($n) { return (int($n / 2), $n - int($n / 2)) }

# A normal distribution has a share of about exp(-x^2 / 2) beyond x deviations
sub _deviations ($series) { return sqrt(DEVIATIONS**2 + 2 * log($series)) }

sub changes { return changes_among(1, @_) }

# Arrays of the index of the first value of a new level, the index of the value that revealed it, and whether the level
# is higher. Later values never undo a change, but may locate it better. The values are one of $series series.
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

# Adds a value, and drops the first if there are too many. A value's rank is the number of lesser values minus that of
# greater ones.
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

# The number of values before the change and whether the level rises; empty if there is none. The ranks after it add up
# to the surplus of pairs across it whose later value is greater, as pairs on one side cancel out.
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

# The split with the least deviation from the medians of the levels on either side
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

# How much each value on the levels (arrays) depends on the one before, from 0 to 1: 1 minus half of von Neumann's ratio
# by ranks (Bartels, 1982). 0 unless neighbours are more alike than in one of a hundred independent series; above 0,
# false changes may be found.
sub likeness ($levels) {
    my @off = map { my $median = _median(@$_); map { $_ - $median } @$_ } @$levels;
    return 0 if @off < LEAST;
    my @rank = _ranks(@off);
    my $middle = (@off - 1) / 2;
    my $spread = sum0(map { ($_ - $middle)**2 } @rank) or return 0;
    my $ratio = sum0(map { ($rank[$_] - $rank[$_ - 1])**2 } 1 .. $#rank) / $spread;
    return $ratio < 2 - ONE_IN_100 * 2 / sqrt @off ? 1 - $ratio / 2 : 0;
}

sub _median { return (sort { $a <=> $b } @_)[@_ / 2] }

# Ranks from 0; ties share one
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
