# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::ExtremeValue;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(cdf draw endpoint excesses gev_by_moments gev_cost gev_fit gpd_by_moments gpd_cost gpd_fit growth
    intensity l_moments level);

use List::Util qw(max);
use POSIX qw(tgamma);
use Realfeel::Tail::Minimum qw(hessian inverse minimum);

use constant {
    INFINITY    => 9**9**9,
    ZERO        => 1e-8,        # a shape that is nearer to 0 is 0, for rounding would spoil the formula
    LEAST_SHAPE => -1,          # below it the likelihood has no maximum
    FIRST_STEP  => 0.1,
};

=head1 NAME

Realfeel::Tail::ExtremeValue - the distributions of extremes: their functions, fits and return levels

=head1 DESCRIPTION

A fit is a hash: C<family>, which is C<gev>, the generalized extreme value distribution of block maxima, or C<gpd>, the
generalized Pareto distribution of the excesses over a threshold; C<location> (of a gpd, the threshold), C<scale> and
C<shape>. A shape below 0 has a finite upper endpoint, 0 an exponential tail, a shape above 0 a tail like a power.

=head1 FUNCTIONS

=head2 intensity($fit, $x)

How often a value above C<$x> is expected: of a gev, the number in a block, which is -log of the distribution function;
of a gpd, the share of the excesses.

=cut

sub intensity {
    my ($fit, $x) = @_;
    my ($location, $scale, $shape) = @$fit{qw(location scale shape)};
    my $standard = ($x - $location) / $scale;
    return exp -$standard if abs $shape < ZERO;
    my $power = 1 + $shape * $standard;
    return $power > 0 ? $power**(-1 / $shape) : $shape > 0 ? INFINITY : 0;
}

=head2 cdf($fit, $x)

The probability that a value is not above C<$x>.

=cut

sub cdf {
    my ($fit, $x) = @_;
    my $intensity = intensity($fit, $x);
    return $fit->{family} eq 'gev' ? exp -$intensity : max(0, 1 - $intensity);
}

=head2 level($fit, $n)

The return level: what is exceeded once on average in C<$n> blocks (gev) or C<$n> excesses (gpd).

=cut

sub level {
    my ($fit, $n) = @_;
    return $fit->{location} + $fit->{scale} * growth($n, $fit->{shape});
}

=head2 growth($n, $shape)

By how many scales that level is above the location.

=cut

sub growth {
    my ($n, $shape) = @_;
    return abs $shape < ZERO ? log $n : ($n**$shape - 1) / $shape;
}

=head2 draw($fit, $uniform)

A value drawn at random. C<$uniform> is a number between 0 and 1, both excluded.

=cut

sub draw {
    my ($fit, $uniform) = @_;
    return level($fit, $fit->{family} eq 'gev' ? -1 / log $uniform : 1 / $uniform);
}

=head2 endpoint($fit)

What no value exceeds, undef unless the shape is below 0.

=cut

sub endpoint {
    my ($fit) = @_;
    return $fit->{shape} <= -ZERO() ? $fit->{location} - $fit->{scale} / $fit->{shape} : undef;
}

=head2 l_moments(@ascending)

The first two L-moments and the L-skewness of a sorted sample of three or more.

=cut

sub l_moments {
    my @x = @_;
    my $n = @x;
    my ($b0, $b1, $b2) = (0, 0, 0);
    for my $i (0 .. $#x) {
        my $weighted = $x[$i] * $i / ($n - 1);
        $b0 += $x[$i];
        $b1 += $weighted;
        $b2 += $weighted * ($i - 1) / ($n - 2);
    }
    $_ /= $n for $b0, $b1, $b2;
    my $l2 = 2 * $b1 - $b0;
    return ($b0, $l2, $l2 > 0 ? (6 * $b2 - 6 * $b1 + $b0) / $l2 : 0);
}

=head2 gev_by_moments(@ascending)

The gev that has the L-moments of a sorted sample whose values are not all equal, after Hosking, Wallis and Wood (1985).

=cut

sub gev_by_moments {
    my ($l1, $l2, $skewness) = l_moments(@_);
    my $c = 2 / (3 + $skewness) - log(2) / log 3;
    my $k = 7.8590 * $c + 2.9554 * $c**2;
    $k = ZERO if abs $k < ZERO;
    my $gamma = tgamma(1 + $k);
    my $scale = $l2 * $k / ((1 - 2**-$k) * $gamma);
    return { family => 'gev', location => $l1 - $scale * (1 - $gamma) / $k, scale => $scale, shape => -$k };
}

=head2 gpd_by_moments(@ascending)

The gpd that has the L-moments of a sorted sample of excesses, its location being 0.

=cut

