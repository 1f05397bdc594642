# SPDX-License-Identifier: GPL-2.0-or-later
# What is said of a distribution.
package Realfeel::Answer::Percentiles;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(BEYOND intervals is_percentile ladder percentiles summary);

use Realfeel::Base::Typed qw(number);
use Realfeel::Stat::Intervals;
use Realfeel::Stat::Pieces;

use constant {
    BEYOND => 10,           # a percentile has a value when so many lie beyond it

    # Each percentile, and the N of "one in N lies beyond"
    PERCENTILES => [
        [50, 2], [90, 10], [95, 20], [99, 100], [99.9, 1000], [99.99, 10_000], [99.999, 100_000],
        [99.9999, 1_000_000],
    ],
    QUARTER          => 4,
    LEAST_EXPONENT   => -2,     # of a threshold: the finest bin edge is 0.01 us
};

# By name: p50, p99.9
sub is_percentile ($name) {
    return scalar grep { $name eq "p$_->[0]" } @{ PERCENTILES() };
}

# A hash of count; min_us, mean_us, sd_us, mode_us and max_us, undef with too few values; percentiles, see below; and
# below, the ladder: hashes of threshold_us and count
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

# Those listed, or @wanted: hashes of percentile, value_us and its 95 % interval low_us to high_us, undef where the data
# give no bound; open: "short" if the run is too short for any. Or, without a value, lack: "samples", with needed, more,
# how many are missing, and roughly_us, the value if anything lies beyond; or "bins", the open bin that begins at
# from_us. Without pieces there are no intervals.
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

# The Stat::Intervals behind these; undef if the run is too short
sub intervals ($distribution, $pieces, $measure) {
    return defined $pieces->unknown ? undef : Realfeel::Stat::Intervals->new($distribution, $pieces, $measure);
}

# Thresholds in us that suit the data: 1, 2, 5 of each decade from that of the upper quartile to the first above the
# maximum, without those inside a bin
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
