# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Modes;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(modes);

use List::Util qw(first max min reduce sum0);

use constant {
    PER_DECADE => 20,
    LEAST_US   => 0.1,          # below, the bins are as wide as the cells
    DEEP       => 0.5,          # of the lower peak: a valley between two modes is not higher
    SURE       => 4,            # standard deviations by which the lower peak must rise above the valley
};

=head1 NAME

Realfeel::Stat::Modes - the values around which a distribution gathers

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
    my @cells = _cells($distribution) or return ();
    return () if $cells[0]{from_us} < 0;
    my @bounds = (-1, _valleys(map { $_->{count} / $_->{cells} } @cells), $#cells);
    return map { _mode(@cells[$bounds[$_] + 1 .. $bounds[ $_ + 1 ]]) } 0 .. $#bounds - 1;
}

# Each cell is how many steps of the scale it is wide, where its bins begin and end, their count, and the densest, with
# its density. Those without a bin are one, of which only the width is known.
sub _cells {
    my ($distribution) = @_;
    my ($end_us, $end, @cells) = (0, 0);
    $distribution->each_block(sub {
        my ($lows, $highs, $counts, $densities) = @_;
        for (my ($i, $next) = (0, 0); $i < @$lows; $i = $next) {
            if (!@cells || $lows->[$i] >= $end_us) {
                push @cells, _cells_to($end, $lows->[$i], $highs->[$i], @cells ? 1 : 0);
                ($end, $end_us) = @{ $cells[-1] }{qw(end end_us)};
            }
            do { $next++ } while $next < @$lows && $lows->[$next] < $end_us;
            my $cell = $cells[-1];
            $cell->{count} += sum0(@$counts[$i .. $next - 1]);
            $cell->{to_us} = $highs->[$next - 1];
            my $density = max(@$densities[$i .. $next - 1]);
            next if $density <= $cell->{density};
            my $densest = first { $densities->[$_] == $density } $i .. $next - 1;
            @$cell{qw(density densest_us)} = ($density, ($lows->[$densest] + $highs->[$densest]) / 2);
        }
    }, $distribution->closed_bins, qw(low high count density));
    return @cells;
}

# That in which a bin begins, and one for the gap before it.
sub _cells_to {
    my ($end, $low, $high, $follows) = @_;
    my ($from, $to) = map { _steps($_) } $low, $high;
    my $first = int $from;
    my %cell = (cells => max(1, $to - $from), count => 0, from_us => $low, density => 0,
        $to - $from > 1 ? (end => $to, end_us => $high)
                        : (end => $first + 1, end_us => LEAST_US * 10**($first / PER_DECADE)));
    return ($follows && $first > $end ? { cells => $first - $end, count => 0 } : (), \%cell);
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
    my @cells = grep { $_->{count} } @_;
    my $densest = reduce { $b->{density} > $a->{density} ? $b : $a } @cells;
    return {
        value_us => $densest->{densest_us},
        from_us  => $cells[0]{from_us},
        to_us    => $cells[-1]{to_us},
        count    => sum0(map { $_->{count} } @cells),
    };
}

1;
