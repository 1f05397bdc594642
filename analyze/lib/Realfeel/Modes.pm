# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Modes;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(modes);

use List::Util qw(any max min sum0);

use constant {
    PER_DECADE => 20,
    LEAST_US   => 0.1,          # below, the bins are as wide as the cells
    DEEP       => 0.5,          # of the lower peak: a valley between two modes is not higher
    SURE       => 4,            # standard deviations by which the lower peak must rise above the valley
};

=head1 NAME

Realfeel::Modes - the values around which a distribution gathers

=head1 FUNCTIONS

=head2 modes($distribution)

A list of hashes, by ascending value: C<value_us>, the middle of the densest bin, C<from_us> and C<to_us>, the valleys
on its sides, and C<count>, how many values lie between them. Density is counted for the logarithm of the values, in 20
cells to a decade; a bin that is wider is a cell. Two peaks are two modes when the valley between them is half as deep
as the lower one, and that is no chance. Values below 0.1 us are one cell. Where there are values below 0 the list is
empty, for they have no logarithm; nor is there one in an open last bin.

=cut

sub modes {
    my ($distribution) = @_;
    my @bins = $distribution->cells;
    pop @bins if defined $distribution->open_from;
    return () if any { $_->[0] < 0 } @bins;
    my @cells = _cells(@bins) or return ();
    my @bounds = (-1, _valleys(map { $_->{count} / $_->{cells} } @cells), $#cells);
    return map { _mode(@cells[$bounds[$_] + 1 .. $bounds[ $_ + 1 ]]) } 0 .. $#bounds - 1;
}

# Each cell is how many steps of the scale it is wide, its count and its bins. Those without a bin are one.
sub _cells {
    my ($end_us, $end, @cells) = (-1, 0);
    for my $bin (@_) {
        if ($bin->[0] >= $end_us) {
            my ($from, $to) = map { _steps($_) } @$bin[0, 1];
            my $first = int $from;
            push @cells, { cells => $first - $end, count => 0, bins => [] } if @cells && $first > $end;
            push @cells, { cells => max(1, $to - $from), count => 0, bins => [] };
            ($end, $end_us) = $to - $from > 1 ? ($to, $bin->[1]) : ($first + 1, LEAST_US * 10**($first / PER_DECADE));
        }
        $cells[-1]{count} += $bin->[2];
        push @{ $cells[-1]{bins} }, $bin;
    }
    return @cells;
}

sub _steps {
    my ($us) = @_;
    return $us <= LEAST_US ? 0 : 1 + PER_DECADE * log($us / LEAST_US) / log(10);
}

# The cells at which modes are parted: going down from each peak, the lowest place before one that is high enough.
sub _valleys {
    my @count = @_;
    my (@valleys, $lowest);
    my $peak = 0;
    for my $i (1 .. $#count) {
        $peak = $i if !defined $lowest && $count[$i] > $count[$peak];
        $lowest = $i if $count[$i] < $count[ $lowest // $peak ];
        next unless defined $lowest;
        if (_parted($count[$peak], $count[$lowest], $count[$i])) {
            push @valleys, $lowest;
            ($peak, $lowest) = ($i, undef);
        }
        elsif ($count[$i] > $count[$peak]) {
            ($peak, $lowest) = ($i, undef);
        }
    }
    return @valleys;
}

sub _parted {
    my ($one, $valley, $other) = @_;
    my $lower = min($one, $other);
    return $valley <= DEEP * $lower && $lower - $valley > SURE * sqrt($lower + $valley);
}

sub _mode {
    my @bins = map { @{ $_->{bins} } } @_;
    my ($best, $top) = (undef, 0);
    for my $bin (@bins) {
        my $density = $bin->[2] / ($bin->[1] - $bin->[0]);
        ($best, $top) = ($bin, $density) if $density > $top;
    }
    return {
        value_us => ($best->[0] + $best->[1]) / 2,
        from_us  => 0 + $bins[0][0],
        to_us    => 0 + $bins[-1][1],
        count    => sum0(map { $_->[2] } @bins),
    };
}

1;
