# SPDX-License-Identifier: GPL-2.0-or-later
# What the percentiles of a comparison amount to.
package Realfeel::Answer::Compare::Summary;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(summed_up);

use List::Util qw(first);
use Realfeel::Base::Typed qw(number text);

use constant JUDGED => { map { $_ => 1 } qw(lower higher unknown) };
use constant OPPOSITE => { lower => 'higher', higher => 'lower' };
use constant NO_VALUE => { map { $_ => 1 } qw(samples bins) };

# Takes the percentiles of Compare::Ratios, lowest first. Returns a hash of code: differs, if any does beyond chance;
# else unknown, or unjudged if none could be judged; differences: the highest percentile that differs, and the highest
# that differs the other way, if any; unknown: those above the differences for which it is unknown, hashes of
# percentile, low and high; unjudged: those with values that could not be judged; and lacking: the lowest without a
# value, undef if all have one.
#
# A difference has percentile, direction (lower, higher), factor with its interval least to most, undef if open, base_us
# and file_us.
sub summed_up (@rows) {
    my @judged = grep { JUDGED->{ $_->{judgement} } } reverse @rows;
    my $first = first { $_->{differs} } @judged;
    my $other = $first && first { $_->{judgement} eq OPPOSITE->{ $first->{judgement} } } @judged;
    my @unknown = grep { $_->{judgement} eq 'unknown' && (!$first || $_->{percentile} > $first->{percentile}) } @rows;
    return {
        code        => !@judged ? 'unjudged' : $first ? 'differs' : 'unknown',
        differences => [map { _difference($_->{judgement}, $_) } grep { defined } $first, $other],
        unknown     => [map { my $row = $_; +{ map { $_ => $row->{$_} } qw(percentile low high) } } @unknown],
        unjudged    => [grep { !JUDGED->{ $_->{judgement} } && !NO_VALUE->{ $_->{judgement} } } @rows],
        lacking     => scalar(first { NO_VALUE->{ $_->{judgement} } } @rows),
    };
}

# For a lower value, the factor is that of the other to it
sub _difference ($direction, $row) {
    my ($ratio, $low, $high) = @$row{qw(ratio low high)};
    my ($factor, $least, $most) = $direction eq 'higher' ? ($ratio, $low, $high)
        : (1 / $ratio, 1 / $high, $low > 0 ? 1 / $low : undef);
    return {
        percentile => $row->{percentile},
        direction  => text($direction),
        factor     => number($factor),
        least      => number($least),
        most       => number($most),
        base_us    => $row->{base_us},
        file_us    => $row->{file_us},
    };
}

1;
