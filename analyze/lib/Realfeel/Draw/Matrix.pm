# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Draw::Matrix;
use strict;
use warnings;

use Realfeel::Base::Units qw(cut);
use Realfeel::Draw::Histogram qw(counts_axis log_cells logarithmic);
use Realfeel::Draw::Words qw(words);
use Realfeel::Model::Grid qw(STATISTIC arrange);

use constant {
    ROOM_ABOVE => 10,           # for what is written there, and as much again where histograms are narrow or low
    WIDE       => 2,            # up to so many columns
    HIGH       => 4,            # up to so many rows
    COLUMNS    => 4,            # of more, each would be too narrow
    ROOM       => 90,           # for the name of a row
    LINES      => [6, 3],       # along the y axis of one of several rows, and of a low one
};

=head1 NAME

Realfeel::Draw::Matrix - a small histogram for each run of a table, all on one scale

=head1 FUNCTIONS

=head2 plan($runs)

Runs stand as in L<Realfeel::Model::Grid>. But where rows are few and have short names, or columns are many, these are
columns here and columns are rows, for histograms are best compared one below the other.

=cut

sub plan {
    my ($runs) = @_;
    my ($rows, $columns, $places) = _places(arrange({ statistics => ['all'] }, $runs->reports));
    my @cells = log_cells($runs);
    my %drawn = logarithmic($runs, @cells);
    return {
        %drawn,
        y       => counts_axis(\@cells, ROOM_ABOVE**(1 + (@$columns > WIDE) + (@$rows > HIGH))),
        keys    => [],
        texts   => { _titles($runs->look, $rows, $columns), _facts($runs->facts($drawn{unit})) },
        room    => _room($runs->look, scalar @$rows, scalar @$columns),
        numbers => $places,
    };
}

# The names of the rows, those of the columns, and arrays of each run's row, its column, and which there it is.
sub _places {
    my ($grid) = @_;
    my ($row, $column) = qw(row column);
    my $fit = @{ $grid->{row_keys} } <= COLUMNS && (@{ $grid->{rows} } == 1 || @{ $grid->{column_keys} } > COLUMNS);
    ($row, $column) = ($column, $row) if $fit && $grid->{columns}[0] ne STATISTIC;
    my %seen;
    my @places = map { my @place = map { 1 + $_ } @$_{$row, $column}; [@place, ++$seen{"@place"}] } @{ $grid->{cells} };
    my @of = qw(row_of column_of place_of);
    my @names = map { $grid->{"${_}s"}[0] eq STATISTIC ? [''] : [Realfeel::Model::Grid::names($grid, $_)] }
        $row, $column;
    return (@names, { map { my $i = $_; $of[$i] => [map { $_->[$i] } @places] } 0 .. $#of });
}

sub _titles {
    my ($look, $rows, $columns) = @_;
    my $room = int($look->{width} / @$columns);
    return (row_name => [map { cut($_, ROOM) } @$rows], column_name => [map { cut($_, $room) } @$columns]);
}

# Along the axes: histograms stand beside each other.
sub _room {
    my ($look, $rows, $columns) = @_;
    return { x => int($look->{x} / $columns), y => $rows > 1 ? LINES->[$rows > HIGH ? 1 : 0] : $look->{y} };
}

sub _facts {
    my @facts = @_;
    return (
        count   => [map { $_->{count} } @facts],
        maximum => [map { $_->{max} // words('key.no_max') } @facts],
        doubt   => [map { join ', ', @{ $_->{doubts} } } @facts],
        cpu     => [map { $_->{cpus} // '' } @facts],
    );
}

1;
