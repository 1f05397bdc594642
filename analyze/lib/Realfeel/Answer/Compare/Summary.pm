# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare::Summary;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(summed_up);

use List::Util qw(first);
use Realfeel::Base::Typed qw(number text);

use constant JUDGED => { map { $_ => 1 } qw(lower higher alike) };
use constant OPPOSITE => { lower => 'higher', higher => 'lower' };
use constant NO_VALUE => { map { $_ => 1 } qw(samples wakeups bins) };

=head1 NAME

Realfeel::Answer::Compare::Summary - what the percentiles of a comparison come to

=head1 FUNCTIONS

=head2 summed_up(@percentiles)

Takes the percentiles of L<Realfeel::Answer::Compare::Ratios>, from the lowest to the highest. Returns a hash:

C<code>: C<differs>, where any differs beyond chance; C<alike>, where none does; C<unjudged>, where none can be judged.
C<differences>: the highest percentile that differs, and the highest that differs the other way, if any; C<perhaps>: a
higher one that leans the other way, so that only more data can tell, else undef; C<highest>: the highest that is
judged, undef where none is; C<alike>: the percentiles above those of C<differences> that do not differ; C<possible>,
where C<code> is C<alike>: how far the highest one that is known on both sides may differ nevertheless, C<percentile>,
C<low> and C<high>, else undef; C<unjudged>: those that have a value and cannot be judged; and C<lacking>: the lowest
that has none, of which there is too little, else undef.

A difference is C<percentile>, C<direction>, C<lower> or C<higher>, C<factor>, how many times, and its interval,
C<least> to C<most>, undef where that has no end; and C<base_us> and C<file_us>.

=cut

sub summed_up {
    my @rows = @_;
    my @judged = grep { JUDGED->{ $_->{judgement} } } reverse @rows;
    my $first = first { $_->{differs} } @judged;
    my $opposite = $first && OPPOSITE->{ $first->{judgement} };
    my $other = $first && first { $_->{judgement} eq $opposite } @judged;
    my @higher = grep { $first && $_->{ratio} && $_->{percentile} > $first->{percentile} } reverse @rows;
    my $leaning = first { _leans($_) eq $opposite } @higher;
    return {
        code        => !@judged ? 'unjudged' : $first ? 'differs' : 'alike',
        differences => [map { _difference($_->{judgement}, $_) } grep { defined } $first, $other],
        perhaps     => $leaning ? _difference($opposite, $leaning) : undef,
        highest     => @judged ? $judged[0]{percentile} : undef,
        alike       => [map { $_->{percentile} } grep { $_->{judgement} eq 'alike' } reverse @higher],
        possible    => $first ? undef : _possible(@judged),
        unjudged    => [grep { !JUDGED->{ $_->{judgement} } && !NO_VALUE->{ $_->{judgement} } } @rows],
        lacking     => scalar(first { NO_VALUE->{ $_->{judgement} } } @rows),
    };
}

# To which side the whole interval lies.
sub _leans {
    my ($row) = @_;
    return defined $row->{high} && $row->{high} < 1 ? 'lower' : $row->{low} > 1 ? 'higher' : 'neither';
}

# Of a value that is lower, the factor is that of the other one to it.
sub _difference {
    my ($direction, $row) = @_;
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

# How large a difference may be that was not found.
sub _possible {
    my $row = first { $_->{low} > 0 && defined $_->{high} && $_->{low} < 1 && $_->{high} > 1 } @_ or return undef;
    return { map { $_ => $row->{$_} } qw(percentile low high) };
}

1;
