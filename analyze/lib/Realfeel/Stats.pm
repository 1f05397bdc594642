# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stats;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(exceedance ladder percentiles summary);

use List::Util qw(max);
use POSIX qw(ceil);
use Realfeel::Chance qw(order_statistics rate_limit);
use Realfeel::Dependence;
use Realfeel::Modes qw(modes);
use Realfeel::Units qw(us);

use constant {
    # A percentile is supported when this many values, of as many independent bursts, lie beyond it.
    BEYOND => 10,

    # Each percentile, and the n of "one in n values lies beyond".
    PERCENTILES => [
        [50, 2], [90, 10], [99, 100], [99.9, 1000], [99.99, 10_000], [99.999, 100_000], [99.9999, 1_000_000],
    ],
    QUARTER          => 4,
    LEAST_EXPONENT   => -2,     # of a threshold: the finest bin edge is 0.01 us
};

=head1 NAME

Realfeel::Stats - what is said of a distribution

=head1 FUNCTIONS

=head2 summary($distribution, $dependence, $measure)

A hash: C<count>; C<min_us>, C<mean_us>, C<sd_us>, C<median_us>, C<mode_us>, C<max_us>, each undef where there are too
few values; C<modes>, see L<Realfeel::Modes>; C<percentiles>, an array of hashes C<percentile>, C<value_us> and its 95 %
confidence interval C<low_us> to C<high_us>, each undef where the data set no bound, with C<open>, the reason why they
set none at all, if so; or, where the value is undef, C<reason> and C<more>, the number of values that it needs beyond
those there are, undef when it lies in an open bin, and, where only bursts are too few, C<roughly_us>, the value without
its interval, and C<bursts>, their number; C<below>, the ladder, an array of hashes C<threshold_us>, C<count>; and
C<above_max>, an exceedance. L<Realfeel::Dependence> says how far the values of the C<$measure> depend on each other;
without it each is independent.

=cut

sub summary {
    my ($distribution, $dependence, $measure) = @_;
    my ($mode) = $distribution->mode;
    my @values = ($distribution, $dependence, $measure);
    return {
        count       => $distribution->n,
        mode_us     => $mode,
        modes       => [modes($distribution)],
        (map { ("${_}_us" => scalar $distribution->$_) } qw(min mean sd median max)),
        percentiles => [percentiles(@values)],
        below       => [map { { threshold_us => $_, count => $distribution->below($_) } } ladder($distribution)],
        above_max   => $distribution->n ? exceedance(@values, $distribution->max) : undef,
    };
}

=head2 percentiles($distribution, $dependence, $measure)

Those of a summary alone, as a list.

=cut

sub percentiles {
    my ($distribution, $dependence, $measure) = @_;
    my @values = ($distribution, $dependence // Realfeel::Dependence->none, $measure);
    return map { _percentile(@values, @$_) } @{ PERCENTILES() };
}

sub _percentile {
    my ($distribution, $dependence, $measure, $percentile, $one_in) = @_;
    my ($n, $needed) = ($distribution->n, BEYOND * $one_in);
    return _refusal($percentile, $needed - $n, "needs $needed samples") if $n < $needed;
    my ($edge, $value) = $distribution->beyond($n / $one_in);
    my $open = $distribution->open_from;
    return _refusal($percentile, undef, 'at least ' . us($open)) if defined $open && $edge >= $open;
    my $beyond = $dependence->beyond($measure, $distribution, $edge, $one_in);
    my $bursts = $beyond->{episodes};
    my $more = ceil($n * (BEYOND / max($bursts, 1) - 1));
    return {
        %{ _refusal($percentile, $more, int($bursts) . ' of ' . BEYOND . ' bursts') },
        roughly_us => $value, bursts => max(1, int $bursts),
    } if $bursts < BEYOND;
    return { percentile => $percentile, value_us => $value, _interval($distribution, $beyond, $one_in) };
}

sub _refusal {
    my ($percentile, $more, $reason) = @_;
    return { percentile => $percentile, value_us => undef, reason => $reason, more => $more };
}

# Fewer values, but independent ones, would vary as much as these do.
sub _interval {
    my ($distribution, $beyond, $one_in) = @_;
    my ($spread, $unknown) = @$beyond{qw(spread unknown)};
    return (low_us => undef, high_us => undef, open => $unknown) if defined $unknown;
    my ($most, $least) = order_statistics($distribution->n / $spread, $one_in);
    my ($low) = $distribution->beyond($most * $spread);
    my (undef, $high) = defined $least ? $distribution->beyond($least * $spread) : ();
    return map { $_->[0] => defined $_->[1] ? 0 + $_->[1] : undef } [low_us => $low], [high_us => $high];
}

=head2 exceedance($distribution, $dependence, $measure, $threshold)

How often values lie above a threshold: C<threshold_us>, C<count>, how many did, and C<fewer_than_one_in>: so many
values or more there are for each that does, with 95 % confidence. Where none was seen, three bursts might have been
missed (the rule of three), each as large as those beyond the highest percentile that has enough of them. What cannot be
told is undef.

=cut

sub exceedance {
    my ($distribution, $dependence, $measure, $threshold) = @_;
    my %exceedance = (threshold_us => $threshold, count => undef, fewer_than_one_in => undef);
    my $n = $distribution->n;
    my $below = $threshold >= $distribution->max ? $n : $distribution->below($threshold) // return \%exceedance;
    my $count = $exceedance{count} = $n - $below;
    $dependence //= Realfeel::Dependence->none;
    my $beyond = $count ? $dependence->beyond($measure, $distribution, $threshold, $n / $count)
        : _of_the_highest($distribution, $dependence, $measure);
    return \%exceedance if defined $beyond->{unknown};
    my $spread = $beyond->{spread};
    my $most = $spread * rate_limit($count / $spread);
    $exceedance{fewer_than_one_in} = int($n / $most) if $n >= 2 * $most;
    return \%exceedance;
}

sub _of_the_highest {
    my ($distribution, $dependence, $measure) = @_;
    my $highest;
    for (map { $_->[1] } @{ PERCENTILES() }) {
        my ($edge) = $distribution->beyond($distribution->n / $_);
        last unless defined $edge;
        my $beyond = $dependence->beyond($measure, $distribution, $edge, $_);
        return $beyond if defined $beyond->{unknown};
        return $highest // $beyond if $beyond->{episodes} < BEYOND;
        $highest = $beyond;
    }
    return $highest // { spread => 1 };
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
