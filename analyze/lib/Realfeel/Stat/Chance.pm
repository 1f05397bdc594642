# SPDX-License-Identifier: GPL-2.0-or-later
# What chance alone does to independent values.
package Realfeel::Stat::Chance;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(order_statistics t_within);

use List::Util qw(reduce);
use POSIX qw(log1p);

use constant {
    NORMAL     => 1.959964,     # standard deviations on either side hold 95 % of a normal distribution
    CONFIDENCE => 0.95,
    TAIL       => 0.025,        # on either side of a 95 % interval
    EXACT_MEAN => 400,          # up to here a binomial distribution is added up, above it is normal
    ROUNDING   => 1e-12,        # of sums; of two that are as near the lower is taken
    PRECISION  => 1e-7,         # of t
    PI         => 4 * atan2(1, 1),
};

# The confidence interval of the value that one in $one_in exceeds, by rank: how many of $n drawn values lie beyond its
# lower and its upper bound. The ranks nearest to 95 % are taken, 2.5 % on either side. The upper is undef if $n is too
# small.
sub order_statistics ($n, $one_in) {
    my ($mean, $share) = ($n / $one_in, 1 / $one_in);
    return _by_sums($n, $share) if $mean <= EXACT_MEAN;
    my $half = NORMAL * sqrt($mean * (1 - $share));
    return ($mean + $half - 0.5, $mean - $half - 0.5);
}

# The chance that at most k values lie beyond should be nearest to 97.5 % and 2.5 %
sub _by_sums ($n, $share) {
    my ($chance, $sum) = (exp($n * log1p(-$share)), 0);
    my @up_to;
    for (my $k = 0; $sum < 1 - TAIL / 2 && $k <= $n; $k++) {
        push @up_to, $sum += $chance;
        $chance *= ($n - $k) / ($k + 1) * $share / (1 - $share);
    }
    return (_nearest(1 - TAIL, @up_to), $up_to[0] > 2 * TAIL ? undef : _nearest(TAIL, @up_to));
}

sub _nearest ($chance, @up_to) {
    return reduce { abs($up_to[$b] - $chance) < abs($up_to[$a] - $chance) - ROUNDING ? $b : $a } 0 .. $#up_to;
}

my %known;    # by degrees of freedom

# How many standard errors on either side hold the true value with 95 % confidence: 2.228 for 10 degrees of freedom
sub t_within ($freedom) {
    return $known{$freedom} //= _find_t($freedom);
}

sub _find_t ($freedom) {
    my ($low, $high) = (0, 1);
    ($low, $high) = ($high, 2 * $high) while _within_t($high, $freedom) < CONFIDENCE;
    while ($high - $low > PRECISION * (1 + $low)) {
        my $middle = ($low + $high) / 2;
        _within_t($middle, $freedom) < CONFIDENCE ? $low = $middle : ($high = $middle);
    }
    return $high;
}

# The probability of values from -t to t, by the finite series for whole degrees of freedom
sub _within_t ($t, $freedom) {
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
