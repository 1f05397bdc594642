# SPDX-License-Identifier: GPL-2.0-or-later
# Turns another program's file into reports. Input::Json and Input::Text have a function for each format, read_NAME,
# which takes the Lines of a file, the unit in ns for formats that do not state it, and the options. It dies with one
# line or returns a hash:
#
#   source   the program
#   unit_ns  the unit of the numbers below, if the file states it
#   width    of a bucket
#   edge     lower bound of values left out of the buckets; by default the end of the last bucket
#   parts    a hash from the number of a thread or CPU to a part, see below
#   part     what a part is called
#   header   further lines of the report's header, a hash, if any
#   reasons  why the verdict is suspect, a list, if any
#   ours     what realfeel-analyze exported there, lateness or wakeup; by default lateness
#   of       what was counted, by default wake-ups
#   bare     set if parts have no histogram, but only figures: what to do about it
#   cycles   a hash from the number of a part to the cycles of samples beyond the histogram, if known
#
# A part is a hash:
#
#   total    how many samples it has
#   min, max, mean, sd      if known
#   bins     the counts of buckets by number; or instead
#   cells    a list of [from, to, count] in ns, with edges that a report can have
#   edge     as above, if it differs
#   expected how many samples it should have
#   cpu, duration_s, early_wakeups, slices, slice_bins      if known
#   is_exact whether the figures are
package Realfeel::Input::Import;
use Realfeel::Base::Modern;

use List::Util qw(max sum0 uniq);
use Realfeel::Base::Units qw(NS_PER_S NS_PER_US decimal);
use Realfeel::Input::Lines;

# The module that reads each format, and the unit of its times in ns if the file does not state it; 0 if the user has to
use constant FORMATS => {
    (map { $_ => ['Text', 1000] } qw(cyclictest oslat rteval)),
    (map { $_ => ['Text'] } qw(rtla rtla-top stress-ng timerlat)), 'rt-tests' => ['Json'], values => ['Text', 0],
};

use constant { TASK => 'use realfeel -s task:NAME', MEASURE => 'measure with realfeel' };

