# SPDX-License-Identifier: GPL-2.0-or-later
# A small histogram for each run, all on one scale.
package Realfeel::Draw::Matrix;
use Realfeel::Base::Modern;

use List::Util qw(min);
use POSIX qw(ceil);
use Realfeel::Base::Units qw(cut);
use Realfeel::Draw::Histogram qw(counts_axis log_cells logarithmic);
use Realfeel::Draw::Words qw(words);

use constant {
    ROOM_ABOVE => 10,           # for what is written there, and as much again where histograms are narrow or low
    WIDE       => 2,            # up to so many columns
    HIGH       => 4,            # up to so many rows
    COLUMNS    => 4,            # of more, each would be too narrow
};

# Up to four runs are stacked, which compares best; more go into up to four columns, row by row
sub plan ($runs) {
    my $look = $runs->look;
    my @names = @{ $look->{names} };
    my $columns = min(COLUMNS, ceil(@names / HIGH));
    my $rows = ceil(@names / $columns);
    my $room = int($look->{width} / $columns);
    my @cells = log_cells($runs);
    my %drawn = logarithmic($runs, @cells);
    return {
        %drawn,
        y       => counts_axis(\@cells, ROOM_ABOVE**(1 + ($columns > WIDE) + ($rows > HIGH))),
        keys    => [],
        texts   => { name => [map { cut($_, $room) } @names], _facts($runs->facts($drawn{unit})) },
        numbers => { rows => $rows, columns => $columns },
    };
}

sub _facts (@facts) {
    return (
        count   => [map { $_->{count} } @facts],
        maximum => [map { $_->{max} // words('key.no_max') } @facts],
        doubt   => [map { join ', ', @{ $_->{doubts} } } @facts],
        cpu     => [map { $_->{cpus} // '' } @facts],
    );
}

1;
