# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Chance;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(NORMAL order_statistics rate_least rate_limit t_within);

use List::Util qw(reduce);
use POSIX qw(lgamma log1p);

use constant {
    NORMAL     => 1.959964,     # standard deviations on either side hold 95 % of a normal distribution
    TAIL       => 0.025,        # on either side of a 95 % interval
    LEVEL      => 0.05,         # beyond a one-sided limit
    EXACT_MEAN => 400,          # up to here a binomial distribution is added up, above it is normal
    STEPS      => 60,
    ROUNDING   => 1e-12,        # of sums; of two that are as near the lower is taken
    FREEDOM_MAX => 100,         # beyond, t is within 1.3 % of that of the normal distribution
    PRECISION  => 1e-7,         # of t
    NOTHING    => 1e-15,        # a term that adds no more to a sum is the last
    ONE_SIDED  => 1.645,        # standard deviations that hold all but LEVEL
    PI         => 4 * atan2(1, 1),
};

=head1 NAME

Realfeel::Stat::Chance - what chance alone does to independent values

=head1 CONSTANTS

=head2 NORMAL

How many standard deviations on either side hold 95 % of a normal distribution.

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
    my $half = NORMAL * sqrt($mean * (1 - $share));
    return ($mean + $half - 0.5, $mean - $half - 0.5);
}

# The chance that no more than k lie beyond is to be nearest to 97.5 %, and to 2.5 %.
sub _by_sums {
    my ($n, $share) = @_;
    my ($chance, $sum) = (exp($n * log1p(-$share)), 0);
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
three. That a mean above it gives no more events has a chance below 5 %. Of events that count for several each, the
count may be broken.

=head2 rate_least($count)

The mean that it has at least: that one below it gives as many has a chance below 5 %.

=cut

sub rate_limit {
    my ($count) = @_;
    return $count + ONE_SIDED * sqrt($count + 0.25) + 1 if $count > EXACT_MEAN;
    return _mean_where($count, LEVEL, $count + 10 + 4 * sqrt $count);
}

sub rate_least {
    my ($count) = @_;
    return $count - ONE_SIDED * sqrt $count if $count > EXACT_MEAN;
    return $count > 0 ? _mean_where($count - 1, 1 - LEVEL, $count) : 0;
}

# With which so many events or fewer have this chance; up to a highest mean.
sub _mean_where {
    my ($count, $chance, $high) = @_;
    my $low = 0;
    for (1 .. STEPS) {
        my $middle = ($low + $high) / 2;
        _poisson_up_to($count, $middle) > $chance ? $low = $middle : ($high = $middle);
    }
    return $high;
}

# Between whole counts the incomplete gamma function goes on, by its series.
sub _poisson_up_to {
    my ($count, $mean) = @_;
    my $term = exp(($count + 1) * log($mean) - $mean - lgamma($count + 2));
    my $sum = 0;
    for (my $k = $count + 2; $term > NOTHING * $sum; $k++) {
        $sum += $term;
        $term *= $mean / $k;
    }
    return 1 - $sum;
}

=head2 t_within($confidence, $freedom)

How many standard errors on either side hold the true value with this confidence: 2.228 for 0.95 and 10 degrees of
freedom. These are taken as between 1 and 100; between whole ones the logarithm is interpolated.

=cut

sub t_within {
    my ($confidence, $freedom) = @_;
    my $within = $freedom < 1 ? 1 : $freedom > FREEDOM_MAX ? FREEDOM_MAX : $freedom;
    my $part = $within - int $within;
    my $t = _t_of($confidence, int $within);
    return $part ? $t * (_t_of($confidence, 1 + int $within) / $t)**$part : $t;
}

sub _t_of {
    my ($confidence, $whole) = @_;
    my ($low, $high) = (0, 1);
    ($low, $high) = ($high, 2 * $high) while _within_t($high, $whole) < $confidence;
    while ($high - $low > PRECISION * (1 + $low)) {
        my $middle = ($low + $high) / 2;
        if   (_within_t($middle, $whole) < $confidence) { $low  = $middle }
        else                                          { $high = $middle }
    }
    return $high;
}

# The probability of values from -t to t, by the finite series for whole degrees of freedom.
sub _within_t {
    my ($t, $freedom) = @_;
    my $angle = atan2($t, sqrt $freedom);
    my ($sine, $square) = (sin $angle, cos($angle)**2);
    my $odd = $freedom % 2;
    my ($term, $sum) = (1, 0);
    for my $i (1 .. ($freedom - $odd) / 2) {
        $sum += $term;
        $term *= $square * (2 * $i - 1 + $odd) / (2 * $i + $odd);
    }
    return $odd ? 2 / PI * ($angle + $sine * cos($angle) * $sum) : $sine * $sum;
}

1;