# What shows a file's kind in its first lines, and the format; or, if no format reads it, what the file is, filled with
# what the pattern captured, and what to do. The first match counts.
use constant KINDS => (
    [qr/^# Histogram\s*$|^policy: \w+: loadavg:|^T:.*\) (?:P:\s*\d+ )?I:|^\s*\d+:[ \d]{8,}:\s*-?\d+$/m => 'cyclictest'],
    [qr/RTLA osnoise|Operating System Noise|^# tracer: osnoise/m =>
        'osnoise: the noise that a busy loop sees, and no latency', 'use rtla timerlat hist'],
    [qr/^\d*# RTLA timerlat|^# Time unit is \w+ \(/m => 'rtla'],
    [qr/^\s*Timer Latency\s*$/m => 'rtla-top'],
    [qr/^# tracer: timerlat/m => 'timerlat'],
    [qr/^# tracer: (\w+)/m => 'a trace of %s, without latencies', 'use the timerlat tracer, or realfeel --explain'],
    [qr/^oslat V|^\s*\d+ \(us\):/m => 'oslat'],
    [qr/\A\s*\{.*"(?:rt_test_version:?|file_version)"\s*:/s => 'rt-tests'],
    [qr/<rteval\b/ => 'rteval'],
    [qr/^stress-ng: .*cyclic/m => 'stress-ng'],
    [qr/^hwlatdetect:(?>.{0,20000}?^Max Latency: )(\d+us)\n.{0,200}?^Samples exceeding threshold: (\d+)/ms =>
        'hwlatdetect: the firmware took the CPU for %s at most, %s times above its limit', 'look into the BIOS'],
    [qr/\A\s*\{.{0,4000}?"cpu": *\{\s*"\d|^T:[ \d(]+\) A:/ms => 'from jitterdebugger, which is not supported', MEASURE],
    [qr/^hwlatdetect:.{0,20000}?^Max Latency: Below/ms => 'hwlatdetect: nothing exceeded its limit', MEASURE],
    [qr/"RT Dataset"/ => "OSADL's dataset, which is not supported", 'give what cyclictest -h printed'],
    [qr/^== Sampling period:|^RT[TH]\|/m => "Xenomai's latency, whose overruns are in no percentile", MEASURE],
    [qr/^Wakeup Latencies percentiles.{0,99}\((\d+) total samples\).{0,999}?max=(\d+)/ms =>
        'schbench: percentiles of %s samples, at most %s us, and no counts', TASK],
    [qr/Runtime ms\s*\|.{0,99}Max(?:imum)? delay ms/ => 'perf sched latency: a mean and a maximum for each task', TASK],
    [qr/\btask name\b.{0,99}\bwait time\b.{0,99}\bsch delay\b/ => 'perf sched timehist: a line for each switch', TASK],
    [qr/^@\w*(?:\[.*\])?:\s*\n\[\d+\w?(?:\]|, )|^\s*[um]secs\s*: count\s+distribution/ms =>
        'a histogram of bpftrace or bcc, whose buckets double and mix all threads', TASK],
    [qr/^TIME\s+COMM\s+T?P?ID\s+LAT\(us\)/m => 'runqslower, which lists only what was late', TASK],
    [qr/^latency-histogram |^servo-thread:/m => "LinuxCNC's latency-histogram, which writes no counts", TASK],
    [qr/Overrun detected! The controller m/ => 'ros2_control, its overruns', 'use realfeel -s task:ros2_control_node'],
    [qr/^rttest statistics:|^Wakeup latency: min \d+ max/m => 'rttest or isochron: a mean and a maximum', TASK],
    [qr/^T:.*\) P:\s*\d+ C:|^#\d+: ID\d+, P/m => 'from rt-tests, but no timer test: a mean and a maximum', TASK],
    [qr/^(phc2sys|ptp4l)\[/m => '%s, which says how clocks agree, and nothing about latency', MEASURE],
    [qr/^int_9+\(ns\):/m => 'sysjitter: the interruptions of a busy loop, and no wake-ups', MEASURE],
    [qr/<PhoronixTestSuite>/ => 'the one figure of the Phoronix Test Suite', 'give what cyclictest -h printed'],
    [qr/^#\[Histogram log format|^\s*Value\s+Percentile\s+TotalCount/m =>
        'from HdrHistogram, which does not say what was measured', 'import the values with --format=values'],
);

use constant {
    EDGE_NS     => 10,      # the edges of a report are multiples of this
    LENGTH_MAX  => 18,      # of a count, in digits
    TIME_MAX    => 1e15,    # ns: eleven days
    BODY        => qr/(?:# Histogram\s*$|\d{6,9}(?:\s\d{6,17})+\s*$|T:\s*\d+ \(\s*\d+\) [PI]:)/m,
    OF          => { lateness => 'periods', wakeup => 'requests' },
};

sub formats { return sort keys %{ FORMATS() } }

# The format of the file, by what comes next; undef if that does not show it. Each line may have a prefix, as in logs.
# Dies with one line if the file is of a kind that is not read.
sub recognised ($lines) {
    $lines->strip('') unless defined $lines->{prefix};
    my $prefix = _prefix($lines->head);
    $lines->strip($prefix) if $prefix ne '' && $lines->head =~ s/^$prefix//mgr =~ (KINDS)[0][0];
    my $head = $lines->head;
    for (KINDS) {
        my ($pattern, $is, $remedy) = @$_;
        my @captured = $head =~ /$pattern()/ or next;
        return $is unless $remedy;
        $lines->fail(0, sprintf("this is $is", @captured[0 .. $#captured - 1]) . "; $remedy");
    }
    return undef;
}

# A pattern of what precedes cyclictest's lines: what the first two have in common, but any word in place of one that
# may be a time or that differs
sub _prefix ($head) {
    my ($one, $two) = $head =~ /^(.*?)${\BODY}.*\n(.*?)${\BODY}/m or return '';
    my @two = split /(\s+)/, $two;
    my $time = qr/\d[.:]\d|\d{3}|^\d{1,2}$/;
    return join '', map {
        my $is_same = $_ eq (shift @two // '');
        /^\s/ ? '[ \t]+' : $is_same && !/$time/ ? quotemeta : '\S+'
    } split /(\s+)/, $one;
}

# The reports of the next run of Lines, as Output::Writer takes them, one for each part. %$option has format, by default
# recognised; label; thread, the only part to take; column and time_unit_ns of values; is_passed, if another run is
# wanted; and unit_ns, period_ns and duration_s, used if the file does not state them. A part becomes the report of its
# CPU, or of its thread if several parts share one. Dies with one line.
sub imported ($lines, $option) {
    my $run = foreign($lines, $option);
    my $why = $run->{reasons}[0] // 'holds no histogram, so it has no percentiles';
    $lines->fail(0, "$why; $run->{bare}, or have realfeel-analyze audit count what it lacks")
        if $run->{bare} && !$option->{is_passed};
    my @parts = @{ $run->{parts} };
    my $has_cpus = @parts == uniq grep { defined } map { $_->{cpu} } @parts;
    my $has_threads = !$has_cpus && @parts > 1 && $run->{part} eq 'thread';
    return map {
        my %place = (cpu => $has_cpus ? $_->{cpu} : undef, thread => $has_threads ? $_->{number} : undef);
        _report({ %$run, label => $option->{label} }, { %$_, %place });
    } @parts;
}

# The next run, checked, but with parts as a list ordered by number. Each part also has its number; cells, the
# histogram; beyond, the samples beyond it; lacking, how many fewer than expected, undef if unknown; and contradiction,
# if any.
sub foreign ($lines, $option) {
    my ($format, $asked_ns) = @$option{qw(format unit_ns)};
    $lines->fail(0, 'is a report of realfeel; give the file of another program')
        if !defined $format && $lines->line =~ /^# realfeel \d/;
    $format //= recognised($lines)
        // $lines->fail(0, 'has no format that its first lines show; give one with --format: ' . join ', ', formats());
    recognised($lines) if $format =~ /^(?:cyclictest|rtla)$/;     # takes prefixes off, refuses osnoise
    my ($module, $default_ns) = @{ FORMATS->{$format} };
    $lines->fail(0, 'states the unit of its times; leave out --unit') if $asked_ns && !defined $default_ns;
    $lines->fail(0, 'does not state the unit of its times; give --unit=us, or ns, ms or s')
        unless $asked_ns || ($default_ns // 1);
    require "Realfeel/Input/$module.pm";
    my $unit_ns = $asked_ns // $default_ns;
    my $run = "Realfeel::Input::$module"->can('read_' . $format =~ tr/-/_/r)->($lines, $unit_ns, $option);
    while ($format ne 'cyclictest' && defined(my $line = $lines->line)) {
        $lines->fail($lines->{number}, 'begins another run; split the file') if $line =~ /^\d*# RTLA |^oslat V/;
        $lines->pass;
    }
    return _checked($lines, { unit_ns => $unit_ns, %$run }, $option);
}

# Bucket N of oslat holds turns of N - 1 to N us, rounded up, and the last all longer ones
sub _place_turns ($lines, $part) {
    my ($bins, $last) = ($part->{bins}, max(keys %{ $part->{bins} }) // return);
    $lines->fail(0, 'counts turns of 0 us; the file is damaged, take another copy') if exists $bins->{0};
    delete $bins->{$last} if defined $part->{max} && $part->{max} > $last;
    %$part = (%$part, edge => $last - 1, bins => { map { $_ - 1 => $bins->{$_} } keys %$bins });
}

sub _checked ($lines, $run, $option) {
    my @parts = _chosen($lines, $run, $option->{thread});
    my @turns = ($run->{of} // '') eq 'turns' ? 'oslat counts the turns of a busy loop, not wake-ups' : ();
    my $period_ns = _only($lines, 'period', 'ns', $run->{period_ns}, $option->{period_ns});
    for my $part (@parts) {
        my $own_s = $option->{duration_s} && $part->{slices} ? undef : $part->{duration_s};     # a run may outlast them
        $part->{duration_s} = _only($lines, 'duration', 's', $own_s, $option->{duration_s});
        $lines->fail(0, 'holds more samples than can be counted; the file is damaged')
            if length $part->{total} > LENGTH_MAX;
        my ($far) = grep { defined && abs $_ >= TIME_MAX / $run->{unit_ns} } @$part{qw(min max mean sd)},
            max(keys %{ $part->{bins} // {} });
        $lines->fail(0, "gives a latency of $far; the file is damaged, take another copy") if defined $far;
        _place_turns($lines, $part) if @turns;
        _add_cells($run, $part);
        my $own_ns = $part->{period_ns} //= $period_ns;
        my $expected = $part->{expected}
            // ($part->{duration_s} && $own_ns ? int($part->{duration_s} * NS_PER_S / $own_ns) : undef);
        next if !defined $expected || $run->{ours} || @turns;
        @$part{qw(expected lacking)} = ($expected, max(0, $expected - $part->{total}));
    }
    return { %$run, parts => \@parts, period_ns => $period_ns, reasons => [@{ $run->{reasons} // [] }, @turns] };
}

sub _chosen ($lines, $run, $number) {
    my $parts = $run->{parts};
    my @numbers = sort { $a <=> $b } keys %$parts;
    $lines->fail(0, "holds no $run->{part}; give the output of a whole run") unless @numbers;
    $lines->fail(0, "has no $run->{part} $number; choose one of " . join ', ', @numbers)
        if defined $number && !$parts->{$number};
    return map { +{ %{ $parts->{$_} }, number => $_ } } $number // @numbers;
}

# The file's own value, or the user's if the file has none
sub _only ($lines, $name, $unit, $told, $asked) {
    $lines->fail(0, "gives the $name as $told $unit; leave out --$name") if $asked && $told && $asked != $told;
    return $told || $asked;
}

# Whole buckets with edges that can be written; the open one takes all that reach into it
sub _add_cells ($run, $part) {
    return $part->{beyond} = 0 if $part->{cells};
    return @$part{qw(beyond cells)} = (undef, [[0, 'inf', $part->{total}]]) if $run->{bare};
    my ($unit_ns, $bins) = ($run->{unit_ns}, $part->{bins});
    my $cell = my $width_ns = $unit_ns * $run->{width};
    $cell += $width_ns while $cell % EDGE_NS;       # edges have to be multiples of what can be written
    my $floor = sub ($ns) { $ns - $ns % $cell };
    my ($end, %count) = ($unit_ns * ($part->{edge} // $run->{edge} // 0));
    for my $bucket (grep { $bins->{$_} } keys %$bins) {
        $count{ $floor->($unit_ns * $bucket) } += $bins->{$bucket};
        $end = max($end, $unit_ns * ($bucket + $run->{width}));
    }
    my $beyond = $part->{total} - sum0(values %count);
    my $edge = $beyond ? $floor->($end) : undef;
    my @from = sort { $a <=> $b } grep { !defined $edge || $_ < $edge } keys %count;
    my @cells = map { [$_, $_ + $cell, delete $count{$_}] } @from;
    @$part{qw(beyond cells)} = ($beyond, [@cells, $beyond ? [$edge, 'inf', $beyond + sum0(values %count)] : ()]);
    $part->{contradiction} = "of $beyond samples beyond the histogram, which ends at " . $end / $unit_ns
        . ", none can be if the maximum is $part->{max}"
        if $beyond && defined $part->{max} && $part->{max} * $unit_ns < $end;
}

sub _report ($run, $part) {
    my ($latency, $period_ns) = ($run->{ours} // 'lateness', $run->{period_ns});
    my %header = (
        status => 'unknown',
        verdict => _verdict($run, $part),
        (map { $_ => $run->{$_} } qw(label source period_ns)),
        frequency_hz => $period_ns ? decimal(NS_PER_S / $period_ns, 3) =~ s/\.?0+$//r : undef,
        samples => $part->{total},
        (map { $_ => 'unknown' } qw(periods missed)),
        early_wakeups => $part->{early_wakeups} // 'unknown',
        lacking       => $part->{lacking},
        lateness_of => OF->{ $run->{ours} // '' } // $run->{of} // 'wake-ups',
        moments     => $part->{is_exact} ? undef : 'from the bins',
        %{ $run->{header} // {} }, (map { $_ => $part->{$_} } qw(duration_s thread cpu)),
        # What the program computed itself
        (map { ("${latency}_${_}_ns" => /^m(?:in|ax)$/ ? sprintf('%.0f', $part->{$_} * $run->{unit_ns})
            : decimal($part->{$_} * $run->{unit_ns}, 3))
        } grep { $part->{total} && defined $part->{$_} } qw(min max mean sd)),
    );
    my $sets = { map { $_ => $part->{$_} } grep { $part->{$_} } qw(slices slice_bins) };
    delete @header{ grep { !defined $header{$_} } keys %header };
    my @cells = @{ $part->{cells} };
    my %histogram = (
        from_us  => [map { $_->[0] / NS_PER_US } @cells],
        to_us    => [map { $_->[1] eq 'inf' ? 'inf' : $_->[1] / NS_PER_US } @cells],
        $latency => [map { $_->[2] } @cells],
    );
    return { header => \%header, histogram => \%histogram, %$sets };
}

sub _verdict ($run, $part) {
    my ($samples, $of) = ($part->{total}, OF->{ $run->{ours} // '' });
    my @reasons = (
        "imported from $run->{source}: validity of the run and missed periods are not known",
        $part->{contradiction} // (),
        $part->{beyond} ? "$part->{beyond} of $samples samples lie beyond the histogram" : (),
        @{ $run->{reasons} // [] },
        $of ? "written by realfeel: counts are of $of, including missed ones, not of wake-ups" : (),
    );
    return ($samples ? 'suspect: ' : 'invalid: nothing was measured; ') . join '; ', @reasons;
}

1;
