# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Percentiles;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(JUDGED exceedance is_percentile ladder percentiles summary);

use List::Util qw(max);
use POSIX qw(ceil);
use Realfeel::Base::Typed qw(number);
use Realfeel::Stat::Chance qw(rate_limit);
use Realfeel::Stat::Intervals qw(bounds);
use Realfeel::Stat::Pieces;

use constant {
    # A percentile is supported when this many values, of as many wake-ups, lie beyond it.
    BEYOND => 10,

    # Each percentile, and the n of "one in n values lies beyond".
    PERCENTILES => [
        [50, 2], [90, 10], [95, 20], [99, 100], [99.9, 1000], [99.99, 10_000], [99.999, 100_000],
        [99.9999, 1_000_000],
    ],
    QUARTER          => 4,
    LEAST_EXPONENT   => -2,     # of a threshold: the finest bin edge is 0.01 us
};

# Those by which runs are compared and limits judged. How often that is wrong was simulated with these: one more of a
# table would make each of them harder to tell, and what counts for one value would come from another neighbour.
use constant JUDGED => (50, 90, 99, 99.9, 99.99, 99.999, 99.9999);

=head1 NAME

Realfeel::Answer::Percentiles - what is said of a distribution

=head1 FUNCTIONS

C<JUDGED> are the percentiles, of those that are listed, that decide something.

=head2 is_percentile($name)

Whether there is one of that name: C<p50>, C<p99.9>.

=cut

sub is_percentile {
    my ($name) = @_;
    return scalar grep { $name eq "p$_->[0]" } @{ PERCENTILES() };
}

=head2 summary($distribution, $pieces, $measure)

A hash: C<count>; C<min_us>, C<mean_us>, C<sd_us>, C<median_us>, C<mode_us>, C<max_us>, each undef where there are too
few values; C<percentiles>, an array of hashes C<percentile>, C<value_us> and its 95 % confidence interval C<low_us> to
C<high_us>, each undef where the data set no bound, with C<open>, C<slices> where these are too few to set any, and
C<pieces_us>, the values of the run's pieces where these differ more than three times as far as by chance; or, where the
value is undef, C<lack>, what is too few, C<samples> or C<wakeups>, or C<bins>, where the value lies in an open one,
which begins at C<from_us>; how many are C<needed>; C<more>, the number of values that it needs beyond those there are,
undef for C<bins>; and C<roughly_us>, the value, if any lies beyond it, for C<wakeups> with C<wakeups>, how many made
those beyond; and C<below>, the ladder, an array of hashes C<threshold_us>, C<count>. L<Realfeel::Stat::Pieces> say how
far the values of the C<$measure> depend on each other; without them each is independent.

=cut

sub summary {
    my ($distribution, $pieces, $measure) = @_;
    my ($mode) = $distribution->mode;
    my @values = ($distribution, $pieces, $measure);
    return {
        count       => number($distribution->n),
        mode_us     => number($mode),
        (map { ("${_}_us" => number(scalar $distribution->$_)) } qw(min mean sd median max)),
        percentiles => [percentiles(@values)],
        below       => [map { { threshold_us => number($_), count => number($distribution->below($_)) } }
            ladder($distribution)],
    };
}

=head2 percentiles($distribution, $pieces, $measure, @wanted)

Those of a summary alone, or of these only those that are wanted, as a list. Those with an interval have its C<bounds>,
too, as of L<Realfeel::Stat::Intervals>.

=cut

