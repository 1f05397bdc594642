# SPDX-License-Identifier: GPL-2.0-or-later
# Reads version 1 of the report, see realfeel(5).
package Realfeel::Input::Format1;
use Realfeel::Base::Modern;
use feature 'state';

use List::Util qw(sum0);
use Realfeel::Input::Keys qw(COLUMNS KEYS LATENCIES PARTS TYPE columns fault in_order);
use Realfeel::Stat::Bins qw(COUNT_MAX edge);

use constant TOGETHER => 1_000;     # rows, so few that they stay in the cache

use constant {
    # Sums of columns that the header of a complete report states: header key, data set, columns
    SUMS => [
        [samples => histogram => qw(interval early)],
        [samples => runs      => qw(samples)],
        [samples => slices    => qw(wakeups)],
        [periods => slices    => qw(periods)],
        [missed  => slices    => qw(missed)],
        (map { [parts_matched => parts => $_] } PARTS),
        [parts_matched => parts_by_lateness => qw(wakeups)],
    ],
    # The data sets whose columns are added up, and those with bins
    ADDED => {
        histogram => [qw(interval early), LATENCIES], runs => ['samples'], slices => [qw(wakeups periods missed)],
        parts => [PARTS], parts_by_lateness => ['wakeups'],
    },
    BINNED => { map { $_ => 1 } qw(histogram parts parts_by_lateness) },

    # What is checked in each row: how, and in which columns
    CHECKED => {
        events            => [\&_check_event, map { "${_}_us" } LATENCIES, PARTS],
        records           => [\&_check_record, qw(event at_us kind id)],
        parts_by_lateness => [\&_check_means, qw(from_us to_us), PARTS],
    },
    TOGETHER_ONLY => [
        [qw(interval early)], [qw(lateness_us interval_us)],
        [qw(run_delay_us switches faults interrupts)], [map { "${_}_us" } PARTS],
    ],
    # How many latencies a data set may have, by the suffix of its column names
    LATENCIES_OF => { slices => ['_max_us', 1, 2], slice_bins => ['', 1, 1], events => ['_us', 1, 2] },
    LINES      => qr/\G(?:# [a-z][a-z0-9_]*:(?: .*)?\n){1,${\TOGETHER}}+/,
    FIRST_LINE => qr/^# realfeel \d+\s*$/,
    OTHERS     => qr/\G(?:(?!# (?:realfeel|end) ).++\n){1,${\TOGETHER}}+/,
    COUNTS_OF_PARTS => [qw(parts_matched parts_unknown trace_lost)],
    ROUNDED_NS => 3,        # at most, as five means are by half a nanosecond each
};

# Reads the report that comes next in $lines. Returns a hash of format (1), header (key to value, unescaped), keys in
# order, bins, a Stat::Bins, and sets: for those after the histogram, if present, a hash of names, an array, and the
# rows as text. A histogram without interval and early, or without lateness, is from a run that did not measure them.
# Dies with one line at the first thing that is not part of a whole report.
sub parse ($class, $lines) {
    my $self = bless {
        lines => $lines, header => {}, keys => [], line_of => {}, sets => {}, last => {},
        sums  => { histogram => { map { $_ => 0 } @{ ADDED->{histogram} } } },
    }, $class;
    my ($version) = $lines->line =~ /^# realfeel (\S+)\s*$/;
    my $fault = !defined $version ? "no format version after '# realfeel'; the report is damaged, take another copy"
        : "format version $version is not known; use a newer realfeel-analyze";
    $lines->fail($lines->{number}, $fault) unless ($version // '') eq '1';
    $lines->pass;
    $self->_header;
    $self->_data_sets;
    $self->_check_parts if defined $self->{record} || grep { defined $self->{header}{$_} } @{ COUNTS_OF_PARTS() };
    $self->_check_sums;
    my $bins = delete($self->{sets}{histogram}) // Realfeel::Stat::Bins->new(
        map { $_->[0] } grep { ($_->[2] // 'due') eq 'due' } @{ COLUMNS->{histogram} });
    return { format => 1, bins => $bins, %$self{qw(header keys sets)} };
}

# A truncated report has other faults, too, but only the truncation is reported.
sub _fail ($self, $what, $number = undef) {
    my $lines = $self->{lines};
    $number //= $lines->{number};
    my $is_last = $self->{ended};
    while (!$self->{ended} && defined(my $line = $lines->line)) {
        last if $line =~ FIRST_LINE;
        if ($lines->take(OTHERS) ne '') {
            $is_last = 0;
            next;
        }
        $is_last = $line =~ /^# end samples=\d+$/ if $line ne '';
        $lines->pass;
    }
    $lines->fail($lines->{last},
        "the last line is not '# end samples=N', so the report is cut off; take another copy") unless $is_last;
    $lines->fail($number, $what);
}

# At line $number, or in the line of that header key, or the next one
sub _damaged ($self, $what, $place = undef) {
    $self->_fail("$what; the report is damaged, take another copy", $self->{line_of}{ $place // '' } // $place);
}

# The next line of this report
sub _line ($self) {
    my $line = $self->{lines}->line;
    $self->_fail('ends here') if !defined $line || $line =~ FIRST_LINE;
    return $line;
}

# Takes many lines at a time, as most of a short report is its header
sub _header ($self) {
    my ($lines, $line_of) = @$self{qw(lines line_of)};
    while ((my $text = $lines->take(LINES)) ne '') {
        my $number = $lines->{number} - ($text =~ tr/\n//);
        for (; $text =~ /^# (\w+):(?: (.*))?$/mg; $number++) {
            my ($key, $value, $known) = ($1, $2 // '', KEYS->{$1});
            $self->_damaged("key '$key' is there a second time", $number) if $line_of->{$key};
            $value =~ s/\\(?:(\\)|x([0-9a-fA-F]{2}))/$1 || chr hex $2/ge if index($value, '\\') >= 0;
            my $fault = $known && $known->{type} ? fault($key, $value, $known->{type}) : undef;
            $self->_damaged($fault, $number) if defined $fault;
            $line_of->{$key} = $number;
            next if $known && $known->{class} eq 'hidden';
            $self->{header}{$key} = $value;
            push @{ $self->{keys} }, $key;
        }
    }
    my $line = $self->_line;
    return if $line =~ /^(?:# end .*)?$/;
    $self->_damaged($line =~ /^#/ ? "not a header line '# key: value'" : 'a data line outside a data set');
}

# Passes over data sets of other versions
sub _data_sets ($self) {
    my $lines = $self->{lines};
    while ((my $line = $self->_line) !~ /^# end samples=/) {
        $self->_damaged('a data line outside a data set') unless $line =~ /^(?:#|$)/;
        $lines->pass;
        my ($name) = $line =~ /^# ([a-z]\w*)$/ or next;
        if (COLUMNS->{$name}) {
            $self->_damaged("data set '$name' is there a second time") if $self->{sets}{$name};
            my $columns = $self->_columns($name);
            $lines->pass;
            $self->_rows($name, $columns);
        }
        else { $lines->pass while $self->_line !~ /^(?:# end .*)?$/ }
    }
    $self->_end;
}

# The columns that the title of a data set names
sub _columns ($self, $name) {
    my $line = $self->_line;
    my %named = map { $_ => 1 } split ' ', $line;
    my @columns = in_order($name, \%named);
    my $is_whole = $line eq join ' ', '#', map { $_->[0] } @columns;
    for my $together (@{ TOGETHER_ONLY() }) {
        my $there = grep { $named{$_} } @$together;
        $is_whole = 0 if $there && $there < @$together;
    }
    my ($unit, $least, $most) = @{ LATENCIES_OF->{$name} // ['', 0, scalar(() = LATENCIES)] };
    my $latencies = grep { $named{"$_$unit"} } LATENCIES;
    return \@columns if $is_whole && $least <= $latencies && $latencies <= $most;
    my $since = $line =~ /\bwakeup(?:_|\b)/ && $line !~ /\blateness/ ? 'asked' : 'due';
    my $title = join ' ', '#', map { $_->[0] } grep { ($_->[2] // $since) eq $since } @{ COLUMNS->{$name} };
    $self->_damaged("data set '$name' does not begin with '$title'");
}

# Matches many rows at a time, to be fast. They end at the end of the data set or at a bad row.
sub _rows ($self, $name, $columns) {
    my $lines = $self->{lines};
    my @names = map { $_->[0] } @$columns;
    my @types = map { $_->[1] } @$columns;
    state %pattern;     # cached, as it takes longer to compile than to match a short data set
    my $rows = $pattern{"@types"} //= do {
        my $row = join '(?: |[ \t]+)', map { '(?:' . TYPE->{$_}[0] . ')' } @types;
        qr/\G(?:(?>$row[ \t]*\n)){1,${\TOGETHER}}+/;
    };
    my %named = map { $_ => 1 } @names;
    my (undef, @looked_at) = @{ CHECKED->{$name} // [] };
    my @checked = (@{ ADDED->{$name} // [] }, BINNED->{$name} ? qw(from_us to_us) : (), @looked_at);
    $self->{sums}{$name} = { map { $_ => 0 } grep { $named{$_} } @{ ADDED->{$name} // [] } };
    my $set = $self->{sets}{$name}
        = $name eq 'histogram' ? Realfeel::Stat::Bins->new(@names) : { names => \@names, text => '' };
    while ((my $text = $lines->take($rows)) ne '') {
        my $bins = $name eq 'histogram' ? Realfeel::Stat::Bins->of_text(\@names, $text) : undef;
        $self->_check_rows($name, $lines->{number} - ($text =~ tr/\n//), $bins // columns(\@names, $text, @checked))
            if @checked;
        if ($bins) { $set->{$_} .= $bins->{$_} for @names }
        else       { $set->{text} .= $text }
    }
    $self->_refuse_row($columns) unless $self->_line =~ /^(?:#|$)/;
}

sub _refuse_row ($self, $columns) {
    my @fields = split ' ', $self->_line;
    $self->_damaged(sprintf '%d columns where %d are due', scalar @fields, scalar @$columns)
        unless @fields == @$columns;
    my ($fault) = grep { defined } map { fault($columns->[$_][0], $fields[$_], $columns->[$_][1]) } 0 .. $#fields;
    $self->_damaged($fault // 'not a line of this data set');
}

sub _end ($self) {
    my ($lines, $header) = @$self{qw(lines header)};
    my ($samples) = $lines->line =~ /=(.*)/;
    my @missing = grep { !defined $header->{$_} } qw(samples periods missed);
    $self->_damaged("the header has no '$missing[0]'") if @missing;
    $self->_damaged("the end says $samples samples, the header $header->{samples}")
        unless $samples eq $header->{samples};
    $self->{ended} = 1;
    do { $lines->pass } while ($lines->line // 'none') eq '';
    $self->_fail("text after the line '# end' that does not begin a report; remove it")
        if defined $lines->line && $lines->line !~ /^# realfeel\b/;
    my ($periods, $missed) = @$header{qw(periods missed)};
    my $unknown = grep { $_ eq 'unknown' } $periods, $missed;
    $self->_damaged('of periods and missed only one is unknown', 'periods') if $unknown == 1;
    $self->_damaged('samples + missed is not periods', 'periods') unless $unknown || $samples + $missed == $periods;
}

# Checks what rows say, beyond their form; $rows are columns or, for the histogram, bins, and $first is the first line's
# number
sub _check_rows ($self, $name, $first, $rows) {
    my $bins = $name eq 'histogram' ? $rows : undef;
    my $columns = $bins ? $bins->columns(qw(from_us to_us)) : $rows;
    if (BINNED->{$name}) {
        my ($from, $to, $edge) = (@$columns{qw(from_us to_us)}, $self->{last}{$name} // 0);
        for my $i (0 .. $#$from) {
            my $begin = $from->[$i];
            next if $begin >= $edge && $begin < ($edge = $to->[$i]);
            my $fault = $begin >= $to->[$i] ? 'ends before it begins' : 'overlaps the one before, or is out of order';
            $self->_damaged('the bin from ' . edge($begin) . " us $fault", $first + $i);
        }
        $self->{last}{$name} = $edge;
    }
    if (my ($check) = @{ CHECKED->{$name} // [] }) {
        my ($names, @columns) = ([keys %$columns], values %$columns);
        for my $i (0 .. $#{ $columns[0] }) {
            my %row;
            @row{@$names} = map { $_->[$i] } @columns;
            $check->($self, \%row, $first + $i);
        }
    }
    my $sums = $self->{sums}{$name};
    $sums->{$_} += $bins ? $bins->total($_) : sum0(unpack 'q*', pack 'q*', @{ $columns->{$_} }) for keys %$sums;
}

# Thousandths as whole numbers, so that sums are exact
sub _ns ($us) { return 0 + sprintf '%.0f', 1000 * $us }

# Worst wake-ups come worst first, and the parts of a latency add up to it
sub _check_event ($self, $row, $line) {
    my ($name) = grep { defined $row->{$_} } map { "${_}_us" } LATENCIES;
    my ($latency, $last) = ($row->{$name}, $self->{last}{latency});
    $self->_damaged("$name is $latency, more than that of the event before", $line)
        if defined $last && $latency > $last;
    $self->{last}{latency} = $latency;
    $self->{events}++;
    my @parts = grep { defined } @$row{map { "${_}_us" } PARTS};
    my @known = grep { $_ ne 'unknown' } @parts or return;
    $self->_damaged('of the five parts only some are unknown', $line) if @known < @parts;
    my $sum = sum0(map { _ns($_) } @known);
    $self->_damaged("the parts add up to @{[$sum / 1000]} us, $name is $latency", $line) if $sum != _ns($latency);
}

# The means of a row, each rounded to a nanosecond, must add up to a lateness between its edges
sub _check_means ($self, $row, $line) {
    my $sum = sum0(map { _ns($row->{$_}) } PARTS);
    my ($low, $high) = (_ns($row->{from_us}), $row->{to_us} eq 'inf' ? $sum : _ns($row->{to_us}));
    $low = $sum if $row->{from_us} == 0;                # wake-ups before their due time are in the first bin
    $self->_damaged("the parts add up to @{[$sum / 1000]} us, not between $row->{from_us} and $row->{to_us} us", $line)
        if $sum < $low - ROUNDED_NS || $sum > $high + ROUNDED_NS;
}

# Records are in order of time and belong to existing worst wake-ups. The line of the task that leaves the CPU is
# followed by the one that gets it, with the same time.
sub _check_record ($self, $row, $line) {
    my $last = $self->{record} // { event => -1, kind => '' };
    my ($event, $at, $kind) = @$row{qw(event at_us kind)};
    my $is_same = $event == $last->{event};
    my $events = $self->{events} // 0;
    $self->_damaged("event $event is not there, events has $events", $line) if $event > $events;
    $self->_damaged("event $event is out of order", $line) if $event < $last->{event};
    $self->_damaged("the record at $at us is earlier than the one before", $line) if $is_same && $at < $last->{at_us};
    my $is_switched = $last->{kind} eq 'switch_out';
    $self->_damaged('a switch has only one of its two tasks', $line) if $is_switched != ($kind eq 'switch_in')
        || $is_switched && !($is_same && $at == $last->{at_us});
    $self->_damaged("the task of this $kind has no number", $line)
        if $kind =~ /^(?:waking|switch_in)/ && $row->{id} eq '-';
    $self->{record} = { %$row, line => $line };
}

# The header lines on the parts of latencies, if any
sub _check_parts ($self) {
    my $header = $self->{header};
    my $record = $self->{record} // { kind => '' };
    $self->_damaged('a switch has only one of its two tasks', $record->{line}) if $record->{kind} eq 'switch_out';
    my @missing = grep { !defined $header->{$_} } @{ COUNTS_OF_PARTS() };
    return if @missing == @{ COUNTS_OF_PARTS() };
    $self->_damaged("the header has no '$missing[0]'") if @missing;
    my ($matched, $unknown) = @$header{qw(parts_matched parts_unknown)};
    $self->_damaged('parts_matched + parts_unknown is not samples', 'parts_matched')
        if $matched + $unknown != $header->{samples};
    return unless $matched;
    my ($lateness, @parts) = map { $header->{$_} // $self->_damaged("the header has no '$_'") }
        'parts_lateness_sum_ns', map { "${_}_sum_ns" } PARTS;
    my $sum = _sum(@parts);
    $self->_damaged("parts_lateness_sum_ns is $lateness, but the parts add up to $sum", 'parts_lateness_sum_ns')
        if $sum ne _sum($lateness);
}

# Any length; most runs do without Math::BigInt, which loads slowly
sub _sum (@numbers) {
    my $is_long = grep { length > 17 } @numbers;
    require Math::BigInt if $is_long;
    my $sum = $is_long ? Math::BigInt->bzero : 0;
    $sum += $_ for @numbers;
    return "$sum";
}

# Latencies count periods or, in other programs' files, wake-ups; delays and latencies of a thread count both together
sub _check_sums ($self) {
    my $header = $self->{header};
    my @latencies = defined $header->{timed} ? map { [periods => histogram => @$_] } ['delay'], [qw(lateness wakeup)]
        : map { my $key = $_; map { [$key => histogram => $_] } LATENCIES } 'periods',
            $header->{lateness_of} ? 'samples' : ();
    for (@{ SUMS() }, @latencies) {
        my ($key, $name, @columns) = @$_;
        my $set = $self->{sums}{$name};
        $self->_damaged("$key is $header->{$key}, but there is no data set $name", $key)
            if !$set && $key eq 'parts_matched' && $header->{$key};
        next if !$set || grep { !defined $set->{$_} } @columns;
        my ($told, $sum) = ($header->{$key} // 0, sum0(@$set{@columns}));
        $self->_damaged("$key is $told, but $name holds $sum", $key)
            unless $told eq 'unknown' ? $sum <= COUNT_MAX : $sum == $told;
    }
}

1;
