# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Intervals;
use Realfeel::Base::Modern;

use List::Util qw(first max min sum);
use Realfeel::Stat::Chance qw(order_statistics t_within);

use constant {
    BEYOND     => 10,       # values, or nothing is said of a percentile
    STEPS      => [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8],       # of a decade
    INFINITY   => 9**9**9,
};

=head1 NAME

Realfeel::Stat::Intervals - between which bounds the value lies that one in so many exceed, and how few exceed a value

=head1 DESCRIPTION

Late wake-ups come in bursts and the level of a load wanders, so the values of a run depend on each other in a way that
nobody knows. But pieces of a run that are long enough are nearly independent, and each has a percentile of its own. How
far these are off the percentile of the whole run, in logarithms, says how far that may be off the truth, by Student's
t. A percentile is never better known than by as many independent values: where their order statistics reach further,
they set the bound. No bound lies outside of the values.

What one in 1000 exceed is more than what one in 100 exceed, so the bounds of both ascend: a lower bound holds for all
that is rarer, an upper one for all that is more frequent. They are computed at ten steps of a decade, and between two
steps the next one outwards counts. So the upper bounds have an inverse, which says exactly the same.

=head1 METHODS

=head2 new($distribution, $pieces, $measure)

Those of a L<Realfeel::Stat::Distribution>, of this measure of a run whose L<Realfeel::Stat::Pieces> these are.

=head2 interval($one_in)

The 95 % confidence interval of the value that one in C<$one_in> exceed: a list of two, undef where the data set no such
bound. Where fewer than ten values lie beyond, the lower bound is that of a value which more exceed, and there is no
upper one.

=head2 sure_one_in($limit)

The inverse: the largest number whose upper bound is not above a limit, so no more than one in so many exceed it, with
97.5 % confidence; undef where there is none.

=cut

sub new ($class, $distribution, $pieces, $measure) {
    return bless { distribution => $distribution, pieces => $pieces, measure => $measure }, $class;
}

sub interval ($self, $one_in) {
    my @rows = $self->_rows or return (undef, undef);
    my $upper = first { $_->[0] >= $one_in } @rows;
    my $lower = first { $_->[0] <= $one_in } reverse @rows;
    return ($lower ? $lower->[1] : $self->{distribution}->min, $upper && $upper->[2] < INFINITY ? $upper->[2] : undef);
}

sub sure_one_in ($self, $limit) {
    my $row = first { $_->[2] <= $limit } reverse $self->_rows;
    return $row && $row->[0];
}

# Of each step how many one of them is in, and the bounds, ascending.
sub _rows ($self) {
    return @{ $self->{rows} } if $self->{rows};
    my ($low, $high) = (-INFINITY(), INFINITY);
    my @rows = map { [$_, $self->_bounds($_)] } _steps($self->{distribution}->n / BEYOND);
    $_->[1] = $low = max($low, $_->[1]) for @rows;
    $_->[2] = $high = min($high, $_->[2]) for reverse @rows;
    return @{ $self->{rows} = \@rows };
}

sub _steps ($most) {
    return if $most <= 1;
    my @steps;
    for (my $decade = 1; $decade < $most; $decade *= 10) {
        push @steps, grep { $_ > 1 && $_ < $most } map { $_ * $decade } @{ STEPS() };
    }
    return (@steps, $most);
}

sub _bounds ($self, $one_in) {
    my ($distribution, $pieces) = @$self{qw(distribution pieces)};
    my $n = $distribution->n;
    my ($edge, $value) = $distribution->beyond($n / $one_in);
    my ($low, $high) = $self->_by_chance($one_in, $edge);
    my @pieces = map { ($distribution->beyond(min($n - 1, $n * $_)))[1] } $pieces->shares($one_in);
    if (@pieces && !grep { $_ <= 0 } $value, @pieces) {
        my $error = sqrt(sum(map { log($_ / $value)**2 } @pieces) / $#pieces / @pieces);
        my $reach = exp($error * $pieces->widening * t_within($#pieces));
        $low  = min($low,  max($distribution->min, $value / $reach));
        $high = max($high, min($distribution->max, $value * $reach));
    }
    my $open = $distribution->open_from // INFINITY;
    return ($low, $high > $open ? INFINITY : $high);
}

sub _by_chance ($self, $one_in, $edge) {
    my ($distribution, $pieces) = @$self{qw(distribution pieces)};
    my $together = $pieces->together($self->{measure}, $distribution, $edge, $one_in);
    my ($most, $least) = order_statistics($distribution->n / $together, $one_in);
    my ($low) = $distribution->beyond(min($distribution->n - 1, $most * $together));
    my (undef, $high) = defined $least ? $distribution->beyond($least * $together) : ();
    return ($low, $high // INFINITY);
}

1;
