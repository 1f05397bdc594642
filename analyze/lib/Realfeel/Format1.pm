# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Format1;
use strict;
use warnings;

use List::Util qw(min);

use constant TIME => '\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?Z';

use constant {
    TOGETHER => 5_000,          # and not without end: Perl counts in 16 bits how often a group is repeated

    # What a number may look like, and how to say so. A count stays below 2**63, so sums of counts are exact.
    TYPE => {
        count        => ['\d{1,18}',              'a whole number of 0 or more'],
        positive     => ['[1-9]\d{0,17}',         'a whole number of 1 or more'],
        number       => ['\d+(?:\.\d+)?',         'a number of 0 or more'],
        signed       => ['-?\d+(?:\.\d+)?',       'a number'],
        open         => ['\d+(?:\.\d+)?|inf',     'a number of 0 or more'],
        time         => [TIME,                    'a time like 2026-11-20T23:05:57.123456Z'],
        known_count  => ['\d{1,18}|unknown',      "a whole number of 0 or more, nor 'unknown'"],
        known_number => ['\d+(?:\.\d+)?|unknown', "a number of 0 or more, nor 'unknown'"],
        word         => ['\S+',                  'a word'],
    },
    # Of each data set the columns, in their order: name, type, and of those that not every report has, which have them:
    # measured are missing where the run did not know them, merged are there only in reports of several runs.
    COLUMNS => {
        histogram => [
            [from_us => 'number'], [to_us => 'open'],
            (map { [$_ => 'count', 'measured'] } qw(interval early lateness)),
        ],
        runs => [
            [run => 'positive'], [started => 'word'], (map { [$_ => 'known_number'] } qw(duration_s)),
            [samples => 'count'], (map { [$_ => 'known_count'] } qw(periods missed)),
            [verdict => 'word'],
        ],
        slices => [
            [run => 'positive', 'merged'],
            [start_s => 'number'], [seconds => 'number'],
            [wakeups => 'count'],  [periods => 'count'], [missed => 'count'],
            [lateness_max_us => 'signed'], [interval_max_us => 'signed'],
        ],
        slice_bins => [
            [run => 'positive', 'merged'],
            [start_s => 'number'], [seconds => 'number'],
            [from_us => 'number'], [to_us => 'open'], [lateness => 'count'],
        ],
        events => [
            [run => 'positive', 'merged'],
            [at_s => 'number'], [utc => 'time'], [period => 'positive'],
            [lateness_us => 'signed'], [interval_us => 'signed'], [periods => 'positive'],
            (map { [$_ => 'known_count'] } qw(cpu_before cpu)),
            [run_delay_us => 'known_number'],
            (map { [$_ => 'known_count'] } qw(switches faults interrupts smis)),
        ],
    },
    HEADER => {
        samples => 'count',
        (map { $_ => 'known_count' } qw(periods missed early_wakeups)),
        (map { $_ => 'number' } qw(duration_s frequency_hz period_ns anchor_uncertainty_ns
            tsc_hz tsc_error_ppm tsc_drift_ppm)),
        (map { ("${_}_min_ns" => 'signed', "${_}_max_ns" => 'signed', "${_}_mean_ns" => 'signed',
                "${_}_sd_ns" => 'number') } qw(interval lateness)),
    },

    # Each column sum that a whole report fixes, as far as it has both: header key, data set, its columns.
    SUMS => [
        [samples => histogram => qw(interval early)],
        [periods => histogram => qw(lateness)],
        [samples => runs      => qw(samples)],
        [samples => slices    => qw(wakeups)],
        [periods => slices    => qw(periods)],
        [missed  => slices    => qw(missed)],
    ],
};

=head1 NAME

Realfeel::Format1 - read version 1 of the report that realfeel(5) describes

=head1 METHODS

=head2 parse($lines)

Turns a L<Realfeel::Lines> into a hash: C<format> (1), C<header> (key to value, escapes undone), C<keys> (those of the
header, in order) and one entry for each data set that it knows: C<histogram>, C<runs>, C<slices>, C<slice_bins> and
C<events>, each a hash from the column's name to its values. A histogram without C<interval> and C<early>, or without
C<lateness>, is that of a run that did not know them.
Dies with one line at the first thing that keeps the text from being a whole report.

=cut

