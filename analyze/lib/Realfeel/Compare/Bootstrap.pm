# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Bootstrap;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(blocks grouped spread spread_of_samples);

use List::Util qw(max min sum uniqstr);

use constant {
    BLOCKS_MAX => 10,
    RUNS_MIN   => 5,            # with fewer, nothing is known of how runs differ
    ALIKE_MAX  => 0.9,          # the correlation of neighbours beyond which nothing is known
};

=head1 NAME

Realfeel::Compare::Bootstrap - how much shares of values vary by chance

=head1 DESCRIPTION

Neighbouring latenesses are alike: a burst makes many of them late. So what is drawn again, with replacement, is not a
value but a whole block of neighbouring slices. Load comes and goes in minutes, too, so neighbouring slices are alike,
and even neighbouring blocks may be, which is allowed for. Few long blocks err less than many short ones.

=head1 FUNCTIONS

=head2 blocks($slice_bins)

The blocks of the data set C<slice_bins>: a hash of C<unit>, C<slices>, or C<runs> where five runs or more were merged;
C<units>, how many of these there are; and C<blocks>, an array with a hash for each block, from the lower edge of a bin
to its count. Units are put together until there are at most ten blocks.

=cut

sub blocks {
    my ($bins) = @_;
    my ($start, $run) = @$bins{qw(start_s run)};
    my $by_run = $run && RUNS_MIN <= uniqstr @$run;
    my @names = $by_run ? @$run : map { ($run ? "$run->[$_] " : '') . $start->[$_] } 0 .. $#$start;
    my @units = _units($bins, @names);
    return { unit => $by_run ? 'runs' : 'slices', units => scalar @units, blocks => [grouped(@units)] };
}

# Rows of one name follow each other.
sub _units {
    my ($bins, @names) = @_;
    my ($from, $count) = @$bins{qw(from_us lateness)};
    my ($last, @units) = '';
    for my $i (0 .. $#names) {
        push @units, {} if $names[$i] ne $last;
        $last = $names[$i];
        $units[-1]{ $from->[$i] } += $count->[$i];
    }
    return @units;
}

=head2 grouped(@units)

Such hashes, of neighbouring units together, ten at most and of as many units each as can be.

=cut

sub grouped {
    my @units = @_;
    my $n = min(BLOCKS_MAX, scalar @units);
    return map { _together(@units[int($_ * @units / $n) .. int(($_ + 1) * @units / $n) - 1]) } 0 .. $n - 1;
}

sub _together {
    my @units = @_;
    my %block;
    for my $unit (@units) {
        $block{$_} += $unit->{$_} for keys %$unit;
    }
    return \%block;
}

=head2 spread($drawn, $shares, $resamples, $random)

C<$drawn> is what C<blocks> returns. For each of the shares, as 0.99, take the value that this share of all values does
not exceed. Returns for each a hash: C<sd>, the standard deviation of the share of values up to there in resamples of as
many blocks as there are, greater where neighbouring blocks of slices are alike; and C<clusters>, in how many equal and
independent blocks the values beyond would vary as much as they do in these: the number of blocks when these are alike,
1 when one block holds them all. C<$random> is a generator of L<Realfeel::Random>.

=cut

sub spread {
    my ($drawn, $shares, $resamples, $random) = @_;
    my @rows = _rows($drawn->{blocks}, $shares);
    my @resamples = map { [_shares(map { $rows[@rows * $random->()] } @rows)] } 1 .. $resamples;
    my $correction = sqrt(@rows / (@rows - 1));
    return map {
        my $column = $_;
        my @off = map { $_->[$column + 1] - $shares->[$column] * $_->[0] } @rows;
        my $factor = $drawn->{unit} eq 'slices' ? _persistence(@off) : 1;
        {
            sd       => $correction * sqrt($factor) * _deviation(map { $_->[$column] } @resamples),
            clusters => _clusters(map { $_->[0] - $_->[$column + 1] } @rows) / $factor,
        }
    } 0 .. $#$shares;
}

# By how much the variance of a sum is greater when each deviation is in part that of its neighbour (AR(1)). From n of
# them the correlation is found too small by about 1 / n.
sub _persistence {
    my @off = @_;
    my $squares = sum map { $_**2 } @off;
    return 1 unless $squares;
    my $alike = sum(map { $off[$_] * $off[$_ + 1] } 0 .. $#off - 1) / $squares + 1 / @off;
    $alike = max(0, min(ALIKE_MAX, $alike));
    return (1 + $alike) / (1 - $alike);
}

# Of each block: how many values it holds, then for each share how many of them are up to its value.
sub _rows {
    my ($blocks, $shares) = @_;
    my %total;
    for my $block (@$blocks) {
        $total{$_} += $block->{$_} for keys %$block;
    }
    my @edges = sort { $a <=> $b } keys %total;
    my %place = map { $edges[$_] => $_ } 0 .. $#edges;
    my @places = map { _place($_, map { $total{$_} } @edges) } @$shares;
    return map { [_row($_, \%place, @places)] } @$blocks;
}

# The bin in which the share is reached, with the part of it that is needed: 3.25 is a quarter of bin 3.
sub _place {
    my ($share, @counts) = @_;
    my $wanted = $share * sum @counts;
    my ($below, $i) = (0, 0);
    $below += $counts[$i++] while $i < $#counts && $below + $counts[$i] < $wanted;
    return $i + ($wanted - $below) / $counts[$i];
}

sub _row {
    my ($block, $place, @places) = @_;
    my @row = (0) x (1 + @places);
    for my $edge (keys %$block) {
        my ($i, $count) = ($place->{$edge}, $block->{$edge});
        $row[0] += $count;
        for my $k (0 .. $#places) {
            my $part = $places[$k] - $i;
            $row[$k + 1] += $part >= 1 ? $count : $part * $count if $part > 0;
        }
    }
    return @row;
}

sub _shares {
    my @rows = @_;
    my @sums = (0) x @{ $rows[0] };
    for my $row (@rows) {
        $sums[$_] += $row->[$_] for 0 .. $#sums;
    }
    return map { $sums[$_] / $sums[0] } 1 .. $#sums;
}

sub _deviation {
    my @values = @_;
    my $mean = sum(@values) / @values;
    return sqrt(sum(map { ($_ - $mean)**2 } @values) / (@values - 1));
}

sub _clusters {
    my @beyond = @_;
    my $squares = sum map { $_**2 } @beyond;
    return $squares ? sum(@beyond)**2 / $squares : 0;
}

=head2 spread_of_samples($n, $shares, @factors)

The same for C<$n> values of which each was drawn for itself. The spread of all resamples is then that of the binomial
distribution, and needs no drawing. C<@factors> says for each of the shares how many times greater the variance is,
because values depend on each other; without it none is.

=cut

sub spread_of_samples {
    my ($n, $shares, @factors) = @_;
    return map {
        my ($share, $factor) = ($shares->[$_], $factors[$_] // 1);
        { sd => sqrt($factor * $share * (1 - $share) / $n), clusters => $n * (1 - $share) / $factor }
    } 0 .. $#$shares;
}

1;
