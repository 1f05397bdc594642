# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Ratio;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(beyond_chance ratio ratios);

use List::Util qw(max);
use POSIX qw(ceil);
use Realfeel::Compare::Student qw(t_within);

use constant {
    INFINITY   => 9**9**9,
    CONFIDENCE => 0.95,

    # Of pairs of runs alike, in how many a percentile is said to differ. Their maxima are in 1 %, which makes 5 %.
    FALSE_ALARMS => 0.04,
};

=head1 NAME

Realfeel::Compare::Ratio - a percentile of one run in terms of that of another

=head1 DESCRIPTION

The interval of each run's percentile comes from that of the share of values up to there, C<t> standard deviations on
either side, which the distribution turns into values. A value lies anywhere in its bin, so the interval reaches from
the lower edge of one bin to the upper edge of another. The degrees of freedom are the clusters of values beyond less
one, for a few bursts say little of how many there might have been. The intervals of two runs are put together in
logarithms, each side for itself: the low end of the ratio from that of the one and the high end of the other.

=head1 FUNCTIONS

=head2 ratios($base, $file, @one_in)

For each C<$one_in> a ratio, see below, with 95 % confidence, that is a hash, and in it C<differs>: -1, 0 or 1 for less,
neither and greater, where of all pairs of runs alike 4 % at most have any that differs.

=cut

sub ratios {
    my ($base, $file, @one_in) = @_;
    my $together = 1 - FALSE_ALARMS / (@one_in || 1);
    return map {
        my $differs = beyond_chance(ratio($base, $file, $_, $together));
        +{ %{ ratio($base, $file, $_, CONFIDENCE) }, differs => $differs };
    } @one_in;
}

=head2 ratio($base, $file, $one_in, $confidence)

The ratio of the values that all but one in C<$one_in> do not exceed: a hash of C<ratio>, C<low> and C<high>. Each run
is a hash of C<distribution> and C<spread>, which has for each C<$one_in> what L<Realfeel::Compare::Bootstrap> says.
C<low> is 0 and C<high> undef where the data set no bound.

=cut

sub ratio {
    my ($base, $file, $one_in, $confidence) = @_;
    my ($b, $f) = map { _bounds($_, $one_in, $confidence) } $base, $file;
    my $down = _together(_factor(@$f{qw(least low)}),  _factor(@$b{qw(high most)}));
    my $up   = _together(_factor(@$f{qw(high most)}),  _factor(@$b{qw(least low)}));
    return {
        ratio => $f->{high} / $b->{high},
        low   => $f->{low} / $b->{high} / $down,
        high  => $up < INFINITY ? $f->{high} / $b->{low} * $up : undef,
    };
}

# The edges of the percentile's bin, and how far the interval reaches below and above.
sub _bounds {
    my ($run, $one_in, $confidence) = @_;
    my ($distribution, $spread) = ($run->{distribution}, $run->{spread}{$one_in});
    my $n = $distribution->n;
    my $beyond = ($n - $n % $one_in) / $one_in;
    my $reach = $n * $spread->{sd} * t_within($confidence, $spread->{clusters} - 1);
    my ($low, $high) = $distribution->edges($n - $beyond);
    my ($first, $last) = ($n - $beyond - $reach, ceil($n - $beyond + $reach));
    return {
        low   => $low,
        high  => $high,
        least => $first > 0 ? ($distribution->edges(max(1, ceil $first)))[0] : 0,
        most  => $last < $n ? ($distribution->edges($last))[1] : INFINITY,
    };
}

sub _factor {
    my ($from, $to) = @_;
    return $from > 0 ? $to / $from : INFINITY;
}

sub _together {
    my @factors = @_;
    return INFINITY if grep { $_ == INFINITY } @factors;
    return exp sqrt(log($factors[0])**2 + log($factors[1])**2);
}

=head2 beyond_chance($ratio)

-1 when the interval of such a ratio lies below 1, 1 when it lies above, 0 when it holds 1.

=cut

sub beyond_chance {
    my ($ratio) = @_;
    return $ratio->{low} >= 1 ? 1 : defined $ratio->{high} && $ratio->{high} <= 1 ? -1 : 0;
}

1;
