# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Steps;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(blocks maxima steps);

use Realfeel::Plot::Axis qw(number);

=head1 NAME

Realfeel::Plot::Steps - data sets for gnuplot

=head1 FUNCTIONS

=head2 blocks(@blocks)

The text of data sets, each an array of rows, each an array of numbers, two blank lines between them.

=cut

sub blocks {
    return join "\n\n", map { join '', map { join(' ', map { number($_) } @$_) . "\n" } @$_ } @_;
}

=head2 steps($least, $us, @cells)

The outline of a histogram, rows of C<[edge, count]>, the count up to the next edge. Cells are C<[low, high, count]>;
edges are divided by C<$us>. Each unbroken row of cells stands between two edges of count 0, lest a line be drawn across
the empty ones; without cells there is one such edge, C<$least>.

=cut

sub steps {
    my ($least, $us, @cells) = @_;
    my (@steps, $edge);
    for (@cells) {
        my ($low, $high, $count) = @$_;
        push @steps, [$edge, 0] if defined $edge && $low > $edge;
        push @steps, [$low, 0] if !defined $edge || $low > $edge;
        push @steps, [$low, $count];
        $edge = $high;
    }
    return [map { [$_->[0] / $us, $_->[1]] } @steps, [$edge // $least, 0]];
}

=head2 maxima($us, \@distributions, \@heights)

Where the maximum of each run is marked: rows of C<[maximum, height, run]>, with the unit and the height given. Runs
without values have none.

=cut

sub maxima {
    my ($us, $distributions, $heights) = @_;
    return [map { [$distributions->[$_]->max / $us, $heights->[$_], $_ + 1] }
        grep { $distributions->[$_]->n } 0 .. $#$distributions];
}

1;