sub parse {
    my ($class, $lines) = @_;
    my $self = bless { lines => $lines, row => 0, header => {}, keys => [], line_of => {}, sets => {} }, $class;
    $self->_version;
    $self->_whole;
    $self->_header;
    $self->_data_sets;
    $self->_check_bins($self->{sets}{histogram} //= { map { $_->[0] => [] } @{ COLUMNS->{histogram} } });
    $self->_check_counts;
    $self->_check_events;
    $self->_check_sums;
    return { format => 1, header => $self->{header}, keys => $self->{keys}, %{ $self->{sets} } };
}

sub _line { return $_[0]{lines}->lines->[$_[0]{row}] }

sub _fail {
    my ($self, $what, $number) = @_;
    $self->{lines}->fail($number // $self->{row} + 1, $what);
}

sub _damaged {
    my ($self, $what, $number) = @_;
    $self->_fail("$what; the report is damaged, take another copy", $number);
}

sub _version {
    my ($self) = @_;
    my ($version) = $self->_line =~ /^# realfeel (\S+)\s*$/;
    $self->_damaged("no format version after '# realfeel'") unless defined $version;
    $self->_fail("format version $version is not known; use a newer realfeel-analyze") unless $version eq '1';
    $self->{row}++;
}

# Looked at first, for a report that is cut off in the middle of a line has other faults too.
sub _whole {
    my ($self) = @_;
    my $lines = $self->{lines}->lines;
    return if $lines->[-1] =~ /^# end samples=\d+$/;
    $self->_fail("the last line is not '# end samples=N', so the report is cut off; take another copy", scalar @$lines);
}

sub _header {
    my ($self) = @_;
    for (; $self->_line !~ /^(?:# end .*)?$/; $self->{row}++) {
        my $line = $self->_line;
        $self->_damaged('a data line outside a data set') unless $line =~ /^#/;
        my ($key, $value) = $line =~ /^# ([a-z][a-z0-9_]*):(?: (.*))?$/
            or $self->_damaged("not a header line '# key: value'");
        $self->_damaged("key '$key' is there a second time") if $self->{line_of}{$key};
        $self->_check_value($key, HEADER->{$key}, $value // '') if HEADER->{$key};
        $self->{header}{$key} = _unescape($value // '');
        $self->{line_of}{$key} = $self->{row} + 1;
        push @{ $self->{keys} }, $key;
    }
}

sub _unescape {
    my ($value) = @_;
    $value =~ s/\\(?:(\\)|x([0-9a-fA-F]{2}))/$1 || chr hex $2/ge;
    return $value;
}

sub _check_value {
    my ($self, $name, $type, $value) = @_;
    my ($pattern, $meaning) = @{ TYPE->{$type} };
    $self->_damaged("$name is '$value', not $meaning") unless $value =~ /^(?:$pattern)$/;
}

sub _data_sets {
    my ($self) = @_;
    while (1) {
        my $line = $self->_line;
        return $self->_end($1) if $line =~ /^# end samples=(.*)$/;
        $self->_damaged('a data line outside a data set') unless $line =~ /^(?:#|$)/;
        $self->{row}++;
        $self->_data_set($1) if $line =~ /^# ([a-z]\w*)$/;
    }
}

sub _data_set {
    my ($self, $name) = @_;
    return $self->_pass_over unless COLUMNS->{$name};
    $self->_damaged("data set '$name' is there a second time") if $self->{sets}{$name};
    my $columns = $self->_columns($name);
    $self->{row}++;

    my $first = $self->{row};
    my $values = $self->_rows($columns);
    $self->{sets}{$name} = { map { $columns->[$_][0] => $values->[$_] } 0 .. $#$columns };
    $self->{line_of}{$name} = $first + 1;
}

# Those that the title of a data set names.
sub _columns {
    my ($self, $name) = @_;
    my %named = map { $_ => 1 } split ' ', $self->_line;
    my @columns = grep { !$_->[2] || $named{ $_->[0] } } @{ COLUMNS->{$name} };
    return \@columns if $self->_line eq _title(@columns) && !$named{early} == !$named{interval};
    my $title = _title(grep { ($_->[2] // '') ne 'merged' } @{ COLUMNS->{$name} });
    $self->_damaged("data set '$name' does not begin with '$title'");
}

sub _title {
    return join ' ', '#', map { $_->[0] } @_;
}

sub _pass_over {
    my ($self) = @_;
    $self->{row}++ while $self->_line !~ /^(?:# end .*)?$/;
}

# The values of each column. Many rows are checked, and then taken apart, together, because this must be fast; only when
# there is something wrong is the row looked for.
sub _rows {
    my ($self, $columns) = @_;
    my $lines = $self->{lines}->lines;
    my $first = my $end = $self->{row};
    $end++ while $lines->[$end] !~ /^(?:#|$)/;
    my $row = join '[ \t]++', map { '(?>' . TYPE->{ $_->[1] }[0] . ')' } @$columns;
    my $rows = qr/\A(?:$row[ \t]*+\n)*+\z/;
    my @values = map { [] } @$columns;
    for (my $i = $first; $i < $end; $i += TOGETHER) {
        my $text = join "\n", @$lines[$i .. min($i + TOGETHER, $end) - 1], '';
        $self->_look_for_bad_row($columns, $end) if $text !~ $rows;
        _add_rows(\@values, split ' ', $text);
    }
    $self->{row} = $end;
    return \@values;
}

sub _add_rows {
    my ($values, @fields) = @_;
    my @starts = map { $_ * @$values } 0 .. @fields / @$values - 1;
    for my $column (0 .. $#$values) {
        push @{ $values->[$column] }, @fields[map { $_ + $column } @starts];
    }
}

sub _look_for_bad_row {
    my ($self, $columns, $end) = @_;
    my $pattern = join '[ \t]+', map { '(?:' . TYPE->{ $_->[1] }[0] . ')' } @$columns;
    my $lines = $self->{lines}->lines;
    for (; $self->{row} < $end; $self->{row}++) {
        $self->_explain($columns) if $self->_line !~ /^$pattern[ \t]*$/;
    }
}

sub _explain {
    my ($self, $columns) = @_;
    my @fields = split ' ', $self->_line;
    $self->_damaged(sprintf '%d columns where %d are due', scalar @fields, scalar @$columns)
        unless @fields == @$columns;
    $self->_check_value(@{ $columns->[$_] }[0, 1], $fields[$_]) for 0 .. $#fields;
    $self->_damaged('not a line of this data set');
}

sub _end {
    my ($self, $samples) = @_;
    my $header = $self->{header};
    my @missing = grep { !defined $header->{$_} } qw(samples periods missed);
    $self->_damaged("the header has no '$missing[0]'") if @missing;
    $self->_damaged("the end says $samples samples, the header $header->{samples}")
        unless $samples eq $header->{samples};
    $self->{row}++;
    $self->_fail("text after the line '# end'; keep one report in a file") if defined $self->_line;
}

sub _check_counts {
    my ($self) = @_;
    my ($samples, $periods, $missed) = @{ $self->{header} }{qw(samples periods missed)};
    return if grep { $_ eq 'unknown' } $periods, $missed;
    $self->_damaged('samples + missed is not periods', $self->{line_of}{periods}) unless $samples + $missed == $periods;
}

sub _check_bins {
    my ($self, $bins) = @_;
    my ($from, $to) = @$bins{qw(from_us to_us)};
    my $edge = 0;
    for my $i (0 .. $#$from) {
        $self->_fail_bin($i, 'ends before it begins') unless $from->[$i] < $to->[$i];
        $self->_fail_bin($i, 'overlaps the one before, or is out of order') unless $from->[$i] >= $edge;
        $edge = $to->[$i];
    }
}

sub _fail_bin {
    my ($self, $i, $what) = @_;
    my $from = $self->{sets}{histogram}{from_us}[$i];
    $self->_damaged("the bin from $from us $what", $self->{line_of}{histogram} + $i);
}

sub _check_events {
    my ($self) = @_;
    my $events = $self->{sets}{events} or return;
    my $lateness = $events->{lateness_us};
    for my $i (1 .. $#$lateness) {
        $self->_damaged("lateness_us is $lateness->[$i], more than that of the event before",
            $self->{line_of}{events} + $i) if $lateness->[$i] > $lateness->[$i - 1];
    }
}

sub _check_sums {
    my ($self) = @_;
    for (@{ SUMS() }, $self->{header}{lateness_of} ? [samples => histogram => 'lateness'] : ()) {
        my ($key, $name, @columns) = @$_;
        my $set = $self->{sets}{$name} or next;
        next if $self->{header}{$key} eq 'unknown' || grep { !$set->{$_} } @columns;
        my $sum = 0;
        for my $column (@columns) {
            $sum += $_ for @{ $set->{$column} };
        }
        $self->_damaged("$key is $self->{header}{$key}, but $name holds $sum", $self->{line_of}{$key})
            unless $sum == $self->{header}{$key};
    }
}

1;
