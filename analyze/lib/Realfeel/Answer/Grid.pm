# SPDX-License-Identifier: GPL-2.0-or-later
# Runs as a table of rows and columns, each cell with one statistic of one run. Rows and columns are facts: what the
# headers of the runs say, and the statistic. With several facts, the last changes fastest.
package Realfeel::Answer::Grid;
use Realfeel::Base::Modern;

use List::Util qw(any first none uniqstr);
use Realfeel::Answer::Stats qw(is_percentile known lmbench percentiles);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Explain qw(scheduling);
use Realfeel::Model::Names qw(different);
use Realfeel::Model::Report qw(KB measure_name);

use constant {
    STATISTIC => 'statistic',
    UNKNOWN   => '-',
    SEVERAL   => 'several',     # of merged runs
    TIMES     => { map { $_ => 1 } qw(min mean sd max) },

    # Statistics that are not times
    COUNTS    => { count => sub { $_[1]->n }, missed => sub { known($_[0], 'missed') } },

    # What may be a row or a column
    FACTS     => [qw(host rate clock policy load source array processes cpu label kernel statistic)],

    # Stated as common to all runs, or as differing
    SETTINGS  => [qw(kernel source rate array processes load policy clock host)],

    # Facts from one line of the header
    KEY       => { host => 'hostname', rate => 'frequency_hz', array => 'array_bytes',
        map { $_ => $_ } qw(clock processes cpu label) },

    # Sorted by number; and how each reads where no heading says what it is
    NUMBERS   => { rate => '%s Hz', array => '%s', processes => '%s processes', cpu => 'CPU %s' },
};

# count, missed, min, mean, sd, max, lmbench, or a percentile such as p99.9
sub is_statistic ($name) { return TIMES->{$name} || COUNTS->{$name} || $name eq 'lmbench' || is_percentile($name) }

# The grid of some runs of Model::Cpus. %$wish has statistics, and rows and columns, arrays of facts. If both are undef,
# each run has a row, by its label, and each statistic a column; if one is undef, it is the statistic, or the label if
# the other has that. CPUs of a run are pooled unless a fact is cpu. $measure is lateness, wakeup or interval, undef for
# each report's own latency or else interval error. Dies with one line if two runs belong in one cell, or a report does
# not have the measure.
#
# Returns a hash of rows and columns (their facts); row_keys and column_keys (an array of texts for each); cells;
# measured (the measures in it); and the settings that are neither row nor column, [name, values...]: common to all
# runs, or aside if they differ.
#
# A cell is a hash of the indices row and column; text, a hash of facts; file, label and verdict of its run; measure,
# statistic, and figure, a hash of value, undef if unknown; is_count, true if it is not in us; for a percentile all that
# Answer::Stats says; and doubt, undef if reliable, else samples (too few), or as for lmbench in Answer::Stats.
sub grid ($wish, $measure, @runs) {
    my ($rows, $columns) = _axes($wish);
    my $by_cpu = any { $_ eq 'cpu' } @$rows, @$columns;
    my @reports = map { $by_cpu ? @{ $_->{reports} } : pooled($_) } @runs;
    my $facts = _facts(@reports);
    my @cells = map { my $i = $_; map { _cell($facts, $reports[$i], $i, $_) } @{ $wish->{statistics} } } 0 .. $#reports;
    my $grid = {
        rows    => $rows,    row_keys    => [_number('row', $rows, @cells)],
        columns => $columns, column_keys => [_number('column', $columns, @cells)],
        cells   => \@cells,  _unnamed($facts, @$rows, @$columns),
    };
    _refuse_two($grid);
    _figures($measure, @cells);
    delete @$_{qw(report value)} for @cells;
    return { %$grid, measured => [uniqstr map { $_->{measure} } @cells] };
}

