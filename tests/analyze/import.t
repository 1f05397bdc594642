# SPDX-License-Identifier: GPL-2.0-or-later
# Files of other programs become reports. Those in data/import were written by the programs themselves: cyclictest 2.4
# on Linux 6.18, rtla 6.1 on Debian's PREEMPT_RT kernel in a guest.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use JSON::PP ();
use List::Util qw(sum0);
use Test::More;

use Imported;
use Realfeel::Model::Report;
use RunCommand;

my ($analyze, $data, $dir) = (analyze(), data(), dir());

my $json = JSON::PP->new;
my $trailer = "# Total: 000000003 000000002\n# Min Latencies: 00001 00002\n# Avg Latencies: 00001 00005\n"
    . "# Max Latencies: 00002 00009\n# Histogram Overflows: 00000 00001\n";
my $text = "# Histogram\n000000 000000\t000000\n000001 000001\t000000\n000002 000002\t000002\n$trailer";

subtest 'JSON of cyclictest' => sub {
    my $report = imported('rt-tests', 'cyclictest.json');
    my $thread = $json->decode(contents("$data/cyclictest.json"))->{thread}{0};
    my @bins = bins($report);
    is($bins[-1][1], 9**9**9, 'JSON: the last bin is open');
    is("$bins[-1][0] $bins[-1][2]", '100 ' . ($thread->{cycles} - sum0(values %{ $thread->{histogram} })),
        'JSON: the open bin holds what lies beyond');
    is(sum0(map { $_->[2] } @bins), $thread->{cycles}, 'no sample is lost');
    is_deeply([map { [@$_[0, 2]] } @bins[0 .. $#bins - 1]],
        [map { [$_, $thread->{histogram}{$_}] } sort { $a <=> $b } keys %{ $thread->{histogram} }], 'JSON: the other bins are the same');
    is(header($report, qw(samples periods missed early_wakeups lateness_of moments period_ns frequency_hz)),
        "$thread->{cycles} unknown unknown unknown wake-ups from the bins 1000000 1000", 'JSON: the counts and the period');
    is(header($report, qw(lateness_min_ns lateness_max_ns lateness_mean_ns)), '8000 74994000 164640.000', 'JSON: extremes and mean');
    is(header($report, qw(status source command started kernel_release)),
        'unknown cyclictest cyclictest -q -D 2 -i 1000 -h 100 --json=a.json 2026-11-21T07:22:54Z 6.18.44-fc-v595', 'JSON: conditions');
    like($report->header('verdict'), qr/\Asuspect: imported from cyclictest: .*; 105 of 1836 samples /,
        'the verdict says how many samples lie beyond the histogram');
};

subtest 'text and JSON of one run agree' => sub {
    for my $name (qw(cyclictest two-threads)) {
        my @both = (imported('rt-tests', "$name.json"), imported('cyclictest', "$name.txt"));
        is_deeply([bins($both[1])], [bins($both[0])], "$name: bins");
        my ($a, $b) = map { header($_, qw(samples lateness_min_ns lateness_max_ns)) } @both;
        is($b, $a, "$name: counts and extremes");
        my @mean_us = map { $_->us('lateness_mean_ns') } @both;
        ok($mean_us[1] <= $mean_us[0] && $mean_us[0] < $mean_us[1] + 1, "$name: the mean, but for the decimals");
    }
};

subtest 'the threads of a run are told apart' => sub {
    my @reports = map { imported('rt-tests', 'two-threads.json', @$_) } [], ['--thread=0'], ['--thread=1'];
    is_deeply([map { $_->header('samples') } @reports], [763, 363, 400], 'threads are imported together and alone');
    is_deeply([map { $_->header('lateness_max_ns') } @reports], [14525000, 14525000, 568000], 'threads have their maxima');
    is($reports[0]->header('lateness_mean_ns'), sprintf('%.3f', (363 * 235180 + 400 * 74420) / 763), 'threads together have their mean');
    my $one = imported('cyclictest', 'two-threads.txt', '--thread=1');
    is_deeply([bins($one)], [bins($reports[2])], 'a thread is a column of the text');
    my $sums = imported('cyclictest', 'histofall.txt');
    is($sums->header('samples'), 600, 'a column of sums is no thread');
    refused('rt-tests', contents("$data/two-threads.json"), 'has no thread 7', 'no such thread', '--thread=7');
};

subtest 'a run on several CPUs' => sub {
    my @parts = parts('rt-tests', 'two-threads.json');
    is_deeply([map { [@{ $_->{part} }, $_->{cpu}, $_->header('samples'), $_->header('lateness_mean_ns')] } @parts],
        [[1, 2, 0, 363, '235180.000'], [2, 2, 1, 400, '74420.000']], 'a report for each thread, with its CPU');
    is_deeply([map { $_->header('verdict') =~ /(\d+ of \d+ samples)/ } @parts], ['329 of 363 samples', '390 of 400 samples'],
        'each thread says what lies beyond its histogram');
    is_deeply([map { [bins($_)] } parts('cyclictest', 'two-threads.txt')], [map { [bins($_)] } @parts], 'the text has the same bins');
    my @nameless = parts('cyclictest', 'two-threads.txt');
    is_deeply([map { $_->{cpu} } @nameless], [undef, undef], 'the text does not name CPUs');
    is_deeply([map { $_->{file} =~ /, (.*)/ } @nameless], ['thread 0', 'thread 1'], 'a thread without a CPU has its number');
    my $screen = (run($analyze, "$dir/report"))[1];
    like($screen, qr/^  thread 0  p50 .*^ {12}thread 0: 329 .*^ {12}thread 1: 390 /ms, 'figures and verdict name threads');
    like($screen, qr/^  thread  samples .*\n       0      363 /m, 'the table names threads');
    is_deeply([map { $_->header('thread') } @parts], [undef, undef], 'a thread with a CPU needs no number');
    is(imported('cyclictest', 'two-threads.txt', '--thread=1')->header('thread'), undef, 'a thread alone needs no number');
    is_deeply([map { $_->{cpu} } parts('rtla', 'rtla-2cpu.txt')], [0, 1], 'each CPU of rtla has a report');
    my @same = parts('rt-tests', written('same', contents("$data/two-threads.json") =~ s/"cpu": 1/"cpu": 0/r));
    is_deeply([map { [@{ $_->{part} }, $_->{cpu}] } @same], [[1, 2, undef], [2, 2, undef]], 'threads of one CPU have no CPU');
    is_deeply([map { $_->header('thread') } @same], [0, 1], 'threads of one CPU have their numbers');
    my ($one, @more) = parts('rt-tests', 'cyclictest.json');
    is_deeply([[@{ $one->{part} }], scalar @more], [[], 0], 'one thread is a run of its own');
};

subtest 'nanoseconds are read as such' => sub {
    my $report = imported('rt-tests', 'nanoseconds.json');
    my $thread = $json->decode(contents("$data/nanoseconds.json"))->{thread}{0};
    my %count;
    $count{ 10 * int($_ / 10) } += $thread->{histogram}{$_} for keys %{ $thread->{histogram} };
    my @bins = bins($report);
    is_deeply([map { [sprintf('%.0f', 1000 * $_->[0]), $_->[2]] } @bins],
        [(map { [$_, $count{$_}] } sort { $a <=> $b } keys %count), [200000, 4]], 'nanoseconds are in bins of 10 ns');
    is($report->header('lateness_max_ns'), $thread->{max}, 'a maximum in nanoseconds keeps its digits');
    my @odd = bins(imported('rt-tests', written('odd', '{"thread": {"0": {"histogram": {"12": 1, "17": 2}, "cycles": 8}},'
        . '"cmdline": "x -h 18", "resolution_in_ns": 1}')));
    is_deeply(\@odd, [[0.01, 9**9**9, 8]], 'a bin that the open one reaches into is part of it');
};

subtest 'JSON that is none' => sub {
    my $quote = imported('rt-tests', 'quote.json');
    is($quote->header('command'), 'cyclictest -q -l 5 -i 1000 -h 20 --json=q.json --policy=fi"fo', 'a quote that was not escaped');
    is_deeply([bins($quote)], [[20, 9**9**9, 5]], 'all samples beyond the histogram');
    my $nan = contents("$data/quote.json") =~ s/"cycles": 5/"cycles": 0/r =~ s/"avg": [\d.]+/"avg": -nan/r;
    my $report = imported('rt-tests', written('nan', $nan));
    is($report->header('verdict') =~ s/;.*//r, 'invalid: nothing was measured', 'a run without a cycle is invalid');
    my ($status, $out, $err) = run($analyze, "$dir/report");
    is("$status $err", '0 ', 'an invalid run is listed');
    refused('rt-tests', contents("$data/no-histogram.json"), 'holds no histogram', 'no -h');
};

subtest 'return codes and whose file it was' => sub {
    my $failed = contents("$data/cyclictest.json") =~ s/"return_code": 0/"return_code": 1/r;
    like(imported('rt-tests', written('failed', $failed))->header('verdict'), qr/; cyclictest reported return_code 1\z/,
        'the code is kept');
    is((run($analyze, qw(export --format=rt-tests), "$dir/report"))[1] =~ /"return_code": 1,/, 1, 'a return code is exported');
    my $zone = contents("$data/cyclictest.json") =~ s/07:22:54 \+0000/00:52:54 +0130/r;
    is(imported('rt-tests', written('zone', $zone))->header('started'), '2026-11-20T23:22:54Z', 'a time zone is read');
    my $oslat = contents("$data/cyclictest.json") =~ s{"cyclictest -q}{"/usr/bin/oslat -q}r;
    is(header(imported('rt-tests', written('oslat', $oslat)), qw(source period_ns)), 'oslat -', 'the JSON of another program names it');
    is(header(imported('rt-tests', written('oslat', $oslat), '--period=0.2ms'), qw(period_ns frequency_hz)), '200000 5000',
        '--period takes the place of the interval');
    refused('rt-tests', contents("$data/cyclictest.json"), 'gives the period as 1000000 ns', 'another period', '--period=2ms');
};

subtest 'text of cyclictest, by hand' => sub {
    is_deeply([bins(imported('cyclictest', written('text', $text)))], [[1, 2, 1], [2, 3, 4], [3, 9**9**9, 1]], 'both threads have bins');
    refused('cyclictest', $text =~ s/# Histogram Over.*//sr, "has no line '# Histogram Overflows', so it is cut off", 'cut off');
    refused('cyclictest', $text =~ s/000002 000002/000002 000003/r, 'the total of thread 0 is 3, but it holds 4', 'a wrong sum');
    refused('cyclictest', $text =~ s/000001 000001\t/000001 /r, 'more or fewer counts', 'a column less');
    refused('cyclictest', $text =~ s/000002 000002\t/000001 000002\t/r, 'do not ascend', 'order');
    refused('cyclictest', $text =~ s/000002 000002\t/-00002 000002\t/r, 'not a row of counts', 'a sign');
    refused('cyclictest', $text =~ s/Max Latencies: 00002/Max Latencies: 00001/r, 'the maximum of thread 0 is 1, but it reaches 2',
        'maximum');
    refused('cyclictest', $text =~ s/^# Histogram\n//r, "no line '# Histogram'", 'no title');
    refused('cyclictest', $text =~ s/Overflows: 00000 00001/Overflows: 00000 -1/r, 'thread 1 has -1 samples beyond',
        'fewer than none beyond');
};

subtest 'what is damaged' => sub {
    refused('rt-tests', $_->[1], $_->[2], $_->[0])
        for ['text', "hello\n", 'is not one complete JSON'], ['an array', '[1]', 'is not one complete JSON'], ['empty', '', 'is empty'],
            ['binary', "{\0}", 'binary'];
    my $thread = sub { qq({"cmdline": "cyclictest -h 9", "thread": {"0": $_[0]}}) };
    refused('rt-tests', $thread->('1'), 'holds no histogram', 'no thread');
    refused('rt-tests', '{"cmdline": "cyclictest -h 9", "thread": {"0": {"histogram": {}, "cycles": 0}, "1": 1}}',
        "thread '1': there is no histogram", 'a thread without');
    refused('rt-tests', $thread->('{"histogram": {"1": 2}, "cycles": 1}'), 'cycles is 1, but the histogram holds 2', 'too many');
    refused('rt-tests', $thread->('{"histogram": {"1": -2}, "cycles": 1}'), 'not a count', 'a negative count');
    refused('rt-tests', $thread->('{"histogram": {"x": 2}, "cycles": 2}'), "'x' is not a time", 'no time');
    refused('rt-tests', $thread->('{"histogram": {"5": 1, "05": 1}, "cycles": 2}'), "'05' is not a time", 'one time twice');
    refused('rt-tests', $thread->('{"histogram": {"0": 1}, "max": 1}') =~ s/cyclictest -h 9/oslat/r, 'counts turns of 0 us', 'oslat');
    refused('rt-tests', $thread->('{"histogram": {"5": 2}, "cycles": 2, "max": 3}'), 'max is 3, but the histogram goes to 5', 'maximum');
    refused('rt-tests', $thread->('{"histogram": {"5": 2}, "cycles": 2, "max": 1e30}'), 'a latency of 1e\+?30', 'a maximum out of reach');
    refused('rt-tests', $thread->('{"histogram": [], "cycles": 2}'), 'there is no histogram', 'an array');
    refused('rt-tests', '{"thread": {}}', 'holds no thread', 'no threads');
    refused('rt-tests', '{"file_version": 1, "cmdline": "' . 'x' x (1 << 22) . '"}', 'has more than 4194304 bytes', 'too long');
    my $many = imported('rt-tests', written('many', $thread->('{"histogram": {"5": 1000000000000000}, "cycles": 1000000000000001}')));
    is_deeply([map { $_->[2] } bins($many)], ['1000000000000000', 1], 'counts of 10**15');
};

subtest 'text of cyclictest, version by version' => sub {
    my @total = map { written('total', $_) } $text, $text =~ s/^# Total.*\n//mr;
    my @reports = map { imported('cyclictest', $_) } @total;
    is_deeply([bins($reports[1])], [bins($reports[0])], 'a histogram may lack the line # Total, as since rt-tests 2.7');
    is(header($reports[1], 'samples'), 6, 'the total is the sum of the rows');
    is_deeply([bins(imported('cyclictest', "$dir/total", '--unit=ns'))], [[0, 9**9**9, 6]], '--unit=ns reads the text of cyclictest -N');
};

subtest 'a maximum inside the rows beside overflows' => sub {
    my $cyclictest = written('inside', $text =~ s/(Max Latencies: 00002) 00009/$1 00002/r);
    is(reasons((parts('cyclictest', $cyclictest))[1])->[1],
        'of 1 samples beyond the histogram, which ends at 3, none can be if the maximum is 2', 'text of cyclictest');
    is((grep { /none can be if the maximum/ } @{ reasons((parts('cyclictest', $cyclictest))[0]) }), 0,
        'the maximum of one thread is no flaw of the other');
    my $json = '{"file_version": 1, "cmdline": "cyclictest -h 9", "thread": {"0": {"histogram": {"5": 2}, "cycles": 3, "max": %s}}}';
    my @told = map { reasons(imported('rt-tests', written('max', sprintf $json, $_)))->[1] } 8, 9;
    is_deeply(\@told, ['of 1 samples beyond the histogram, which ends at 9, none can be if the maximum is 8',
        '1 of 3 samples lie beyond the histogram'], 'JSON, and where it is none');
};

subtest 'TAP of what is not known' => sub {
    imported('rt-tests', 'cyclictest.json');
    my ($status, $tap) = run($analyze, qw(export --format=tap), "$dir/report");
    like($tap, qr/^ok 1 - measured to the end # SKIP the imported file does not say$/m, 'TAP skips what is not known');
    is_deeply([$tap =~ /^not ok \d+ - (.*)/mg], ['can be believed'], 'a suspect run cannot be believed');
    like((run($analyze, qw(export --format=junit), "$dir/report"))[1], qr/<skipped message="the imported file does not say"/,
        'JUnit skips what is not known');
};

subtest 'conditions in a comparison' => sub {
    my @files = map { my $name = $_; imported('cyclictest', "$name.txt"); written("$name.text", contents("$dir/report")) }
        qw(cyclictest two-threads);
    like((run($analyze, 'compare', @files))[1] =~ s/\s+/ /gr,
        qr/ Machine, rights and settings cannot be compared: not every file records them\. /, 'text records none');
    my @json = map { my $name = $_; imported('rt-tests', "$name.json",
        '--thread=0'); written("$name.json", contents("$dir/report")) }
        qw(cyclictest two-threads);
    like((run($analyze, 'compare', @json))[1] =~ s/\s+/ /gr,
        qr/: no differences in what both files record, cpu, hostname, kernel_release, /, 'JSON records a few');
    my ($document) = @{ $json->decode((run($analyze, 'compare', '--json', @files))[1]) };
    is($document->{environment_differences}, undef, 'nothing is known of the differences');
};

subtest 'labels are kept' => sub {
    my $later = written('later', contents("$data/cyclictest.json") =~ s/07:22:54/08:22:54/r);
    my $labelled = sub { imported('rt-tests', @_); contents("$dir/report") };
    my @labels = map { written("$_->[1]", $labelled->(@$_)) } ['cyclictest.json', '--label=old'], [$later, '--label=new'];
    is(Realfeel::Model::Report->read($labels[0])->header('label'), 'old', 'a label is in the header');
    my ($status, $out) = run($analyze, 'trend', @labels);
    is(() = $out =~ /^\S+, (?:old|new), /mg, 2, 'trend keeps them apart');
};

sub merged {
    my @files = @_;
    my ($status, undef, $err) = run($analyze, qw(merge --mixed --pool -F -o), "$dir/merged", @files);
    is("$status $err", '0 ', 'imported reports are merged');
    return Realfeel::Model::Report->read("$dir/merged");
}

subtest 'imported reports, merged' => sub {
    my @files = map { imported(@$_); rename "$dir/report", "$dir/$_->[1].hist" or die $!; "$dir/$_->[1].hist" }
        ['rt-tests', 'cyclictest.json'], ['rt-tests', 'two-threads.json'], ['rtla', 'rtla-us.txt', '--period=1ms'];
    my $report = merged(@files[0, 1]);
    is($report->header('samples'), 1836 + 763, 'all samples');
    is(sum0(map { $_->[2] } bins($report)), 1836 + 763, 'merged samples are in bins');
    is((bins($report))[-1][0], 30, 'the open bin of a merge begins with the lower one');
    is($report->header('lateness_mean_ns'), sprintf('%.3f', (1836 * 164640 + 363 * 235180 + 400 * 74420) / 2599), 'the mean of all');
    is(header($report, qw(lateness_sd_ns lateness_sumsq_ns2 lateness_max_ns)), '- - 74994000', 'merged imports have no deviation');
    my ($status, $listing) = run($analyze, '-v', "$dir/merged");
    like($listing, qr/^  source    cyclictest at 1000 Hz\n  runs      2\n  kernel/m, 'the listing has the program and the number of runs');
    my $text = contents("$dir/merged");
    merged(@files[1, 0]);
    is(contents("$dir/merged"), $text, 'imports merged in any order are the same');
    merged(@files);
    ($status, $listing) = run($analyze, '-v', "$dir/merged");
    like($listing, qr/^  source    more than one at 1000 Hz$/m, 'the listing says that the programs differ');
    like($listing, qr/^  moments   as reported by the programs, otherwise from the bins$/m, 'the listing says whose moments there are');
    unlike($listing, qr/(?<!or )unknown|(?<!runs of )several/, 'the listing has no bare words');
};

subtest 'an imported report is listed' => sub {
    imported('rt-tests', 'two-threads.json', '--thread=0');
    my ($status, $listing, $err) = run($analyze, '-v', "$dir/report");
    is("$status $err", '0 ', 'the listing needs no warning');
    like($listing, qr/\A\S+: SUSPECT\n  \* imported from cyclictest: /, 'the listing begins with the verdict');
    like($listing, qr/^  source    cyclictest at 1000 Hz on CPU 0$/m, 'the listing has program, rate and CPU');
    like($listing, qr/^  missed    not known; 37 cycles fewer than its duration and rate give$/m, 'missed periods');
    unlike($listing, qr/interval error|clock|anchor/, 'the listing has nothing that is not known');
    like($listing =~ s{\s+}{ }gr, qr{ from p50 on, percentiles lie beyond the histogram: at least 30\.000 us },
        'no percentile beyond the histogram');
    like($listing, qr/^  sd +-$/m, 'the listing has no deviation');
    like($listing, qr/^  max +14525\.000 us$/m, 'the listing has the maximum');
    ($status, my $document, $err) = run($analyze, '--json', "$dir/report");
    is("$status $err", '0 ', 'JSON needs no warning');
    is($json->decode($document)->[0]{lateness}{percentiles}[0]{value_us}, undef, 'JSON has no percentile beyond the histogram');
};

subtest 'the command line' => sub {
    my $file = "$data/cyclictest.json";
    for (["there is no format 'x'", '--format=x', $file], ['no file', '--format=rtla'],
        ['more than one file', '--format=rtla', $file, $file], ['--period=5 is not a time', '--format=rtla', '--period=5', $file],
        ["there is no unit 'm'", '--format=values', '--unit=m', $file],
        ['--thread=x is not a number', '--format=rtla', '--thread=x', $file]) {
        my ($pattern, @arguments) = @$_;
        my ($status, $out, $err) = run($analyze, 'import', @arguments);
        is("$status $out", '1 ', "$pattern: status");
        like($err, qr/\Arealfeel-analyze: \Q$pattern\E[^\n]*; [^\n]*\nTry [^\n]*\n\z/, "$pattern: message");
    }
    like((import_of('x', $file))[2], qr/; use one of cyclictest, oslat, rt-tests, rteval, rtla, rtla-top, stress-ng, timerlat, values\n/,
        'an unknown format is refused with the valid ones');
    my ($status, undef, $err) = import_of('rt-tests', '-o', "$dir/report", $file);
    is($status, 1, 'a file that exists');
    like($err, qr/exists; .*--force/, 'import keeps a file that exists');
};

done_testing;
