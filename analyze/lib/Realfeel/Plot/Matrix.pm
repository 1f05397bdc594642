# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Matrix;
use strict;
use warnings;

use List::Util qw(first uniq);
use Realfeel::Names qw(different names);
use Realfeel::Plot::Cells qw(counts_axis log_cells);
use Realfeel::Plot::Histogram qw(logarithmic);
use Realfeel::Plot::Words qw(cut_end);
use Realfeel::Units qw(shown);

use constant {
    ROOM_ABOVE => 10,           # for what is written there
    COLUMNS    => 4,            # of more, each would be too narrow
    ROOM       => 90,           # for the name of a row
    LINES      => 6,            # along the y axis where there are several rows
    # What can tell the runs apart, the most telling first.
    ROWS       => [qw(kernel hostname cpu_model)],
    LOADS      => [qw(load source frequency_hz clock policy dma_latency_us)],
};

=head1 NAME

Realfeel::Plot::Matrix - a small histogram for each kernel and load, all on one scale

=head1 FUNCTIONS

=head2 plan($runs)

Rows are kernels, else machines; columns are loads, else sources, rates, clocks, policies. Where no header tells the
runs apart each has its own place. The lines of the key are the names of the rows, those of the columns, and four for
each run.

=cut

sub plan {
    my ($runs) = @_;
    my ($rows, $columns) = _grid($runs->reports);
    my ($row_names, $column_names) = ([uniq @$rows], [uniq @$columns]);
    my @cells = log_cells($runs);
    my %drawn = logarithmic($runs, @cells);
    return {
        %drawn,
        y       => counts_axis(\@cells, ROOM_ABOVE),
        keys    => [_titles($runs->look, $row_names, $column_names), map { _facts($_) } $runs->facts($drawn{unit})],
        room    => _room($runs->look, scalar @$row_names, scalar @$column_names),
        numbers => [
            scalar @$row_names, scalar @$column_names,
            _places([map { _index($_, @$row_names) } @$rows], [map { _index($_, @$column_names) } @$columns]),
        ],
    };
}

# In a terminal the name of the row and that of the column share a line.
sub _titles {
    my ($look, $rows, $columns) = @_;
    my ($row, $column) = $look->{is_terminal} ? ($look->{room} / 2) x 2 : (ROOM, $look->{room} / @$columns);
    return ((map { cut_end($_, int $row) } @$rows), map { cut_end($_, int $column) } @$columns);
}

# Along the axes: histograms stand beside each other, but in a terminal one below the other.
sub _room {
    my ($look, $rows, $columns) = @_;
    return { x => $look->{x}, y => LINES } if $look->{is_terminal};
    return { x => int($look->{x} / $columns), y => $rows > 1 ? LINES : $look->{y} };
}

# Of each report the name of its row, and of its column.
sub _grid {
    my @reports = @_;
    my $row    = first { _differ($_, @reports) } @{ ROWS() };
    my $column = first { _differ($_, @reports) } @{ LOADS() };
    my $rows = [_names($row // 'kernel', @reports)];
    my $columns = [$column || $row ? _names($column // 'load', @reports) : map { shown($_) } names(@reports)];
    return uniq(@$columns) > COLUMNS && uniq(@$rows) <= COLUMNS ? ($columns, $rows) : ($rows, $columns);
}

sub _differ {
    my ($key, @reports) = @_;
    return 1 < uniq map { _value($key, $_) } @reports;
}

# Without what all of them have in common, which the title tells.
sub _names {
    my ($key, @reports) = @_;
    my $name = $key =~ s/_.*//r;
    return map { $key eq 'load' && $_ eq 'none' ? 'no load' : "$name $_" } different(map { _value($key, $_) } @reports);
}

sub _value {
    my ($key, $report) = @_;
    return $key eq 'kernel' ? _kernel($report) : shown($report->header($key) // 'unknown');
}

sub _kernel {
    my ($report) = @_;
    my ($release, $preemption) = map { shown($report->header($_) // 'unknown') } qw(kernel_release preemption);
    $preemption =~ s/^unknown \((.*)\)$/$1/;
    $preemption =~ s/ \(PREEMPT_DYNAMIC\)$//;
    return $release . ($preemption eq 'unknown' ? '' : ", $preemption");
}

sub _facts {
    my ($facts) = @_;
    my ($max) = @{ $facts->{extremes} };
    return ($facts->{count}, $max // 'no maximum', join(', ', @{ $facts->{doubts} }), $facts->{cpus} // '');
}

# Of each run its row, its column, and the how manieth there it is.
sub _places {
    my ($rows, $columns) = @_;
    my %seen;
    return map { ($rows->[$_], $columns->[$_], ++$seen{"$rows->[$_] $columns->[$_]"}) } 0 .. $#$rows;
}

sub _index {
    my ($name, @names) = @_;
    return 1 + first { $names[$_] eq $name } 0 .. $#names;
}

1;
