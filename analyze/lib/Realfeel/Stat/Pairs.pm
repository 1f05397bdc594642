# SPDX-License-Identifier: GPL-2.0-or-later
# Whether one of two is greater, measured in pairs and decided as early as possible. The two of a pair are measured in
# random order. If they do not differ, both were as likely to meet whatever load came and went, so each pair is a toss
# of a fair coin, independent of those before. Nothing else is assumed, neither a distribution nor that pairs are alike.
#
# Betting on a fair coin wins nothing on average, and makes twenty times the money in at most one of twenty games,
# however long they take (Ville, 1939). So twenty times the money shows a difference, after any pair. Half of the money
# is bet on each side, always the same share of what is left of it; most of it at a share that lets six equal pairs, the
# fewest that can, decide. With several tests, each needs that many times more (Bonferroni). Ties do not count. Bets
# that grow with the ratio, by signed ranks, were tried: they decide a little earlier under a wandering load, and later
# under one that stalls now and then.
#
# The same game excludes any other ratio as too small or too large; those not excluded form the interval. By the signs
# of the remaining logarithms it lies between two of their order statistics, and, with a look at every pair, it only
# narrows.
package Realfeel::Stat::Pairs;
use Realfeel::Base::Modern;

use List::Util qw(max min sum0);

use constant {
    LEVEL    => 0.05,
    BETS     => [[0.85, 0.95], [0.15, 0.6]],    # so much of the money, by such a share of it each time
    INFINITY => 9**9**9,
};

# One of $tests tests, 1 by default. Its data are higher, lower and equal, how many logarithms are above, below or at 0;
# differs, "higher" or "lower" once that is decided: with no difference, 5 % of series of pairs, over all tests and of
# any length, claim one; and low and high, possibly infinite, between which the true logarithm lies with 95 % confidence
# for all tests at all times.
sub new ($class, $tests = 1) {
    return bless { enough => $tests / LEVEL, beyond => 0, logs => [], low => -INFINITY, high => INFINITY,
        map { $_ => 0 } qw(higher lower equal) }, $class;
}

# The logarithm of a pair's ratio: infinite if one of the two is 0, undef if both are
sub add ($self, $log) {
    my $side = !$log ? 'equal' : $log > 0 ? 'higher' : 'lower';
    $self->{$side}++;
    $self->{differs} //= $side if $self->_is_enough(@$self{qw(higher lower)});
    return unless defined $log;
    my @logs = sort { $a <=> $b } @{ $self->{logs} }, $log;
    $self->{logs} = \@logs;
    $self->{beyond}++ while $self->_is_enough(@logs - $self->{beyond}, $self->{beyond});
    $self->_narrow(@logs[$self->{beyond} - 1, -$self->{beyond}]) if $self->{beyond};
}

# Whether this many wins on either side multiply the stake by enough
sub _is_enough ($self, $one, $other) {
    return $self->{enough} <= sum0 map {
        my ($money, $bet) = @$_;
        $money / 2 * ((1 + $bet)**$one * (1 - $bet)**$other + (1 + $bet)**$other * (1 - $bet)**$one);
    } @{ BETS() };
}

# If nothing is left, the ratio has changed meanwhile, and the interval comes from all pairs together
sub _narrow ($self, $low, $high) {
    my @both = (max($low, $self->{low}), min($high, $self->{high}));
    @$self{qw(low high)} = $both[0] <= $both[1] ? @both : ($low, $high);
}

# The median of the logarithms, moved into the interval; undef without any
sub median ($self) {
    my @logs = @{ $self->{logs} } or return undef;
    my ($one, $other) = @logs[$#logs / 2, @logs / 2];
    my $median = $one == -$other ? 0 : ($one + $other) / 2;        # of infinite ones, too
    return max($self->{low}, min($self->{high}, $median));
}

1;
