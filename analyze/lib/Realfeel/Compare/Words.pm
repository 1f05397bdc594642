# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Words;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(bounds capital effect intervals maxima until_refused);

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
    return $sentence =~ /^(?:no|the) / ? ucfirst $sentence : $sentence;
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
    return defined $high ? "up to $high" : 'not known' unless $row->{low} > 0;
    return defined $high ? "$low to $high" : "$low and more";
}

=head2 intervals($comparison)

What the stars and the intervals mean, and where they come from.

=cut

sub intervals {
    my ($comparison) = @_;
    my @rows = grep { defined $_->{ratio} } @{ $comparison->{percentiles} };
    my ($short) = grep { $_->{no_interval} } @$comparison{qw(base file)};
    return printable($short->{file}) . " $short->{no_interval}: there are no intervals; measure longer." if $short;
    my $stars = grep { $_->{differs} } @rows;
    my $lone = grep { !$_->{differs} && ($_->{low} >= 1 || defined $_->{high} && $_->{high} <= 1) } @rows;
    return join ' ',
        $stars ? '* differs beyond chance: of 20 pairs of runs alike, fewer than one has a star or such maxima.' : (),
        $lone ? 'An interval that leaves out 1 without a star may do so by chance.' : (),
        _method(@$comparison{qw(base file seed)}),
        (grep { bounds($_) eq 'not known' } @rows)
            ? 'Where one is not known, late wake-ups came in too few bursts, a run drifted, or a bin begins at 0.' : (),
        (grep { ($_->{unit} // '') ne 'runs' } @$comparison{qw(base file)})
            ? 'How runs of one kernel differ from each other is not in the intervals: repeat what matters.' : ();
}

sub _method {
    my ($base, $file, $seed) = @_;
    my @drawn = grep { $_->{blocks} } $base, $file;
    return sprintf 'Intervals: block bootstrap with seed %d, of %s and of %s.', $seed, map { _drawn($_) } @drawn
        if @drawn == 2;
    my $which = @drawn ? printable(($base->{blocks} ? $file : $base)->{file}) . ' has no slices'
        : 'the files have no slices' . ($base->{widened} || $file->{widened} ? ' of this measure' : '');
    return "Intervals: bootstrap over samples, for $which; they are "
        . ((grep { !$_->{blocks} && !$_->{widened} } $base, $file)
            ? 'too narrow where late wake-ups come in bursts.' : 'wider where the lateness shows bursts.');
}

sub _drawn {
    my ($side) = @_;
    return $side->{units} == $side->{blocks} ? "$side->{units} $side->{unit}"
        : "$side->{units} $side->{unit} in $side->{blocks} blocks";
}

=head2 effect($comparison)

How much the distributions differ as a whole.

=cut

sub effect {
    my ($comparison) = @_;
    my ($base, $file) = @{ $comparison->{names} };
    my $effect = $comparison->{effect};
    my $most = $effect->{at_us}
        ? sprintf 'the shares below a threshold differ by %s percentage points at most, at %.10g us',
            _points(100 * $effect->{distance}), $effect->{at_us}
        : 'the distributions are equal';
    my $size = $effect->{size} // 'not to be told from so few values';
    return sprintf '%s: a value of %s is greater than one of %s with probability %.3f, ties '
        . 'counted half (A12); %s (Kolmogorov-Smirnov).', $size, $file, $base, $effect->{a12}, $most;
}

sub _points {
    my ($points) = @_;
    return sprintf $points < 9.95 ? '%.2g' : '%.0f', $points;
}

=head2 maxima($comparison)

Whether the maxima differ.

=cut

sub maxima {
    my ($comparison) = @_;
    my $maxima = $comparison->{maxima};
    return 'equal.' unless $maxima->{larger};
    my ($larger, $other) = @{ $comparison->{names} }[$maxima->{larger} eq 'file' ? (1, 0) : (0, 1)];
    return sprintf 'one value each, which proves nothing. %d of %d %s of %s %s above the '
        . 'maximum of %s; chance alone brings up to %s.', @$maxima{qw(above units_of units)}, $larger,
        $maxima->{above} == 1 ? 'reaches' : 'reach', $other,
        $maxima->{by_chance} < $maxima->{units_of} ? $maxima->{by_chance} : 'all';
}

1;
