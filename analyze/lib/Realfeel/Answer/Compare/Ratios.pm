# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare::Ratios;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(ratios);

use Realfeel::Answer::Percentiles qw(JUDGED percentiles);
use Realfeel::Base::Typed qw(number truth);
use Realfeel::Stat::Intervals qw(ratio);

use constant {
    INFINITY   => 9**9**9,
    CONFIDENCE => 0.95,

    # Of pairs of equivalent runs, how many have no percentile that is said to differ. In 1 % the maxima are said to,
    # which makes 5 %.
    TOGETHER   => 0.96,
};

=head1 NAME

Realfeel::Answer::Compare::Ratios - at which percentiles two runs differ beyond chance, and by how much

=head1 FUNCTIONS

=head2 ratios($at, $base, $file)

Of two runs, each a hash of C<report>, C<measure> and C<distribution>, the percentiles, a list of hashes; with C<$at>
that percentile alone. Those of a list are judged together (Sidak).

Each has C<percentile> and C<judgement>: C<lower>, C<higher>, where FILE differs beyond chance, C<alike>, where it does
not; where that cannot be judged, what is too few in the one or the other, C<samples>, C<wakeups> or C<slices>; C<bins>,
where a value lies in an open bin; C<zero>, where one is 0; C<open>, where an end of the interval is. For C<samples>,
C<wakeups> and C<bins> C<lacking> says which lacks more, C<base>, C<file>, or C<both> as much; and there are C<needed>,
the samples or wake-ups it takes, C<wakeups>, those there are, or C<from_us>, where the open bin begins. Else there are
C<base_us> and C<file_us>, and of all but C<slices> and C<zero> C<ratio>, C<low>, C<high>, as of
L<Realfeel::Stat::Intervals>, and C<differs>, whether it does.

=cut

sub ratios {
    my ($at, @runs) = @_;
    my ($base, $file) = map { [percentiles($_->{distribution}, $_->{report}->pieces, $_->{measure}, $at // JUDGED)] }
        @runs;
    my @pairs = map { [$base->[$_], $file->[$_]] } 0 .. $#$base;
    my $judged = grep { !defined((_lack(@$_))[0]) } @pairs;
    return map { _judged($judged, @$_) } @pairs;
}

# What keeps two percentiles from being judged, and which of them lacks more of it, where one has no value. What lies in
# an open bin no number of values can tell.
sub _lack {
    my @sides = @_;
    my ($most) = sort { ($sides[$b]{more} // INFINITY) <=> ($sides[$a]{more} // INFINITY) }
        grep { $sides[$_]{lack} } 0, 1;
    return ($sides[$most]{lack}, $most) if defined $most;
    return (grep { !$_->{bounds} } @sides) ? 'slices' : (grep { $_->{value_us} <= 0 } @sides) ? 'zero' : undef;
}

sub _judged {
    my ($judged, @sides) = @_;
    my ($lack, $lacking) = _lack(@sides);
    my %row = (percentile => number($sides[0]{percentile}), judgement => $lack);
    return { %row, _lacking(@sides[$lacking, 1 - $lacking], (qw(base file))[$lacking]) } if defined $lacking;
    @row{qw(base_us file_us)} = map { number($_->{value_us}) } @sides;
    return \%row if defined $lack;
    my ($usual, $together) = map { my $level = $_; ratio((map { $_->{bounds} } @sides), $level) } CONFIDENCE,
        TOGETHER**(1 / $judged);
    my $differs = $together->{low} >= 1 ? 'higher'
        : defined $together->{high} && $together->{high} <= 1 ? 'lower' : undef;
    my $is_open = $usual->{low} == 0 || !defined $usual->{high};
    return { %row, %$usual, differs => truth(defined $differs),
        judgement => $differs // ($is_open ? 'open' : 'alike') };
}

# Of samples that do not reach, both lack the same.
sub _lacking {
    my ($side, $other, $name) = @_;
    my $lack = $side->{lack};
    my $is_of_both = $lack ne 'bins' && ($other->{lack} // '') eq $lack
        && ($lack eq 'samples' || $other->{wakeups} == $side->{wakeups});
    return (lacking => $is_of_both ? 'both' : $name, %$side{grep { exists $side->{$_} } qw(needed wakeups from_us)});
}

1;
