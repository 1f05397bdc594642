# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Percentiles;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(BEYOND intervals is_percentile ladder percentiles summary);

use Realfeel::Base::Typed qw(number);
use Realfeel::Stat::Intervals;
use Realfeel::Stat::Pieces;

use constant {
    BEYOND => 10,           # a percentile has a value when so many lie beyond it

    # Each percentile, and the n of "one in n values lies beyond".
    PERCENTILES => [
        [50, 2], [90, 10], [95, 20], [99, 100], [99.9, 1000], [99.99, 10_000], [99.999, 100_000],
        [99.9999, 1_000_000],
    ],
    QUARTER          => 4,
    LEAST_EXPONENT   => -2,     # of a threshold: the finest bin edge is 0.01 us
};

=head1 NAME

Realfeel::Answer::Percentiles - what is said of a distribution

=head1 FUNCTIONS

C<BEYOND> is how many values lie beyond a percentile that has a value, at least.

=head2 is_percentile($name)

Whether there is one of that name: C<p50>, C<p99.9>.

=cut

sub is_percentile ($name) {
    return scalar grep { $name eq "p$_->[0]" } @{ PERCENTILES() };
}

=head2 summary($distribution, $pieces, $measure)

A hash: C<count>; C<min_us>, C<mean_us>, C<sd_us>, C<mode_us>, C<max_us>, each undef where there are too few values;
C<percentiles>, see below; and C<below>, the ladder, an array of hashes C<threshold_us>, C<count>.

=cut

sub summary ($distribution, $pieces = undef, $measure = undef) {
    my ($mode) = $distribution->mode;
    return {
        count       => number($distribution->n),
        mode_us     => number($mode),
        (map { ("${_}_us" => number(scalar $distribution->$_)) } qw(min mean sd max)),
        percentiles => [percentiles($distribution, $pieces, $measure)],
        below       => [map { { threshold_us => number($_), count => number($distribution->below($_)) } }
            ladder($distribution)],
    };
}

=head2 percentiles($distribution, $pieces, $measure, @wanted)

All that are listed, or those that are wanted: a list of hashes C<percentile>, C<value_us>, and its 95 % confidence
interval, C<low_us> to C<high_us>, each undef where the data set no bound, with C<open>, C<short>, where the run is too
short to set any; or, where the value is undef, C<lack>: C<samples> are too few, of which so many are C<needed>, C<more>
than there are, and C<roughly_us>, the value, if any lies beyond it; or C<bins>, as the value lies in an open one, which
begins at C<from_us>. Without L<Realfeel::Stat::Pieces> there are no intervals.

=cut

sub percentiles ($distribution, $pieces, $measure, @wanted) {
    my %is_wanted = map { $_ => 1 } @wanted;
    my $intervals = $pieces && intervals($distribution, $pieces, $measure);
    my $interval = !$pieces ? sub { } : !$intervals ? sub { (undef, undef, $pieces->unknown) }
        : sub { $intervals->interval(@_) };
    return map { _percentile($distribution, $interval, @$_) } grep { !@wanted || $is_wanted{ $_->[0] } }
        @{ PERCENTILES() };
}

sub _percentile ($distribution, $interval, $percentile, $one_in) {
    my ($n, $needed) = ($distribution->n, BEYOND * $one_in);
    my ($edge, $value) = $distribution->beyond($n / $one_in);
    my $from = $distribution->open_from;
    my $is_open = defined $from && defined $edge && $edge >= $from;
    my %given = (percentile => $percentile, value_us => undef);
    return { %given, lack => 'samples', more => $needed - $n, needed => $needed,
        $n >= $one_in && !$is_open ? (roughly_us => number($value)) : () } if $n < $needed;
    return { %given, lack => 'bins', more => undef, from_us => number($from) } if $is_open;
    my ($low, $high, $open) = $interval->($one_in);
    return { %given, value_us => number($value), low_us => number($low), high_us => number($high),
        defined $open ? (open => $open) : () };
}

=head2 intervals($distribution, $pieces, $measure)

The L<Realfeel::Stat::Intervals> from which these come; undef where the run is too short.

=cut

sub intervals ($distribution, $pieces, $measure) {
    return defined $pieces->unknown ? undef : Realfeel::Stat::Intervals->new($distribution, $pieces, $measure);
}

=head2 ladder($distribution)

The thresholds, in microseconds, that suit the data: 1, 2, 5 of each decade, from that of the upper quartile to the
first above the maximum. Those that lie inside a bin are left out.

=cut

sub ladder ($distribution) {
    return unless $distribution->n;
    my @thresholds;
    for (my $exponent = _exponent($distribution->quantile(QUARTER)); ; $exponent++) {
        for my $threshold (map { 0 + "${_}e$exponent" } 1, 2, 5) {
            push @thresholds, $threshold if defined $distribution->below($threshold);
            return @thresholds if $threshold > $distribution->max;
        }
    }
}

sub _exponent ($value) {
    return LEAST_EXPONENT if $value < 10**LEAST_EXPONENT;
    my ($exponent) = sprintf('%e', $value) =~ /e([-+]\d+)$/;
    return 0 + $exponent;
}

1;
