# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare::Summary;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(summed_up);

use List::Util qw(first);
use Realfeel::Base::Typed qw(number text);

use constant JUDGED => { map { $_ => 1 } qw(lower higher unknown) };
use constant OPPOSITE => { lower => 'higher', higher => 'lower' };
use constant NO_VALUE => { map { $_ => 1 } qw(samples bins) };

=head1 NAME

Realfeel::Answer::Compare::Summary - what the percentiles of a comparison come to

=head1 FUNCTIONS

=head2 summed_up(@percentiles)

Takes the percentiles of L<Realfeel::Answer::Compare::Ratios>, from the lowest to the highest. Returns a hash:

C<code>: C<differs>, where any differs beyond chance; C<unknown>, where none does; C<unjudged>, where none can be
judged. C<differences>: the highest percentile that differs, and the highest that differs the other way, if any;
C<unknown>: the percentiles above those of C<differences> of which it is not known whether they differ, an array of
C<percentile>, C<low> and C<high>; C<unjudged>: those that have a value and cannot be judged; and C<lacking>: the lowest
that has none, of which there is too little, else undef.

A difference is C<percentile>, C<direction>, C<lower> or C<higher>, C<factor>, how many times, and its interval,
C<least> to C<most>, undef where that has no end; and C<base_us> and C<file_us>.

=cut

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

# Of a value that is lower, the factor is that of the other one to it.
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
