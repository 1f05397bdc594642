# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Tail;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(blocks limit);

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

=head1 NAME

Realfeel::Stat::Tail - how late a longer run may become, by the maxima of the one that was measured

=head1 FUNCTIONS

=head2 limit($times, $maximum, @runs)

The upper limit, with 95 % confidence, of what is exceeded once on average in C<$times> such runs: the maximum times
C<(3 * $times)**exponent>. The three is that of the rule of three: there are not three times a run's worth of later
values of which the run saw none. A tail like a power is exceeded a tenth as often where it is C<10**exponent> times as
late; the exponent is the upper limit of Hill's estimator, from the maxima of blocks, which count each episode once. A
tail that falls faster than any power has less, so the limit is then too high rather than too low. It holds if nothing
changes, and does not include causes that did not act during the run.

Of simulated runs of a minute (tests/statistics/later), the limits of ten times the run were kept by another run of that
length for 93 to 100 of 100; for 67 with a stall once a minute, at random, and for 62 where the level wandered as slowly
as the run was long.

Undef with fewer than 40 blocks, if these differ in length, if their maxima rise or fall as the run goes on, and if the
greatest of them have too few distinct values.

=head2 blocks(@runs)

A run is an array of its slices, in the order of time, each the number of its periods and its maximum; so are the
blocks. A block is a slice, or as many neighbours as leave 100 blocks or more. A last slice of a run that is shorter
than nine tenths of the others is left out.

=cut

sub limit ($times, $maximum, @runs) {
    my @blocks = blocks(@runs);
    return undef if @blocks < FEWEST || _differ(map { $_->[0] } @blocks);
    my @maxima = map { $_->[1] } @blocks;
    return undef if abs _trend(@maxima) > TREND;
    my $exponent = _exponent(sort { $b <=> $a } @maxima) // return undef;
    return $maximum * (NONE_SEEN * $times)**$exponent;
}

sub _differ { return max(@_) > UNEQUAL * min(@_) }

# Kendall's tau of the maxima with the time: 1 where all rise, -1 where all fall.
sub _trend (@maxima) {
    my $score = 0;
    for my $later (1 .. $#maxima) {
        $score += $maxima[$later] <=> $_ for @maxima[0 .. $later - 1];
    }
    return 2 * $score / @maxima / $#maxima;
}

# Few of the greatest tell how the far tail goes on, more tell it with less chance. Either limit holds, so the lower
# does. Maxima that the clock does not resolve have a tail that ends there.
sub _exponent (@greatest) {
    my @fitted = map { max(LEAST_FITTED, int $_ * @greatest) } @{ SHARES() };
    my @far = @greatest[0 .. $fitted[-1]];
    return undef if $far[-1] <= 0 || 2 * uniqnum(@far) < @far;
    return min(map { _hill(@greatest[0 .. $_]) } @fitted);
}

# The mean of the logarithms of all by that of the last, and the upper limit of 95 %: twice their sum by the true
# exponent is a chi-square of twice as many degrees of freedom (after Wilson and Hilferty).
sub _hill {
    my ($threshold, @above) = reverse @_;
    my $spread = 2 / (9 * 2 * @above);
    my $least = 2 * @above * (1 - $spread - DEVIATIONS * sqrt $spread)**3;
    return 2 * sum(map { log($_ / $threshold) } @above) / $least;
}

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

# Blocks of about so many periods. What fills none is left out, unless the run is shorter than one.
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
