# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::Stationarity;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(halves neighbours runs_differ trend);

use List::Util qw(max sum0);
use POSIX qw(erfc);

use constant { TERMS => 100, LEAST_ARGUMENT => 0.2 };

=head1 NAME

Realfeel::Tail::Stationarity - whether a series keeps its distribution from its beginning to its end

=head1 DESCRIPTION

Each test takes one or more series, each an array of values in the order of time, which are looked at apart and judged
together. It uses ranks or signs alone, so the values may have any distribution. It returns the statistic and its p
value, from approximations that are good for 25 values and more.

=head1 FUNCTIONS

=head2 trend(@series)

Whether the values rise or fall: Kendall's tau with the time, after Mann, ties allowed for.

=cut

sub trend {
    my @series = @_;
    my ($score, $pairs, $variance) = (0, 0, 0);
    for my $values (@series) {
        my $n = @$values;
        $score    += _rises($values);
        $pairs    += $n * ($n - 1) / 2;
        $variance += sum0(_spread($n), map { -_spread($_) } _ties(@$values)) / 18;
    }
    return (0, 1) unless $variance > 0;
    return ($score / $pairs, _two_sided(max(0, abs($score) - 1) / sqrt $variance));
}

sub _rises {
    my ($values) = @_;
    my $score = 0;
    for my $later (1 .. $#$values) {
        my $value = $values->[$later];
        $score += $value <=> $_ for @$values[0 .. $later - 1];
    }
    return $score;
}

sub _spread {
    my ($n) = @_;
    return $n * ($n - 1) * (2 * $n + 5);
}

# How many values are equal, for each value.
sub _ties {
    my %count;
    $count{$_}++ for @_;
    return values %count;
}

sub _two_sided {
    my ($z) = @_;
    return erfc(abs($z) / sqrt 2);
}

=head2 halves(@series)

Whether the first halves of the series and the second halves have one distribution: the distance of Kolmogorov and
Smirnov.

=cut

sub halves {
    my @series = @_;
    my @first  = sort { $a <=> $b } map { @$_[0 .. int(@$_ / 2) - 1] } @series;
    my @second = sort { $a <=> $b } map { @$_[@$_ - int(@$_ / 2) .. $#$_] } @series;
    return (0, 1) unless @first;
    my $distance = _distance(\@first, \@second);
    my $n = sqrt(@first * @second / (@first + @second));
    return ($distance, _kolmogorov(($n + 0.12 + 0.11 / $n) * $distance));
}

sub _distance {
    my ($one, $other) = @_;
    my ($i, $j, $distance) = (0, 0, 0);
    while ($i < @$one && $j < @$other) {
        my $x = $one->[$i] < $other->[$j] ? $one->[$i] : $other->[$j];
        $i++ while $i < @$one   && $one->[$i] <= $x;
        $j++ while $j < @$other && $other->[$j] <= $x;
        $distance = max($distance, abs($i / @$one - $j / @$other));
    }
    return $distance;
}

sub _kolmogorov {
    my ($x) = @_;
    return 1 if $x < LEAST_ARGUMENT;
    my $p = 2 * sum0 map { ($_ % 2 ? 1 : -1) * exp(-2 * ($_ * $x)**2) } 1 .. TERMS;
    return $p < 0 ? 0 : $p > 1 ? 1 : $p;
}

=head2 neighbours(@series)

Whether values that follow each other are more alike, or less, than others: the serial correlation of the ranks.

=cut

sub neighbours {
    my @series = map { [_ranks(@$_)] } @_;
    my ($n, $product, $square) = (0, 0, 0);
    for my $ranks (@series) {
        my $mean = (@$ranks + 1) / 2;
        my @offset = map { $_ - $mean } @$ranks;
        $n       += @offset;
        $product += $offset[$_] * $offset[ $_ - 1 ] for 1 .. $#offset;
        $square  += $_**2 for @offset;
    }
    return (0, 1) unless $square > 0;
    my $correlation = $product / $square;
    return ($correlation, _two_sided(($correlation + @series / $n) * sqrt $n));
}

# Each value's place in ascending order, from 1; equal values share the mean of their places.
sub _ranks {
    my @values = @_;
    my @order = sort { $values[$a] <=> $values[$b] } 0 .. $#values;
    my (@ranks, $next);
    for (my $first = 0; $first < @order; $first = $next) {
        $next = $first + 1;
        $next++ while $next < @order && $values[ $order[$next] ] == $values[ $order[$first] ];
        @ranks[@order[$first .. $next - 1]] = (($first + 1 + $next) / 2) x ($next - $first);
    }
    return @ranks;
}

=head2 runs_differ(@series)

Whether the series have one distribution: the statistic of Kruskal and Wallis. One series does not differ.

=cut

sub runs_differ {
    my @series = grep { @$_ } @_;
    return (0, 1) if @series < 2;
    my @ranks = _ranks(map { @$_ } @series);
    my ($n, $sum) = (scalar @ranks, 0);
    my $middle = ($n + 1) / 2;
    my $square = sum0 map { ($_ - $middle)**2 } @ranks;
    return (0, 1) unless $square > 0;
    for my $values (@series) {
        my $m = @$values;
        $sum += $m * (sum0(splice @ranks, 0, $m) / $m - $middle)**2;
    }
    my $statistic = ($n - 1) * $sum / $square;
    return ($statistic, _beyond_chi_square($statistic, @series - 1));
}

# After Wilson and Hilferty: the cube root is nearly normal.
sub _beyond_chi_square {
    my ($x, $freedom) = @_;
    my $variance = 2 / (9 * $freedom);
    return erfc((($x / $freedom)**(1 / 3) - 1 + $variance) / sqrt(2 * $variance)) / 2;
}

1;
