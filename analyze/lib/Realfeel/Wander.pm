# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Wander;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(wander);

use List::Util qw(max min sum sum0);
use POSIX qw(erfc);
use Realfeel::Chance qw(NORMAL t_within);

use constant {
    ALONE   => 0.5,         # the prior probability that nothing wanders
    ODDS    => [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1000],    # of what wanders to what does not, each as likely
    STEP    => sqrt 2,      # from one time constant to the next
    SHORTEST => 0.5,        # of them, in units
    SINGLE  => 16,          # so many of the lowest frequencies are taken one by one,
    BAND    => 1.15,        # the others in bands, each as much wider than the one before
    SLOW    => 5,           # a run of fewer time constants than that cannot tell how far its level wanders
    OUTSIDE => 0.05,        # of an interval
    LEAST   => 1e-6,        # a probability that matters
    ROUNDING => 1e-12,      # of a sum of squares
    CLOSE   => 1e-9,        # to what an equation is solved
    PI      => 4 * atan2(1, 1),
};

=head1 NAME

Realfeel::Wander - how far a sum is off when its parts follow a level that wanders

=head1 DESCRIPTION

A run is cut into units of equal time, and each is off what was expected of it. Part of that is independent from unit to
unit; part may follow a level that wanders, and forgets where it was with some time constant (AR(1)). The share of the
second part and the time constant are not known: the periodogram of the units says how likely each pair of them is
(Whittle), and the sum's variance is taken for all, each by its likelihood, beside the probability of one half that
nothing wanders. Time constants from half a unit to the length of the run are equally likely by their logarithm.

=head1 FUNCTIONS

=head2 wander(@off)

How far the sum of these deviations may be off, where nothing but their mean square is known of their size: a hash of
C<reach>, by which factor its variance is to be taken as greater than that of independent ones, so that 1.96 standard
deviations on either side hold 95 % of all sums; and C<slow>, whether the level more likely than not wanders so slowly
that the run is too short to tell how far. Three units are the least.

=cut

