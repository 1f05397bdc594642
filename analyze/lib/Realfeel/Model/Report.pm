# SPDX-License-Identifier: GPL-2.0-or-later
# One report, read and checked: what realfeel(5) describes, or a file from 2002; and what it measured, as distributions,
# each made on demand, once. Times are in microseconds.
#
# A run on several CPUs has a report for each, one after the other, with the header line "part: 2 of 4"; likewise the
# cells of a ring's table. If a file holds several runs, they are called FILE#1, FILE#2 and so on; a single one, FILE. A
# part is called "FILE, CPU 3"; "FILE, part 2" if it was bound to no CPU; "FILE, thread 4711" if another program's
# thread was measured; or "FILE, 8x16k" by the processes and the array of a cell, which may have parts of its own:
# "FILE, 8x16k, CPU 3".
package Realfeel::Model::Report;
use Realfeel::Base::Modern;

use List::Util qw(all first max);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(NS_PER_US counted printable);
use Realfeel::Input::Format1;
use Realfeel::Input::Keys qw(LATENCIES OLD SETS in_order ordered);
use Realfeel::Input::Lines;
use Realfeel::Stat::Bins;

use constant {
    KB        => 1024,
    BUCKET_US => 100,       # of 2002
    FIFTHS    => 5,
    MINUTE_S  => 59,        # at a period a second, a run of a minute lacks its first
    OF_TODAY  => qr/^# realfeel\b/,
    OF_2002   => qr/^-?[\d.]+\s+\S+\s*$/,
    OF_PART   => qr/\A(.+?), ((?:CPU|thread) \d{1,10}|\d{1,6}x\d{1,18}k?(?:, CPU \d{1,6})?)\z/s,
    OF_RUN    => qr/\A(.+)#([1-9]\d{0,8})\z/s,
    SAME      => { cpus => [qw(command period_ns)], cells => ['source'] },      # cells may be merged of other runs
    DAMAGED   => 'the report is damaged, take another copy',
    WORDS     => {
        lateness => { name => 'lateness', value => 'period', more => 'later', most => 'worst',
            is_above => 'was later than', are_above => 'were later than' },
        delay => { name => 'delay', value => 'wake-up', more => 'longer', most => 'longest',
            is_above => 'took longer than', are_above => 'took longer than' },
        wakeup => { name => 'wake-up latency', value => 'request', more => 'longer', most => 'longest',
            is_above => 'took longer than', are_above => 'took longer than' },
        interval => { name => 'interval error', value => 'sample' },
    },
};

