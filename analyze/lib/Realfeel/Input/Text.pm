# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the text of other programs, each as Input::Import describes it: printed histograms, with a row for each time and
# a column for each thread, and plain values.
package Realfeel::Input::Text;
use Realfeel::Base::Modern;

use List::Util qw(any max min sum0);

use constant {
    CELLS_MAX => 1_000_000,     # non-empty ones; a million take 200 MB
    DAMAGED   => 'the file is damaged, take another copy',
    OF_CYCLICTEST => { Total => 'total', 'Min Latencies' => 'min', 'Avg Latencies' => 'mean', 'Max Latencies' => 'max',
        'Histogram Overflows' => 'beyond' },
    SUMMARY   => qr/^# ([A-Z][a-z]+(?: [A-Z][a-z]+)?):((?:\s+-?\d{1,17})+)\s*$/,
    UNIT_NS   => { nanoseconds => 1, microseconds => 1000 },
    # In the order in which they follow the rows
    OF_RTLA   => [[over => 'beyond'], [count => 'total'], [min => 'min'], [avg => 'mean'], [max => 'max']],

    NUMBER      => qr/[-+]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][-+]?\d{1,2})?/,
    NS_PER_US   => 1000,
    NS_MAX      => 1e15,        # eleven days
    EDGE_NS     => 10,          # the edges of a report are multiples of this
    DIGITS      => 4,           # of a report's bins
    SLICES_MAX  => 1024,
    SLICE_S     => 1,
    LEAST_S     => 1e-6,
    SLICE_DIGITS => 2,
    TIME_MAX_S  => 1e12,
};

