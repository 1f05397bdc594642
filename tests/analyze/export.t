# SPDX-License-Identifier: GPL-2.0-or-later
# Reports in the formats of other programs. small.hist has the latenesses, in us: 3 ten times, 4 six times, 5.5 four times
# and 153.04 once. SEED=N repeats the random reports.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP ();
use List::Util qw(sum0);
use Test::More;

use Exported;
use Realfeel::Model::Report;
use RandomReport;
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

my $data    = "$FindBin::Bin/data";
my $dir     = tempdir(CLEANUP => 1);
my @formats = qw(csv cyclictest junit prometheus rt-tests tap);

seed();

sub written { my ($name, $text) = @_; return file_of("$dir/$name", $text) }

sub changed {
    my ($change, $name) = @_;
    local $_ = contents("$data/" . ($name // 'small') . '.hist');
    $change->();
    return written('changed.hist', $_);
}

sub changed_status { my ($status) = @_; return changed(sub { s/status: complete/status: $status/ }) }

# A report of latenesses alone, each in ns with a count, in bins 10 ns wide; the last may be open.
sub lateness_report {
    my ($counts, %more) = @_;
    my @ns = sort { $a <=> $b } keys %$counts;
    my $n = 0;
    $n += $_ for values %$counts;       # to the last digit
    my %header = (samples => $n, (map { $_ => 'unknown' } qw(periods missed)), lateness_of => 'wake-ups',
        lateness_min_ns => $ns[0], lateness_max_ns => $ns[-1], %more);
    return report_text({ header => \%header, keys => [sort keys %header], histogram => {
        from_us => [map { ($_ - $_ % 10) / 1000 } @ns], to_us => [map { ($_ - $_ % 10 + 10) / 1000 } @ns], lateness => [@$counts{@ns}] } });
}

subtest 'rt-tests takes a report' => sub {
    my $run = json('rt-tests', "$data/small.hist");
    is_deeply([sort keys %$run], [sort qw(file_version cmdline rt_test_version start_time end_time return_code sysinfo num_threads
        resolution_in_ns thread)], 'rt-tests has its keys');
    is_deeply([sort keys %{ $run->{sysinfo} }], [sort qw(sysname nodename release version machine realtime)], 'sysinfo has its keys');
    is_deeply($run->{thread}, { 0 => { histogram => { 3 => 10, 4 => 6, 5 => 4, 153 => 1 }, cycles => 21, min => 3, max => 153,
        avg => 10.91, cpu => -1, node => -1 } }, 'rt-tests has a thread');
    is("@$run{qw(file_version num_threads resolution_in_ns return_code start_time)}",
        '1 1 0 0 Fri, 20 Nov 2026 23:05:57 +0000', 'rt-tests has no other values');
    is("@{ $run->{sysinfo} }{qw(sysname release realtime)}", 'Linux 6.1.0-rt7 1', 'rt-tests has the system');
    my $times = json('rt-tests', changed(sub { s/duration_s: 0.010254/duration_s: 90061.5/; s/kernel_release/cpu: 3\n# kernel_release/ }));
    is($times->{end_time}, 'Sun, 22 Nov 2026 00:06:58 +0000', 'rt-tests has the end of the run');
    is($times->{thread}{0}{cpu}, 3, 'rt-tests has the CPU');
    for (['max: kept', 0], ['max: exceeded', 1]) {
        my ($line, $code) = @$_;
        is(json('rt-tests', changed(sub { s/^(?=# samples)/# $line\n/m }))->{return_code}, $code, "$line: return code");
    }
    is(json('rt-tests', changed_status($_))->{return_code}, 1, "$_: return code")
        for qw(break interrupted checkpoint);
    is(json('rt-tests', changed(sub { s/verdict: valid/verdict: invalid: x/ }))->{return_code}, 1, 'invalid: return code');
};

subtest 'rt-tests of hostile reports' => sub {
    my $quotes = json('rt-tests', changed(sub { s/command: .*/command: .\/realfeel "a" \\\\ \\x0a \\x1b '\xc3\xa4' \xff/ }));
    is($quotes->{cmdline}, "./realfeel \"a\" \\ \n \e '\xe4' \x{fffd}", 'any command line');
    my $text = exported('rt-tests', "$data/empty.hist");
    unlike($text, qr/\bnan\b|\binf\b/i, 'no nan');
    is_deeply(JSON::PP->new->decode($text)->{thread}{0}, { histogram => {}, cycles => 0, (map { $_ => undef } qw(min max avg)),
        cpu => -1, node => -1 }, 'no sample');
    is_deeply(json('rt-tests', written('one.hist', lateness_report({ 4999 => 1 })))->{thread}{0}{histogram}, { 4 => 1 }, 'one sample');
    my $many = exported('rt-tests', written('many.hist', lateness_report({ 5000 => '9007199254740993', 7000 => 1 })));
    like($many, qr/"5": 9007199254740993,.*"cycles": 9007199254740994,/s, 'counts to the last digit');
    my $open = changed(sub { s/153.00 153.10 0 0 1/153.00 inf 0 0 1/ });
    is_deeply(json('rt-tests', $open)->{thread}{0}{histogram}, { 3 => 10, 4 => 6, 5 => 4, 153 => 1 }, 'an open bin');
    my $early = changed(sub { s/lateness_min_ns: 3000/lateness_min_ns: -1500/ });
    is(json('rt-tests', $early)->{thread}{0}{min}, -2, 'early wake-ups');
};

subtest 'cyclictest takes a report' => sub {
    my @lines = split /\n/, exported('cyclictest', "$data/small.hist");
    is_deeply([@lines[0, 1, 4, 5, 6, 154, 155 .. $#lines]], ['# Histogram', '000000 000000', '000003 000010', '000004 000006',
        '000005 000004', '000153 000001', '# Total: 000000021', '# Min Latencies: 00003', '# Avg Latencies: 00010',
        '# Max Latencies: 00153',
        '# Histogram Overflows: 00000', '# Histogram Overflow at cycle number:', '# Thread 0:'], 'cyclictest has its lines');
    my $long = exported('cyclictest', written('long.hist', lateness_report({ 5000 => 2, 99_999_990 => 3, 100_000_000 => 4, 2e9 => 1 })));
    like($long, qr/^099999 000003\n# Total: 000000005$/m, 'cyclictest has at most 100,000 lines');
    like($long, qr/^# Max Latencies: 2000000\n# Histogram Overflows: 00005\n.*\n# Thread 0: # 00005 others\n\z/m,
        'latencies beyond overflow');
    my ($status, $out, $err) = export('cyclictest', "$data/empty.hist");
    is("$status $out", '1 ', 'no sample');
    like($err, qr/: holds no samples, .*; export a run that does\n\z/, 'the refusal says that there are no samples');
};

sub metrics { return exported('prometheus', @_) =~ /^(realfeel_\w+)(?:\{([^}]*)\})? (\S+)$/mg }

subtest 'prometheus takes a report' => sub {
    my $text = exported('prometheus', "$data/small.hist");
    my %bucket = $text =~ /_bucket\{.*le="([^"]+)".*\} (\d+)$/mg;
    is_deeply([map { $bucket{$_} } qw(1e-06 2e-06 5e-06 1e-05 0.0001 0.0002 10.0 +Inf)], [0, 0, 16, 20, 20, 21, 21, 21],
        'prometheus has buckets');
    like($text, qr/^realfeel_lateness_seconds_sum\{.*\} 0\.000229040$/m, 'the exact sum');
    like($text, qr/^realfeel_lateness_seconds_count\{.*\} 21$/m, 'prometheus has the count');
    like($text, qr/^realfeel_lateness_max_seconds\{.*\} 0\.00015304$/m, 'Prometheus has the maximum');
    like($text, qr/^realfeel_missed_periods\{.*\} 1$/m, 'missed periods');
    like($text, qr/^realfeel_info\{.*kernel_release="6\.1\.0-rt7",preemption="PREEMPT_RT"\} 1$/m, 'prometheus has the kernel');
    like($text, qr/^realfeel_verdict\{[^}]*\} 0$/m, 'prometheus has the verdict');
    like($text, qr/^realfeel_start_time_seconds\{[^}]*\} 1795215957$/m, 'prometheus has the start');
    my $other = exported('prometheus', changed(sub {
        s/6\.1\.0-rt7/6.2/; s/verdict: valid/verdict: invalid: x/; s/preemption: .*/preemption: none/;
    }));
    my @labels = map { my %of = $_ =~ /^(?!realfeel_info)(realfeel_\w+)\{(.*)\}/mg; \%of } $text, $other;
    is_deeply($labels[1], $labels[0], 'the labels are the same with another kernel and verdict');
    like($other, qr/^realfeel_verdict\{[^}]*\} 2$/m, 'prometheus has another verdict');
    like($text, qr/\n# EOF\n\z/, 'the text ends with the line of OpenMetrics');
    my ($status, $hostile, $err) = export('prometheus', "$data/suspect.hist");
    like($hostile, qr/kernel_release="a \\"quoted\\" \\\\x1b\[31m\\\\x0a na\xc3\xafve \\\\ name"/, 'labels are escaped');
    like($err, qr/\A[^\n]*: the lateness is unreliable: [^\n]*; see the report\n\z/, 'a contradicted schedule is reported');
    my $big = exported('prometheus', changed(sub { s/lateness_sum_ns: \d+/lateness_sum_ns: -12345678901234567890123/ }));
    like($big, qr/_sum\{.*\} -12345678901234\.567890123$/m, 'a sum of any length');
    my $lean = exported('prometheus', written('lean.hist', lateness_report({ 4000 => 2 }) =~ s/# source.*\n//r));
    unlike($lean, qr/missed|\{\}|\{,/, 'what is not known is left out');
    like(exported('prometheus', "$data/empty.hist"), qr/le="\+Inf"\} 0\n/, 'no sample');
};

subtest 'CSV takes a report' => sub {
    my @lines = split /\n/, exported('csv', "$data/small.hist");
    is_deeply([@lines[0, 1, -1]], ['from_us,to_us,interval,early,lateness', '0.00,0.01,8,0,0', '153.00,153.10,0,0,1'], 'all columns');
    is((split /\n/, exported('csv', "$data/low-latency-2.4.17.hist"))[0], 'from_us,to_us,interval', 'CSV has the columns of 2002');
};

subtest 'every format of every report' => sub {
    for my $number (1 .. ($ENV{CHECK_ALL} ? 6 : 3)) {
        my ($i, $measures) = (1 + $number / 3, (qw(due asked both))[$number % 3]);
        my @slices = map { [map { [int rand 5000, 1, 1000 + int exp rand 15] } 1 .. 20] } 1 .. $i;
        my $file = written('random.hist', report_text(report_of(\@slices, measures => $measures)));
        my $report = Realfeel::Model::Report->read($file);
        my $run = json('rt-tests', $file);
        is(sum0(values %{ $run->{thread}{0}{histogram} }), $report->latency->n, "$i $measures: the histogram holds all");
        is(sum0(exported('cyclictest', $file) =~ /^\d{6} (\d+)$/mg, exported('cyclictest', $file) =~ /Overflows: (\d+)/),
            $report->latency->n, "$i $measures: rows and overflows");
        for my $format (qw(rt-tests cyclictest)) {
            run($analyze, 'import', "--format=$format", '-F', '-o', "$dir/back.hist", written('there', exported($format, $file)));
            my $back = Realfeel::Model::Report->read("$dir/back.hist");
            my %count;
            $count{ int $_->[0] } += $_->[2] for $report->latency->cells;
            my ($from, $count) = @{ $back->columns('histogram') }{'from_us', $report->{latency_name}};
            is_deeply({ map { int($from->[$_]) => $count->[$_] } grep { $from->[$_] < 100_000 } 0 .. $#$from },
                { map { $_ => $count{$_} } grep { $_ < 100_000 } keys %count }, "$i $measures: there and back by $format");
        }
    }
};

subtest 'reports without lateness' => sub {
    for my $format (grep { $_ ne 'csv' } @formats) {
        my ($status, $out, $err) = export($format, "$data/low-latency-2.4.17.hist");
        is("$status $out", '1 ', "$format: nothing is written");
        like($err, qr/\A[^\n]*hist: has no lateness, [^\n]*; use --format=csv\n\z/, "$format: one line");
    }
};

subtest 'an imported report' => sub {
    my $there = "$data/import/two-threads.json";
    run($analyze, qw(import --format=rt-tests -F -o), "$dir/threads.hist", $there);
    run($analyze, qw(merge --pool -F -o), "$dir/two.hist", "$dir/threads.hist");
    my $rows = exported('cyclictest', "$dir/two.hist");
    like($rows, qr/^000029 000004\n# Total: 000000044\n.*\n.*\n# Max Latencies: 14525\n# Histogram Overflows: 00719$/m,
        'overflows stay such');
    my $run = json('rt-tests', "$dir/two.hist")->{thread}{0};
    is(sum0(values %{ $run->{histogram} }), $run->{cycles}, 'overflows are counted at the maximum in JSON');
    is($run->{histogram}{14525}, 719, 'the maximum has the overflows');
    unlike(exported('prometheus', "$dir/two.hist"), qr/le="0\.0001"/, 'no bound inside the open bin');
};

subtest 'the command line' => sub {
    my $file = "$data/small.hist";
    for (['no format was given', $file], ["there is no format 'x'", '--format=x', $file], ['no file', '--format=csv'],
        ['more than one file', '--format=csv', $file, $file]) {
        my ($pattern, @arguments) = @$_;
        my ($status, $out, $err) = run($analyze, 'export', @arguments);
        is("$status $out", '1 ', "$pattern: status");
        like($err, qr/\Arealfeel-analyze: \Q$pattern\E[^\n]*; [^\n]*\nTry [^\n]*\n\z/, "$pattern: message");
    }
    my $known = join ', ', @formats;
    like((export('x', $file))[2], qr/ there is no format 'x'; use one of \Q$known\E\n/, 'export names its formats');
    is((export('csv', '-o', "$dir/out.csv", $file))[0], 0, 'export writes a file');
    is(contents("$dir/out.csv"), exported('csv', $file), 'the file has the text');
    my ($status, undef, $err) = export('csv', '-o', "$dir/out.csv", $file);
    like("$status $err", qr/\A1 .*exists; .*--force\n\z/, 'the file is not overwritten');
    is((export('csv', '-F', '-o', "$dir/out.csv", $file))[0], 0, '-F overwrites the file');
    ($status, undef, $err) = export('csv', "$dir/none");
    like("$status $err", qr/\A1 realfeel-analyze: [^\n]*none: cannot be opened[^\n]*\n\z/, 'a file that is not there');
};

done_testing;
