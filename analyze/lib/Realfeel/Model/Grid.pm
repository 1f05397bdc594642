# SPDX-License-Identifier: GPL-2.0-or-later
# Which run stands in which row and column of a table. Each cell has one statistic of one run. Rows and columns are
# facts: what the headers of the runs say, and the statistic. Of several facts the last changes first.
package Realfeel::Model::Grid;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(FACTS STATISTIC missing names place worded);

use List::Util qw(any first uniqstr);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Names qw(different);

use constant KB => 1024;
use constant {
    STATISTIC => 'statistic',
    UNKNOWN   => '-',
    SEVERAL   => 'several',     # of merged runs

    # What may be a row or a column
    FACTS   => [qw(host rate clock policy load source array processes cpu label kernel statistic)],

    # Stated as common to all runs, or as differing
    SETTINGS => [qw(kernel source rate array processes load policy clock host)],

    # Each fact of a run, from its header. Loads that differ only in their seed are equal.
    VALUE => {
        (map { my $key = $_->[1]; $_->[0] => sub { _header($_[0], $key) } } [host => 'hostname'],
            [rate => 'frequency_hz'], [array => 'array_bytes'], map { [$_, $_] } qw(clock processes cpu label)),
        policy    => sub { _joined(' ', map { _header($_[0], $_) } qw(policy priority)) },
        load      => sub { _header($_[0], 'load') =~ s/ --seed \d+//r },
        source    => sub { _header($_[0], 'source') =~ s{ /.*}{}r },
        kernel    => sub { _joined(', ', _kernel($_[0])) },
    },

    # Sorted by number; and their form where no heading says what they are
    NUMBERS => { rate => '%s Hz', array => '%s', processes => '%s processes', cpu => 'CPU %s' },
};

# The grid of some runs of Model::Cpus. %$wish has statistics, and rows and columns, arrays of facts. If both are undef,
# each run has a row, by its label, and each statistic a column; if one is undef, it is the statistic, or the label if
# the other has that. CPUs of a run are pooled unless a fact is cpu. Dies with one line if two runs belong in one cell.
#
# Returns a hash of rows and columns, their facts; row_keys and column_keys, an array of texts for each; cells, hashes
# of report, statistic, and the indices row and column; and the settings that are neither row nor column, [name,
# values...]: common to all runs, or aside if they differ.
sub place ($wish, @runs) {
    my ($rows, $columns) = _axes($wish);
    my $by_cpu = any { $_ eq 'cpu' } @$rows, @$columns;
    my @reports = map { $by_cpu ? @{ $_->{reports} } : pooled($_) } @runs;
    my $facts = _facts(@reports);
    my @cells = map { my $i = $_; map { _cell($facts, $reports[$i], $i, $_) } @{ $wish->{statistics} } } 0 .. $#reports;
    my $grid = {
        rows    => $rows,    row_keys    => [_number('row', $rows, @cells)],
        columns => $columns, column_keys => [_number('column', $columns, @cells)],
        cells   => \@cells,  _untold($facts, @$rows, @$columns),
    };
    _refuse_two($grid);
    return $grid;
}

# Several statistics always need a place: last of the rows, unless named
sub _axes ($wish) {
    my ($rows, $columns, $statistics) = @$wish{qw(rows columns statistics)};
    my $has_statistic = sub { any { $_ eq STATISTIC } map { @{ $_ // [] } } @_ };
    $columns //= $has_statistic->($rows) ? ['label'] : [STATISTIC];
    $rows //= $has_statistic->($columns) ? ['label'] : [STATISTIC];
    $rows = [@$rows, STATISTIC] if @$statistics > 1 && !$has_statistic->($rows, $columns);
    return ($rows, $columns);
}

# For each fact, values and texts by report
sub _facts (@reports) {
    my %facts = map { my $fact = $_; $fact => { values => [map { VALUE->{$fact}->($_) } @reports] } } keys %{ VALUE() };
    $_->{texts} = $_->{values} for values %facts;
    $facts{kernel}{texts} = [_kernels(@reports)];
    $facts{array}{texts} = [map { /\D/ ? $_ : $_ % KB ? "$_ B" : $_ / KB . ' kB' } @{ $facts{array}{values} }];
    $facts{load}{texts} = [map { $_ eq 'none' ? 'no load' : $_ } @{ $facts{load}{values} }];
    # A run without a label is called by its file
    my @names = map { printable($_) } Realfeel::Model::Names::names(@reports);
    my $labels = $facts{label}{values};
    $facts{label}{texts} = [map { $labels->[$_] eq UNKNOWN ? $names[$_] : $labels->[$_] } 0 .. $#names];
    return \%facts;
}

sub _header ($report, $key) {
    return printable($report->header($key) // UNKNOWN);
}

# Those that are known
sub _joined ($between, @values) {
    my @known = grep { $_ ne UNKNOWN } @values;
    return @known ? join $between, @known : UNKNOWN;
}

sub _kernel ($report) {
    my $preemption = _header($report, 'preemption') =~ s/^unknown \((.*)\)$/$1/r =~ s/ \(PREEMPT_DYNAMIC\)$//r;
    return (_header($report, 'kernel_release'), $preemption);
}

# By release, or by preemption model if that tells all apart
sub _kernels {
    my @kernels = map { [_kernel($_)] } @_;
    my @both = map { _joined(', ', @$_) } @kernels;
    for my $i (0, 1) {
        my @names = map { $_->[$i] } @kernels;
        return different(@names) if uniqstr(@names) == uniqstr(@both);
    }
    return different(@both);
}

# For each fact the text of a cell, and its rank: its number, or the place of the first that has it
sub _cell ($facts, $report, $i, $statistic) {
    my %text = (STATISTIC, $statistic, map { $_ => $facts->{$_}{texts}[$i] } keys %$facts);
    my %value = map { $_ => NUMBERS->{$_} && $facts->{$_}{values}[$i] =~ /^(\d+)$/ ? $1 : -1 } keys %$facts;
    return { report => $report, statistic => $statistic, text => \%text, value => \%value };
}

# Numbers the cells' rows or columns, and returns the texts of these
sub _number ($axis, $facts, @cells) {
    my (%first, %of);
    for my $cell (@cells) {
        my ($text, $value) = @$cell{qw(text value)};
        my @ranks = map { ($value->{$_} // -1, $first{$_}{ $text->{$_} } //= keys %{ $first{$_} }) } @$facts;
        $cell->{$axis} = join "\n", @$text{@$facts};
        $of{ $cell->{$axis} } //= { texts => [@$text{@$facts}], ranks => \@ranks };
    }
    my @keys = sort {
        my ($one, $other) = map { $_->{ranks} } @of{$a, $b};
        my $i = first { $one->[$_] != $other->[$_] } 0 .. $#$one;
        defined $i ? $one->[$i] <=> $other->[$i] : 0;
    } keys %of;
    my %number = map { $keys[$_] => $_ } 0 .. $#keys;
    $_->{$axis} = $number{ $_->{$axis} } for @cells;
    return map { $of{$_}{texts} } @keys;
}

sub _refuse_two ($grid) {
    my %at;
    for my $cell (@{ $grid->{cells} }) {
        my $first = $at{ $cell->{row} }{ $cell->{column} } //= $cell;
        next if $first == $cell;
        my @apart = grep { ($first->{text}{$_} // '') ne ($cell->{text}{$_} // '') } @{ FACTS() };
        my ($one, $other) = map { printable($_->{report}->file) } $first, $cell;
        die "$one and $other have one place, " . _name($grid, @$cell{qw(row column)}) . '; merge them, leave one out'
            . (@apart ? ', or tell them apart with --rows or --columns, by ' . join(' or ', @apart) : '') . "\n";
    }
}

# Settings that are neither row nor column: those in common and those that differ
sub _untold ($facts, @told) {
    my %is_told = map { $_ => 1 } STATISTIC, @told;
    my %values = map {
        my $texts = $facts->{$_}{ $_ eq 'kernel' ? 'values' : 'texts' };
        $_ => [uniqstr grep { $_ ne UNKNOWN } @$texts]
    } @{ SETTINGS() };
    my @untold = grep { !$is_told{$_} } @{ SETTINGS() };
    my %lacks = map { my $fact = $_; $fact => any { $_ eq UNKNOWN } @{ $facts->{$fact}{values} } } @untold;
    return (
        common => [map { [$_, @{ $values{$_} }] } grep { @{ $values{$_} } == 1 && !$lacks{$_} } @untold],
        aside  => [map { [$_, @{ $values{$_} }] } grep { @{ $values{$_} } > 1 } @untold],
    );
}

# The cells without a run: "16 kB, 8 processes, 2.4.17"
sub missing ($grid) {
    my %is_there = map { ("$_->{row} $_->{column}" => 1) } @{ $grid->{cells} };
    my $columns = $#{ $grid->{column_keys} };
    my @places = map { my $row = $_; map { [$row, $_] } 0 .. $columns } 0 .. $#{ $grid->{row_keys} };
    return uniqstr map { _name($grid, @$_) } grep { !$is_there{"@$_"} } @places;
}

# All statistics of a run are in the same place
sub _name ($grid, $row, $column) {
    my @facts = (@{ $grid->{rows} }, @{ $grid->{columns} });
    my @texts = (@{ $grid->{row_keys}[$row] }, @{ $grid->{column_keys}[$column] });
    return join ', ', map { worded($facts[$_], $texts[$_]) } grep { $facts[$_] ne STATISTIC } 0 .. $#facts;
}

# A fact where no heading says what it is: "8 processes"
sub worded ($fact, $text) {
    return "$fact: $text" if $text eq SEVERAL;
    return sprintf(NUMBERS->{$fact} // '%s', $text) =~ s/^1 processes$/1 process/r unless $text eq UNKNOWN;
    return (NUMBERS->{$fact} ? 'no' : 'unknown') . " $fact";
}

# The texts of all rows or columns ("row", "column"), facts joined
sub names ($grid, $axis) {
    my @facts = @{ $grid->{"${axis}s"} };
    return map {
        my $texts = $_;
        join ', ', map { worded($facts[$_], $texts->[$_]) } 0 .. $#facts
    } @{ $grid->{"${axis}_keys"} };
}

1;