sub gpd_by_moments {
    my ($l1, $l2) = l_moments(@_);
    my $k = $l1 / $l2 - 2;
    return { family => 'gpd', location => 0, scale => $l1 * (1 + $k), shape => -$k };
}

=head2 gev_fit(@ascending)

The gev of maximum likelihood for a sorted sample of four or more values that are not all equal, with C<errors>, a hash
of standard errors like the fit, empty when the likelihood does not give them.

=cut

sub gev_fit {
    my @x = @_;
    my $start = gev_by_moments(@x);
    my $standard = _standard($start, @x);
    my $cost = sub { gev_cost($standard, $_[0], exp $_[1], $_[2]) };
    my $shape = max(LEAST_SHAPE, $start->{shape});
    $shape = 0 if $cost->(0, 0, $shape) == INFINITY;
    my (undef, @near) = minimum($cost, [0, 0, $shape], [(FIRST_STEP) x 3]);
    my (undef, @best) = minimum($cost, \@near, [(FIRST_STEP) x 3]);
    my ($unit, $error) = ($start->{scale}, _errors($cost, @best));
    my $scale = $unit * exp $best[1];
    return {
        family => 'gev', location => $start->{location} + $unit * $best[0], scale => $scale, shape => $best[2],
        errors => !$error ? {}
            : { location => $unit * $error->[0], scale => $scale * $error->[1], shape => $error->[2] },
    };
}

=head2 gpd_fit($threshold, @excesses)

The gpd of maximum likelihood for four or more sorted excesses over a threshold, as gev_fit gives it.

=cut

sub gpd_fit {
    my ($threshold, @excesses) = @_;
    my $start = gpd_by_moments(@excesses);
    my $unit = $start->{scale} > 0 ? $start->{scale} : $excesses[-1];
    my $standard = [map { $_ / $unit } @excesses];
    my $cost = sub { gpd_cost($standard, exp $_[0], $_[1]) };
    my $shape = max(LEAST_SHAPE, $start->{shape});
    $shape = 0 if $cost->(0, $shape) == INFINITY;
    my (undef, @near) = minimum($cost, [0, $shape], [(FIRST_STEP) x 2]);
    my (undef, @best) = minimum($cost, \@near, [(FIRST_STEP) x 2]);
    my ($scale, $error) = ($unit * exp $best[0], _errors($cost, @best));
    return {
        family => 'gpd', location => $threshold, scale => $scale, shape => $best[1],
        errors => $error ? { scale => $scale * $error->[0], shape => $error->[1] } : {},
    };
}

sub _standard {
    my ($fit, @x) = @_;
    my ($location, $scale) = @$fit{qw(location scale)};
    return [map { ($_ - $location) / $scale } @x];
}

=head2 gev_cost($values, $location, $scale, $shape)

Minus the logarithm of the likelihood of an array of values; infinite where they cannot be.

=head2 gpd_cost($excesses, $scale, $shape)

The same of an array of excesses over a threshold.

=cut

sub gev_cost {
    my ($x, $location, $scale, $shape) = @_;
    return INFINITY if $shape < LEAST_SHAPE || $scale <= 0;
    my $sum = @$x * log $scale;
    if (abs $shape < ZERO) {
        for (@$x) {
            my $reduced = ($_ - $location) / $scale;
            $sum += $reduced + exp -$reduced;
        }
        return $sum;
    }
    my $slope = $shape / $scale;
    for (@$x) {
        my $power = 1 + $slope * ($_ - $location);
        return INFINITY if $power <= 0;
        my $reduced = log($power) / $shape;
        $sum += (1 + $shape) * $reduced + exp -$reduced;
    }
    return $sum;
}

sub gpd_cost {
    my ($x, $scale, $shape) = @_;
    return INFINITY if $shape < LEAST_SHAPE || $scale <= 0;
    my $sum = 0;
    if (abs $shape < ZERO) {
        $sum += $_ for @$x;
        return @$x * log($scale) + $sum / $scale;
    }
    my $slope = $shape / $scale;
    for (@$x) {
        my $power = 1 + $slope * $_;
        return INFINITY if $power <= 0;
        $sum += log $power;
    }
    return @$x * log($scale) + (1 + 1 / $shape) * $sum;
}

# From the observed information.
sub _errors {
    my ($cost, @best) = @_;
    my $curvature = hessian($cost, @best);
    return undef if grep { !(abs $_ < INFINITY) } map { @$_ } @$curvature;
    my $covariance = inverse($curvature) or return undef;
    return [map { sqrt $covariance->[$_][$_] } 0 .. $#best];
}

=head2 excesses($threshold, @values)

By how much those above the threshold exceed it, sorted.

=cut

sub excesses {
    my ($threshold, @values) = @_;
    return sort { $a <=> $b } map { $_ - $threshold } grep { $_ > $threshold } @values;
}

1;