# Reads all reports of a file, which may be several in succession. Returns them, or calls $take with the reports of each
# run, so that memory holds one at a time. A cell of a ring's table is a run. A name as above selects a run or a part.
# If the file is not ours, $foreign->($lines, $is_wanted), if given, returns its next run's reports for of(), or none.
# Dies with "FILE:LINE: what is wrong; remedy" on anything that is not a complete report or a complete run.
sub read_all ($class, $path, $take = undef, $foreign = undef) {
    my ($file, $wanted, $part) = chosen($path);
    my ($lines, $number, @reports) = (Realfeel::Input::Lines->open($file), 0);
    my $is_ours = $lines->line =~ /${\OF_TODAY}|${\OF_2002}/;
    my $is_more = sub { defined $lines->line };
    $take //= sub { push @reports, @_ };
    do {
        my $is_wanted = ++$number == ($wanted // $number);
        my @run = $foreign && !$is_ours ? map { $class->of($_) } $foreign->($lines, $is_wanted) : ();
        @run = $class->_next_run($lines) unless @run;
        my @runs = _named($number == 1 && !$is_more->() ? $file : "$file#$number", @run);
        $take->(@$_) for !$is_wanted ? () : defined $part ? [_alone($lines, $part, @run)] : @runs;
    } while $is_more->();
    $lines->fail(0, 'has only ' . counted($number, 'report') . "; choose one, as in $file#1")
        if ($wanted // 0) > $number;
    return @reports;
}

# Splits a name into the file, the number of the run and the part, if given. An existing file of that very name wins.
sub chosen ($file) {
    my ($run, $part);
    ($file, $part) = ($1, $2) if !-e $file && $file =~ OF_PART;
    ($file, $run) = ($1, $2) if !-e $file && $file =~ OF_RUN;
    return ($file, $run, $part && $part =~ s/\bCPU 0+(?=\d)/CPU /r);
}

sub _next_run ($class, $lines) {
    my @parts;
    do {
        my ($line, $first) = ($lines->line, $lines->{number});
        $lines->fail($lines->{last}, 'ends after part ' . $parts[-1]->header('part') . ', so the run is cut off; '
            . 'take another copy') if !defined $line;
        my $reader = $line =~ OF_TODAY ? 'Realfeel::Input::Format1'
            : $line =~ OF_2002 && require Realfeel::Input::Format2002 ? 'Realfeel::Input::Format2002'
            : $lines->fail(1, "does not begin with '# realfeel 1'; give a report of realfeel, or import it with "
                . '--format');
        my $report = $class->_made($reader->parse($lines));
        my $fault = @parts || defined $report->header('part') ? _fault($report, @parts) : undef;
        $lines->fail($first, $fault) if defined $fault;
        push @parts, $report;
    } while @parts < $parts[-1]{of};
    return @parts;
}

# Adds what most readers ask of a report, and may read there:
#
#   verdict        "valid", "suspect" or "invalid"; undef if the file has none
#   contradiction  what contradicts the schedule, which makes lateness unreliable; undef if nothing
#   latency_name   "delay", "lateness" or "wakeup", what it measures first; "lateness" also if it has none
#   cpu            the one the meter was bound to; undef if none
#   cell           of a ring, as realfeel calls it: "8x16k" for 8 processes with arrays of 16 kB; undef for others
#   number, of     2 and 4 if part 2 of 4 of its file
#
# Also there: format, 1 or 2002; file, the path as given or the name of the part; run_name, of its run; and part, [2, 4]
# if part 2 of 4 of a run, empty if it is none.
sub _made ($class, $self) {
    my ($header, $bins) = @$self{qw(header bins)};
    my ($processes, $bytes) = @$header{qw(processes array_bytes)};
    ($self->{verdict}) = ($header->{verdict} // '') =~ /^(\w+)/;
    ($self->{contradiction}) = ($header->{schedule} // '') =~ /^contradicted\b:?\s*(.*)/s;
    ($self->{cpu}) = ($header->{cpu} // '') =~ /^(\d+)$/;
    @$self{qw(number of)} = ($header->{part} // '1 of 1') =~ /(\d+)/g;
    $self->{latency_name} = (first { defined $bins->{$_} } LATENCIES) // 'lateness';
    $self->{cell} = "${processes}x" . ($bytes && $bytes % KB == 0 ? $bytes / KB . 'k' : $bytes)
        if defined $processes && defined $bytes;
    return bless $self, $class;
}

# What is wrong with $report as the next part after @before
sub _fault ($report, @before) {
    my $part = $report->header('part');
    my ($number, $of) = @$report{qw(number of)};
    return "part is '$part', which is not possible; " . DAMAGED if $number > $of;
    return $number == 1 ? undef : "begins with part $part, which is not the first; take another copy" unless @before;
    my $last = $before[-1];
    my $before = $last->header('part');
    return "another run begins after part $before, so this one is cut off; take another copy" if $number == 1;
    return "part $part follows part $before; " . DAMAGED if $number != 1 + @before || $of != $last->{of};
    return "of part $before and part $part only one is a cell of a ring's table; " . DAMAGED
        if defined $report->{cell} != defined $last->{cell};
    my ($other) = grep { ($report->header($_) // '') ne ($last->header($_) // '') }
        @{ SAME->{ defined $last->{cell} ? 'cells' : 'cpus' } };
    return "part $part has another $other than the part before it; " . DAMAGED if defined $other;
    my $place = $report->_place;
    return "part $part is of $place again; " . DAMAGED if $place ne '' && grep { $_->_place eq $place } @before;
    return undef;
}

# What tells a part from the others of its file; '' if nothing
sub _place ($self) { return join ', ', grep { defined } $self->{cell}, $self->_cpu_or_thread }

sub _cpu_or_thread ($self) {
    my $thread = $self->header('thread') // 'several';
    return $thread ne 'several' ? "thread $thread" : defined $self->{cpu} ? "CPU $self->{cpu}" : undef;
}

# Gives the parts of a file their names, and their places within their run. Returns the runs, arrays of parts: each cell
# of a ring's table is one.
sub _named ($name, @reports) {
    my @runs;
    for my $report (@reports) {
        my $goes_on = @runs && ($report->{cell} // '') eq ($runs[-1][0]{cell} // '');
        $goes_on ? push @{ $runs[-1] }, $report : push @runs, [$report];
    }
    for my $run (@runs) {
        my $cell = $run->[0]{cell};
        my $of_all = @reports > 1 && defined $cell ? "$name, $cell" : $name;
        my $is_split = @$run > 1 || !defined $cell && defined $run->[0]->header('part');
        for my $i (0 .. $#$run) {
            my $report = $run->[$i];
            my $part = $is_split ? ', ' . ($report->_cpu_or_thread // 'part ' . ($i + 1)) : '';
            @$report{qw(run_name file)} = ($of_all, $of_all . $part);
            $report->{part} = [$is_split ? ($i + 1, scalar @$run) : ()];
        }
    }
    return @runs;
}

# The part that chosen() found, which then stands alone, or the parts of that cell
sub _alone ($lines, $place, @reports) {
    my @chosen = grep { $_->_place eq $place || ($_->{cell} // '') eq $place } @reports
        or $lines->fail(0, "holds no report of $place; choose one that it holds, as in '$reports[0]{file}'");
    return @chosen if @chosen > 1;
    delete $chosen[0]{header}{part};
    $chosen[0]{keys} = [grep { $_ ne 'part' } $chosen[0]->keys];
    $chosen[0]{part} = [];
    return @chosen;
}

# The only report of a file, or the one selected by name
sub read ($class, $path) {
    my @reports = $class->read_all($path);
    my $number = @reports;
    return $reports[0] if $number == 1;
    die printable("$path: holds $number reports, but one is needed; choose it, as in $reports[0]{file}") . "\n";
}

# A report that was not read: file, header, keys and data sets as columns, as Output::Writer takes them
sub of ($class, $contents) {
    my $histogram = $contents->{histogram} // { from_us => [], to_us => [] };
    my $bins = Realfeel::Stat::Bins->new(CORE::keys %$histogram);
    $bins->add($histogram);
    my %sets;
    for my $name (grep { $contents->{$_} } SETS) {
        my $set = $contents->{$name};
        $sets{$name} = ref $set eq 'HASH' ? { columns => $set } : { names => $set->[0], text => '' };
        while (ref $set eq 'ARRAY' && defined(my $more = $set->[1]->())) { $sets{$name}{text} .= $more }
    }
    my @keys = $contents->{keys} ? @{ $contents->{keys} } : ordered(CORE::keys %{ $contents->{header} });
    return $class->_made({ %$contents{qw(file header origins)}, run_name => $contents->{file}, part => [], format => 1,
        keys => \@keys, bins => $bins, sets => \%sets });
}

# In bytes; undef if missing
sub header ($self, $key) { return $self->{header}{$key} }
# In order
sub keys ($self)   { return @{ $self->{keys} // [] } }

# Data sets: histogram, runs, slices, slice_bins, events, and those that explain
sub has ($self, $set) { return $set eq 'histogram' || defined $self->{sets}{$set} }

# The Stat::Bins of the histogram, or of another data set with bins
sub bins ($self, $name = 'histogram') {
    return $self->{bins} if $name eq 'histogram';
    return $self->{sets}{$name}{bins} //= Realfeel::Stat::Bins->of_text($self->rows($name));
}

# Column names, and the rows as text; empty without such a set. Not for the histogram.
sub rows ($self, $name) {
    my $set = $self->{sets}{$name} // return;
    return @$set{qw(names text)} if $set->{names};
    my @names = grep { $set->{columns}{$_} } map { $_->[0] } in_order($name, $set->{columns});
    my @columns = @{ $set->{columns} }{@names};
    my @rows = map { my $row = $_; join ' ', map { $_->[$row] } @columns } 0 .. $#{ $columns[0] };
    return @$set{qw(names text)} = (\@names, join '', map { "$_\n" } @rows);
}

# A hash from names to values as written, undef without such a set; with $rows, only of these rows, given as text
sub columns ($self, $name, $rows = undef) {
    return $self->{format} eq '2002' ? $self->bins->columns : $self->bins->written if $name eq 'histogram';
    my $set = $self->{sets}{$name} // return undef;
    return Realfeel::Input::Keys::columns(($self->rows($name))[0], $rows) if defined $rows;
    return $set->{columns} //= Realfeel::Input::Keys::columns(@$set{qw(names text)});
}

# The rows of a set as texts, one for each group of rows that agree in all columns up to $column; empty without such a
# column. Not for the histogram.
sub groups ($self, $name, $column) {
    my ($names, $text) = $self->rows($name) or return;
    my $number = first { $names->[$_] eq $column } 0 .. $#$names;
    return unless defined $number;
    my $alike = join '[ \t]+', ('[^ \t\n]+') x (1 + $number);
    my ($last, @groups) = '';
    while ($text =~ /\G(($alike)[ \t][^\n]*+\n(?:\2[ \t][^\n]*+\n){0,5000}+)/g) {
        $2 eq $last ? $groups[-1] .= $1 : push @groups, $1;
        $last = $2;
    }
    return @groups;
}

# What disturbed the run, but not its figures
sub remarks ($self) { return split /; /, $self->header('remarks') // '' }
# The first word of the header line explain, '' without one, and its reason, if any
sub explained ($self) { return ($self->header('explain') // 'off') =~ /^(\w*)(?: \((.*)\)$)?/s }

# "preempt=full" or "PREEMPT_RT"; undef if unknown
sub preemption ($self) {
    my $model = $self->header('preemption') // 'unknown';
    return $model =~ /^unknown\b/ ? undef : $model =~ s/^(\w+) \(PREEMPT_DYNAMIC\)$/preempt=$1/r;
}

# A header value in ns, as microseconds; undef if missing
sub us ($self, $key) {
    my $ns = $self->header($key);
    return defined $ns ? $ns / NS_PER_US : undef;
}

# How many runs were merged; undef if none were
sub runs ($self) {
    my $runs = $self->columns('runs');
    return $runs && scalar @{ $runs->{run} };
}

# The report that holds worst wake-up $number, and its number there: for pooled threads the thread's own report, else
# this one
sub origin ($self, $number) {
    return @{ ($self->{origins} // [])->[$number - 1] // [$self, $number] };
}

# The worst wake-ups, worst first: hashes by the names of realfeel(5), undef values if unknown; undef without such a set
sub events ($self) {
    my $columns = $self->columns('events') or return undef;
    my @names = grep { !OLD->{$_} } CORE::keys %$columns;
    return [map {
        my $i = $_;
        +{ map { $_ => $_ eq 'utc' ? text($columns->{$_}[$i]) : number($columns->{$_}[$i]) } @names };
    } 0 .. $#{ $columns->{at_s} }];
}

# The reasons in "suspect: one; another"
sub reasons_in ($value) {
    return ($value // '') =~ /^\w+:\s*(.*)/s ? split /;\s*/, $1 : ();
}

# Signed interval errors; undef if only latencies are known
sub interval ($self) {
    my ($bins, $errors) = ($self->{bins}, $self->interval_errors // return undef);
    my @known = ($self->_extreme, %{ $self->{moments} // {} }, $self->exact('interval'));
    return $self->{interval} //= $errors eq 'signed' ? $bins->signed(@known) : $bins->unsigned(['interval'], @known);
}

# "signed", or "early as 0" if the file does not distinguish early ones; undef as above
sub interval_errors ($self) {
    my $bins = $self->{bins};
    return !defined $bins->{interval} ? undef : defined $bins->{early} ? 'signed' : 'early as 0';
}

# Interval errors without sign; undef as above
sub magnitude ($self) {
    my $errors = $self->interval_errors // return undef;
    my @extremes = map { abs } grep { defined } map { $self->us($_) } qw(interval_min_ns interval_max_ns);
    return $self->{magnitude} //= $self->{bins}->unsigned(['interval', $errors eq 'signed' ? 'early' : ()],
        $self->_extreme, @extremes == 2 ? (max => max @extremes) : ());
}

# Interval errors in buckets of 0.1 ms, early ones as 0, as in files from 2002; edges in multiples of $unit_us
sub in_buckets ($self, $unit_us = 1) {
    my $interval = $self->interval // return undef;
    return $interval->regroup(sub {
        my $low = $_[0] < 0 ? 0 : BUCKET_US * int($_[0] / BUCKET_US);
        return map { $_ / $unit_us } $low, $low + BUCKET_US;
    });
}

# By name: delay, lateness, wakeup, or interval, which is the magnitude
sub measured ($self, $measure) {
    return $measure eq 'interval' ? $self->magnitude : $self->latency($measure);
}

# What the report measures first, or the measure of that name; undef if unknown. delay: from when another program's
# thread was due to run, by its own timer or else by its waking, until it got a CPU; lateness: since a period was due;
# wakeup: since a wake-up was requested, or since the stamp of its cause
sub latency ($self, $name = $self->{latency_name}) {
    return undef unless defined $self->{bins}{$name};
    return $self->{$name} //= $self->{bins}->unsigned([$name], $self->_extreme, %{ $self->{moments} // {} },
        $self->exact($name));
}

# Its name; or, by $which, value (what has one: a period, request or wake-up), most (the greatest), is_above or
# are_above
sub latency_words ($self, $which = undef) {
    my $of = ($which // '') eq 'value' ? $self->header('lateness_of') : undef;
    return $of ? $of =~ s/s$//r : WORDS->{ $self->{latency_name} }{ $which // 'name' };
}

# The maximum of the run, if the header has one
sub _extreme ($self) {
    return max(map { abs($self->us($_) // 0) } qw(interval_min_ns interval_max_ns), map { "${_}_max_ns" } LATENCIES);
}

# min, max, mean and sd of a measure or of a part of its lateness, those that the header has
sub exact ($self, $measure) {
    my %exact = map { $_ => $self->us("${measure}_${_}_ns") } qw(min max mean sd);
    return map { $_ => $exact{$_} } grep { defined $exact{$_} } CORE::keys %exact;
}

# Latencies of wake-ups, see wakeups in Stat::Bins; undef if unknown, or the same as for periods because none was missed
sub wakeups ($self) {
    my $missed = $self->header('missed') // 'unknown';
    return undef if $missed eq 'unknown' || $missed == 0 || !$self->latency || !$self->us('period_ns');
    return $self->{wakeups}
        //= Realfeel::Stat::Bins::wakeups($self->latency, $self->us('period_ns'), $self->header('samples'));
}

# Fifths of the run, by its slices, or the runs if five or more were merged; none without slices
sub pieces ($self) {
    require Realfeel::Stat::Pieces;
    return $self->{pieces} if $self->{pieces};
    my $latency = $self->latency or return $self->{pieces} = Realfeel::Stat::Pieces->new;
    my @runs = $self->groups('slice_bins', 'run');
    my $is_short = @runs < FIFTHS && (number($self->header('duration_s')) // MINUTE_S) < MINUTE_S;
    my @slices = $is_short || @runs >= FIFTHS ? () : $self->groups('slice_bins', 'start_s');
    $is_short ||= @runs < FIFTHS && @slices < FIFTHS && $self->has('slice_bins');
    my @first = map { int($_ * @slices / FIFTHS) } 0 .. FIFTHS;
    my @cut = @runs >= FIFTHS ? (unit => 'runs', bins => $self->_counts(map { [$_] } @runs))
        : $is_short ? (unknown => 'short')
        : @slices ? (unit => 'fifths',
            bins => $self->_counts(map { [@slices[$first[$_] .. $first[$_ + 1] - 1]] } 0 .. FIFTHS - 1)) : ();
    return $self->{pieces} = Realfeel::Stat::Pieces->new(latency => $latency, measure => $self->{latency_name},
        period => $self->header('lateness_of') ? undef : $self->us('period_ns'), @cut);
}

# For each list of rows a hash from the lower edge of a bin to its count
sub _counts ($self, @pieces) {
    my @counts;
    for my $rows (@pieces) {
        my $columns = $self->columns('slice_bins', join '', @$rows);
        my ($from, $counts) = @$columns{'from_us', $self->{latency_name}};
        my %count;
        for (0 .. $#$from) { $count{ $from->[$_] } += $counts->[$_] if $counts->[$_] }
        push @counts, \%count;
    }
    return [grep { %$_ } @counts];
}

# The first of delay, lateness, wakeup and interval that all reports have; undef if none
sub common (@reports) {
    return first { my $measure = $_; all { $_->measured($measure) } @reports } LATENCIES, 'interval';
}

# $which: name, value (what is counted) or more (greater)
sub measure_name ($measure, $which = 'name') { return WORDS->{$measure}{$which} }

1;
