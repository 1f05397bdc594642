# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Matrix;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(plan);

use List::Util qw(first max uniq);
use Realfeel::Names qw(different names);
use Realfeel::Plot::Axis qw(decade_above);
use Realfeel::Plot::Histogram qw(counts_axis scaled);
use Realfeel::Plot::Steps qw(blocks maxima);
use Realfeel::Plot::Words qw(cut_end shown);

use constant {
    ONE       => 0.7,           # the axis begins below a count of 1
    ROOM_ABOVE => 10,           # for what is written there
    COLUMNS   => 4,             # of more, each would be too narrow
    ROOM      => 90,            # for the name of a row
    LINES     => 6,             # along the y axis where there are several rows
    # What can tell the runs apart, the most telling first.
    ROWS      => [qw(kernel hostname cpu_model)],
    LOADS     => [qw(load source frequency_hz clock policy dma_latency_us)],
};

=head1 NAME

Realfeel::Plot::Matrix - a small histogram for each kernel and load, all on one scale

=head1 FUNCTIONS

=head2 plan(\%look, @reports)

What L<Realfeel::Plot> draws. Rows are kernels, else machines; columns are loads, else sources, rates, clocks, policies.
Where no header tells the runs apart each has its own place. The lines of the key are the names of the rows, those of
the columns, and three for each run.

=cut

sub plan {
    my ($look, @reports) = @_;
    my $drawn = scaled({ %$look, room => 1e9 }, @reports);
    my ($rows, $columns) = _grid(@reports);
    my @row_names = uniq @$rows;
    my @column_names = uniq @$columns;
    my @counts = map { [map { $_->[2] } @$_] } @{ $drawn->{cells} };
    my $top = ROOM_ABOVE * decade_above(max(5, map { @$_ } @counts));
    return {
        %$drawn,
        data    => blocks(@{ $drawn->{steps} }, maxima($drawn->{us}, $drawn->{values}, [map { $_->[-1] } @counts])),
        keys    => [
            (map { cut_end($_, $look->{is_terminal} ? $look->{room} / 2 : ROOM) } @row_names),
            (map { cut_end($_, int($look->{room} / ($look->{is_terminal} ? 2 : @column_names))) } @column_names),
            map { _facts($_) } @{ $drawn->{keys} },
        ],
        y_label => counts_axis($drawn->{measure}),
        axes    => { x => [@{ $drawn->{range} }, 'log'], y => [ONE, $top, 'power'] },
        $look->{is_terminal} ? (y_room => LINES) : (
            x_room => int($look->{x} / @column_names), y_room => @row_names > 1 ? LINES : $look->{y}
        ),
        numbers => [
            @{ $drawn->{range} }, ONE, $top,
            scalar @row_names, scalar @column_names,
            _places([map { _index($_, @row_names) } @$rows], [map { _index($_, @column_names) } @$columns]),
        ],
    };
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

# What the key says after the name: the count, the maximum, the doubts.
sub _facts {
    my ($key) = @_;
    my ($count, @others) = split /, /, $key =~ s/.*: (?=\d+ [a-z-]+(?:,|\z))//sr;
    my ($max) = grep { /^max / } @others;
    return ($count, $max // 'no maximum', join ', ', grep { !/^max / } @others);
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
