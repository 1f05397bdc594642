# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the text of other programs, each as Input::Import describes it: printed histograms, with a row for each time and
# a column for each thread; lines of figures without one; and values, with or without their times.
package Realfeel::Input::Text;
use Realfeel::Base::Modern;

use List::Util qw(any first max min sum0 uniqstr);
use Realfeel::Base::Units qw(DIGITS NS_PER_S NS_PER_US);

use constant {
    TEXT_MAX => 1 << 22, TIME => qr/time|stamp/i,
    CELLS_MAX => 1_000_000,     # non-empty ones; a million take 200 MB
    DAMAGED   => 'the file is damaged, take another copy',
    OF_CYCLICTEST => { Total => 'total', 'Min Latencies' => 'min', 'Avg Latencies' => 'mean', 'Max Latencies' => 'max',
        'Histogram Overflows' => 'beyond' },
    HISTOGRAM => qr/# Histogram\s*$/, ANOTHER => 'begins another run; split the file',
    STATUS    => qr/^T:\s*(\d{1,6})\s+\(\s*(?<tid>\d+)\)\s+(?<policy>P:\s*\d+\s+)?I:\s*(?<interval>\d{1,9})\s+C:\s*
        (?<total>\d{1,17})\s+Min:\s*(?<min>-?\d{1,12})\s.*?Avg:\s*(?<mean>-?\d{1,12})\s+Max:\s*(?<max>-?\d{1,12})\b/x,
    FINE      => 500,           # of the least latency in us, which is in ns then, surely
    SUMMARY   => qr/^# ([A-Z][a-z]+(?: [A-Z][a-z]+)?):((?:\s+-?\d{1,17})+)\s*$/,
    UNIT_NS   => { nanoseconds => 1, microseconds => 1000 },
    # In the order of the lines below the rows
    OF_RTLA   => [[over => 'beyond'], [count => 'total'], [min => 'min'], [avg => 'mean'], [max => 'max']],

    PLAIN       => qr/\d{1,12}(?:\.\d{1,18})?/,
    NUMBER      => qr/[-+]?(?:\d{1,19}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][-+]?\d{1,2})?/,
    NS_MAX      => 1e15,        # eleven days
    EDGE_NS     => 10,          # the edges of a report's bins are multiples of this
    SLICES_MAX  => 1024, SLICE_S => 1, LEAST_S => 1e-6, SLICE_DIGITS => 2, TIME_MAX_S => 1e12,
};

