# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Outliers;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(outliers);

use List::Util qw(max min sum0 uniqnum);

use constant {
    LEVEL    => 0.08,   # to both sides
    ENOUGH   => 25,     # values; of fewer the test says so too often
    AT_MOST  => 3,      # one in so many values
    LEAST_DF => 5,      # below it the approximation of Student's t is too rough
    LEEWAY   => 1.2,    # for values that are not normal: loads that come and go, or wander
};

=head1 NAME

Realfeel::Stat::Outliers - which of many values stand out above the others

=head1 FUNCTIONS

=head2 outliers(@values)

The indices of the values that are farther above the others than the greatest of as many like values is, the farthest
first. Of a hundred sets of like values up to five have any (tests/statistics/fleet). The values should be near a normal
distribution, so those that are ratios of each other are to be given as logarithms.

The generalized extreme studentized deviate test of Rosner (1983). The value that is farthest from the mean is taken out
one after the other, up to a third of all, and each is judged by the mean and the deviation of those that are left with
it; the last that stands out does so with all that were taken out before, so that two do not hide each other.

=cut

sub outliers {
    my @values = @_;
    my @left = sort { $values[$a] <=> $values[$b] } 0 .. $#values;
    my $level = LEVEL * min(1, @values / ENOUGH);
    my ($found, @taken) = 0;
    return if 2 * uniqnum(@values) < @values;
    while (@taken < int(@values / AT_MOST) && @left - 2 >= LEAST_DF) {
        my $n = @left;
        my $mean = sum0(@values[@left]) / $n;
        my $sd = sqrt(sum0(map { ($values[$_] - $mean)**2 } @left) / ($n - 1)) || last;
        my ($below, $above) = ($mean - $values[ $left[0] ], $values[ $left[-1] ] - $mean);
        push @taken, $above >= $below ? { index => pop @left, is_above => 1 } : { index => shift @left };
        $found = @taken if max($above, $below) / $sd > LEEWAY * _limit($level, $n);
    }
    return map { $_->{index} } grep { $_->{is_above} } @taken[0 .. $found - 1];
}

# Of the farthest of n values, in deviations.
sub _limit {
    my ($level, $n) = @_;
    my $t = _student(1 - $level / 2 / $n, $n - 2);
    return ($n - 1) * $t / sqrt(($n - 2 + $t**2) * $n);
}

# Quantiles of Student's t, by those of the normal distribution (Abramowitz and Stegun, 26.7.5 and 26.2.23).
sub _student {
    my ($p, $df) = @_;
    my $z = _normal($p);
    return $z + ($z**3 + $z) / (4 * $df) + (5 * $z**5 + 16 * $z**3 + 3 * $z) / (96 * $df**2)
        + (3 * $z**7 + 19 * $z**5 + 17 * $z**3 - 15 * $z) / (384 * $df**3);
}

sub _normal {
    my ($p) = @_;
    my $t = sqrt(-2 * log(1 - $p));
    return $t - (2.515517 + 0.802853 * $t + 0.010328 * $t**2)
        / (1 + 1.432788 * $t + 0.189269 * $t**2 + 0.001308 * $t**3);
}

1;