# What cyclictest -h prints. The text tells neither its unit, nor which CPU a thread had, nor whether it is wake-up
# latency, unless realfeel-analyze exported it. A column of sums, from -H, is skipped. "# Total" exists up to rt-tests
# 2.6.
sub read_cyclictest ($lines, @) {
    my ($table, %summary, @cpus, $is_wakeup);
    while (defined(my $line = $lines->line)) {
        if    ($line =~ /^# Histogram\s*$/)               { $table //= _table($lines) }
        elsif ($line =~ /^# CPUs:((?: \d{1,6})+)$/)       { @cpus = split ' ', $1 }
        elsif ($line eq '# Wake-up latency')              { $is_wakeup = 1 }
        elsif ($table && $line =~ SUMMARY && OF_CYCLICTEST->{$1}) {
            $summary{ OF_CYCLICTEST->{$1} } = [map { 0 + $_ } split ' ', $2];
        }
        elsif ($table && $line !~ /^\s*(?:#|$)/) {
            _fail($table, 'not a time and its counts') unless $line =~ /^\d{1,9}(?:\s+\d{1,17})+\s*$/;
            _add_row($table, split ' ', $line);
        }
        $lines->pass;
    }
    _refuse_part($lines, $table, \%summary);
    my %parts = map { $_ => _part($table, $_, "thread $_", \%summary) } 0 .. $#{ $summary{min} };
    $parts{$_}{cpu} = $cpus[$_] for keys %parts;
    return { source => 'cyclictest', width => 1, edge => $table->{last} + 1, part => 'thread', parts => \%parts,
        ours => $is_wakeup ? 'wakeup' : undef };
}

sub _refuse_part ($lines, $table, $summary) {
    $lines->fail(0, "has no line '# Histogram'; name what cyclictest -h printed") unless $table;
    my ($missing) = grep { $_ ne 'Total' && !$summary->{ OF_CYCLICTEST->{$_} } } sort keys %{ OF_CYCLICTEST() };
    $lines->fail(0, "has no line '# $missing', so it is cut off; take another copy") if defined $missing;
    my $threads = @{ $summary->{min} };
    _fail($table, 'there are fewer columns than threads', 0)
        if grep { $_ < $threads } $table->{columns} || $threads, map { scalar @$_ } values %$summary;
}

# What rtla timerlat hist prints. For each CPU the latency of the return to user space is taken, else the thread's. If
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
        $lines->fail($lines->{number}, 'this is osnoise: the noise that a busy loop sees, and no latency; '
            . 'use rtla timerlat hist') if $line =~ /^# RTLA osnoise/;
        $told{unit} = $1 if $line =~ /^# Time unit is (\w+)/;
        $told{duration_s} = $1 * 86_400 + $2 * 3600 + $3 * 60 + $4
            if $line =~ /^# Duration:\s+(\d{1,5}) (\d\d):(\d\d):(\d\d)\s*$/;
        $told{columns} = [split ' ', $1] if $line =~ /^Index(\s.*)/;
        $lines->pass;
    }
    $lines->fail(0, "has no line '# Time unit is'; name what rtla timerlat hist printed")
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
    $lines->fail(0, "has no line '$missing:', so it is cut off; take another copy, of a run without --no-summary");
}

# A hash from the CPU to the place of its column, and why that is not the expected one
sub _chosen ($lines, $summary, @names) {
    my %place;
    for my $i (0 .. $#names) {
        $place{$1}{ 0 + $2 } = $i if $names[$i] =~ /^(Thr|Usr)-(\d{1,6})$/;
    }
    my ($thread, $user) = @place{qw(Thr Usr)};
    $lines->fail(0, 'holds no thread latency; run rtla without --no-thread') unless $thread || $user;
    return $thread // $user unless $thread && $user;
    my $lacks_latest = any { !defined $user->{$_} || _lacks($summary, $thread->{$_}, $user->{$_}) } keys %$thread;
    return $user unless $lacks_latest;
    return ($thread, 'the latency of the threads is taken, as the latest did not return to user space');
}

# Whether a wake-up of the thread, which is never later, did not return to user space
sub _lacks ($summary, $thread, $user) {
    my ($total, $max) = @$summary{qw(total max)};
    return $total->[$user] ? ($max->[$thread] // 0) > ($max->[$user] // 0) : $total->[$thread];
}

# A printed histogram: bins, for each column a hash from times to counts; the last time, -1 without rows; the greatest
# common divisor of all times; and how many columns there are
sub _table ($lines) {
    return { lines => $lines, bins => [], last => -1, divisor => 0, cells => 0, columns => undef };
}

# Adds the next row: times must ascend, and all rows have as many counts
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
# mean, total and beyond, if known; its total must equal the sum of the column, with $counts_all plus what lies beyond.
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

# Plain values, or pairs of a time in seconds and a value, one per line, separated by blanks, a comma or a semicolon;
# lines that begin with # are skipped. Pairs have to be in order of time and give slices of a second, or of 2, 4 and so
# on, so that there are no more than a run may have. Negative values count in the first bin, like early wake-ups.
sub read_values ($lines, $unit_ns) {
    my $all = { bins => {}, sum => 0, squares => 0, early => 0, slice_s => SLICE_S, slices => {} };
    while (defined(my $line = $lines->line)) {
        if ($line !~ /^\s*(?:#.*)?$/) {
            my ($first, $second) = $line =~ /^\s*(${\NUMBER})(?:[\s,;]\s*(${\NUMBER}))?\s*$/
                or $lines->fail($lines->{number}, 'neither a value nor a time and a value; remove what is none');
            $lines->fail($lines->{number}, 'some lines have a time and others none; keep those of one kind')
                if defined $second != ($all->{has_time} //= defined $second);
            my $ns = sprintf '%.0f', ($second // $first) * $unit_ns;
            $lines->fail($lines->{number}, "a value of $ns ns is out of reach; correct --unit") if abs $ns >= NS_MAX;
            _count($all, 0 + $ns);
            _place($lines, $all, $first, $ns) if defined $second;
        }
        $lines->pass;
    }
    $lines->fail(0, 'holds no value; name a file of values') unless defined $all->{has_time};
    my ($bins, $sum, $n) = (@$all{qw(bins sum)}, sum0(values %{ $all->{bins} }));
    return { source => 'values', unit_ns => 1, of => 'values', part => 'value', parts => { 0 => {
        cells => [map { [_bin($_, DIGITS), $bins->{$_}] } sort { $a <=> $b } keys %$bins],
        total => $n, (map { $_ => $all->{$_} } qw(min max)), mean => $sum / $n, is_exact => 1,
        sd => $n < 2 ? undef : sqrt(max(0, ($all->{squares} - $sum * $sum / $n) / ($n - 1))),
        early_wakeups => $all->{early},
        $all->{has_time} ? (duration_s => sprintf('%.6f', $all->{last_s} - $all->{first_s}), _slices($all)) : (),
    } } };
}

# Negative values go to the first bin
sub _count ($all, $ns) {
    $all->{bins}{ (_bin($ns, DIGITS))[0] }++;
    $all->{sum} += $ns;
    $all->{squares} += $ns * $ns;
    $all->{min} = min($ns, $all->{min} // $ns);
    $all->{max} = max($ns, $all->{max} // $ns);
    $all->{early}++ if $ns < 0;
}

# The edges of the bin with $digits digits that holds the value
sub _bin ($ns, $digits) {
    my $least = max(0, $ns);
    my $width = max(EDGE_NS, 10**(length($least) - $digits));
    my $from = $least - $least % $width;
    return ($from, $from + $width);
}

sub _place ($lines, $all, $at_s, $ns) {
    $lines->fail($lines->{number}, "the time $at_s is out of reach; give seconds") if abs $at_s >= TIME_MAX_S;
    $lines->fail($lines->{number}, "the time $at_s is before that of the line before; sort the lines by time")
        if $at_s < ($all->{last_s} // $at_s);
    $all->{last_s} = $at_s;
    my $since_s = $at_s - ($all->{first_s} //= $at_s);
    while ($since_s / $all->{slice_s} >= SLICES_MAX) {
        my %joined;
        _add($joined{ $_ >> 1 } //= {}, $all->{slices}{$_}) for keys %{ $all->{slices} };
        @$all{qw(slices slice_s)} = (\%joined, 2 * $all->{slice_s});
    }
    my $slice = $all->{slices}{ int($since_s / $all->{slice_s}) } //= {};
    _add($slice, { max => $ns, bins => { (_bin($ns, SLICE_DIGITS))[0] => 1 } });
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
                to_us => (_bin($from, SLICE_DIGITS))[1] / NS_PER_US);
        }
        $push->(\%slices, @time, wakeups => $count, periods => $count, missed => 0,
            lateness_max_us => $slice->{max} / NS_PER_US);
    }
    return (slices => \%slices, slice_bins => \%bins);
}

1;
