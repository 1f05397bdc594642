# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Confidence;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(chance_limit order_statistics rate_limit);

use List::Util qw(reduce);

use constant {
    TAIL       => 0.025,        # on either side of a 95 % interval
    LEVEL      => 0.05,         # beyond a one-sided limit
    Z          => 1.959964,     # TAIL of a normal distribution lie beyond
    Z_RARE     => 2.326348,     # 1 % lie beyond
    EXACT_MEAN => 400,          # up to here a binomial distribution is added up, above it is normal
    STEPS      => 60,
    ROUNDING   => 1e-12,        # of sums; of two that are as near the lower is taken
};

=head1 NAME

Realfeel::Confidence - what a count of independent values can tell, with 95 % confidence

=head1 FUNCTIONS

=head2 order_statistics($n, $one_in)

Between which of C<$n> drawn values the value lies that one in C<$one_in> of all that could be drawn exceed: a list of
two, how many of the drawn values lie beyond the lower and beyond the upper bound. Of the whole numbers those are taken
whose chance comes nearest to 95 %, with 2.5 % on either side. The second is undef where too few were drawn for an
upper bound.

=cut

sub order_statistics {
    my ($n, $one_in) = @_;
    my ($mean, $share) = ($n / $one_in, 1 / $one_in);
    return _by_sums($n, $share) if $mean <= EXACT_MEAN;
    my $half = Z * sqrt($mean * (1 - $share));
    return ($mean + $half - 0.5, $mean - $half - 0.5);
}

# The chance that no more than k lie beyond is to be nearest to 97.5 %, and to 2.5 %.
sub _by_sums {
    my ($n, $share) = @_;
    my ($chance, $sum) = ((1 - $share)**$n, 0);
    my @up_to;
    for (my $k = 0; $sum < 1 - TAIL / 2 && $k <= $n; $k++) {
        push @up_to, $sum += $chance;
        $chance *= ($n - $k) / ($k + 1) * $share / (1 - $share);
    }
    return (_nearest(1 - TAIL, @up_to), $up_to[0] > 2 * TAIL ? undef : _nearest(TAIL, @up_to));
}

sub _nearest {
    my ($chance, @up_to) = @_;
    return reduce { abs($up_to[$b] - $chance) < abs($up_to[$a] - $chance) - ROUNDING ? $b : $a } 0 .. $#up_to;
}

=head2 rate_limit($count)

The mean that a count of events can have at most, where C<$count> were seen: about 3 for none, which is the rule of
three. That a mean above it gives no more events has a chance below 5 %.

=cut

sub rate_limit {
    my ($count) = @_;
    return $count + 1.645 * sqrt($count + 0.25) + 1 if $count > EXACT_MEAN;
    my ($low, $high) = (0, $count + 10 + 4 * sqrt $count);
    for (1 .. STEPS) {
        my $middle = ($low + $high) / 2;
        _poisson_up_to($count, $middle) > LEVEL ? $low = $middle : ($high = $middle);
    }
    return $high;
}

sub _poisson_up_to {
    my ($count, $mean) = @_;
    my ($chance, $sum) = (exp -$mean, 0);
    for my $k (0 .. $count) {
        $sum += $chance;
        $chance *= $mean / ($k + 1);
    }
    return $sum;
}

=head2 chance_limit($freedom)

What a sum of squares of that many independent deviations, each by its standard deviation, exceeds by chance once in a
hundred times.

=cut

sub chance_limit {
    my ($freedom) = @_;
    my $width = 2 / (9 * $freedom);
    return $freedom * (1 - $width + Z_RARE * sqrt $width)**3;
}

1;
