# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::Profile;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(interval);

use List::Util qw(max min);
use Realfeel::Tail::ExtremeValue qw(gev_cost gpd_cost growth level);
use Realfeel::Tail::Minimum qw(minimum);

use constant {
    INFINITY    => 9**9**9,
    CHI_SQUARE  => 3.841459,    # 95 %, one degree of freedom
    FIRST_STEP  => 0.1,
    GROWTH      => 1.3,
    EXPANSIONS  => 20,
    REFINEMENTS => 30,
    PRECISION   => 1e-5,
};

=head1 NAME

Realfeel::Tail::Profile - confidence intervals of return levels

=head1 FUNCTIONS

=head2 interval($fit, $n, @values)

The 95 % confidence interval of the return level from the profile of the likelihood, a list of two. C<@values> are the
sorted values that gave the fit (of a gpd the excesses); C<$n> is more than 1. A bound that was not found is undef.

=cut

sub interval {
    my ($fit, $n, @values) = @_;
    my $unit = { %$fit, location => 0, scale => 1 };
    my $origin = $fit->{family} eq 'gev' ? $fit->{location} : 0;
    my $standard = [map { ($_ - $origin) / $fit->{scale} } @values];
    my $best = level($unit, $n);
    return map { defined $_ ? $fit->{location} + $fit->{scale} * $_ : undef }
        map { _bound(_profile($unit, $n, $standard), $best, $_) } -1, 1;
}

# How much worse than the best, in units of chi-square, is the best fit that has a given return level. Of a gev it is
# sought along location and shape, of a gpd along the shape; the scale follows. Each search begins where the last ended.
sub _profile {
    my ($unit, $n, $standard) = @_;
    my $is_gev = $unit->{family} eq 'gev';
    my @start = (($is_gev ? 0 : ()), $unit->{shape});
    my $least = $is_gev ? gev_cost($standard, 0, 1, $unit->{shape}) : gpd_cost($standard, 1, $unit->{shape});
    return sub {
        my ($level) = @_;
        my $cost = $is_gev
            ? sub { gev_cost($standard, $_[0], ($level - $_[0]) / growth($n, $_[1]), $_[1]) }
            : sub { gpd_cost($standard, $level / growth($n, $_[0]), $_[0]) };
        $start[-1] = 0 if $cost->(@start) == INFINITY;
        return INFINITY if $cost->(@start) == INFINITY;
        (my $found, @start) = minimum($cost, [@start], [(FIRST_STEP / 2) x @start]);
        return 2 * ($found - $least);
    };
}

# Where the deviance passes the critical value. Its root is nearly a straight line over the level's logarithm, which
# secants find fast.
sub _bound {
    my ($deviance, $best, $direction) = @_;
    my $beyond = sub { sqrt(max(0, $deviance->(exp $_[0]))) - sqrt CHI_SQUARE };
    my ($inner, $at_inner, $step) = (log $best, -sqrt CHI_SQUARE, $direction * FIRST_STEP);
    for (1 .. EXPANSIONS) {
        my $outer = $inner + $step;
        my $at_outer = $beyond->($outer);
        return exp _between($beyond, $inner, $at_inner, $outer, $at_outer) if $at_outer > 0;
        ($inner, $at_inner) = ($outer, $at_outer);
        $step *= GROWTH;
    }
    return undef;
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

1;
