# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Pairs;
use Realfeel::Base::Modern;

use List::Util qw(max min sum0);

use constant {
    LEVEL    => 0.05,
    BETS     => [[0.85, 0.95], [0.15, 0.6]],    # so much of the money, by such a share of it each time
    INFINITY => 9**9**9,
};

=head1 NAME

Realfeel::Stat::Pairs - whether one of two that are measured in pairs is greater, told as soon as it is known

=head1 DESCRIPTION

The two of a pair are measured in random order. Where they do not differ, whatever load came and went, each was as
likely to meet it as the other: which of them is greater is the toss of a fair coin, and so is each next one, whatever
the ones before were. That is all that is assumed; nothing of how the values are distributed, nor that pairs are alike.

Somebody who bets on such a coin wins nothing on average, and makes twenty times his money in at most one of twenty
games, however long they take (Ville, 1939). So who makes that much has seen a difference, and may look after each
pair. Half of the money is bet on either side, each time the same share of what it has become; most of it by a share
with which six pairs on one side, the fewest that can tell, are enough. Of several that are tested together each has to
make as many times more (Bonferroni). Equal values are no toss.

Bets that grow with the ratio were tried, by signed ranks: they tell a little more where a load wanders, and less where
it stalls now and then.

The same game tells of any other ratio whether it is too small or too large; those that no game has excluded are the
interval. By the signs of what is left of the logarithms this is between two of their order statistics, and as each pair
is a look, it only becomes narrower.

=head1 METHODS

=head2 new($tests)

No pairs, of one of so many tests, 1 by default.

=head2 add($log_ratio)

Takes the logarithm of the ratio of a pair, infinite where one of the two is 0, undef where both are.

=cut

sub new ($class, $tests) {
    return bless { enough => ($tests // 1) / LEVEL, beyond => 0, logs => [], low => -INFINITY, high => INFINITY,
        map { $_ => 0 } qw(higher lower equal) }, $class;
}

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

# Whether so many on one side and so many on the other make the money.
sub _is_enough ($self, $one, $other) {
    return $self->{enough} <= sum0 map {
        my ($money, $bet) = @$_;
        $money / 2 * ((1 + $bet)**$one * (1 - $bet)**$other + (1 + $bet)**$other * (1 - $bet)**$one);
    } @{ BETS() };
}

# Where that leaves nothing, the ratio has changed meanwhile; then the interval is that of all pairs alone.
sub _narrow ($self, $low, $high) {
    my @both = (max($low, $self->{low}), min($high, $self->{high}));
    @$self{qw(low high)} = $both[0] <= $both[1] ? @both : ($low, $high);
}

=head2 higher

How many pairs have a logarithm above 0.

=head2 lower

How many have one below 0.

=head2 equal

How many have neither.

=head2 differs

C<higher> or C<lower>, once it is known, else undef. Where there is no difference, one is told in 5 % of all series of
pairs of all tests, however long they are.

=head2 interval

Between which two logarithms the true one lies with 95 % confidence, that of all tests together, at every time: a list,
infinite where it has no end.

=head2 median

The middle of the logarithms, in the interval; undef where there is none.

=cut

sub higher ($self)   { return $self->{higher} }
sub lower ($self)    { return $self->{lower} }
sub equal ($self)    { return $self->{equal} }
sub differs ($self)  { return $self->{differs} }
sub interval ($self) { return @$self{qw(low high)} }

sub median ($self) {
    my @logs = @{ $self->{logs} } or return undef;
    my ($one, $other) = @logs[$#logs / 2, @logs / 2];
    my $median = $one == -$other ? 0 : ($one + $other) / 2;        # of infinite ones, too
    return max($self->{low}, min($self->{high}, $median));
}

1;
