# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::Minimum;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(inverse hessian minimum);

use constant {
    TOLERANCE => 1e-9,
    STEPS     => 2000,
    DELTA     => 1e-3,
};

=head1 NAME

Realfeel::Tail::Minimum - the minimum of a function of a few variables, and its curvature there

=head1 FUNCTIONS

=head2 minimum($function, $start, $steps)

The method of Nelder and Mead. C<$function> takes a list of coordinates and may answer infinity, but not at C<$start>,
an array of them; C<$steps> has the first step along each. Coordinates should be of the order of 1. Returns the least
value and the coordinates where it was found, a list.

=cut

sub minimum {
    my ($function, $start, $steps) = @_;
    my @simplex = map { [$function->(@$_), @$_] } $start, map { _beside($start, $_, $steps->[$_]) } 0 .. $#$start;
    for (1 .. STEPS) {
        @simplex = sort { $a->[0] <=> $b->[0] } @simplex;
        last if $simplex[-1][0] - $simplex[0][0] < TOLERANCE;
        _step($function, \@simplex);
    }
    return @{ $simplex[0] };
}

sub _beside {
    my ($point, $axis, $step) = @_;
    my @beside = @$point;
    $beside[$axis] += $step;
    return \@beside;
}

# Replaces the worst corner by a better one on the line through the middle of the others, or draws all to the best.
sub _step {
    my ($function, $simplex) = @_;
    my ($worst, $middle) = ($simplex->[-1], _middle($simplex));
    my $at = sub {
        my ($reach) = @_;
        my @point = map { $middle->[$_] + $reach * ($middle->[$_] - $worst->[ $_ + 1 ]) } 0 .. $#$middle;
        return [$function->(@point), @point];
    };
    my $next = $at->(1);
    if ($next->[0] < $simplex->[0][0]) {
        my $further = $at->(2);
        $next = $further if $further->[0] < $next->[0];
    }
    elsif ($next->[0] >= $simplex->[-2][0]) {
        $next = $at->($next->[0] < $worst->[0] ? 0.5 : -0.5);
    }
    if   ($next->[0] < $worst->[0]) { $simplex->[-1] = $next }
    else                            { _shrink($function, $simplex) }
}

sub _middle {
    my ($simplex) = @_;
    my $others = @$simplex - 1;
    return [map { my $axis = $_; _sum(map { $_->[$axis] } @$simplex[0 .. $others - 1]) / $others } 1 .. $others];
}

sub _sum {
    my $sum = 0;
    $sum += $_ for @_;
    return $sum;
}

sub _shrink {
    my ($function, $simplex) = @_;
    my (undef, @best) = @{ $simplex->[0] };
    for my $corner (@$simplex[1 .. $#$simplex]) {
        my @point = map { ($best[$_] + $corner->[ $_ + 1 ]) / 2 } 0 .. $#best;
        $corner = [$function->(@point), @point];
    }
}

=head2 hessian($function, @point)

The matrix of the second derivatives at a point, by differences: an array of rows.

=cut

sub hessian {
    my ($function, @point) = @_;
    my $at = sub {
        my ($i, $by_i, $j, $by_j) = @_;
        my @moved = @point;
        $moved[$i] += $by_i * DELTA;
        $moved[$j] += $by_j * DELTA;
        return $function->(@moved);
    };
    return [map { my $i = $_; [map { my $j = $_;
        ($at->($i, 1, $j, 1) - $at->($i, 1, $j, -1) - $at->($i, -1, $j, 1) + $at->($i, -1, $j, -1)) / (2 * DELTA)**2
    } 0 .. $#point] } 0 .. $#point];
}

=head2 inverse($matrix)

The inverse of a symmetric positive definite matrix, an array of rows; undef when it is none.

=cut

sub inverse {
    my ($matrix) = @_;
    my $n = @$matrix;
    my @rows = map { my $i = $_; [@{ $matrix->[$i] }, map { $_ == $i ? 1 : 0 } 0 .. $n - 1] } 0 .. $n - 1;
    for my $i (0 .. $n - 1) {
        my $pivot = $rows[$i][$i];
        return undef unless $pivot > 0 && $pivot < 9**9**9;
        $_ /= $pivot for @{ $rows[$i] };
        for my $other (grep { $_ != $i } 0 .. $n - 1) {
            my $factor = $rows[$other][$i];
            $rows[$other][$_] -= $factor * $rows[$i][$_] for 0 .. 2 * $n - 1;
        }
    }
    return [map { [@$_[$n .. 2 * $n - 1]] } @rows];
}

1;