sub wander {
    my @off = @_;
    my $n = @off;
    my $model = _model($n);
    my @power = _bands($n, _periodogram(@off));
    my $scale = sum(map { $power[$_] * $model->{size}[$_] } 0 .. $#power);
    return { reach => 1, slow => 0 } unless $scale > ROUNDING * sum(map { $_**2 } @off);
    my @likely = _likely($model, $n, @power);
    my @kept = map { { %{ $likely[$_] }, factor => $likely[$_]{scale} * $model->{sum}[$_] / $scale } }
        grep { $likely[$_]{weight} > LEAST } 0 .. $#likely;
    return {
        reach  => (t_within(1 - OUTSIDE, $n - 1) / NORMAL * _half_width(@kept) / NORMAL)**2,
        slow   => sum0(map { $likely[$_]{weight} } grep { $model->{slow}[$_] } 0 .. $#likely) > 0.5 ? 1 : 0,
    };
}

# Of each pair, the first of which is that nothing wanders: the spectrum in bands, the variance of a sum by that of a
# unit, the logarithm of its likelihood before the run, and whether it is a slow one. For runs of n units.
my %models;

sub _model {
    my ($n) = @_;
    return $models{$n} //= do {
        my @bands = _band_edges($n);
        my @size = map { $_->[1] - $_->[0] } @bands;
        my @taus = _time_constants($n);
        my @pairs = ([0, SHORTEST], map { my $tau = $_; map { [$_ / (1 + $_), $tau] } @{ ODDS() } } @taus);
        my $each = log((1 - ALONE) / $#pairs);
        my @inverse = map { [map { 1 / $_ } _spectrum($n, \@bands, @$_)] } @pairs;
        {
            size    => \@size,
            inverse => \@inverse,
            prior   => [map { my $i = $_; ($i ? $each : log ALONE)
                + sum(map { $size[$_] / 2 * log $inverse[$i][$_] } 0 .. $#size) } 0 .. $#pairs],
            sum     => [map { 1 - $_->[0] + $_->[0] * _sum_of($n, $_->[1]) } @pairs],
            slow    => [map { $_->[1] * SLOW > $n && $_->[0] * _sum_of($n, $_->[1]) > 1 - $_->[0] ? 1 : 0 } @pairs],
        };
    };
}

sub _time_constants {
    my ($n) = @_;
    my @taus = SHORTEST;
    push @taus, $taus[-1] * STEP while $taus[-1] * STEP <= $n;
    return @taus;
}

# From which frequency to which, both of 1 .. n - 1 and the second excluded.
sub _band_edges {
    my ($n) = @_;
    my @bands = map { [$_, $_ + 1] } 1 .. min(SINGLE, $n - 1);
    while ((my $from = $bands[-1][1]) < $n) {
        push @bands, [$from, min($n, $from + max(1, int($from * (BAND - 1))))];
    }
    return @bands;
}

# The mean spectrum in each band; over all frequencies it is 1.
sub _spectrum {
    my ($n, $bands, $share, $tau) = @_;
    my $alike = exp(-1 / $tau);
    my ($top, $sides) = (1 - $alike**2, 1 + $alike**2);
    return map {
        my ($from, $to) = @$_;
        1 - $share + $share / ($to - $from)
            * sum(map { $top / ($sides - 2 * $alike * cos(PI * $_ / $n)) } $from .. $to - 1);
    } @$bands;
}

# The variance of the sum of n values that wander, by that of n that do not.
sub _sum_of {
    my ($n, $tau) = @_;
    my $alike = exp(-1 / $tau);
    return (1 + $alike) / (1 - $alike) - 2 * $alike * (1 - $alike**$n) / $n / (1 - $alike)**2;
}

# The squares of the cosine transform, but for that of the mean.
sub _periodogram {
    my @off = @_;
    return map {
        my ($cosine, $sum) = ($_, 0);
        $sum += $off[$_] * $cosine->[$_] for 0 .. $#off;
        $sum**2;
    } @{ _cosines(scalar @off) };
}

# Of each frequency, at each of n units.
my %cosines;

sub _cosines {
    my ($n) = @_;
    return $cosines{$n} //= do {
        my @cosine = map { sqrt(2 / $n) * cos(PI * $_ / 2 / $n) } 0 .. 4 * $n - 1;
        [map { my $frequency = $_; [@cosine[map { $frequency * (2 * $_ + 1) % (4 * $n) } 0 .. $n - 1]] } 1 .. $n - 1];
    };
}

sub _bands {
    my ($n, @squares) = @_;
    return map { my ($from, $to) = @$_; sum(@squares[$from - 1 .. $to - 2]) / ($to - $from) } _band_edges($n);
}

# How likely each pair is, and the variance of a unit that goes with it.
sub _likely {
    my ($model, $n, @power) = @_;
    my @weighted = map { $power[$_] * $model->{size}[$_] } 0 .. $#power;
    my (@scale, @log);
    for my $i (0 .. $#{ $model->{inverse} }) {
        my ($inverse, $sum) = ($model->{inverse}[$i], 0);
        $sum += $weighted[$_] * $inverse->[$_] for 0 .. $#weighted;
        push @scale, $sum;
        push @log, $model->{prior}[$i] - ($n - 1) / 2 * log($sum);
    }
    my $most = max @log;
    my @weight = map { exp($_ - $most) } @log;
    my $all = sum @weight;
    return map { { weight => $weight[$_] / $all, scale => $scale[$_] } } 0 .. $#weight;
}

# Of a mixture of normal distributions with these variances, by Newton's steps: what lies outside falls ever more
# slowly, so none goes too far.
sub _half_width {
    my @mixture = map { [$_->{weight}, 1 / sqrt(2 * $_->{factor})] } @_;
    my ($width, $step) = (0, 1);
    while ($step > CLOSE * $width) {
        my $beyond = sum(map { $_->[0] * erfc($width * $_->[1]) } @mixture) - OUTSIDE;
        my $slope = sum(map { $_->[0] * $_->[1] * exp(-($width * $_->[1])**2) } @mixture);
        $step = $beyond * sqrt(PI) / 2 / $slope;
        $width += $step;
    }
    return $width;
}

1;
