# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::ExtremeValue;
use strict;
use warnings;

use List::Util qw(max min sum sum0);
use Realfeel::Wander qw(wander);

use constant {
    INFINITY    => 9**9**9,
    SHARE       => 0.3,
    SHAPE_MEAN  => 0.1,
    SHAPE_SD    => 0.2,
    ZERO        => 1e-6,        # a shape nearer to 0 is taken as this, for the formulas divide by it
    LEAST_SHAPE => -1,          # below it the likelihood has no maximum
    CHI_SQUARE  => 3.841459,    # 95 %, one degree of freedom

    FIRST_STEP  => 0.1,         # of a search; values are of the order of 1
    GROWTH      => 1.3,
    EXPANSIONS  => 20,
    REFINEMENTS => 30,
    PRECISION   => 1e-5,
    TOLERANCE   => 1e-9,
    STEPS       => 2000,
};

=head1 NAME

Realfeel::Tail::ExtremeValue - the generalized extreme value distribution of block maxima, and its return levels

=head1 DESCRIPTION

The distribution has a location, a scale and a shape. A shape below 0 has an upper end, 0 an exponential tail, a shape
above 0 a tail like a power.

The latest maxima alone say how the tail goes on: they are fitted, and the others count as not above the threshold, so
whatever a quiet time does below it does no harm. Few maxima tell little of the shape. So it is taken to be one of many
that lie around 0, and what is far from there costs likelihood, after Coles and Dixon (1999).

=head1 METHODS

=head2 fit($maxima, share => $share, shape_sd => $sd)

The distribution of the largest penalized likelihood for an array of block maxima in the order of time, which are not
all equal. The share of the latest is fitted, 0.3 by default; the shapes have a standard deviation of 0.2.

=cut

