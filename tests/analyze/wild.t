# SPDX-License-Identifier: GPL-2.0-or-later
# Other programs' output as people paste, pipe and archive it: each is read as what it holds, which is computed here from
# what was put in, or refused with the reason.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../../analyze/lib ../lib lib);
use List::Util qw(max min sum0);
use Test::More;

use Imported;
use RunCommand;

my ($analyze, $dir) = (analyze(), dir());

# What cyclictest -h prints of threads, each a hash from us to counts, whose samples from $end on are overflows
sub histogram {
    my ($end, @threads) = @_;
    my $row = sub { my ($us) = @_; return sprintf "%06d %s\n", $us, join "\t", map { sprintf '%06d', $_->{$us} // 0 } @threads };
    my $line = sub { my ($name, $value) = @_; return "# $name: " . join(' ', map { sprintf '%05d', $value->($_) } @threads) . "\n" };
    return "# Histogram\n", (map { $row->($_) } 0 .. $end - 1),
        $line->('Min Latencies', sub { min(keys %{ $_[0] }) }),
        $line->('Avg Latencies', sub { my ($t) = @_; sum0(map { $_ * $t->{$_} } keys %$t) / sum0(values %$t) }),
        $line->('Max Latencies', sub { max(keys %{ $_[0] }) }),
        $line->('Histogram Overflows', sub { my ($t) = @_; sum0(map { $t->{$_} } grep { $_ >= $end } keys %$t) }),
        "# Histogram Overflow at cycle number:\n", map { "# Thread $_: \n" } 0 .. $#threads;
}

# Samples and maximum of each part, in us
sub figures {
    my ($text, @more) = @_;
    return [map { [$_->header('samples'), $_->header('lateness_max_ns') / 1000] } parts(undef, written('wild', $text), @more)];
}

sub said { my ($text, @command) = @_; return join '', (run($analyze, @command, written('wild', $text)))[1, 2] }

# The rows of the audit
sub audited {
    my ($text, @more) = @_;
    my $out = said($text, 'audit', @more);
    return map { [split] } $out =~ /^ +((?:\d+|all)(?: +[-\d.]+){6})$/mg;
}

my @two = ({ 3 => 40, 5 => 900, 90 => 2 }, { 4 => 941, 7 => 1 });
my @lines = histogram(50, @two);
my $text = join '', @lines;
my $truth = [[942, 90], [942, 7]];
my $summary = join '', map { /Avg/ ? "# Total: 000000942 000000942\n$_" : $_ } grep { !/^\d/ } @lines;

subtest 'a histogram of cyclictest wherever it stands' => sub {
    my $clock = 0;
    my %form = (
        'as it is'                => $text,
        'with the line ends of a PC'  => $text =~ s/\n/\r\n/gr,
        'with the line ends of an old Mac' => $text =~ s/\n/\r/gr,
        'with the line ends of a serial console' => $text =~ s/\n/\r\r\n/gr,
        'with a byte order mark'  => "\xef\xbb\xbf# /dev/cpu_dma_latency set to 0us\n$text",
        'indented'                => $text =~ s/^/    /gmr,
        'quoted in a mail'        => "On Monday, somebody wrote:\n" . $text =~ s/^/> /gmr,
        'behind the name of a machine' => join('', map { "[VM 1] $_" } @lines),
        'in a log with times'     => join('',
            map { sprintf 'Nov 29 10:%02d:%02d host cyclictest[42]: %s', ++$clock / 60, $clock % 60, $_ } @lines),
        'behind seconds'          => join('', map { sprintf '%d.%06d %s', 1_764_400_000 + $_, $_, $lines[$_] } 0 .. $#lines),
        'behind numbers'          => join('', map { "$_ $lines[$_]" } 0 .. $#lines),
        'in the log of a pod'     => join('', map { sprintf '2026-11-29T10:00:%02d.%09dZ %s', ++$clock / 60, $clock, $_ } @lines),
        'before a remark'         => "$text\nThis was idle, 12 cores.\n",
        'behind lines of status'  => ("T: 0 (  42) P:80 I:1000 C:     50 Min:      2 Act:    3 Avg:    4 Max:      30\n\e[2A" x 9000)
            . $text,
    );
    is_deeply(figures($form{$_}), $truth, "$_: the samples and the maximum of each thread") for sort keys %form;
    is_deeply(figures("\xef\xbb\xbf5\n6\n", '--format=values', '--unit=us'), [[2, 6]], 'the value after a byte order mark counts');
    my $status = join '', map { "T: $_ (  42) P:80 I:1000 C:     50 Min:      2 Act:    3 Avg:    4 Max:      3$_\n" } 0, 1;
    is_deeply([audited($_->[0])], [[0, 50, '-', '-', 0, '-', '30.000'], [1, 50, '-', '-', 0, '-', '31.000'],
        ['all', 100, '-', '-', 0, '-', '31.000']], $_->[1])
        for ["\xef\xbb\xbf$status", 'the thread after a byte order mark counts'], [$status =~ s/\n/\r/gr, 'with CR, each thread counts'];
    like(said("\xff\xfe" . $text =~ s/(.)/$1\0/gsr, 'stats'), qr/: is UTF-16; save it as UTF-8/, 'UTF-16 is named');
    like(said(join('', @lines[0 .. 30]), 'stats'), qr/has no line '# Avg Latencies', so it is cut off/, 'what is cut off says so');
};

subtest 'two runs in one log' => sub {
    my $log = "=== idle\n${text}=== loaded\n" . join '', histogram(99, { 3 => 10, 80 => 5 });
    my $said = said($log, 'stats');
    like($said, qr/^\S+wild#1\n.* max 90\.00 us\n.*^\S+wild#2\n.* max 80\.00 us\n/ms, 'a log of two runs has two runs');
    like(said($log, 'import'), qr/: holds 2 runs; name one, as in \S+#1\n/, 'import takes one of them');
    is((run($analyze, 'import', "$dir/wild#2"))[1] =~ /^# samples: (\d+)$/m && $1, 15, 'import finds the second');
    like((run($analyze, 'import', "$dir/wild#3"))[2], qr/: has only 2 runs; choose one, /, 'a third run is refused');
    is(scalar(() = said($log, 'audit') =~ /#[12]: cyclictest/g), 2, 'audit shows both runs');
    like(said("$summary$text", 'stats'), qr/: holds no histogram, /, 'a run without rows is refused');
    is_deeply([map { (run($analyze, $_, "$dir/wild#1"))[0] } 'stats', 'import'], [1, 1], 'a run without rows is refused by its name');
    is_deeply([map { (run($analyze, $_, "$dir/wild#2"))[0] } 'stats', 'import'], [0, 0], 'the run behind one without rows is read');
    is((run($analyze, 'import', "$dir/wild#2"))[1] =~ /^# samples: (\d+)$/m && $1, 942, 'the run behind one without rows is whole');
};

subtest 'prefixes that change' => sub {
    my $logged = sub { my ($day, $hour, $letters) = @_; my $second = 0;
        return join '', map { sprintf "%s 29 %02d:%02d:%02d host %s[42]: %s", $day, $hour,
            $second++ / 60, $second % 60, $letters, $_ } @lines };
    is_deeply(figures($logged->('Nov', 9, 'cyclictest')), $truth, 'a log in which the minute changes');
    is_deeply(figures(join '', map { "Nov 29 10:00:00 host cyclictest[42]: $_" } @lines), $truth, 'a log within one second');
    my $both = said($logged->('Nov', 9, 'cyclictest') . $logged->('Nov', 11, 'other'), 'audit');
    is(scalar(() = $both =~ /#[12]: cyclictest/g), 2, 'two runs of two programs in one log');
    my $large = join '', map { "host cyclictest[42]: $_" } histogram(20_000, { 3 => 40, 19_000 => 2 }, { 4 => 5 });
    is_deeply(figures($large), [[42, 19_000], [5, 4]], 'a log longer than is read at once');
};

subtest 'what belongs to which run' => sub {
    my $status = "T: 0 (   42) P:80 I:%d C:   1000 Min:      2 Act:    3 Avg:    4 Max:      30\n";
    my $log = sprintf($status, 1000) . $text . sprintf($status, 2000) . $text;
    like(said($log, 'audit'), qr/wild#1: cyclictest, a period of 1000 us.*wild#2: cyclictest, a period of 2000 us/s,
        'a line of status after the summary is of the next run');
    my ($first, $second) = map { sprintf $status =~ s/ 1000 / $_ /r, 1000 } 1000, 900;
    like(said("$first$second", 'audit'), qr/begins another run; split the file$/, 'a count that falls');
    like(said($first . $first =~ s/ 42/ 43/r, 'audit'), qr/begins another run; split the file$/, 'a new thread number is of another run');
    like(said($text =~ s/(?=^000009)/random: crng init done\n/mr, 'stats'), qr/:11: not a row of counts; remove it$/,
        'a message of the kernel among the rows is refused');
    is_deeply([audited("10:00:01\n$first")], [[0, 1000, '-', '-', 0, '-', '30.000']], 'a time of day is no value of cyclictest -v');
    like(said($first =~ s/ 42/ 0/r . $first, 'audit'), qr/ +0 +1000 /, 'a thread that has no number yet is of the same run');
    like(said($_, 'audit'), qr/: also has a run without a histogram; split the file$/, 'status lines of another run are refused')
        for $text . $first, $first =~ s/T: 0/T: 2/r . $text;
    my $value = sub { join '', map { sprintf "%8d:%8d:%8d\n", 0, $_, 5 } 0 .. 20 };
    like(said($value->() x 2, 'stats'), qr/begins another run; split the file$/, 'cycles that begin again');
    my $stress = join '', map { "stress-ng: info:  [2436] cyclic: $_\n" } 'sched SCHED_FIFO: 100000 ns delay, 10 samples',
        '  mean: 9834.56 ns, mode: 3495 ns', '  min: 2413 ns, max: 3145065 ns, std.dev. 77096.98';
    like(said($stress x 2, 'audit'), qr/begins another run; split the file$/, 'stress-ng twice');
    like(said('<rteval><cyclictest command_line="cyclictest"><core id="0"></core>', 'stats'), qr/has no '<\/rteval>', so it is cut off/,
        'rteval, cut off');
};

subtest 'a period of its own' => sub {
    my $status = "T: 0 (   42) P:80 I:1000 C:   1000 Min:      2 Act:    3 Avg:    4 Max:      30\n"
        . "T: 1 (   43) P:80 I:1500 C:    660 Min:      2 Act:    3 Avg:    4 Max:    3100\n";
    is_deeply([audited($status, '--duration=1s')], [[0, 1000, 1000, 0, 0, '-', '30.000'], [1, 660, 666, 6, 2, '-', '3100.000'],
        ['all', 1660, 1666, 6, 2, '-', '3100.000']], 'each thread is expected at its own period');
    like(said($status =~ s/I:1500/I:00/r, 'audit'), qr/^ +1 +660 /m, 'an interval of 0 is unknown');
    my $cycles = $text =~ s/# Thread 0: \n# Thread 1: \n/# Thread 0: 00200\n# Thread 1: 00200\n/r;
    unlike(said($status . $cycles, 'audit'), qr/together/, 'equal cycles of unequal periods are not the same time');
};

subtest 'nanoseconds, and a mean that is cut off' => sub {
    my $fine = join '', histogram(9000, { map { 2622 + 7 * $_ => 1 + $_ % 3 } 0 .. 300 });
    like(said($fine, 'stats'), qr/: has no latency below 2622, too much for microseconds; give --unit=ns /, 'the unit is asked for');
    is_deeply(figures($fine, '--unit=ns')->[0][1], 4.722, 'nanoseconds with --unit=ns');
    is_deeply(figures($fine, '--unit=us')->[0][1], 4722, 'microseconds with --unit=us');
    my ($part) = parts('cyclictest', written('wild', join '', histogram(50, { 4 => 51, 6 => 949, 80 => 10 })));
    is($part->header('lateness_mean_ns'), sprintf('%.3f', 1000 * (4 * 51 + 6 * 949 + 50 * 10) / 1010),
        'the least mean that the bins allow');
    like($part->header('verdict'), qr/cuts off its means, so those here are the least/, 'the report says that it is the least');
};

subtest 'samples beyond the histogram, cycle by cycle' => sub {
    my $cycles = $text =~ s/# Thread 0: \n# Thread 1: \n/# Thread 0: 00200 110060\n# Thread 1: 110059\n/r;
    my $said = said($cycles, 'audit', '--period=1ms') =~ s/\s+/ /gr;
    like($said, qr/came in cycle 200, after 0\.200 s\. Threads 0, 1 were late together, in cycle 110060, after 110\.060 s: .* stopped/,
        'threads that are late in one cycle');
    unlike(said($cycles =~ s/110059/110050/r, 'audit'), qr/together/, 'threads that are late ten cycles apart');
    my $often = sub { my ($last) = @_; return said($text =~ s/(# Thread [01]:) \n/$1 @{[1 .. 19]} $last\n/gr, 'audit') };
    unlike($often->(20), qr/together/, 'threads that are late all the time share cycles by chance');
    like($often->(110_060), qr/late together, in cycle 1, and again in \d+ cycles: /, 'nineteen shared cycles in a long run exceed chance');
    like(said("${text}# SMIs: 00000 00003\n", 'audit'), qr/Note: SMIs by thread: 0 3\./, 'SMIs that cyclictest counted');
};

subtest 'no histogram: audit needs none' => sub {
    my $status = "# /dev/cpu_dma_latency set to 0us\npolicy: fifo: loadavg: 0.31 0.12 0.05 1/208 1413\n\n"
        . "T: 0 ( 1410) P:80 I:200 C:    981 Min:      3 Act:    5 Avg:    5 Max:      61\n"
        . "T: 1 ( 1411) P:80 I:200 C:    950 Min:      3 Act:    4 Avg:    5 Max:    8410 SMI: 0\n";
    is_deeply([audited($status, '--duration=200ms')], [[0, 981, 1000, 19, 0, '-', '61.000'], [1, 950, 1000, 50, 42, '-', '8410.000'],
        ['all', 1931, 2000, 69, 42, '-', '8410.000']], 'lines of status: 8410 us are 42 periods of 200 us');
    like(said($status, 'stats'), qr/holds no histogram, .*; run cyclictest with --histogram, or /, 'stats says what would do');
    is_deeply([audited(join('', map { "> $_\n" } split /\n/, $status) x 2)], [[0, 981, '-', '-', 0, '-', '61.000'],
        [1, 950, '-', '-', 42, '-', '8410.000'], ['all', 1931, '-', '-', 42, '-', '8410.000']], 'quoted, the last of each thread');
    is_deeply([(audited($summary, '--period=10us', '--duration=10ms'))[0]], [[0, 942, 1000, 58, 9, '-', '90.000']],
        'a summary without rows');
    unlike(said($summary, 'stats'), qr/damaged/, 'a summary without rows is not damaged');
    my $json = '{"file_version": 1, "cmdline:": "%s", "thread": {"0": {"histogram": {}, "cycles": 59990, "max": 8812, "min": 2}}}';
    is_deeply([audited(sprintf $json, 'cyclictest -q -D 1m -S -i 1000')], [[0, 59990, 60000, 10, 8, '-', '8812.000']], 'JSON without -h');
    is_deeply([audited(sprintf $json, 'cyclictest -q -D 1m -S -i 00')], [[0, 59990, 60000, 10, 8, '-', '8812.000']],
        'an interval of 00 is none, so the default');
    my $pair = sub { my ($command, $rows) = @_; return qq({"file_version": 1, "cmdline:": "$command", "thread": {)
        . join(', ', map { qq("$_": {"histogram": {$rows}, "cycles": 1990, "max": 30, "min": 3}) } 0, 1) . '}}' };
    my $expected = sub { return [map { $_->[2] } (audited($pair->(@_)))[0, 1]] };
    is_deeply($expected->('cyclictest -t2 -i 1000 -D 2 -h 99', '"5": 1990'), [2000, 2000], 'with a histogram, threads share one period');
    is_deeply($expected->('cyclictest -S -i 1000 -D 2 -q', ''), [2000, 1333], 'without -h, periods differ by 500 us, with -S, too');
    is_deeply($expected->('cyclictest -S -i 1000 -D 2 -d0 -q', ''), [2000, 2000], 'without -h, periods differ by what -d says');
    is_deeply($expected->('cyclictest -t2 -i 1000 -l 3000 -q', ''), [3000, 2000], 'the run ends after the loops of the fastest thread');
    is_deeply($expected->('cyclicdeadline -t2 -i 1000 -s 200 -D 2 --histogram=99', '"5": 1990'), [2000, 1666],
        'periods of cyclicdeadline differ by what -s says');
    like(said($_, 'stats'), qr/: is not one complete JSON document of rt-tests; give the file as cyclictest /, 'half or twice a document')
        for map { ($_ x 2, substr $_, 0, -1) } $pair->('cyclictest -q', '');
    unlike(said('> ' . $pair->('cyclictest -q', '') =~ s/"max"/"cpu": 0, "max"/gr =~ s/\{/{"resolution_in_ns": 0, /r, 'stats'),
        qr/jitterdebugger/, 'quoted JSON of cyclictest is not taken for a file of jitterdebugger');
    my $top = "   Timer Latency   \n  0 00:10:01   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)\n"
        . "CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max\n"
        . "  0 #599979    |        0         0         0        64 |        4         1         4      8412\n"
        . "  1 #5999 e1   |        0         0         0        14 |        3         1         4        31\n";
    is_deeply([audited($top, '--period=1ms')], [[0, 599979, 601000, 1021, 8, '-', '8412.000'], [1, 59990, 601000, 541010, 0, '-', '31.000'],
        ['all', 659969, 1202000, 542031, 8, '-', '8412.000']], 'rtla timerlat top');
    like(said($top, 'audit'), qr/Note: the count of CPU 1 is rounded\./, 'a scaled count of rtla');
    my $stress = join '', map { "stress-ng: info:  [2436] cyclic: $_\n" } 'sched SCHED_FIFO: 100000 ns delay, 10000 samples',
        '  mean: 9834.56 ns, mode: 3495 ns', '  min: 2413 ns, max: 3145065 ns, std.dev. 77096.98',
        'Note: --cyclic-samples needed to be 593002 to capture all the data for this run';
    is_deeply([audited($stress)], [[0, 10000, 593002, 583002, '-', '-', '3145.065']], 'stress-ng kept the first samples');
    unlike(said($stress, 'audit', '--period=100us'), qr/does not say why/, 'the note of stress-ng says why samples are lacking');
    like(said($stress, 'stats'), qr/: stress-ng kept 10000 of 593002 samples, so its high percentiles are its maximum; /,
        'what stress-ng kept');
};

subtest 'each value with its cycle, or its time' => sub {
    my @us = map { 4 + $_ % 3 + ($_ == 321 ? 900 : 0) } 0 .. 999;
    my $v = "Max CPUs = 2\n" . join '', map { sprintf "%8d:%8d:%8d\n%8d:%8d:%8d\n", 0, $_, $us[$_], 1, $_, 5 } 0 .. $#us;
    is_deeply(figures($v), [[1000, max(@us)], [1000, 5]], 'cyclictest -v');
    my ($timed) = parts('cyclictest', written('wild', $v), '--period=10ms');
    is($timed->header('duration_s'), '9.990000', 'cycles and a period give times');
    is_deeply([map { 0 + $_ } @{ $timed->columns('slices')->{lateness_max_us} }], [6, 6, 6, 904, 6, 6, 6, 6, 6, 6],
        'cyclictest -v has slices');
    my $between = $v =~ s/^(?= +0: +500:)/T: 0 (  42) P:80 I:1000 C:    500 Min:      4 Act:    5 Avg:    5 Max:     904\n/mr;
    is_deeply(figures($between), [[1000, max(@us)], [1000, 5]], 'cyclictest -v with a line of status: no value alone has a time');
    my $intervals = sub { my $thread = 0; return join '', (map { "Thread @{[$thread++]} Interval: $_\n" } @_), $v };
    my $of_both = sub { my ($text, @more) = @_; return join ' ', map { @$_[2, 4] } (audited($text, @more))[0, 1] };
    is($of_both->($intervals->(1500, 2000), '--duration=1s'), '1000 0 666 0', 'cyclictest prints the interval of the next thread');
    is($of_both->($intervals->(100, 100), '--duration=1s'), '10000 9 10000 0', 'equal intervals are the period of both threads');
    like(said($intervals->(1500) =~ s/^ +1:.*\n//gmr, 'audit'), qr/; give --period/, 'a single printed interval is not taken for a period');
    my $trace = "# tracer: timerlat\n" . join '', map { my $us = $us[$_]; map {
        sprintf "  <...>-867     [00%d] d.h1. %11.6f: #%d     context %6s timer_latency %9d ns\n", $_->[0], 54 + $_->[1] / 100, 1, @$_[2, 3]
    } [0, $_, 'irq', 900], [0, $_, 'thread', $us * 1000 + 7], [1, $_, 'thread', 4000] } 0 .. $#us;
    is_deeply(figures($trace), [[1000, max(@us) + 0.007], [1000, 4]], 'the trace of timerlat: of each CPU its threads');
    my $user = $trace . "  x-9 [000] ..... 99.000000: #9 context user-ret timer_latency 5500 ns\n";
    is_deeply(figures($user), [[1000, max(@us) + 0.007], [1000, 4]], 'the threads, if the worst of one did not return');
    my $all = $trace . join '', map { "  x-9 [00$_] ..... 99.000000: #9 context user-ret timer_latency 950500 ns\n" } 0, 1;
    is_deeply(figures($all), [[1, 950.5], [1, 950.5]], 'the return to user space, if all of them did');
    my $csv = "seq,\"timestamp\",wakeup,work\n" . join '',
        map { sprintf "%d,%d,%d,7\n", $_, 1_764_400_000_000_000_000 + $_ * 10_000_000, 1000 * $us[$_] } 0 .. $#us;
    my ($report) = parts('values', written('wild', $csv), '--unit=ns', '--time-unit=ns', '--column=wakeup');
    is(header($report, qw(samples lateness_max_ns duration_s)), '1000 904000 9.990000', 'a column of a table, with times of 19 digits');
    is_deeply(figures("t,wakeup,flags,why\n1,5,,\n2,6,x,\n", '--format=values', '--unit=us', '--column=wakeup'), [[2, 6]],
        'a table whose last cells are empty is read');
    my (undef, undef, $err) = run($analyze, 'import', '--format=values', '--unit=us', written('wild', "1,5\n2,6,7,\n"));
    like($err, qr/\A[^\n]*:2: neither a value nor a time and a value; remove such lines\n\z/, 'a row of too many cells is refused');
    refused('values', $csv, 'has the columns seq, timestamp, wakeup, work', 'a table of several columns', '--unit=ns');
    refused('values', $csv, "has no column 'x'", 'a column that there is not', '--unit=ns', '--column=x');
    like(said("1764400000000000000 5\n", 'import', '--format=values', '--unit=us'), qr/out of range; correct --time-unit$/, 'a time in ns');
    refused('values', "1\n", 'has no header', 'a column without a header', '--unit=ns', '--column=x');
    is_deeply(figures("latency\n5\n6\n", '--format=values', '--unit=us'), [[2, 6]], 'one column with a header');
};

subtest 'histograms in other forms' => sub {
    my $oslat = "oslat V 2.60\nTotal runtime: \t\t60 seconds\n\n        Core:\t 1 2\n    001 (us):\t 500 600\n    002 (us):\t 0 28\n"
        . "    003 (us):\t 1 2 (including overflows)\n     Minimum:\t 1 1 (us)\n     Average:\t 1.000 1.000 (us)\n"
        . "     Maximum:\t 3 55 (us)\n     Max-Min:\t 2 54 (us)\n    Duration:\t 59.970 59.970 (sec)\n";
    is_deeply(figures($oslat), [[501, 3], [630, 55]], 'the text of oslat');
    my ($one, $two) = map { [bins($_)] } parts(undef, written('wild', $oslat));
    is_deeply($two, [[0, 1, 600], [1, 2, 28], [2, 9**9**9, 2]],
        'bucket N of oslat holds turns of N - 1 to N us, and the last all longer ones');
    unlike(said($oslat, 'audit', @$_), qr/passed|cannot be told|No sample/, 'turns have no period') for [], ['--period=1ms'];
    like(said($oslat x 2, 'stats'), qr/begins another run; split the file$/, 'two runs of oslat are not called damaged');
    like(said($oslat =~ s/^ +Maximum.*\n//mr, 'stats'), qr/has no line 'Maximum:' for each core, so it is cut off/, 'oslat, cut off');
    my $rteval = qq(<?xml version="1.0"?>\n<rteval version="3.7"><cyclictest command_line="cyclictest -i100 -qmu -h 3500 -p95">\n)
        . join('', map { qq(<core id="$_" priority="95"><statistics><samples>1010</samples><minimum unit="us">2</minimum>)
        . qq(<maximum unit="us">61</maximum><mean unit="us">4.21</mean></statistics><histogram nbuckets="2">\n)
        . qq(<bucket index="2" value="10"/><bucket index="61" value="1000"/></histogram></core>\n) } 0, 1) . "</cyclictest></rteval>\n";
    is_deeply(figures($rteval), [[1010, 61], [1010, 61]], 'the summary of rteval');
    like(said($rteval =~ s/cyclictest(?= command)/timerlat/r, 'audit') =~ s/\s+/ /gr,
        qr/Note: rteval counts the latencies of interrupt, thread and user/,
        'what the timerlat of rteval mixes');
    like(said($rteval =~ s/<core.*<\/core>\n//sr, 'audit'), qr/: holds no core; a sample may be beyond the histogram: /,
        'rteval omits all figures of a run that exceeds its buckets');
    my $rtla = "# RTLA timerlat histogram\n# Time unit is microseconds (us)\nIndex   Thr-002\n5      59000\n";
    like(said($rtla, 'stats'), qr/: has no line 'over:': it is cut off, or the run had --no-summary; /, 'rtla --no-summary may be whole');
    my ($precise) = parts(undef, written('wild', $rteval =~ s/4\.21/4.2135987558320371/gr));
    is($precise->header('lateness_mean_ns'), '4213.599', 'a mean of rteval keeps all its digits');
    is_deeply([audited("T: 0 (  989) I:1000 C:    997 Min:      3 Act:    5 Avg:    5 Max:    3061\n", '--duration=1s')],
        [[0, 997, 1000, 3, 3, '-', '3061.000']], 'the text of cyclicdeadline is read');
    my $deadline = '{"file_version": 1, "cmdline:": "cyclicdeadline -t 1 -i 1000 -D 60 --histogram=400", "thread": {"0": '
        . '{"histogram": {"3": 2000, "4": 57990}, "cycles": 59993, "min": 3, "max": 512}}}';
    is_deeply([audited($deadline)], [[0, 59993, 60000, 7, 0, 3, '512.000']], 'cyclicdeadline, and what lies beyond');
};

subtest 'what is read by no format says what it is' => sub {
    my %kind = (
        "# RTLA osnoise histogram\n"
            => 'osnoise: the noise that a busy loop sees, and no latency; use rtla timerlat hist',
        "   Operating System Noise\n"
            => 'osnoise: the noise that a busy loop sees, and no latency; use rtla timerlat hist',
        "# tracer: function\n#\n"
            => 'a trace of function, without latencies; use the timerlat tracer, or realfeel --explain',
        "hwlatdetect:  test duration 900 seconds\nMax Latency: 148us\nSamples recorded: 5\nSamples exceeding threshold: 5\n"
            => 'hwlatdetect: the firmware took the CPU for 148us at most, 5 times above its limit; look into the BIOS',
        "hwlatdetect:  test duration 9 seconds\nMax Latency: Below threshold\nSamples exceeding threshold: 0\n"
            => 'hwlatdetect: nothing exceeded its limit; measure with realfeel',
        "0.31 0.12 0.05 1/208 1413\n\nT: 0 ( 1410) P:80 C:    500 Min:      3 Act:    5 Avg:    5 Max:      61\n"
            => 'from rt-tests, but no timer test: a mean and a maximum; use realfeel -s task:NAME',
        "#0: ID3340, P80, CPU1, I1000; #1: ID3341, P80, CPU1, TO 0, Cycles 55\n#1 -> #0, Min    1, Cur    1, Avg    2, Max   15\n"
            => 'from rt-tests, but no timer test: a mean and a maximum; use realfeel -s task:NAME',
        "  Task   |   Runtime ms  | Switches | Average delay ms | Maximum delay ms | Maximum delay at       |\n"
            => 'perf sched latency: a mean and a maximum for each task; use realfeel -s task:NAME',
        qq({\n  "version": 1,\n  "cpu": {\n    "0": {\n      "histogram": {\n        "3": 5\n      },\n      "count": 5\n    }\n  }\n}\n)
            => 'from jitterdebugger, which is not supported; measure with realfeel',
        "T: 0 (  614) A: 0 C:     10013 Min:         3 Avg:    4.05 Max:        18\n"
            => 'from jitterdebugger, which is not supported; measure with realfeel',
        qq({ "cpu": {}, "format": { "name": "RT Dataset" } }\n)
            => "OSADL's dataset, which is not supported; give what cyclictest -h printed",
        "== Sampling period: 100 us\n"
            => "Xenomai's latency, whose overruns are in no percentile; measure with realfeel",
        "Wakeup Latencies percentiles (usec) runtime 90 (s) (370488 total samples)\n  min=1, max=12449\n"
            => 'schbench: percentiles of 370488 samples, at most 12449 us, and no counts; use realfeel -s task:NAME',
        "\n  Task   |   Runtime ms  |  Count   | Avg delay ms    | Max delay ms    |\n"
            => 'perf sched latency: a mean and a maximum for each task; use realfeel -s task:NAME',
        "time    cpu  task name        wait time  sch delay   run time\n"
            => 'perf sched timehist: a line for each switch; use realfeel -s task:NAME',
        "Attaching 5 probes...\n\@usecs: \n[0]      1680 |@@@ |\n[1]   7 |@ |\n"
            => 'a histogram of bpftrace or bcc, whose buckets double and mix all threads; use realfeel -s task:NAME',
        "     usecs               : count     distribution\n   0 -> 1    : 1680  |** |\n"
            => 'a histogram of bpftrace or bcc, whose buckets double and mix all threads; use realfeel -s task:NAME',
        "06:18:03\n     usecs               : count     distribution\n   0 -> 1    : 1680  |** |\n"
            => 'a histogram of bpftrace or bcc, whose buckets double and mix all threads; use realfeel -s task:NAME',
        "TIME     COMM             TID           LAT(us)\n"
            => 'runqslower, which lists only what was late; use realfeel -s task:NAME',
        "latency-histogram --nobase --nox\n"
            => "LinuxCNC's latency-histogram, which writes no counts; use realfeel -s task:NAME",
        "[WARN] [1747.1] [controller_manager]: Overrun detected! The controller manager missed its rate\n"
            => 'ros2_control, its overruns; use realfeel -s task:ros2_control_node',
        "rttest statistics:\n"
            => 'rttest or isochron: a mean and a maximum; use realfeel -s task:NAME',
        "Summary:\nWakeup latency: min 1210 max 70211 mean 3120.5\n"
            => 'rttest or isochron: a mean and a maximum; use realfeel -s task:NAME',
        "phc2sys[911.203]: CLOCK_REALTIME rms   12 max   31\n"
            => 'phc2sys, which says how clocks agree, and nothing about latency; measure with realfeel',
        "core_i:   1   2\nint_999(ns):   4100   5000\n"
            => 'sysjitter: the interruptions of a busy loop, and no wake-ups; measure with realfeel',
        "<?xml version=\"1.0\"?>\n<PhoronixTestSuite>\n"
            => 'the one figure of the Phoronix Test Suite; give what cyclictest -h printed',
        "       Value     Percentile TotalCount 1/(1-Percentile)\n"
            => 'from HdrHistogram, which does not say what was measured; import the values with --format=values',
    );
    like(said($_ x 5000, 'audit'), qr/: has no format that its first lines show; /, 'a file that repeats the mark of a kind is refused')
        for "Wakeup Latencies percentiles (1 total samples)\n", "hwlatdetect: x\nMax Latency: 5us\n", '"resolution_in_ns": 1, ',
            'Runtime ms |', 'task name wait time ';
    for my $text (sort keys %kind) {
        my ($what) = $kind{$text} =~ m{^([^,:;]+)};
        is(said($text, $_), "realfeel-analyze: $dir/wild: this is $kind{$text}\n", "$_ says that it is $what, and what to do")
            for 'stats', 'audit';
    }
};

done_testing;