# Several statistics always need a place: last of the rows, unless given
sub _axes ($wish) {
    my ($rows, $columns, $statistics) = @$wish{qw(rows columns statistics)};
    my $has_statistic = sub { any { $_ eq STATISTIC } map { @{ $_ // [] } } @_ };
    $columns //= $has_statistic->($rows) ? ['label'] : [STATISTIC];
    $rows //= $has_statistic->($columns) ? ['label'] : [STATISTIC];
    $rows = [@$rows, STATISTIC] if @$statistics > 1 && !$has_statistic->($rows, $columns);
    return ($rows, $columns);
}

# For each fact, values and texts by report. Loads that differ only in their seed are equal. A run without a label is
# named after its file.
sub _facts (@reports) {
    my %values = map { my $fact = $_; $fact => [map { _header($_, KEY->{$fact}) } @reports] } keys %{ KEY() };
    $values{load} = [map { _header($_, 'load') =~ s/ --seed \d+//r } @reports];
    $values{source} = [map { _header($_, 'source') =~ s{ /.*}{}r } @reports];
    $values{policy} = [map { _joined(' ', map { $_ eq '' ? UNKNOWN : printable($_) } scheduling($_)) } @reports];
    $values{kernel} = [map { _joined(', ', _kernel($_)) } @reports];
    my @names = map { printable($_) } Realfeel::Model::Names::names(@reports);
    my %texts = (
        %values, kernel => [_kernels(@reports)],
        array => [map { /\D/ ? $_ : $_ % KB ? "$_ B" : $_ / KB . ' kB' } @{ $values{array} }],
        load  => [map { $_ eq 'none' ? 'no load' : $_ } @{ $values{load} }],
        label => [map { $values{label}[$_] eq UNKNOWN ? $names[$_] : $values{label}[$_] } 0 .. $#names],
    );
    return { map { $_ => { values => $values{$_}, texts => $texts{$_} } } keys %values };
}

sub _header ($report, $key) {
    return printable($report->header($key) // UNKNOWN);
}

# Joins the values that are known
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
    return { report => $report, statistic => $statistic, text => \%text, value => \%value,
        file => text($report->{file}), verdict => text($report->{verdict}), label => text(known($report, 'label')) };
}

# Numbers the cells' rows or columns, and returns their texts
sub _number ($axis, $facts, @cells) {
    my (%first, %of);
    for my $cell (@cells) {
        my ($text, $value) = @$cell{qw(text value)};
        my @ranks = map { ($value->{$_} // -1, $first{$_}{ $text->{$_} } //= keys %{ $first{$_} }) } @$facts;
        $cell->{$axis} = join "\n", @$text{@$facts};
        $of{ $cell->{$axis} } //= { texts => [@$text{@$facts}], ranks => \@ranks };
    }
    my @keys = sort {
        my ($one, $other) = map { $of{$_}{ranks} } $a, $b;
        (first { $_ } map { $one->[$_] <=> $other->[$_] } 0 .. $#$one) // 0;
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
        my ($one, $other) = map { printable($_->{file}) } $first, $cell;
        die "$one and $other have the same place, " . _name($grid, @$cell{qw(row column)})
            . '; merge them, leave one out'
            . (@apart ? ', or tell them apart with --rows or --columns, by ' . join(' or ', @apart) : '') . "\n";
    }
}

# Settings that are neither row nor column: those in common and those that differ
sub _unnamed ($facts, @named) {
    my %is_named = map { $_ => 1 } STATISTIC, @named;
    my @others = map {
        my $texts = $facts->{$_}{ $_ eq 'kernel' ? 'values' : 'texts' };
        [$_, uniqstr grep { $_ ne UNKNOWN } @$texts];
    } grep { !$is_named{$_} } @{ SETTINGS() };
    my %is_lacking = map { my $fact = $_; $fact => any { $_ eq UNKNOWN } @{ $facts->{$fact}{values} } } keys %$facts;
    return (common => [grep { @$_ == 2 && !$is_lacking{ $_->[0] } } @others], aside => [grep { @$_ > 2 } @others]);
}

sub _figures ($measure, @cells) {
    my $latency = !defined $measure && none { !$_->{report}->latency } @cells;
    my %of;
    for my $cell (@cells) {
        my $report = $cell->{report};
        my $name = $cell->{measure} = $latency ? $report->{latency_name} : $measure // 'interval';
        my $values = $of{$report} //= { distribution => $report->measured($name) // die printable($report->{file})
            . ': has no ' . measure_name($name)
            . "; name runs that have a measure in common, or choose one with --measure\n" };
        $cell->{figure} = _figure($report, $name, $values, $cell->{statistic});
    }
}

sub _figure ($report, $measure, $values, $statistic) {
    my $distribution = $values->{distribution};
    return { value => number(COUNTS->{$statistic}->($report, $distribution)), is_count => 1 } if COUNTS->{$statistic};
    return { value => number($distribution->n ? $distribution->$statistic : undef) } if TIMES->{$statistic};
    return lmbench($report) // { value => undef } if $statistic eq 'lmbench';
    $values->{percentiles} //= { map { ("p$_->{percentile}" => $_) }
        percentiles($distribution, $report->pieces, $measure) };
    my $percentile = $values->{percentiles}{$statistic};
    my $roughly = $percentile->{roughly_us};
    return { %$percentile, value => $percentile->{value_us} } unless defined $roughly;
    return { %$percentile, value => $roughly, doubt => $percentile->{lack} };
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