# What cyclictest prints: a histogram after -h or -H; else each value, after -v; else status lines, the last of each
# thread. The text states neither its unit, nor which CPU a thread had, nor whether it is wake-up latency, unless
# realfeel-analyze exported it. A column of sums, from -H, is skipped. "# Total" exists up to rt-tests 2.6. A log may
# hold several runs: lines after a whole summary, or the next histogram, begin another, which stays in $lines.
sub read_cyclictest ($lines, $unit_ns, $option) {
    my ($run, $next) = (delete $lines->{next} // (), map { { unit_ns => $unit_ns, summary => {} } } 1, 2);
    $run->{period_ns} = $next->{period_ns} = $option->{period_ns};
    while (defined(my $line = $lines->line)) {
        last if $run->{table} && $line =~ HISTOGRAM;
        _take($lines, $run->{summary}{beyond} && $line !~ /^# (?:Thread|SMIs)/ ? $next : $run, $line);
        $lines->pass;
    }
    $lines->{next} = $next;
    my %values = $run->{table} ? () : %{ $run->{values} // {} };
    my $parts = $run->{table} ? _of_histogram($lines, $run)
        : %values ? { map { $_ => _of_values($values{$_}) } keys %values } : $run->{status};
    $lines->fail(0, "has no line '# Histogram'; give what cyclictest -h printed") unless $parts;
    $lines->fail(0, 'also has a run without a histogram; split the file') if $run->{table}
        && (!defined $lines->line && $next->{status} || grep { !$parts->{$_} } keys %{ $run->{status} // {} });
    $run->{bare} //= "run $run->{source} with --histogram" unless $run->{table} || %values;
    $run->{period_ns} //= $run->{periods}{ min(keys %$parts) };
    my $unit = %values ? $unit_ns : 1;
    my $least = min(map { $_->{min} / $unit } grep { $_->{total} } values %$parts) // 0;
    $parts->{$_}{period_ns} = $run->{periods}{$_} || $run->{period_ns} for keys %$parts;
    $lines->fail(0, "has no latency below $least, too much for microseconds; give --unit=ns if cyclictest had -N, else "
        . '--unit=us') if $least > FINE && !$option->{unit_ns} && !$run->{ours};
    return { source => $run->{source} // 'cyclictest', width => 1, part => 'thread', parts => $parts,
        unit_ns => $unit_ns / $unit, reasons => [@{ $run->{reasons} // [] }, $run->{mended} // ()],
        map { $_ => $run->{$_} } qw(ours edge bare cycles period_ns) };
}

sub _take ($lines, $run, $line) {
    my ($table, $summary) = @$run{qw(table summary)};
    if    ($line =~ HISTOGRAM)                   { $run->{table} = _table($lines) }
    elsif ($line =~ /^# CPUs:((?: \d{1,6})+)$/)  { $run->{cpus} = [split ' ', $1] }
    elsif ($line eq '# Wake-up latency')         { $run->{ours} = 'wakeup' }
    elsif ($table && $line =~ SUMMARY && OF_CYCLICTEST->{$1}) {
        $summary->{ OF_CYCLICTEST->{$1} } = [map { 0 + $_ } split ' ', $2];
    }
    elsif ($line =~ /^# Thread (\d{1,6}):((?:\s+\d{1,12})+)/) {
        $run->{cycles}{ 0 + $1 } = [map { 0 + $_ } split ' ', $2];
    }
    elsif ($line =~ /^# SMIs:((?:\s+\d{1,12})+)/) {
        push @{ $run->{reasons} }, 'SMIs by thread: ' . join ' ', map { 0 + $_ } split ' ', $1;
    }
    # Printed after the distance was added, so it is the period of the next thread
    elsif ($line =~ /^(?:# )?Thread (\d{1,6}) Interval: *(\d{1,9})$/) {
        $run->{periods}{ 1 + $1 } = $2 * NS_PER_US;
        $run->{periods}{0} = 2 * $run->{periods}{1} - $run->{periods}{2} if $1 == 1 && $run->{periods}{1};
    }
    elsif ($line =~ STATUS) {
        $run->{source} = $+{policy} ? 'cyclictest' : 'cyclicdeadline';
        my ($thread, %figure) = (0 + $1, map { $_ => 0 + $+{$_} } qw(tid interval total min mean max));
        my ($total, $tid) = @{ $run->{status}{$thread} // {} }{qw(total tid)};
        $lines->fail($lines->{number}, ANOTHER) if $figure{total} < ($total // 0) || $tid && $figure{tid} != $tid;
        ($run->{periods}{$thread}, $run->{status}{$thread}) = (NS_PER_US * delete $figure{interval}, \%figure);
    }
    elsif ($table && !%$summary && $line !~ /^\s*(?:#|$)/) {
        $lines->fail($lines->{number}, 'not a row of counts; remove it') unless $line =~ /^\d{1,9}(?:\s+\d{1,17})+\s*$/;
        _add_row($table, split ' ', $line);
    }
    # The cycle number has 8 columns, unlike the minutes of a time of day
    elsif (!$table && $line =~ /^\s*(\d{1,6}):(?=[ \d]{8})\s*(\d{1,12}):\s*(-?\d{1,12})$/) {
        my ($thread, $cycle, $ns) = (0 + $1, $2, $3 * $run->{unit_ns});
        my $values = $run->{values}{$thread} //= _values($run->{unit_ns});
        $lines->fail($lines->{number}, ANOTHER) if $cycle <= ($values->{cycle} // -1);
        $values->{cycle} = $cycle;
        $values->{step_s} //= ($run->{periods}{$thread} // $run->{period_ns} // 0) / NS_PER_S;
        _add_value($lines, $values, $ns, $values->{step_s} ? $cycle * $values->{step_s} : undef);
    }
}

# The parts. Without rows there are figures all the same, if all samples are counted.
sub _of_histogram ($lines, $run) {
    my ($table, $summary) = @$run{qw(table summary)};
    my ($missing) = grep { $_ ne 'Total' && !$summary->{ OF_CYCLICTEST->{$_} } } sort keys %{ OF_CYCLICTEST() };
    $lines->fail(0, "has no line '# $missing', so it is cut off; take another copy") if defined $missing;
    my $threads = @{ $summary->{min} };
    _fail($table, 'there are fewer columns than threads', 0)
        if grep { $_ < $threads } $table->{columns} || $threads, map { scalar @$_ } values %$summary;
    my $all = $summary->{total};
    $run->{edge} = $table->{last} + 1;
    $run->{bare} = 'take a copy that has its rows' if !$table->{columns} && $all && max(@$all);
    my $part = sub ($i) {
        return { map { $_ => $summary->{$_}[$i] } qw(total min max mean) } if $run->{bare};
        return _mean_mended($run, _part($table, $i, "thread $i", $summary));
    };
    return { map { $_ => { %{ $part->($_) }, cpu => $run->{cpus}[$_] } } 0 .. $threads - 1 };
}

# cyclictest truncates the mean to a whole number. If the bins prove a larger mean, that is taken.
sub _mean_mended ($run, $part) {
    my ($bins, $total) = @$part{qw(bins total)};
    my $beyond = $total - sum0(values %$bins);
    my $least = $total ? ($beyond * $run->{edge} + sum0(map { $_ * $bins->{$_} } keys %$bins)) / $total : 0;
    return $part if $run->{ours} || $least <= $part->{mean};
    $run->{mended} = 'cyclictest cuts off its means, so those here are the least that the bins allow';
    return { %$part, mean => $least };
}

# What rtla timerlat hist prints. For each CPU, the latency of the return to user space is taken, else the thread's. If
# -T stopped the run, the wake-up that stopped it, which is the worst, has no return; the latencies of the threads are
# then taken for all CPUs. The text omits empty buckets and their width, which is taken to be the greatest common
# divisor of the indices.
sub read_rtla ($lines, @) {
    my %told = _head($lines);
    my ($table, $summary) = _table_of_rtla($lines, scalar @{ $told{columns} });
    my ($cpus, @reasons) = _chosen($lines, $summary, @{ $told{columns} });
    my $width = $table->{divisor} || 1;
    my $part = sub { _part($table, $cpus->{ $_[0] }, "CPU $_[0]", $summary, 'counts all') };
    return {
        source  => 'rtla timerlat',
        unit_ns => UNIT_NS->{ $told{unit} },
        width   => $width,
        edge    => $table->{last} < 0 ? 0 : $table->{last} + $width,
        parts   => { map { $_ => { %{ $part->($_) }, cpu => $_, duration_s => $told{duration_s} } } keys %$cpus },
        part    => 'cpu',
        reasons => [@reasons,
            $width > 1 ? "the width of the buckets, $width $told{unit}, is derived from their indices" : ()],
    };
}

# Up to and including the line that names the columns
sub _head ($lines) {
    my %told;
    while (defined(my $line = $lines->line) && !$told{columns}) {
        $told{unit} = $1 if $line =~ /^# Time unit is (\w+)/;
        $told{duration_s} = $1 * 86_400 + $2 * 3600 + $3 * 60 + $4
            if $line =~ /^# Duration:\s+(\d{1,5}) (\d\d):(\d\d):(\d\d)\s*$/;
        $told{columns} = [split ' ', $1] if $line =~ /^Index(\s.*)/;
        $lines->pass;
    }
    $lines->fail(0, "has no line '# Time unit is'; give what rtla timerlat hist printed")
        unless UNIT_NS->{ $told{unit} // '' };
    $lines->fail(0, "has no line 'Index'; run rtla without --no-header and --no-index") unless $told{columns};
    return %told;
}

# The rows, and the lists of the lines below. What follows is the sum of all CPUs and the analysis of a stop.
sub _table_of_rtla ($lines, $columns) {
    my ($table, %summary) = _table($lines);
    my @expected = @{ OF_RTLA() };
    while (@expected && defined(my $line = $lines->line)) {
        my ($first, @rest) = split ' ', $line;
        if (defined $first) {
            _fail($table, 'not a line of the histogram') if @rest != $columns || $first !~ /^(?:\d{1,12}|[a-z]+:)$/;
            my $is_row = $first =~ /^\d/;
            my ($bad) = grep { $is_row ? !/^\d{1,17}$/ : !/^(?:-?\d{1,17}|-)$/ } @rest;
            _fail($table, "'$bad' is not a number") if defined $bad;
            if    ($is_row)                          { _add_row($table, $first, @rest) }
            elsif ($first ne "$expected[0][0]:")     { last }
            else { $summary{ (shift @expected)->[1] } = [map { $_ eq '-' ? undef : 0 + $_ } @rest] }
        }
        $lines->pass;
    }
    return ($table, \%summary) unless @expected;
    my $missing = $expected[0][0];
    $lines->fail(0, "has no line '$missing:': it is cut off, or the run had --no-summary; take another copy");
}

# A hash from the CPU to the place of its column, and why that is not the expected one
sub _chosen ($lines, $summary, @names) {
    my %place;
    $names[$_] =~ /^(Thr|Usr)-(\d{1,6})$/ and $place{$1}{ 0 + $2 } = $_ for 0 .. $#names;
    my ($thread, $user) = @place{qw(Thr Usr)};
    $lines->fail(0, 'holds no thread latency; run rtla without --no-thread') unless $thread || $user;
    return $thread // $user unless $thread && $user;
    my @max = map { my $of = $_; +{ map { $_ => { max => $summary->{max}[$of->{$_}] } } keys %$of } } $thread, $user;
    return $user if _returned(@max);
    return ($thread, 'the latency of the threads is taken, as the worst did not return to user space');
}

# What rtla timerlat top printed last: for each CPU the latency of the return to user space, else the thread's
sub read_rtla_top ($lines, @) {
    my (@of, $unit, $duration_s, @reasons);
    while (defined(my $line = $lines->line)) {
        ($duration_s, $unit) = ($1 * 86_400 + $2 * 3600 + $3 * 60 + $4, $5)
            if $line =~ /^\s*(\d{1,5}) (\d\d):(\d\d):(\d\d)\s+\|.*\((ns|us)\)/;
        if ($line =~ /^\s*(\d{1,6}) #(\d{1,15})(?: e(\d))?\s*\|(.*)/) {
            my ($cpu, $scale, $total) = (0 + $1, $3, $2 * 10**($3 // 0));
            my @three = map { [(grep { /^\d{1,12}$/ } split)[1 .. 3]] } split /\|/, $4;   # of interrupt, thread, user
            @{ $of[$_]{$cpu} }{qw(cpu total duration_s min mean max)} = ($cpu, $total, $duration_s, @{ $three[$_] })
                for grep { defined $three[$_][2] } 1, 2;
            push @reasons, "the count of CPU $cpu is rounded" if $scale;
        }
        $lines->pass;
    }
    return { source => 'rtla timerlat', unit_ns => ($unit // '') eq 'ns' ? 1 : NS_PER_US, part => 'cpu',
        parts => _returned(@of[1, 2]) ? $of[2] : $of[1] // {}, bare => 'run rtla timerlat hist',
        reasons => [uniqstr @reasons] };
}

# Whether on each CPU the worst wake-up of a thread has also returned to user space
sub _returned ($thread, $user) {
    return $user && %$user && !any { ($user->{$_}{max} // -1) < ($thread->{$_}{max} // -1) } keys %$thread;
}

# What the kernel's timerlat tracer writes: for each CPU the latencies of the return to user space, else the thread's
sub read_timerlat ($lines, @) {
    my %values;
    while (defined(my $line = $lines->line)) {
        my ($cpu, $at_s, $of, $ns) = $line
            =~ /\[(\d{1,6})\] .*?(\d{1,12}\.\d+): #\d+\s+context\s+(thread|user-ret) timer_latency\s+(\d{1,15}) ns\s*$/;
        _add_value($lines, $values{$of}{ 0 + $cpu } //= _values(1), $ns, $at_s) if defined $ns;
        $lines->pass;
    }
    my ($thread, $user) = @values{qw(thread user-ret)};
    my $values = (_returned($thread, $user) ? $user : $thread) // {};
    my %parts = map { $_ => { %{ _of_values($values->{$_}) }, cpu => $_ } } keys %$values;
    return { source => 'timerlat', unit_ns => 1, part => 'cpu', parts => \%parts };
}

# oslat's text, a column for each CPU. Turns are counted as in its JSON.
sub read_oslat ($lines, @) {
    my ($table, %row) = (_table($lines));
    my $row = qr/^\s*(Core|Minimum|Average|Maximum|Duration):((?:\s+${\PLAIN})+)(?:\s|$)/;
    while (!$row{Duration} && defined(my $line = $lines->line)) {
        if    ($line =~ /^\s*(\d{1,9}) \(us\):((?:\s+\d{1,17})+)/) { _add_row($table, $1, split ' ', $2) }
        elsif ($line =~ $row)                                       { $row{$1} = [split ' ', $2] }
        $lines->pass;
    }
    my ($missing) = grep { !$row{$_} || !$table->{columns} || @{ $row{$_} } != $table->{columns} }
        qw(Core Minimum Average Maximum Duration);
    $lines->fail(0, "has no line '$missing:' for each core, so it is cut off; take another copy") if defined $missing;
    my %summary = (min => $row{Minimum}, mean => $row{Average}, max => $row{Maximum});
    my %parts = map { my $core = $row{Core}[$_]; $core => {
        %{ _part($table, $_, "core $core", \%summary) }, cpu => $core, duration_s => $row{Duration}[$_],
    } } 0 .. $table->{columns} - 1;
    return { source => 'oslat', width => 1, part => 'core', parts => \%parts, of => 'turns' };
}

# stress-ng's cyclic stressor keeps the first samples only
sub read_stress_ng ($lines, @) {
    my %part;
    while (defined(my $line = $lines->line)) {
        $lines->fail($lines->{number}, ANOTHER) if $line =~ /cyclic: sched / && $part{total};
        $part{total}    = $1 if $line =~ /cyclic: sched \w+: \d+ ns delay, (\d{1,12}) samples/;
        $part{mean}     = $1 if $line =~ /cyclic: +mean: (\d{1,12}(?:\.\d+)?) ns/;
        @part{qw(min max)} = ($1, $2) if $line =~ /cyclic: +min: (-?\d{1,12}) ns, max: (\d{1,12}) ns/;
        $part{expected} = $1 if $line =~ /--cyclic-samples needed to be (\d{1,12})/;
        $lines->pass;
    }
    $lines->fail(0, 'has no samples, or no maximum; give all that stress-ng --cyclic printed')
        if grep { !defined } @part{qw(total max)};
    my $kept = $part{expected} ? "$part{total} of $part{expected}" : 'the first';
    return { source => 'stress-ng', unit_ns => 1, part => 'stressor', parts => { 0 => \%part },
        bare => 'measure with realfeel',
        reasons => ["stress-ng kept $kept samples, so its high percentiles are its maximum"] };
}

# rteval's summary. Its timerlat module counts all three latencies of a period.
sub read_rteval ($lines, @) {
    my $text = $lines->text(TEXT_MAX);
    my ($program, $command) = $text =~ /<(cyclictest|timerlat) command_line="([^"]*)"/
        or $lines->fail(0, 'holds no run of cyclictest or timerlat; run rteval with one');
    $lines->fail(0, "has no '</rteval>', so it is cut off; take another copy") unless $text =~ m{</rteval>};
    my %parts;
    while ($text =~ m{<core id="(\d{1,6})"[^>]*>(.*?)</core>}sg) {
        my ($cpu, $core, $table) = (0 + $1, $2, _table($lines));
        _add_row($table, $1, $2) while $core =~ /<bucket index="(\d{1,9})" value="(\d{1,17})"/g;
        my %figure = $core =~ m{<(samples|minimum|maximum|mean)\b[^>]*>(${\PLAIN})</}g;
        my %summary = map { $_ => [$figure{ $_ eq 'mean' ? $_ : "${_}imum" }] } qw(min mean max);
        my $part = _part($table, 0, "core $cpu", \%summary);
        $parts{$cpu} = { %$part, cpu => $cpu, total => max($part->{total}, $figure{samples} // 0),
            edge => 1 + $table->{last} };
    }
    $lines->fail(0, 'holds no core; a sample may be beyond the histogram: give rteval more buckets') unless %parts;
    my ($interval_us) = $command =~ /(?:^|\s)-i\s*(\d{1,9})\b/;
    my %run = (width => 1, part => 'core', parts => \%parts, header => { command => $command });
    return { %run, source => $program, period_ns => $interval_us && $interval_us * NS_PER_US }
        if $program ne 'timerlat';
    return { %run, source => 'rtla timerlat', reasons => ['rteval counts the latencies of interrupt, thread and user '
        . 'in one histogram, so its percentiles mix them'] };
}

# A printed histogram: bins, for each column a hash from times to counts; the last time, -1 without rows; the greatest
# common divisor of all times; and how many columns there are
sub _table ($lines) {
    return { lines => $lines, bins => [], last => -1, divisor => 0, cells => 0, columns => undef };
}

# Adds the next row: times must ascend, and all rows be equally long
sub _add_row ($table, $time, @counts) {
    $table->{columns} //= @counts;
    _fail($table, 'there are more or fewer counts than before') if @counts != $table->{columns};
    _fail($table, 'the times do not ascend') if $time <= $table->{last};
    $time += 0;
    for my $i (grep { $counts[$_] > 0 } 0 .. $#counts) {
        $table->{bins}[$i]{$time} = 0 + $counts[$i];
        my $lines = $table->{lines};
        $lines->fail($lines->{number}, "there are more than @{[CELLS_MAX]} counts; choose fewer threads")
            if ++$table->{cells} > CELLS_MAX;
    }
    $table->{last} = $time;
    my ($one, $other) = ($table->{divisor}, $time);
    ($one, $other) = ($other, $one % $other) while $other;
    $table->{divisor} = $one;
}

# Column $i as a part for Import; its total is the column's sum and what lies beyond. %$summary has lists min, max,
# mean, total and beyond, if known; its total must equal the sum of the column, plus beyond if $counts_all is set.
sub _part ($table, $i, $name, $summary, $counts_all = undef) {
    my $bins = $table->{bins}[$i] // {};
    my %figures = map { $_ => $summary->{$_}[$i] } qw(min max mean);
    my ($total, $beyond) = ($summary->{total} && $summary->{total}[$i], $summary->{beyond}[$i] // 0);
    my ($held, $last) = (sum0(values %$bins), max(keys %$bins));
    _fail($table, "$name has $beyond samples beyond the histogram", 0) if $beyond < 0;
    _fail($table, "the maximum of $name is $figures{max}, but it reaches $last", 0)
        if defined $last && defined $figures{max} && $figures{max} < $last;
    my $told = $counts_all ? $held + $beyond : $held;
    _fail($table, "the total of $name is $total, but it holds $told", 0) if defined $total && $total != $told;
    return { bins => $bins, total => $held + $beyond, %figures };
}

# Dies because the file is damaged, at line $number or the next one
sub _fail ($table, $what, $number = undef) {
    $table->{lines}->fail($number // $table->{lines}->{number}, "$what; @{[DAMAGED]}");
}

# A value on each line, or a time and a value, separated by blanks, commas or semicolons. In a table with a header, one
# column is chosen; the times are in the other one whose name has time or stamp. Lines that begin with # are skipped.
# Times have to be in order, and give slices of a second, or of 2, 4 and so on, so that there are no more than a run may
# have. Negative values count in the first bin, like early wake-ups.
sub read_values ($lines, $unit_ns, $option) {
    my ($all, $columns) = (_values(EDGE_NS));
    my $time_s = ($option->{time_unit_ns} // NS_PER_S) / NS_PER_S;
    while (defined(my $line = $lines->line)) {
        my @fields = _fields($line);
        if (@fields && !$columns) {
            my @names = (grep { !/^${\NUMBER}$/ } @fields) == @fields ? @fields : ();
            $columns = _columns($lines, $option->{column}, scalar @fields, @names);
            @fields = () if @names;
        }
        push @fields, ('') x max(0, $columns->{of} - @fields) if @fields && $line =~ /[,;\t]\s*$/;
        if (@fields) {
            my ($at, $value) = map { defined ? $fields[$_] : undef } @$columns{qw(time value)};
            $lines->fail($lines->{number}, @fields <= 2 && $columns->{of} <= 2 && @fields != $columns->{of}
                ? 'some lines have a time and others none; keep those of one kind'
                : 'neither a value nor a time and a value; remove such lines')
                if @fields != $columns->{of} || grep { defined && !/^${\NUMBER}$/ } $at, $value;
            _add_value($lines, $all, $value * $unit_ns, defined $at ? $at * $time_s : undef);
        }
        $lines->pass;
    }
    $lines->fail(0, 'holds no value; name a file of values') unless %{ $all->{bins} };
    return { source => 'values', unit_ns => 1, of => 'values', part => 'value', parts => { 0 => _of_values($all) } };
}

sub _fields ($line) {
    return if $line =~ /^\s*(?:#|$)/;
    return map { s/^"(.*)"$/$1/r } split $line =~ /[,;\t]/ ? qr/\s*[,;\t]\s*/ : qr/\s+/, $line =~ s/^\s+|\s+$//gr;
}

# The places of value and time, undef if there is none, of this many columns, which may have names
sub _columns ($lines, $wanted, $of, @names) {
    my $list = join ', ', @names;
    $lines->fail($lines->{number}, 'has no header; leave out --column') if defined $wanted && !@names;
    return { of => $of, value => $of - 1, time => $of == 2 ? 0 : undef } if !@names && $of <= 2;
    my $is_plain = $of == 1 || $of == 2 && @names && $names[0] =~ TIME;
    my $value = first { defined $wanted ? $names[$_] eq $wanted : $is_plain } reverse 0 .. $#names;
    $lines->fail($lines->{number}, !@names ? 'neither a value nor a time and a value; remove such lines'
        : defined $wanted ? "has no column '$wanted'; choose one of $list"
        : "has the columns $list; choose one with --column") unless defined $value;
    return { of => $of, value => $value, time => first { $_ != $value && $names[$_] =~ TIME } 0 .. $#names };
}

# An accumulator of values that are multiples of $step_ns
sub _values ($step_ns) {
    return { step => max(EDGE_NS, $step_ns), bins => {}, sum => 0, squares => 0, early => 0, slice_s => SLICE_S };
}

# Either all have a time or none. Negative values go to the first bin.
sub _add_value ($lines, $all, $value_ns, $at_s = undef) {
    $all->{has_time} = defined $at_s;
    my $ns = sprintf '%.0f', $value_ns;
    $lines->fail($lines->{number}, "a value of $ns ns is out of range; correct --unit") if abs $ns >= NS_MAX;
    $ns += 0;
    $all->{bins}{ (_bin($ns, DIGITS, $all->{step}))[0] }++;
    $all->{sum} += $ns;
    $all->{squares} += $ns * $ns;
    $all->{min} = min($ns, $all->{min} // $ns);
    $all->{max} = max($ns, $all->{max} // $ns);
    $all->{early}++ if $ns < 0;
    _place($lines, $all, $at_s, $ns) if defined $at_s;
}

# The part of an accumulator
sub _of_values ($all) {
    my ($bins, $sum, $n) = (@$all{qw(bins sum)}, sum0(values %{ $all->{bins} }));
    return {
        cells => [map { [_bin($_, DIGITS, $all->{step}), $bins->{$_}] } sort { $a <=> $b } keys %$bins],
        total => $n, (map { $_ => $all->{$_} } qw(min max)), mean => $sum / $n, is_exact => $all->{step} <= EDGE_NS,
        sd => $n < 2 ? undef : sqrt(max(0, ($all->{squares} - $sum * $sum / $n) / ($n - 1))),
        early_wakeups => $all->{early},
        $all->{has_time} ? (duration_s => sprintf('%.6f', $all->{last_s} - $all->{first_s}), _slices($all)) : (),
    };
}

# The edges of the bin that holds the value, of $digits digits or a step wide
sub _bin ($ns, $digits, $step = EDGE_NS) {
    my $least = max(0, $ns);
    my $width = max($step, 10**(length($least) - $digits));
    my $from = $least - $least % $width;
    return ($from, $from + $width);
}

sub _place ($lines, $all, $at_s, $ns) {
    $lines->fail($lines->{number}, "the time $at_s is out of range; correct --time-unit") if abs $at_s >= TIME_MAX_S;
    $lines->fail($lines->{number}, "the time $at_s is earlier than on the line before; sort the lines by time")
        if $at_s < ($all->{last_s} // $at_s);
    $all->{last_s} = $at_s;
    my $since_s = $at_s - ($all->{first_s} //= $at_s);
    while ($since_s / $all->{slice_s} >= SLICES_MAX) {
        my %joined;
        _add($joined{ $_ >> 1 } //= {}, $all->{slices}{$_}) for keys %{ $all->{slices} };
        @$all{qw(slices slice_s)} = (\%joined, 2 * $all->{slice_s});
    }
    my $slice = $all->{slices}{ int($since_s / $all->{slice_s}) } //= {};
    _add($slice, { max => $ns, bins => { (_bin($ns, SLICE_DIGITS, $all->{step}))[0] => 1 } });
}

sub _add ($slice, $more) {
    $slice->{max} = max($more->{max}, $slice->{max} // $more->{max});
    $slice->{bins}{$_} += $more->{bins}{$_} for keys %{ $more->{bins} };
}

# The data sets slices and slice_bins. The last slice ends with the last value.
sub _slices ($all) {
    my ($slices, $seconds) = @$all{qw(slices slice_s)};
    my (%slices, %bins);
    my $push = sub ($columns, %row) { push @{ $columns->{$_} }, $row{$_} for keys %row };
    for my $number (sort { $a <=> $b } keys %$slices) {
        my ($slice, $count, $start_s) = ($slices->{$number}, 0, $number * $seconds);
        my $left_s = $all->{last_s} - $all->{first_s} - $start_s;
        my @time = (start_s => $start_s, seconds => sprintf('%.6f', max(LEAST_S, min($seconds, $left_s))));
        for my $from (sort { $a <=> $b } keys %{ $slice->{bins} }) {
            $count += $slice->{bins}{$from};
            $push->(\%bins, @time, from_us => $from / NS_PER_US, lateness => $slice->{bins}{$from},
                to_us => (_bin($from, SLICE_DIGITS, $all->{step}))[1] / NS_PER_US);
        }
        $push->(\%slices, @time, wakeups => $count, periods => $count, missed => 0,
            lateness_max_us => $slice->{max} / NS_PER_US);
    }
    return (slices => \%slices, slice_bins => \%bins);
}

1;