sub percentiles {
    my ($distribution, $pieces, $measure, @wanted) = @_;
    my @values = ($distribution, $pieces // Realfeel::Stat::Pieces->none, $measure);
    my %is_wanted = map { $_ => 1 } @wanted;
    return map { _percentile(@values, @$_) } grep { !@wanted || $is_wanted{ $_->[0] } } @{ PERCENTILES() };
}

sub _percentile {
    my ($distribution, $pieces, $measure, $percentile, $one_in) = @_;
    my ($n, $needed) = ($distribution->n, BEYOND * $one_in);
    my ($edge, $value) = $distribution->beyond($n / $one_in);
    my $open = $distribution->open_from;
    my %given = (percentile => $percentile, value_us => undef);
    return { %given, lack => 'bins', more => undef, from_us => number($open) }
        if $n >= $needed && defined $open && $edge >= $open;
    return {
        %given, lack => 'samples', more => $needed - $n, needed => $needed,
        $n >= $one_in && !(defined $open && $edge >= $open) ? (roughly_us => number($value)) : (),
    } if $n < $needed;
    my $together = $pieces->together($measure, $distribution, $edge, $one_in);
    my $wakeups = $distribution->above($edge) / $together;
    return {
        %given, lack => 'wakeups', more => ceil($n * (BEYOND / max($wakeups, 1) - 1)), needed => BEYOND,
        roughly_us => number($value), wakeups => max(1, int $wakeups),
    } if $wakeups < BEYOND;
    return { %given, value_us => number($value), _interval($distribution, $pieces, $one_in, $together) };
}

sub _interval {
    my ($distribution, $pieces, $one_in, $together) = @_;
    return (low_us => undef, high_us => undef, open => 'slices') if defined $pieces->unknown;
    my $bounds = bounds($distribution, $one_in, $together, $pieces->widening, $pieces->shares($one_in));
    return (low_us => number($bounds->{low}), high_us => number($bounds->{high}), bounds => $bounds,
        $bounds->{pieces} ? (pieces_us => [map { number($_) } @{ $bounds->{pieces} }]) : ());
}

=head2 exceedance($distribution, $pieces, $measure, $threshold)

How often values lie above a threshold: C<threshold_us>, C<count>, how many did, and C<fewer_than_one_in>: so many
values or more there are for each that does, with 95 % confidence. Where none was seen it is not told: one wake-up,
later than all before, may serve any number of periods. What cannot be told is undef.

=cut

sub exceedance {
    my ($distribution, $pieces, $measure, $threshold) = @_;
    my %exceedance = (threshold_us => $threshold, count => undef, fewer_than_one_in => undef);
    my $n = $distribution->n;
    my $below = $threshold >= $distribution->max ? $n : $distribution->below($threshold) // return \%exceedance;
    my $count = $exceedance{count} = $n - $below;
    $pieces //= Realfeel::Stat::Pieces->none;
    return \%exceedance if !$count || defined $pieces->unknown;
    my $spread = $count < $n ? _spread($distribution, $pieces, $measure, $threshold, $n / $count) : 1;
    my $most = $spread * rate_limit($count / $spread);
    $exceedance{fewer_than_one_in} = int($n / $most) if $n >= 2 * $most;
    return \%exceedance;
}

# How many values are worth one that is independent.
sub _spread {
    my ($distribution, $pieces, $measure, $value, $one_in) = @_;
    my $together = $pieces->together($measure, $distribution, $value, $one_in);
    my @shares = $pieces->shares($one_in);
    return $together * bounds($distribution, $one_in, $together, $pieces->widening, @shares)->{spread};
}

=head2 ladder($distribution)

The thresholds, in microseconds, that suit the data: 1, 2, 5 of each decade, from that of the upper quartile to the
first above the maximum. Those that lie inside a bin are left out.

=cut

sub ladder {
    my ($distribution) = @_;
    return unless $distribution->n;
    my @thresholds;
    for (my $exponent = _exponent($distribution->quantile(QUARTER)); ; $exponent++) {
        for my $threshold (map { 0 + "${_}e$exponent" } 1, 2, 5) {
            push @thresholds, $threshold if defined $distribution->below($threshold);
            return @thresholds if $threshold > $distribution->max;
        }
    }
}

sub _exponent {
    my ($value) = @_;
    return LEAST_EXPONENT if $value < 10**LEAST_EXPONENT;
    my ($exponent) = sprintf('%e', $value) =~ /e([-+]\d+)$/;
    return 0 + $exponent;
}

1;
