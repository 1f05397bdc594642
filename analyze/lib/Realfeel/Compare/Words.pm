# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Words;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(bounds capital intervals maxima measure sentence until_refused);

use Realfeel::Compare::Conclusion qw(conclusion);
use Realfeel::Units qw(decimal printable);

=head1 NAME

Realfeel::Compare::Words - the sentences that explain a comparison

=head1 FUNCTIONS

All take a L<Realfeel::Compare>, unless something else is said.

=head2 capital($sentence)

The sentence with a capital, unless it begins with a name: then it begins as the name does.

=cut

sub capital {
    my ($sentence) = @_;
    return $sentence =~ /^(?:no|the|in|over|identical) / ? ucfirst $sentence : $sentence;
}

=head2 sentence($comparison)

The conclusion, or that there is nothing to conclude.

=cut

sub sentence {
    my ($comparison) = @_;
    return $comparison->{identical} ? 'identical runs.' : conclusion($comparison);
}

=head2 measure($comparison)

What is compared: of interval errors, also how the early ones count.

=cut

sub measure {
    my ($comparison) = @_;
    my $errors = $comparison->{interval_errors} // return 'lateness';
    return $errors eq 'absolute' ? 'absolute interval error' : "interval error, $errors";
}

=head2 until_refused(@percentiles)

The percentiles up to the first that is refused, which says enough of those above it.

=cut

sub until_refused {
    my @rows;
    for my $row (@_) {
        push @rows, $row;
        last if $row->{reason};
    }
    return @rows;
}

=head2 bounds($percentile)

The interval of its ratio.

=cut

sub bounds {
    my ($row) = @_;
    my ($low, $high) = map { defined $_ ? decimal($_, 3) : undef } @$row{qw(low high)};
    return defined $high ? "up to $high" : 'unknown' unless $row->{low} > 0;
    return defined $high ? "$low to $high" : "$low and more";
}

=head2 intervals($comparison)

What the stars and the intervals mean, and where they come from.

=cut

sub intervals {
    my ($comparison) = @_;
    my @rows = grep { defined $_->{ratio} } @{ $comparison->{percentiles} };
    my ($short) = grep { $_->{no_interval} } @$comparison{qw(base file)};
    return printable($short->{file}) . ": no intervals: $short->{no_interval}; measure longer." if $short;
    my $stars = grep { $_->{differs} } @rows;
    my $lone = grep { !$_->{differs} && ($_->{low} >= 1 || defined $_->{high} && $_->{high} <= 1) } @rows;
    return join ' ',
        $stars ? '* differs beyond chance: fewer than 1 in 20 pairs of equivalent runs show this, or such maxima.' : (),
        $lone ? 'Without a star, an interval may exclude 1 by chance.' : (),
        _method(@$comparison{qw(base file seed)}),
        (grep { bounds($_) eq 'unknown' } @rows)
            ? 'An interval is unknown if late wake-ups come in too few bursts, the load wanders, or a bin starts at 0.'
            : (),
        (grep { ($_->{unit} // '') ne 'runs' } @$comparison{qw(base file)})
            ? 'The intervals do not cover differences between runs of the same kernel: repeat the runs.' : ();
}

sub _method {
    my ($base, $file, $seed) = @_;
    my @without = grep { !$_->{units} } $base, $file;
    return 'Intervals take each sample of ' . join(' and ', map { printable($_->{file}) } @without)
        . ' as independent, without slices: too narrow if late wake-ups come in bursts.' if @without;
    my ($ours, $theirs) = map { "$_->{units} " . ($_->{unit} eq 'runs' ? 'runs' : 'parts') } $base, $file;
    return "Intervals: from the differences between $ours of BASE and between $theirs of FILE;"
        . " percentiles are judged together, seed $seed.";
}

=head2 maxima($comparison)

Whether the maxima differ.

=cut

sub maxima {
    my ($comparison) = @_;
    my $maxima = $comparison->{maxima};
    return 'equal.' unless $maxima->{larger};
    my ($larger, $other) = @{ $comparison->{names} }[$maxima->{larger} eq 'file' ? (1, 0) : (0, 1)];
    return sprintf 'each maximum is a single observation. %d of %d %s of %s %s the maximum of '
        . '%s; chance alone explains up to %s.', @$maxima{qw(above units unit)}, $larger,
        $maxima->{above} == 1 ? 'exceeds' : 'exceed', $other,
        $maxima->{by_chance} < $maxima->{units} ? $maxima->{by_chance} : 'all';
}

1;