sub fit {
    my ($class, $maxima, %how) = @_;
    my @ascending = sort { $a <=> $b } @$maxima;
    my $below = int((1 - ($how{share} // SHARE)) * @ascending + 0.5);
    my $threshold = $below ? $ascending[ $below - 1 ] : -INFINITY();
    my @above = grep { $_ > $threshold } @ascending;
    my $self = bless {
        origin => 0, unit => 1, maxima => [@$maxima], above => \@above, threshold => $threshold,
        below => @ascending - @above, shape_sd => $how{shape_sd} // SHAPE_SD,
    }, $class;
    my $start = $below ? $threshold : $above[0];
    $self->_measure_from($start, sum(@above) / @above - $start);
    my $cost = sub { $self->_cost($_[0], exp $_[1], $_[2]) };
    my (undef, @near) = _minimum($cost, FIRST_STEP, 0, 0, 0);
    my (undef, @best) = _minimum($cost, FIRST_STEP, @near);
    $self->_measure_from($best[0], exp $best[1]);
    $self->{shape} = $best[2];
    return $self;
}

# From here on all values are measured from that origin in that unit.
sub _measure_from {
    my ($self, $origin, $unit) = @_;
    $_ = ($_ - $origin) / $unit for @{ $self->{maxima} }, @{ $self->{above} }, $self->{threshold};
    $self->{origin} += $self->{unit} * $origin;
    $self->{unit} *= $unit;
}

sub _as_given {
    my ($self, $value) = @_;
    return $self->{origin} + $self->{unit} * $value;
}

=head2 location

Where it is: the return level of one block.

=head2 scale

By how much its values differ.

=head2 shape

How its tail goes on.

=head2 threshold

The value above which the maxima were fitted; minus infinity where all were.

=head2 fitted

How many they are.

=cut

sub location  { return $_[0]{origin} }
sub scale     { return $_[0]{unit} }
sub shape     { return $_[0]{shape} }
sub threshold { return $_[0]->_as_given($_[0]{threshold}) }
sub fitted    { return scalar @{ $_[0]{above} } }

# Minus the logarithm of the likelihood, and of what the shape has before the maxima are looked at; infinite where they
# cannot be.
sub _cost {
    my ($self, @gev) = @_;
    my ($scale, $shape) = @gev[1, 2];
    return INFINITY if $shape < LEAST_SHAPE || $scale <= 0;
    my $below = $self->{below} ? $self->{below} * _surprise_below($self->{threshold}, @gev) : 0;
    return (($shape - SHAPE_MEAN) / $self->{shape_sd})**2 / 2 + $below + _surprise($self->{above}, @gev);
}

# Minus the logarithm of the density at some values,
sub _surprise {
    my ($values, $location, $scale, $shape) = @_;
    $shape = ZERO if abs $shape < ZERO;
    my ($sum, $slope) = (@$values * log $scale, $shape / $scale);
    for (@$values) {
        my $power = 1 + $slope * ($_ - $location);
        return INFINITY unless $power > 0;
        my $reduced = log($power) / $shape;
        $sum += (1 + $shape) * $reduced + exp -$reduced;
    }
    return $sum;
}

# and of the probability that a block is not above one.
sub _surprise_below {
    my ($value, $location, $scale, $shape) = @_;
    $shape = ZERO if abs $shape < ZERO;
    my $power = 1 + $shape * ($value - $location) / $scale;
    return $power > 0 ? $power**(-1 / $shape) : INFINITY;
}

=head2 level($n)

The return level: what is exceeded once on average in C<$n> blocks.

=cut

sub level {
    my ($self, $n) = @_;
    return $self->_as_given(_growth($n, $self->{shape}));
}

# By how many scales it is above the location.
sub _growth {
    my ($n, $shape) = @_;
    $shape = ZERO if abs $shape < ZERO;
    return ($n**$shape - 1) / $shape;
}

=head2 interval($n, $spread)

The 95 % confidence interval of the return level of C<$n> blocks, more than one, by the profile of the likelihood: a
list of two, of which one is undef that was not found. The blocks tell as much as independent ones that are fewer by the
factor C<$spread>.

=cut

sub interval {
    my ($self, $n, $spread) = @_;
    return map { $_ && $self->_as_given($_->{level}) } map { $self->_end($n, $spread * CHI_SQUARE, $_) } -1, 1;
}

=head2 dependence($n)

A hash of that C<spread>, of the return level of C<$n> blocks, and of C<slow>, whether the maxima wander too slowly for
anyone to tell.

Blocks near each other are alike. What counts is how far that moves the level: each block takes its part in what tells
the lower end of the interval of independent blocks from the upper one, and L<Realfeel::Wander> says how far the sum of
these parts may be off.

=cut

sub dependence {
    my ($self, $n) = @_;
    my @ends = grep { defined } map { $self->_end($n, CHI_SQUARE, $_) } -1, 1;
    return { spread => 1, slow => 0 } if @ends < 2;
    my @parts = map { $self->_part($_, @ends) } @{ $self->{maxima} };
    my $mean = sum(@parts) / @parts;
    my $sum = wander(map { $_ - $mean } @parts);
    return { spread => max(1, $sum->{reach}), slow => $sum->{slow} };
}

# By how much less likely a block is at the upper end than at the lower one.
sub _part {
    my ($self, $maximum, $low, $high) = @_;
    my $threshold = $self->{threshold};
    my ($in_high, $in_low) = map { $maximum > $threshold ? _surprise([$maximum], @{ $_->{gev} })
        : _surprise_below($threshold, @{ $_->{gev} }) } $high, $low;
    return $in_high - $in_low;
}

# The level, and the fit that goes with it, at which the deviance passes a limit. The root of the deviance is nearly a
# straight line over the level's logarithm, which secants find fast.
sub _end {
    my ($self, $n, $limit, $direction) = @_;
    my $profile = $self->_profile($n);
    my $beyond = sub { sqrt(max(0, $profile->(exp $_[0])->{deviance})) - sqrt $limit };
    my ($inner, $at_inner, $step) = (log _growth($n, $self->{shape}), -sqrt $limit, $direction * FIRST_STEP);
    for (1 .. EXPANSIONS) {
        my $outer = $inner + $step;
        my $at_outer = $beyond->($outer);
        return $profile->(exp _between($beyond, $inner, $at_inner, $outer, $at_outer)) if $at_outer > 0;
        ($inner, $at_inner) = ($outer, $at_outer);
        $step *= GROWTH;
    }
    return undef;
}

# How much worse than the best, in units of chi-square, is the best fit that has a given return level. It is sought
# along location and shape; the scale follows. Each search begins where the last ended.
sub _profile {
    my ($self, $n) = @_;
    my @start = (0, $self->{shape});
    my $least = $self->_cost(0, 1, $self->{shape});
    return sub {
        my ($level) = @_;
        my $gev = sub { return ($_[0], ($level - $_[0]) / _growth($n, $_[1]), $_[1]) };
        my $cost = sub { $self->_cost($gev->(@_)) };
        $start[1] = 0 if $cost->(@start) == INFINITY;
        return { level => $level, deviance => INFINITY, gev => undef } if $cost->(@start) == INFINITY;
        (my $found, @start) = _minimum($cost, FIRST_STEP / 2, @start);
        return { level => $level, deviance => 2 * ($found - $least), gev => [$gev->(@start)] };
    };
}

sub _between {
    my ($beyond, $inner, $at_inner, $outer, $at_outer) = @_;
    for (1 .. REFINEMENTS) {
        last if abs($outer - $inner) < PRECISION;
        my $share = $at_outer == INFINITY ? 0.5 : $at_inner / ($at_inner - $at_outer);
        my $probe = $inner + min(0.98, max(0.02, $share)) * ($outer - $inner);
        my $at = $beyond->($probe);
        return $probe if abs $at < PRECISION;
        if ($at > 0) { ($outer, $at_outer) = ($probe, $at) }
        else         { ($inner, $at_inner) = ($probe, $at) }
    }
    return $inner;
}

# The least value of a function and the coordinates where it is, a list, after Nelder and Mead. It may be infinite, but
# not at the start.
sub _minimum {
    my ($function, $step, @start) = @_;
    my @corners = (\@start, map { my @corner = @start; $corner[$_] += $step; \@corner } 0 .. $#start);
    my @simplex = map { [$function->(@$_), @$_] } @corners;
    for (1 .. STEPS) {
        @simplex = sort { $a->[0] <=> $b->[0] } @simplex;
        last if $simplex[-1][0] - $simplex[0][0] < TOLERANCE;
        _improve($function, \@simplex);
    }
    return @{ $simplex[0] };
}

# Replaces the worst corner by a better one on the line through the middle of the others, or draws all to the best.
sub _improve {
    my ($function, $simplex) = @_;
    my (undef, @worst) = @{ $simplex->[-1] };
    my @others = @$simplex[0 .. $#$simplex - 1];
    my @middle = map { my $axis = $_; sum0(map { $_->[$axis] } @others) / @others } 1 .. @worst;
    my $at = sub {
        my ($reach) = @_;
        my @point = map { $middle[$_] + $reach * ($middle[$_] - $worst[$_]) } 0 .. $#middle;
        return [$function->(@point), @point];
    };
    my $next = $at->(1);
    if ($next->[0] < $simplex->[0][0]) {
        my $further = $at->(2);
        $next = $further if $further->[0] < $next->[0];
    }
    elsif ($next->[0] >= $others[-1][0]) {
        $next = $at->($next->[0] < $simplex->[-1][0] ? 0.5 : -0.5);
    }
    if ($next->[0] < $simplex->[-1][0]) { $simplex->[-1] = $next }
    else                                { _shrink($function, $simplex) }
}

sub _shrink {
    my ($function, $simplex) = @_;
    my (undef, @best) = @{ $simplex->[0] };
    for my $corner (@$simplex[1 .. $#$simplex]) {
        my @point = map { ($best[$_] + $corner->[ $_ + 1 ]) / 2 } 0 .. $#best;
        $corner = [$function->(@point), @point];
    }
}

1;
