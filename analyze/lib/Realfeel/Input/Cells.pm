# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Input::Cells;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(EDGE_NS NS_MAX bin);

use List::Util qw(max min);

use constant {
    EDGE_NS => 10,      # the edges of a report are multiples of this
    NS_MAX  => 1e15,    # eleven days
    DIGITS  => 4,       # of a report's bins
};

=head1 NAME

Realfeel::Input::Cells - values, or cells of values, counted in bins like those of a report

=head1 METHODS

=head2 new

No values.

=head2 add($ns, $width, $count)

Counts the values of a cell that begins at C<$ns>, in whole nanoseconds; one below 0 is in the first bin. A narrow cell
is counted in the bin of a report that holds its middle; one that is wider than the bins keeps its width. Where cells
become wider than bins, a bin that has taken narrow ones may become longer.

=cut

sub new { return bless { cells => {}, total => 0, sum => 0, squares => 0 }, $_[0] }

sub add {
    my ($self, $ns, $width, $count) = @_;
    my $middle = $ns + ($width >> 1);
    my ($from, $to) = bin(max(0, $middle));
    if ($width >= $to - $from) {
        ($from) = bin($ns);
        ($to) = bin($ns + $width);
    }
    my $cell = $self->{cells}{$from} //= [0, 0];
    $cell->[0] = max($cell->[0], $to);
    $cell->[1] += $count;
    $self->{total} += $count;
    $self->{sum} += $count * $middle;
    $self->{squares} += $count * $middle * $middle;
    $self->{min} = min($ns, $self->{min} // $ns);
    $self->{max} = max($ns + $width - 1, $self->{max} // $ns);
}

=head2 part

What they are, as L<Realfeel::Input::Import> takes it; undef where cells overlap.

=head2 deviation

The standard deviation in nanoseconds, undef of less than two values. Cells are taken to be in their middles.

=cut

sub part {
    my ($self) = @_;
    my ($cells, $total) = @$self{qw(cells total)};
    my @cells = map { [$_, @{ $cells->{$_} }] } sort { $a <=> $b } keys %$cells;
    return undef if grep { $cells[$_ - 1][1] > $cells[$_][0] } 1 .. $#cells;
    my $mean = $total ? $self->{sum} / $total : undef;
    return { cells => \@cells, (map { $_ => $self->{$_} } qw(total min max)), mean => $mean };
}

sub deviation {
    my ($self) = @_;
    my ($n, $sum, $squares) = @$self{qw(total sum squares)};
    return $n < 2 ? undef : sqrt max(0, ($squares - $sum * $sum / $n) / ($n - 1));
}

=head1 FUNCTIONS

=head2 bin($ns, $digits)

Where the bin of a report that holds the value begins and ends, in nanoseconds; with C<$digits>, that of bins with so
many digits, instead of four.

=cut

sub bin {
    my ($ns, $digits) = @_;
    my $width = max(EDGE_NS, 10**(length($ns) - ($digits // DIGITS)));
    my $from = $ns - $ns % $width;
    return ($from, $from + $width);
}

1;
