# SPDX-License-Identifier: GPL-2.0-or-later
# Reads version 1 of the report, see realfeel(5).
package Realfeel::Input::Format1;
use Realfeel::Base::Modern;
use feature 'state';

use List::Util qw(sum0);
use Realfeel::Input::Format1::Columns qw(COLUMNS HEADER LATENCIES PARTS TYPE columns fault fields in_order);
use Realfeel::Input::Format1::Explain;
use Realfeel::Stat::Bins qw(COUNT_MAX edge);
use Scalar::Util qw(weaken);

use constant TOGETHER => 1_000;     # rows, so few that they stay in the cache

use constant {
    # Column sums that a whole report fixes, if it has both: header key, data set, columns
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
    TOGETHER_ONLY => [
        [qw(interval early)], [qw(lateness_us interval_us)],
        [qw(run_delay_us switches faults interrupts)], [map { "${_}_us" } PARTS],
    ],
    # How many latencies a data set may have, by the ends of their columns' names
    LATENCIES_OF => { slices => ['_max_us', 1, 2], slice_bins => ['', 1, 1], events => ['_us', 1, 2] },
    KEYS       => qr/\G(?:# [a-z][a-z0-9_]*:(?: .*)?\n){1,${\TOGETHER}}+/,
    FIRST_LINE => qr/^# realfeel \d+\s*$/,
    OTHERS     => qr/\G(?:(?!# (?:realfeel|end) ).++\n){1,${\TOGETHER}}+/,
};

# Reads the report that comes next in $lines. Returns a hash of format (1), header (key to value, unescaped), keys in
# order, bins, a Stat::Bins, and sets: for runs, slices, slice_bins, events and those of Model::Explain, if present, an
# array of column names and the rows as text. A histogram without interval and early, or without lateness, is from a run
# that did not know them. Dies with one line at the first thing that is not part of a whole report.
sub parse ($class, $lines) {
    my ($bins, %sets);
    my $report = $class->scan($lines, sub ($name, $names, $text, $more) {
        return $bins ? $bins->append($more) : ($bins = $more) if $more;
        $sets{$name}[0] = $names;
        $sets{$name}[1] .= $text;
    });
    $bins //= Realfeel::Stat::Bins->new(map { $_->[0] } grep { ($_->[2] // 'due') eq 'due' } @{ COLUMNS->{histogram} });
    return { %$report, bins => $bins, sets => \%sets };
}

# Like parse, but keeps no data set: $take->($name, \@names, $text, $bins) gets checked rows, some thousand at a time,
# and finally none. The rows of the histogram come as a Stat::Bins, too.
sub scan ($class, $lines, $take) {
    my $self = bless {
        lines => $lines, take => $take, header => {}, keys => [], line_of => {}, seen => {}, last => {},
        sums  => { histogram => { map { $_ => 0 } @{ ADDED->{histogram} } } },
    }, $class;
    weaken(my $fails = $self);
    $self->{explain} = Realfeel::Input::Format1::Explain->new(sub { $fails->_damaged(@_) });
    $self->_version;
    $self->_header;
    $self->_data_sets;
    $self->_check_counts;
    $self->{explain}->end(@$self{qw(header line_of)});
    $self->_check_sums;
    return { format => 1, header => $self->{header}, keys => $self->{keys} };
}

# A truncated report has other faults, too, but only the truncation is reported.
sub _fail ($self, $what, $number = undef) {
    my $lines = $self->{lines};
    $number //= $lines->number;
    $self->_look_for_end unless $self->{ended};
    $lines->fail($number, $what);
}

sub _look_for_end ($self) {
    my $lines = $self->{lines};
    my $is_last = 0;
    while (defined(my $line = $lines->line)) {
        last if $line =~ FIRST_LINE;
        if ($lines->take(OTHERS) ne '') {
            $is_last = 0;
            next;
        }
        $is_last = $line =~ /^# end samples=\d+$/ if $line ne '';
        $lines->pass;
    }
    $lines->fail($lines->last_number,
        "the last line is not '# end samples=N', so the report is cut off; take another copy") unless $is_last;
}

sub _damaged ($self, $what, $number = undef) {
    $self->_fail("$what; the report is damaged, take another copy", $number);
}

# The next line of this report
sub _line ($self) {
    my $line = $self->{lines}->line;
    $self->_fail('ends here') if !defined $line || $line =~ FIRST_LINE;
    return $line;
}

sub _version ($self) {
    my $lines = $self->{lines};
    my ($version) = $lines->line =~ /^# realfeel (\S+)\s*$/;
    my $fault = !defined $version ? "no format version after '# realfeel'; the report is damaged, take another copy"
        : "format version $version is not known; use a newer realfeel-analyze";
    $lines->fail($lines->number, $fault) unless ($version // '') eq '1';
    $lines->pass;
}

# Takes many lines at a time, as most of a short report is its header
sub _header ($self) {
    my $lines = $self->{lines};
    while ((my $text = $lines->take(KEYS)) ne '') {
        my $number = $lines->number - ($text =~ tr/\n//);
        $self->_key($number++, $1, $2 // '') while $text =~ /^# (\w+):(?: (.*))?$/mg;
    }
    my $line = $self->_line;
    return if $line =~ /^(?:# end .*)?$/;
    $self->_damaged($line =~ /^#/ ? "not a header line '# key: value'" : 'a data line outside a data set');
}

sub _key ($self, $number, $key, $value) {
    $self->_damaged("key '$key' is there a second time", $number) if $self->{line_of}{$key};
    $value = _unescape($value) if index($value, '\\') >= 0;
    my $fault = HEADER->{$key} && fault($key, HEADER->{$key}, $value);
    $self->_damaged($fault, $number) if defined $fault;
    $self->{line_of}{$key} = $number;
    return if $key eq 'deduced';    # of older reports: it is not shown any more
    $self->{header}{$key} = $value;
    push @{ $self->{keys} }, $key;
}

sub _unescape ($value) {
    $value =~ s/\\(?:(\\)|x([0-9a-fA-F]{2}))/$1 || chr hex $2/ge;
    return $value;
}

sub _data_sets ($self) {
    while ((my $line = $self->_line) !~ /^# end samples=(.*)$/) {
        $self->_damaged('a data line outside a data set') unless $line =~ /^(?:#|$)/;
        $self->{lines}->pass;
        $self->_data_set($1) if $line =~ /^# ([a-z]\w*)$/;
    }
    $self->_end;
}

sub _data_set ($self, $name) {
    if (!COLUMNS->{$name}) {
        $self->{lines}->pass while $self->_line !~ /^(?:# end .*)?$/;
        return;
    }
    $self->_damaged("data set '$name' is there a second time") if $self->{seen}{$name}++;
    my $columns = $self->_columns($name);
    $self->{lines}->pass;
    $self->_rows($name, $columns);
}

# The columns that the title of a data set names
sub _columns ($self, $name) {
    my $line = $self->_line;
    my %named = map { $_ => 1 } split ' ', $line;
    my @columns = in_order($name, \%named);
    return \@columns if $line eq _title(@columns) && _belong_together(\%named) && _tells_latency($name, \%named);
    my $since = $line =~ /\bwakeup(?:_|\b)/ && $line !~ /\blateness/ ? 'asked' : 'due';
    my $title = _title(grep { ($_->[2] // $since) eq $since } @{ COLUMNS->{$name} });
    $self->_damaged("data set '$name' does not begin with '$title'");
}

sub _tells_latency ($name, $named) {
    my ($unit, $least, $most) = @{ LATENCIES_OF->{$name} // return 1 };
    my $told = grep { $named->{"$_$unit"} } LATENCIES;
    return $least <= $told && $told <= $most;
}

# Some columns must all be there, or none
sub _belong_together ($named) {
    for my $together (@{ TOGETHER_ONLY() }) {
        my @there = grep { $named->{$_} } @$together;
        return 0 if @there && @there < @$together;
    }
    return 1;
}

sub _title { return join ' ', '#', map { $_->[0] } @_ }

# Matches many rows at a time, to be fast. They end at the end of the data set or at a bad row.
sub _rows ($self, $name, $columns) {
    my $lines = $self->{lines};
    my @names = map { $_->[0] } @$columns;
    my $rows = _pattern(map { $_->[1] } @$columns);
    my %named = map { $_ => 1 } @names;
    my @checked = (@{ ADDED->{$name} // [] }, BINNED->{$name} ? qw(from_us to_us) : (), $self->{explain}->takes($name));
    $self->{sums}{$name} = { map { $_ => 0 } grep { $named{$_} } @{ ADDED->{$name} // [] } };
    my $text = '';
    do {
        $text = $lines->take($rows);
        my $bins = $name eq 'histogram' ? Realfeel::Stat::Bins->of_text(\@names, $text) : undef;
        $self->_check_rows($name, $lines->number - ($text =~ tr/\n//), $bins // columns(\@names, $text, @checked))
            if $text ne '' && @checked;
        $self->{take}->($name, \@names, $text, $bins);
    } while $text ne '';
    $self->_explain($columns) unless $self->_line =~ /^(?:#|$)/;
}

# Cached, as it takes longer to compile than to match a short data set
sub _pattern (@types) {
    state %rows;
    return $rows{"@types"} //= do {
        my $row = join '(?: |[ \t]+)', map { '(?:' . TYPE->{$_}[0] . ')' } @types;
        qr/\G(?:(?>$row[ \t]*\n)){1,${\TOGETHER}}+/;
    };
}

sub _explain ($self, $columns) {
    my @fields = fields([map { $_->[0] } @$columns], $self->_line);
    $self->_damaged(sprintf '%d columns where %d are due', scalar @fields, scalar @$columns)
        unless @fields == @$columns;
    my ($fault) = grep { defined } map { fault(@{ $columns->[$_] }[0, 1], $fields[$_]) } 0 .. $#fields;
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
    $self->_fail("text after the line '# end' that begins no report; remove it")
        if defined $lines->line && $lines->line !~ /^# realfeel\b/;
}

sub _check_counts ($self) {
    my ($samples, $periods, $missed) = @{ $self->{header} }{qw(samples periods missed)};
    my $unknown = grep { $_ eq 'unknown' } $periods, $missed;
    $self->_damaged('of periods and missed only one is unknown', $self->{line_of}{periods}) if $unknown == 1;
    $self->_damaged('samples + missed is not periods', $self->{line_of}{periods})
        unless $unknown || $samples + $missed == $periods;
}

# What rows say beyond their form; $rows are columns or, for the histogram, bins, and $first is the first line's number
sub _check_rows ($self, $name, $first, $rows) {
    my $bins = $name eq 'histogram' ? $rows : undef;
    my $columns = $bins ? $bins->columns(qw(from_us to_us)) : $rows;
    $self->_check_bins($name, $first, @$columns{qw(from_us to_us)}) if BINNED->{$name};
    $self->_check_events($first, $columns) if $name eq 'events';
    $self->{explain}->rows($name, $first, $columns) if $self->{explain}->takes($name);
    my $sums = $self->{sums}{$name};
    $sums->{$_} += $bins ? $bins->total($_) : sum0(unpack 'q*', pack 'q*', @{ $columns->{$_} }) for keys %$sums;
}

sub _check_bins ($self, $name, $first, $from, $to) {
    my $edge = $self->{last}{$name} // 0;
    for my $i (0 .. $#$from) {
        my $begin = $from->[$i];
        next if $begin >= $edge && $begin < ($edge = $to->[$i]);
        my $fault = $begin >= $to->[$i] ? 'ends before it begins' : 'overlaps the one before, or is out of order';
        $self->_damaged('the bin from ' . edge($begin) . " us $fault", $first + $i);
    }
    $self->{last}{$name} = $edge;
}

sub _check_events ($self, $first, $columns) {
    my ($name) = grep { $columns->{$_} } map { "${_}_us" } LATENCIES;
    my $latency = $columns->{$name};
    for my $i (0 .. $#$latency) {
        $self->_damaged("$name is $latency->[$i], more than that of the event before", $first + $i)
            if $latency->[$i] > ($self->{last}{latency} // $latency->[$i]);
        $self->{last}{latency} = $latency->[$i];
    }
}

sub _sums_of_latencies ($self) {
    return map { [periods => histogram => @$_] } ['delay'], [qw(lateness wakeup)] if defined $self->{header}{timed};
    return map { my $key = $_; map { [$key => histogram => $_] } LATENCIES }
        'periods', $self->{header}{lateness_of} ? 'samples' : ();
}

sub _check_sums ($self) {
    for (@{ SUMS() }, $self->_sums_of_latencies) {
        my ($key, $name, @columns) = @$_;
        my $set = $self->{sums}{$name};
        $self->_damaged("$key is $self->{header}{$key}, but there is no data set $name", $self->{line_of}{$key})
            if !$set && $key eq 'parts_matched' && $self->{header}{$key};
        next unless $set;
        next if grep { !defined $set->{$_} } @columns;
        my ($told, $sum) = ($self->{header}{$key} // 0, sum0(@$set{@columns}));
        $self->_damaged("$key is $told, but $name holds $sum", $self->{line_of}{$key})
            unless $told eq 'unknown' ? $sum <= COUNT_MAX : $sum == $told;
    }
}

1;
