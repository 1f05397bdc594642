# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stats;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(ladder summary);

use constant {
    # A percentile is given when this many samples lie beyond it.
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

=head2 summary($distribution)

A hash: C<count>; C<min_us>, C<mean_us>, C<sd_us>, C<median_us>, C<mode_us>, C<max_us>, each undef where there are too
few values; C<percentiles>, an array of hashes C<percentile>, C<value_us> and, where the value is undef, C<reason>; and
C<below>, the ladder, an array of hashes C<threshold_us>, C<count>.

=cut

sub summary {
    my ($distribution) = @_;
    my ($mode) = $distribution->mode;
    return {
        count       => $distribution->n,
        mode_us     => $mode,
        (map { ("${_}_us" => scalar $distribution->$_) } qw(min mean sd median max)),
        percentiles => [map { _percentile($distribution, @$_) } @{ PERCENTILES() }],
        below       => [map { { threshold_us => $_, count => $distribution->below($_) } } ladder($distribution)],
    };
}

sub _percentile {
    my ($distribution, $percentile, $one_in) = @_;
    my $needed = BEYOND * $one_in;
    return { percentile => $percentile, value_us => undef, reason => "needs $needed samples" }
        if $distribution->n < $needed;
    return { percentile => $percentile, value_us => $distribution->quantile($one_in) };
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
