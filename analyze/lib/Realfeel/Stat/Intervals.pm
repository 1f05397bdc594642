# SPDX-License-Identifier: GPL-2.0-or-later
# Confidence intervals of percentiles, and their inverse. Late wake-ups come in bursts and the level of a load wanders,
# so the values of a run depend on each other in unknown ways. But pieces of a run that are long enough are nearly
# independent. How far the percentile of each piece lies from that of the whole run, in logarithms, shows the latter's
# error, by Student's t. Independent values would do no better, so where order statistics reach further, they set the
# bound. No bound lies outside of the values.
#
# What one in 1000 exceeds is more than what one in 100 exceeds, so the bounds are made to ascend: a lower bound holds
# for everything rarer, an upper one for everything more frequent. They are computed at ten steps a decade, and between
# two steps the outer one counts. So the upper bounds have an exact inverse.
package Realfeel::Stat::Intervals;
use Realfeel::Base::Modern;

use List::Util qw(first max min reduce sum);
use POSIX qw(log1p);

use constant {
    BEYOND     => 10,       # values must lie beyond a percentile to support it
    STEPS      => [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8],       # of a decade
    INFINITY   => 9**9**9,
    NORMAL     => 1.959964,     # standard deviations on either side hold 95 % of a normal distribution
    CONFIDENCE => 0.95,
    TAIL       => 0.025,        # on either side of a 95 % interval
    EXACT_MEAN => 400,          # up to here a binomial distribution is added up, above it is normal
    ROUNDING   => 1e-12,        # of sums; of two that are equally near, the lower is taken
    PRECISION  => 1e-7,         # of t
    PI         => 4 * atan2(1, 1),
};

# $distribution holds the values of $measure in the run of these Stat::Pieces
sub new ($class, $distribution, $pieces, $measure) {
    return bless { distribution => $distribution, pieces => $pieces, measure => $measure }, $class;
}

# The 95 % interval of the value that one in $one_in exceeds, undef if the data give no bound. With fewer than ten
# values beyond, the lower bound is that of a more frequent value and there is no upper one.
sub interval ($self, $one_in) {
    my @rows = $self->_rows or return (undef, undef);
    my $upper = first { $_->[0] >= $one_in } @rows;
    my $lower = first { $_->[0] <= $one_in } reverse @rows;
    return ($lower ? $lower->[1] : $self->{distribution}->min, $upper && $upper->[2] < INFINITY ? $upper->[2] : undef);
}

# The largest N whose upper bound is at or below $limit: at most one in N exceeds it, with 97.5 % confidence. undef if
# none.
sub sure_one_in ($self, $limit) {
    my $row = first { $_->[2] <= $limit } reverse $self->_rows;
    return $row && $row->[0];
}

# For each step its N and its bounds, ascending
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
    my $open = $distribution->{open_from} // INFINITY;
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

# Below: what chance alone does to independent values.
my %by_sums;        # by their arguments: many runs have the same length

# The confidence interval of the value that one in $one_in exceeds, by rank: how many of $n drawn values lie beyond its
# lower and its upper bound. The ranks nearest to 95 % are taken, 2.5 % on either side. The upper is undef if $n is too
# small.
sub order_statistics ($n, $one_in) {
    my ($mean, $share) = ($n / $one_in, 1 / $one_in);
    return @{ $by_sums{pack 'dd', $n, $share} //= [_by_sums($n, $share)] } if $mean <= EXACT_MEAN;
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

my %t;      # by degrees of freedom

# How many standard errors on either side hold the true value with 95 % confidence: 2.228 for 10 degrees of freedom
sub t_within ($freedom) { return $t{$freedom} //= _t($freedom) }

sub _t ($freedom) {
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
