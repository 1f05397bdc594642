# SPDX-License-Identifier: GPL-2.0-or-later
# How late a longer run may become, extrapolated from the maxima of this one.
package Realfeel::Stat::Tail;
use Realfeel::Base::Modern;

use List::Util qw(max min sum uniqnum);

use constant {
    FEWEST       => 40,         # blocks; fewer say too little of the tail
    WANTED       => 100,
    WHOLE        => 0.9,        # a slice that is shorter than that is left out at the end of a run
    SHARES       => [0.1, 0.3], # of the maxima, the greatest
    LEAST_FITTED => 5,
    NONE_SEEN    => 3,          # times a run of which none was later, 95 % (the rule of three)
    DEVIATIONS   => 1.6449,     # 95 %, one-sided
    UNEQUAL      => 1.5,
    TREND        => 1 / 3,      # more is neither chance nor a load that comes and goes
};

# The upper 95 % limit of what $times such runs exceed once on average: the maximum times (3 * $times) ** exponent. The
# three is from the rule of three: later values that the run never saw are fewer than three runs' worth. The exponent of
# a power-law tail is the upper limit of Hill's estimator, over maxima of blocks, which count each episode once. Tails
# that fall faster make the limit too high rather than too low. It holds if nothing changes, and does not cover causes
# that did not act during the run. In simulated runs of a minute (tests/statistics/later), 93 to 100 of 100 further ones
# kept the limit for ten times the length; 67 with a random stall once a minute, and 62 if the level wandered as slowly
# as the run was long.
#
# undef with fewer than 40 blocks, with blocks of unequal length, with maxima that rise or fall over time, and with too
# few distinct values among the greatest.
sub limit ($times, $maximum, @runs) {
    my @blocks = blocks(@runs);
    my @periods = map { $_->[0] } @blocks;
    return undef if @blocks < FEWEST || max(@periods) > UNEQUAL * min(@periods);
    my @maxima = map { $_->[1] } @blocks;
    return undef if abs _trend(@maxima) > TREND;
    my $exponent = _exponent(sort { $b <=> $a } @maxima) // return undef;
    return $maximum * (NONE_SEEN * $times)**$exponent;
}

# Kendall's tau of the maxima over time: 1 if all rise, -1 if all fall
sub _trend (@maxima) {
    my $score = 0;
    for my $later (1 .. $#maxima) {
        $score += $maxima[$later] <=> $_ for @maxima[0 .. $later - 1];
    }
    return 2 * $score / @maxima / $#maxima;
}

# A few of the greatest show the far tail; more of them depend less on chance. Both limits hold, so the lower is taken.
# Maxima that the clock cannot tell apart end the tail.
sub _exponent (@greatest) {
    my @fitted = map { max(LEAST_FITTED, int $_ * @greatest) } @{ SHARES() };
    my @far = @greatest[0 .. $fitted[-1]];
    return undef if $far[-1] <= 0 || 2 * uniqnum(@far) < @far;
    return min(map { _hill(@greatest[0 .. $_]) } @fitted);
}

# The mean logarithm relative to the last one, and its upper 95 % limit: 2 * their sum / true exponent is chi-square
# with twice as many degrees of freedom (after Wilson and Hilferty)
sub _hill {
    my ($threshold, @above) = reverse @_;
    my $spread = 2 / (9 * 2 * @above);
    my $least = 2 * @above * (1 - $spread - DEVIATIONS * sqrt $spread)**3;
    return 2 * sum(map { log($_ / $threshold) } @above) / $least;
}

# A run is an array of slices in order, each [periods, maximum], and so are the blocks: slices, or neighbours joined as
# long as 100 blocks remain. A last slice shorter than nine tenths of the others is dropped.
sub blocks {
    my @runs = grep { @$_ } map { _whole(@$_) } @_ or return;
    my $longest = max(map { _median_periods(@$_) } @runs);
    my $slices = sum(map { $_->[0] } map { @$_ } @runs) / $longest;
    my $periods = $longest * max(1, int($slices / WANTED + 1e-9));
    return map { _grouped($periods, @$_) } @runs;
}

sub _whole (@slices) {
    pop @slices if @slices && $slices[-1][0] < WHOLE * _median_periods(@slices);
    return \@slices;
}

sub _median_periods {
    my @sorted = sort { $a <=> $b } map { $_->[0] } @_;
    return $sorted[$#sorted / 2];
}

# Blocks of about that number of periods. A remainder that fills no block is dropped, unless the run is shorter than one
# block.
sub _grouped ($periods, @slices) {
    my $each = min(scalar @slices, max(1, int($periods / _median_periods(@slices) + 0.5)));
    my @blocks;
    while (@slices >= $each) {
        my @block = splice @slices, 0, $each;
        push @blocks, [sum(map { $_->[0] } @block), max(map { $_->[1] } @block)];
    }
    return @blocks;
}

1;
