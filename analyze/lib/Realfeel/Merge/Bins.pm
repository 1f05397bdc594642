# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Merge::Bins;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(added_bins ending_alike);

use List::Util qw(min);

=head1 NAME

Realfeel::Merge::Bins - the bins of many histograms added

=head1 FUNCTIONS

=head2 added_bins(@histograms)

Each histogram is an array of columns: lower edges, upper edges and one or more columns of counts, of which one that is
undef stands for zeros. Returns the sum as a list of rows C<[from, to, counts ...]>, ascending. Bins are the same when
both their edges are.

=cut

# Files of one kind mostly have all edges in common, and adding whole columns is much faster than finding each bin.
sub added_bins {
    my @histograms = @_;
    my (%alike, @sums);
    for my $histogram (@histograms) {
        my ($from, $to, @counts) = @$histogram;
        my $sum = $alike{ pack 'd*', @$from, @$to } //= do { push @sums, [$from, $to, map { [] } @counts]; $sums[-1] };
        _add($sum->[$_ + 2], $counts[$_]) for grep { $counts[$_] } 0 .. $#counts;
    }
    return sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @sums == 1 ? _rows($sums[0]) : _found(@sums);
}

sub _add {
    my ($sum, $count) = @_;
    $sum->[$_] += $count->[$_] for 0 .. $#$count;
}

sub _rows {
    my ($columns) = @_;
    my ($from, $to, @counts) = @$columns;
    return map { my $i = $_; [$from->[$i], $to->[$i], map { $_->[$i] // 0 } @counts] } 0 .. $#$from;
}

sub _found {
    my @sums = @_;
    my %bins;
    for my $row (map { _rows($_) } @sums) {
        my ($from, $to, @counts) = @$row;
        my $bin = $bins{"$from $to"} //= [$from, $to, (0) x @counts];
        $bin->[$_ + 2] += $counts[$_] for 0 .. $#counts;
    }
    return values %bins;
}

=head2 ending_alike(@histograms)

The same histograms; but where the last bin of one is open, which is to say that its upper edge is C<inf>, all have the
open bin that begins first, and what they have in later bins is in it.

=cut

sub ending_alike {
    my @histograms = @_;
    my $open = min(map { @{ $_->[1] } && $_->[1][-1] eq 'inf' ? $_->[0][-1] : () } @histograms);
    return defined $open ? map { _ending($open, $_) } @histograms : @histograms;
}

sub _ending {
    my ($open, $histogram) = @_;
    my ($from, $to, @counts) = @$histogram;
    my @before = grep { $from->[$_] < $open } 0 .. $#$from;
    my @after  = grep { $from->[$_] >= $open } 0 .. $#$from;
    return [
        [@$from[@before], $open], [@$to[@before], 'inf'],
        map { my $count = $_; $count && [@$count[@before], _sum(@$count[@after])] } @counts,
    ];
}

# To the last digit, even of counts that are still text.
sub _sum {
    my $sum = 0;
    $sum += $_ for @_;
    return $sum;
}

1;
