# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::GoodnessOfFit;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(anderson_darling chance dip gap);

use List::Util qw(max min);

use constant {
    DRAWINGS => 499,
    ENOUGH   => 10,         # this many drawings that are as bad show that the data are not remarkable
    CERTAIN  => 1e-12,
    FEW      => 3,          # of the latest values two may be far off by chance, as heavy tails have it
};

=head1 NAME

Realfeel::Tail::GoodnessOfFit - how far a sample is from a distribution, and whether chance explains it

=head1 FUNCTIONS

=head2 anderson_darling(@probabilities)

The distance of Anderson and Darling. The probabilities are those that the distribution gives to values as small as the
sample's, ascending. Both tails count more than the middle.

=cut

sub anderson_darling {
    my @p = map { min(1 - CERTAIN, max(CERTAIN, $_)) } @_;
    my ($n, $sum) = (scalar @p, 0);
    $sum += (2 * $_ + 1) * log($p[$_] * (1 - $p[-1 - $_])) for 0 .. $#p;
    return -$n - $sum / $n;
}

=head2 dip(@ascending)

The dip of Hartigan and Hartigan (1985): how far the sample's distribution function is from the nearest one that has a
single mode. 1 / 2n when it has one, near 1/4 when it has two far apart.

=cut

sub dip {
    my @x = @_;
    my ($n, $low, $high, $dip) = (scalar @x, 0, $#_, 1);
    return 0 if $x[0] == $x[-1];
    while (1) {
        my @minorant = _hull(\@x, 1, $low .. $high);
        my @majorant = _hull(\@x, -1, $low .. $high);
        my ($apart, $from, $to) = _widest(\@x, \@minorant, \@majorant);
        last if $apart <= $dip || $from == $low && $to == $high;
        $dip = max($dip, _off(\@x, 1, $low, $from, @minorant), _off(\@x, -1, $to, $high, @majorant));
        ($low, $high) = ($from, $to);
    }
    return $dip / (2 * $n);
}

# The corners of the greatest convex minorant ($sense 1) or the least concave majorant (-1) of the points, which are a
# value and its index.
sub _hull {
    my ($x, $sense, @points) = @_;
    my @hull;
    for my $i (@points) {
        pop @hull while @hull > 1 && $sense * (($i - $hull[-1]) * ($x->[ $hull[-1] ] - $x->[ $hull[-2] ])
            - ($hull[-1] - $hull[-2]) * ($x->[$i] - $x->[ $hull[-1] ])) <= 0;
        push @hull, $i;
    }
    return @hull;
}

# The height of a hull at the value with index $i.
sub _height {
    my ($x, $i, $left, $right) = @_;
    my $width = $x->[$right] - $x->[$left];
    return $width > 0 ? $left + ($right - $left) * ($x->[$i] - $x->[$left]) / $width : $right;
}

# Where the hulls are furthest apart, in steps of the distribution function, and the corners on both sides of that.
sub _widest {
    my ($x, $minorant, $majorant) = @_;
    my ($apart, $from, $to) = (0, $minorant->[0], $majorant->[-1]);
    my $look = sub {
        my ($distance, $left, $right) = @_;
        ($apart, $from, $to) = ($distance, $left, $right) if $distance > $apart;
    };
    my $j = 1;
    for my $i (@$minorant) {
        $j++ while $j < $#$majorant && $majorant->[$j] < $i;
        $look->(_height($x, $i, @$majorant[$j - 1, $j]) - $i + 1, $i, max($i, $majorant->[$j]));
    }
    $j = 1;
    for my $i (@$majorant) {
        $j++ while $j < $#$minorant && $minorant->[$j] < $i;
        $look->($i - _height($x, $i, @$minorant[$j - 1, $j]) + 1, min($i, $minorant->[ $j - 1 ]), $i);
    }
    return ($apart, $from, $to);
}

# How far the points from $low to $high are from the hull, at most.
sub _off {
    my ($x, $sense, $low, $high, @hull) = @_;
    my ($j, $off) = (1, 0);
    for my $i ($low .. $high) {
        $j++ while $j < $#hull && $hull[$j] < $i;
        $off = max($off, $sense * ($i - _height($x, $i, @hull[$j - 1, $j])) + 1);
    }
    return $off;
}

=head2 gap(@ascending)

The widest gap in the upper half of a sample whose tail is exponential with a mean of 1, in terms of the one expected
there: after Renyi the gap below the k largest is 1 / k. Gaps below fewer than three are left out.

=cut

sub gap {
    my @x = @_;
    return max(0, map { $_ * ($x[-$_] - $x[-$_ - 1]) } FEW .. int(@x / 2));
}

=head2 chance($statistic, $drawing)

The share of drawings whose statistic is as large or larger. C<$drawing> returns one. After Besag and Clifford (1991) it
stops as soon as ten were, else after 499, counting the sample itself as one more: a p value in both cases.

=cut

sub chance {
    my ($statistic, $drawing) = @_;
    my $as_large = 0;
    for my $drawings (1 .. DRAWINGS) {
        $as_large++ if $drawing->() >= $statistic;
        return ENOUGH / $drawings if $as_large == ENOUGH;
    }
    return ($as_large + 1) / (DRAWINGS + 1);
}

1;
