# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Effect;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(a12 distance size);

use List::Util qw(first max);

use constant {
    # By how much A12 must be off one half: where the means of two normal distributions are 0.2, 0.5 and 0.8 of a
    # standard deviation apart.
    SIZES => [[0.21, 'large'], [0.14, 'medium'], [0.06, 'small'], [0, 'negligible']],
};

=head1 NAME

Realfeel::Compare::Effect - how much two distributions differ, whatever the number of values

=head1 DESCRIPTION

Both figures need no more than the order of values. Bins of different width that overlap are taken as one, and values in
one bin as equal.

=head1 FUNCTIONS

=head2 a12($base, $file)

The probability that a value of C<$file> is greater than one of C<$base>, plus half of the probability that they are
equal: 0.5 when neither is greater as a rule.

=cut

sub a12 {
    my ($base, $file) = @_;
    my ($below, $pairs) = (0, 0);
    for my $cell (_shared($base, $file)) {
        my ($b, $f) = @$cell{qw(base file)};
        $pairs += $f * ($below + $b / 2);
        $below += $b;
    }
    return $pairs / $base->n / $file->n;
}

=head2 distance($base, $file)

That of Kolmogorov and Smirnov: a hash of C<distance>, the most by which the shares of values below a threshold differ,
and C<at>, the least such threshold, an edge of a bin.

=cut

sub distance {
    my ($base, $file) = @_;
    my ($b, $f, %most) = (0, 0, distance => 0, at => undef);
    for my $cell (_shared($base, $file)) {
        $b += $cell->{base};
        $f += $cell->{file};
        my $distance = abs($f / $file->n - $b / $base->n);
        %most = (distance => $distance, at => $cell->{high}) if $distance > $most{distance};
    }
    return \%most;
}

=head2 size($a12)

How large the effect is: C<negligible>, C<small>, C<medium> or C<large>.

=cut

sub size {
    my ($a12) = @_;
    my $off = abs($a12 - 0.5);
    return (first { $off >= $_->[0] } @{ SIZES() })->[1];
}

# Cells that cut no bin of either, ascending: the upper edge, and how many values of each.
sub _shared {
    my ($base, $file) = @_;
    my @bins = sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] }
        (map { [@$_, 'base'] } $base->cells), (map { [@$_, 'file'] } $file->cells);
    my @cells;
    for (@bins) {
        my ($low, $high, $count, $whose) = @$_;
        push @cells, { high => $high, base => 0, file => 0 } unless @cells && $low < $cells[-1]{high};
        $cells[-1]{high} = max($cells[-1]{high}, $high);
        $cells[-1]{$whose} += $count;
    }
    return @cells;
}

1;
