# SPDX-License-Identifier: GPL-2.0-or-later
# Whether a limit is kept: the answer, what it rests on, what it would take, and which of several decides.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../../analyze/lib ../lib lib ../plots/lib);
use File::Temp qw(tempdir);
use Test::More;

use MadeReport;
use Realfeel::Answer::Judgement qw(asked judge limit_of);
use Realfeel::Model::Report;
use Realfeel::Show::Judge;
use Realfeel::Stat::Intervals;
use Analyzer;
use Given;
use RunCommand;

my $data = "$FindBin::Bin/data";
my $dir = tempdir(CLEANUP => 1);

# Slices of a second: each has 1000 latenesses spread from 10 to 20 us, and in every N of them one of 200 us.
my ($calm, $late) = map { my $last = $_; [(map { 10 + $_ / 100 } 1 .. 999), $last] } 15, 200;
my %slices;

sub slices {
    my ($slices, $every) = @_;
    return $slices{"@_"} //= [map { $every && $_ % $every == 0 ? $late : $calm } 1 .. $slices];
}

my %report;

# The report of that many slices of a second, of which every $every-th has a late wake-up. It is made once.
sub report {
    my ($slices, $every, @header) = @_;
    return $report{"@_"} //= Realfeel::Model::Report->read(made("$dir/x.hist", slices($slices, $every), duration_s => $slices, @header));
}

# The answer and the code.
sub answered {
    my ($report, $max) = @_;
    my $judgement = judge($report, limit_of($max));
    return "$judgement->{answer} $judgement->{code}";
}

subtest 'limits have a time and maybe a percentage' => sub {
    is_deeply(limit_of('100us'), { us => 100, percentile => undef, share => 0 }, 'a limit is a time');
    is_deeply(limit_of('1.5ms@99.999'), { us => 1500, percentile => 99.999, share => 1e-5 }, 'a limit is a time with a percentage');
    is_deeply(limit_of('1s@5'), { us => 1e6, percentile => 5, share => 0.95 }, 'a limit has any percentage');
    is(limit_of($_), undef, "'$_' is none") for '', '100', '0us', '100us@', '100us@100', '100us@0', '100us@x', '@99', '1us@9@9', "1us\n";
    my $asking = report(20, 0, limit => '250us@99.9');
    is_deeply(asked($asking), limit_of('250us@99.9'), 'the limit of a report is the one that is asked for');
    is(asked(report(20, 0)), undef, 'a report has no limit, if none was given');
    ok(!eval { asked(report(20, 0, limit => 'soon')); 1 }, 'a report whose limit is none is refused');
    like($@, qr{\A\S+/x\.hist: its limit, 'soon', is not like 100us or .+; correct it, or give --max\n\z}, 'no limit is named');
};

subtest 'nothing may be above' => sub {
    is(answered(report(20, 0), '100us'), 'pass kept', 'no latency above the limit is a pass');
    my $kept = judge(report(20, 0), limit_of('100us'));
    is_deeply([@$kept{qw(count above above_most allowed percentile keeps_us)}], [20_000, 0, 0, 0, undef, 19.99], 'a pass has its figures');
    is(answered(report(20, 20), '100us'), 'fail exceeded', 'a single latency above the limit is a fail');
    is(answered(report(20, 20), '200us'), 'pass kept', 'a latency that is equal to the limit is a pass');
    is(answered(report(20, 20), '199.999us'), 'fail exceeded', 'the exact maximum is held against the limit');
    is(answered(report(2, 0), '100us'), 'pass kept', 'a short run passes a limit of all');
    is(judge(report(60, 0, duration_s => 60), limit_of('100us'))->{later_s}, 20, 'a later one comes less than once in a third of the run');
    is(answered(report(0, 0), '100us'), 'not_yet empty', 'a run without latencies has no answer');
};

subtest 'what realfeel counts, and what is judged' => sub {
    my $counted = made("$dir/v.hist", slices(60, 1), max_ns => 100_000, max => 'exceeded', limit => '100us', duration_s => 60);
    my ($status, $out, $err) = run($analyze, '-v', $counted);
    like("$status $err $out", qr/^0  .* 60 periods were later than the limit of --max,\s+100\.000 us; at most 1 in 630\s+\(95 %\)/s,
        'stats says how rare latencies above the limit are');
    like($out, qr/^  limit     100 us, FAIL \(counted\)$/m, 'stats says that realfeel counted');
    my $judged = judge(Realfeel::Model::Report->read($counted), limit_of('100us@99.9'));
    is("@$judged{qw(answer code)}", 'not_yet between', 'a count above the limit does not decide a percentile');
};

subtest 'inside a bin' => sub {
    my %bins = (from_us => [10, 100], to_us => [11, 200], lateness => [9_990, 10]);
    my %header = (samples => 10_000, periods => 10_000, duration_s => 60, verdict => 'valid');
    my %contents = (file => 'x', keys => [sort keys %header], histogram => \%bins);
    my $of = sub { Realfeel::Model::Report->of({ %contents, header => { %header, @_ } }) };
    my $inside = judge($of->(), limit_of('150us'));
    is_deeply([@$inside{qw(answer code above above_most from_us to_us)}], ['not_yet', 'bin', 0, 10, 100, 200],
        'a limit in a bin is not yet');
    is(answered($of->(lateness_max_ns => 151_000), '150us'), 'fail exceeded', 'a maximum above a limit inside a bin is a fail');
    is(answered($of->(lateness_max_ns => 149_000), '150us'), 'pass kept', 'a maximum below a limit inside a bin is a pass');
    is(answered($of->(), '150us@99'), 'pass kept', 'a bin whose values may all be above is a pass');
    is(answered($of->(), '150us@99.99'), 'not_yet short', 'a bin whose values may not be above is no fail');
    is(answered($of->(), '9us@99'), 'fail exceeded', 'a limit at the edge of a bin has an answer');
};

subtest 'a share may be above' => sub {
    is(answered(report(60, 0), '100us@99.9'), 'pass kept', 'no latency above the limit of a percentile is a pass');
    is(answered(report(60, 0), '100us@99.99'), 'not_yet short', 'a percentile of few latencies has no answer');
    is(answered(report(60, 1), '100us@99'), 'pass kept', 'a tenth of the latencies that may be above is a pass');
    is(answered(report(60, 1), '100us@99.95'), 'fail exceeded', 'double the latencies that may be above is a fail');
    is(answered(report(60, 1), '100us@99.99'), 'fail exceeded', 'ten times the allowed number above the limit fail without an upper end');
    is(answered(report(60, 1), '100us@99.91'), 'not_yet between', 'hardly more latencies than may be above have no answer');
    is(answered(report(60, 1), '100us@99.9'), 'not_yet between', 'just as many latencies as may be above have no answer');
    is(answered(report(60, 0), '100us@10'), 'pass kept', 'a share above that of any listed percentile is a pass');
    is(answered(report(59, 0, duration_s => 58.9), '100us@99'), 'not_yet short', 'a run of less than a minute passes no percentile');
    is(answered(report(59, 0, duration_s => 58.9), '18us@99'), 'not_yet short',
        'a run of less than a minute with 20 times the allowed number has no answer');
    my @around = map { judge(report(59, 0, duration_s => 58.9), limit_of($_)) } '16.01us@99', '16us@99';
    is_deeply([map { "$_->{above} $_->{answer} $_->{code}" } @around], ['23541 not_yet short', '23600 fail exceeded'],
        'a run of any length fails from 40 times the allowed number on, here 23,600');
    is(answered(report(2, 1), '100us@99.999'), 'fail exceeded',
        'a run of seconds with late ones is a fail where next to none may be above');
    my $kept = judge(report(60, 1), limit_of('100us@99'));
    is(answered(report(60, 1), "$kept->{keeps_us}us\@99"), 'pass kept', 'the least limit that a run keeps is a pass');
    isnt(answered(report(60, 1), ($kept->{keeps_us} - 0.01) . 'us@99'), 'pass kept', 'a smaller limit than the least is no pass');
};

# Where the interval of the percentile lies, and nothing else.
subtest 'the interval decides' => sub {
    my $run = Realfeel::Model::Report->read("$data/one-run.hist.gz");
    my $intervals = Realfeel::Stat::Intervals->new($run->latency('lateness'), $run->pieces, 'lateness');
    for ([99, 100], [99.9, 1000], [99.99, 10_000]) {
        my ($percentile, $one_in) = @$_;
        my ($low, $high) = $intervals->interval($one_in);
        my @answers = map { answered($run, sprintf '%.0fns@%s', 1000 * $_, $percentile) }
            $low - 0.01, $low + 0.01, $high - 0.01, $high + 0.01;
        is_deeply(\@answers, ['fail exceeded', ('not_yet between') x 2, 'pass kept'], "p$percentile");
        cmp_ok($intervals->sure_one_in($high), '>=', $one_in, "the upper end of p$percentile is sure for 1 in $one_in");
        cmp_ok($intervals->sure_one_in($high - 0.01), '<', $one_in, "less than the upper end of p$percentile is not sure for 1 in $one_in");
    }
    is(answered($run, '613us@99.99'), 'pass kept', 'a limit passes p99.99');
    is(answered($run, '613us@99'), 'pass kept', 'a limit that passes p99.99 passes p99');
};

subtest 'what it takes' => sub {
    my $short = judge(report(60, 0, duration_s => 60), limit_of('100us@99.999'));
    is_deeply([@$short{qw(needed needed_s)}], [1_000_000, 1000], 'a percentile needs ten times as many latencies as its one in N');
    is(judge(report(20, 0), limit_of('100us@99'))->{needed_s}, 60, 'a percentile needs a minute');
    my $between = judge(report(60, 1, duration_s => 60), limit_of('100us@99.91'));
    my ($value, $low) = @$between{qw(value_us low_us)};
    cmp_ok(abs($between->{needed_s} / (60 * (log($low / $value) / log(100 / $value))**2) - 1), '<', 1e-9,
        'an end of an interval comes nearer by the root of the length');
    is(judge(report(60, 1), limit_of('200.001us@99.95'))->{needed}, undef, 'a run with an answer needs nothing');
};

subtest 'latenesses that depend on each other' => sub {
    my @calm = map { [map { 10 + $_ / 100 } 1 .. 1000] } 1 .. 60;
    my @wander = map { my $level = $_ % 60 < 24 ? 1 : 3; [map { $level * (10 + $_ / 100) } 1 .. 1000] } 1 .. 60;
    my @sure = map { judge(Realfeel::Model::Report->read(made("$dir/w.hist", $_)), limit_of('100us@99.9')) } \@calm, \@wander;
    is($sure[0]{answer}, 'pass', 'a level that stays passes');
    cmp_ok($sure[1]{high_us} / $sure[1]{low_us}, '>', 1.5, 'a level that wanders has a wide interval');
};

subtest 'runs that cannot be believed' => sub {
    my @suspect = (verdict => 'suspect: the fan was loud; and the moon was full');
    my $judgement = judge(report(20, 0, @suspect), limit_of('100us'));
    is_deeply([@$judgement{qw(answer code reason)}], ['not_yet', 'suspect', 'the fan was loud'], 'a suspect run cannot pass');
    is(answered(report(20, 1, @suspect), '100us'), 'fail exceeded', 'a suspect run can fail');
    is(answered(report(60, 1, @suspect), '100us@99.99'), 'fail exceeded', 'a suspect run can fail a percentile');
    is(answered(report(20, $_, verdict => 'invalid: it was not measured'), '100us'), 'not_yet invalid',
        'an invalid run is not yet') for 0, 1;
    is(answered(report(20, $_, schedule => 'contradicted: by a clock'), '100us'), 'not_yet contradicted',
        'a run with a contradicted schedule neither passes nor fails') for 0, 1;
    is(answered(report(20, 0, status => 'break'), '100us'), 'not_yet break', 'a run that --break ended cannot pass');
    is(answered(report(20, 1, status => 'break'), '100us'), 'fail exceeded', 'a run that --break ended can fail');
    is(answered(report(20, 0, status => 'interrupted'), '100us'), 'pass kept', 'an interrupted run passes');
    is(judge(report(20, 0), limit_of('100us'))->{doubt}, undef, 'a valid run is in no doubt');
    my $exceeded = judge(report(60, 1, @suspect), limit_of('100us@99.95'));
    is_deeply([@$exceeded{qw(doubt keeps_us)}], ['suspect', undef], 'a suspect run that fails is in doubt, and keeps no limit');
};

subtest 'a run without samples' => sub {
    like((run($analyze, 'judge', $_, "$data/empty.hist"))[1], qr/\ANOT YET: nothing was measured\.\n\z/, "nothing keeps $_")
        for '--max=1ms', '--max=1ms@99.9';
};

subtest 'what to do about it' => sub {
    my $of = sub { judge(report(60, @_), limit_of('100us@99.91')) };
    my @stolen = (verdict => 'suspect: the hypervisor took 30 ms of CPU time', steal_ms => 30);
    is($of->(0, @stolen)->{remedy}, 'steal_ms', 'a run with one cause of doubt has a remedy');
    is($of->(0, verdict => 'suspect: one; two', steal_ms => 30)->{remedy}, undef, 'a run with two causes of doubt has no remedy');
    is($of->(0, verdict => 'suspect: the fan was loud', steal_ms => 0)->{remedy}, undef, 'a cause that is not counted has no remedy');
    is($of->(0, verdict => 'suspect: it does not tell', status => 'unknown')->{remedy}, 'imported', 'imports have their own remedy');
    is($of->(0, @stolen)->{needed}, undef, 'a suspect run need not be longer');
};

# What is said of a report.
sub said {
    my ($max, @report) = @_;
    return Realfeel::Show::Judge::sentence(judge(report(@report), limit_of($max)));
}

subtest 'why, in words' => sub {
    my @stolen = (verdict => 'suspect: the hypervisor took 30 ms of CPU time', steal_ms => 30, duration_s => 60);
    is(said('100us', 20, 0, @stolen), 'NOT YET: 0 of 20,000 periods later than 100 us, but the run is suspect (the hypervisor took '
        . '30 ms of CPU time), so it cannot pass. Measure where the hypervisor takes no CPU time.',
            'the sentence of a suspect run has its remedy');
    is(said('100us', 20, 0, verdict => 'suspect'), 'NOT YET: 0 of 20,000 periods later than 100 us, but the run is suspect, so it '
        . 'cannot pass. Measure again.', 'the sentence of a suspect run without a remedy asks for another run');
    is(said('100us@99.91', 60, 1), 'NOT YET: 60 of 60,000 periods later than 100 us, 54 allowed; p99.91 is 200.0 us (19.99 to 200.0), on '
        . 'either side of the limit: measure about 11 minutes.', 'the sentence of a limit within the interval says what it takes');
    is(said('100us@99.95', 60, 1, @stolen),
        'FAIL: 60 of 60,000 periods later than 100 us, 30 allowed; p99.95 is 200.0 us (200.0 to 200.0), above '
        . 'the limit. The run is suspect (the hypervisor took 30 ms of CPU time).', 'the sentence of a fail says how many are later');
    is(said('100us@99', 60, 1),
        'pass: 60 of 60,000 periods later than 100 us, 600 allowed; p99 is 19.91 us (19.90 to 19.92), below the limit.',
        'the sentence of a pass says how many are later');
    is(said('100us@99.99', 60, 1),
        'FAIL: 60 of 60,000 periods later than 100 us, 6 allowed; p99.99 is ~200.0 us (200.0 or more), above the limit.',
        'the sentence of a fail without an upper end says so');
    is(said('100us@99.999', 60, 0), 'NOT YET: 0 of 60,000 periods later than 100 us, 0 allowed. Too short to know p99.999: measure 17 '
        . 'minutes.', 'the sentence of too few latencies says how long to measure');
    is(said('100us', 60, 1, status => 'break'), 'FAIL: 60 of 60,000 periods later than 100 us; at most 1 in 630 (95 %). --break ended '
        . 'the run.', 'the sentence of a run that --break ended says so');
    is(said('100us', 60, 0, duration_s => 60), 'pass: 0 of 60,000 periods later than 100 us. A later one comes less than once in 20 '
        . 'seconds (95 %).', 'the sentence of a pass says how rare a later one is');
};

# What is printed, with the status.
sub told {
    my ($status, $out, $err) = run($analyze, 'judge', @_);
    return ("$status $err", $out);
}

# The lines of a table, its columns separated by bars, with names of files without their folders.
sub rows { return $_[0] =~ s/^ +//mgr =~ s{\Q$dir\E/}{}gr =~ s/ {2,}/ | /gr }

subtest 'one word first' => sub {
    made("$dir/good.hist", slices(60, 0), limit => '100us@99.9');
    made("$dir/bad.hist", slices(60, 1), limit => '100us@99.95');
    made("$dir/short.hist", slices(60, 0), limit => '100us@99.999', duration_s => 60);
    my %expected = (
        good  => ['0 ', "pass: 0 of 60,000 periods later than 100 us, 60 allowed; p99.9 is 19.99 us\n(19.98 to 19.99), below the limit.\n"],
        bad   => ['2 ', "FAIL: 60 of 60,000 periods later than 100 us, 30 allowed; p99.95 is 200.0 us\n"
            . "(200.0 to 200.0), above the limit. The run keeps 200 us @ 99.95.\n"],
        short => ['5 ', "NOT YET: 0 of 60,000 periods later than 100 us, 0 allowed. Too short to know\np99.999: measure 17 minutes.\n"],
    );
    for my $name (sort keys %expected) {
        my ($status, $out) = told("$dir/$name.hist");
        is($status, $expected{$name}[0], "$name: the status, by the limit of the report");
        is($out, $expected{$name}[1], "$name: the sentence says why");
    }
    is((told('--max=100us', "$dir/bad.hist"))[1], "FAIL: 60 of 60,000 periods later than 100 us; at most 1 in 630 (95 %). The run\n"
        . "keeps 200 us.\n", '--max comes before the limit of the report');
};

subtest 'the worst decides' => sub {
    my ($status, $out) = told(map { "$dir/$_.hist" } qw(good short bad));
    is($status, '2 ', 'the worst of three runs decides');
    is(rows($out), <<~'END', 'each run has a row, the worst first');
        run | limit | above | max us
        FAIL | bad.hist | 100 us @ 99.95 | 60 of 60,000 periods | 200.0
        NOT YET | short.hist | 100 us @ 99.999 | 0 of 60,000 periods | 19.99 | measure 17 minutes
        pass | good.hist | 100 us @ 99.9 | 0 of 60,000 periods | 19.99
        END
    made_cpus("$dir/cpus.hist", { 0 => slices(60, 0), 3 => slices(60, 1) });
    ($status, $out) = told('--max=100us@99.95', "$dir/cpus.hist");
    is($status, '2 ', 'the worst of two CPUs decides');
    my $many = 'FAIL: CPU 3%s: 60 of 60,000 periods later than 100 us, 30 allowed; p99.95 is 200.0 us (200.0 to 200.0), above the '
        . 'limit. The run keeps 200 us @ 99.95. ';
    is($out =~ s/\s+/ /gr, sprintf($many, ', the worst of 2'), 'the worst CPU has the sentence');
    is((told('-v', '--max=100us@99.95', "$dir/cpus.hist"))[1] =~ s/\s+/ /gr, sprintf($many, '')
        . 'pass: CPU 0: 0 of 60,000 periods later than 100 us, 30 allowed; p99.95 is 19.99 us (19.99 to 19.99), below the limit. ',
        '-v has each CPU');
    made("$dir/once.hist", [@{ slices(60, 0) }, [300]]);
    made("$dir/doubt.hist", slices(60, 0), verdict => 'suspect: x');
    ($status, $out) = told('--max=100us@99', map { "$dir/$_.hist" } qw(good cpus doubt bad once));
    is($status, '5 ', 'a run in doubt cannot pass');
    is(rows($out), <<~'END', 'runs with one answer stand in the order of their maxima; the row of a run in doubt says why');
        run | limit | above | max us
        NOT YET | doubt.hist | 100 us @ 99 | 0 of 60,000 periods | 19.99 | suspect
        pass | once.hist | 100 us @ 99 | 1 of 60,001 periods | 300.0
        pass | cpus.hist, CPU 3 | 100 us @ 99 | 60 of 60,000 periods | 200.0
        pass | bad.hist | 100 us @ 99 | 60 of 60,000 periods | 200.0
        pass | good.hist | 100 us @ 99 | 0 of 60,000 periods | 19.99
        END
    is((told('-v', "$dir/good.hist", "$dir/bad.hist"))[1] =~ s/\s+/ /gr, "FAIL: $dir/bad.hist: 60 of 60,000 periods later than 100 us, "
        . '30 allowed; p99.95 is 200.0 us (200.0 to 200.0), above the limit. The run keeps 200 us @ 99.95. '
        . "pass: $dir/good.hist: 0 of 60,000 periods later than 100 us, 60 allowed; p99.9 is 19.99 us (19.98 to 19.99), below the limit. ",
        'each run has a sentence with -v');
};

# Two threads that woke up once and thrice, and one that did 20,000 times.
subtest 'threads that hardly woke up' => sub {
    my %threads = (thread => { 0 => 31, 1 => 30, 2 => 32 }, thread_name => { 0 => 'ui', 1 => 'audio', 2 => 'log' }, cpu => 'any (0-3)');
    my $file = made_cpus("$dir/threads.hist", { 0 => [[9000]], 1 => slices(20, 0), 2 => [[300, 300, 300]] }, %threads);
    my ($status, $out) = told('--max=100us', $file);
    is($status, '0 ', 'threads with few wake-ups decide nothing');
    my $omitted = "$file: threads with fewer than ten wake-ups are not judged: thread 31 ui, thread 32 log ";
    is($out =~ s/\s+/ /gr, "pass: thread 30 audio: 0 of 20,000 periods later than 100 us. $omitted",
        'the thread with many wake-ups decides, and those with few are named');
    is((told('-v', '--max=100us', $file))[1], $out, 'threads with few wake-ups are named once with -v');
    like((told('--max=100us', $file, "$dir/good.hist"))[1] =~ s/\s+/ /gr, qr/ 60,000 periods 19\.99 \Q$omitted\E\z/,
        'threads with few wake-ups are named below a table');
    like((told('--json', '--max=100us', $file))[1], qr/"left_out": \[\s+"thread 31 ui",\s+"thread 32 log"\s+\]/,
        'threads with few wake-ups are named in JSON');
    my $limited = made_cpus("$dir/few-limited.hist", { 0 => [[9000]], 1 => slices(20, 0) }, %threads,
        limit => '100us', max_ns => 100_000);
    like((run($analyze, $limited))[1], qr/^  limit     pass: thread 30 audio: 0 of 20,000 periods later than 100 us$/m,
        'stats leaves threads with few wake-ups out');
    like((run($analyze, qw(export --format=tap), $limited))[1], qr/^ok \d+ - thread 31 ui: within --max # SKIP fewer than ten wake-ups$/m,
        'TAP skips threads with few wake-ups');
    my $few = made_cpus("$dir/few.hist", { 0 => [[9000]], 2 => [[30, 30, 30]] }, map { $_ => $threads{$_} } keys %threads);
    is((told('--max=100us', $few))[1], "FAIL: thread 31 ui, the worst of 2: 1 of 1 period later than 100 us. The run\nkeeps 9 ms.\n",
        'threads with few wake-ups decide where all are such');
    my $cpus = made_cpus("$dir/cpus.hist", { 0 => [[9000]], 1 => slices(20, 0) });
    is((told('--max=100us', $cpus))[1], "FAIL: CPU 0, the worst of 2: 1 of 1 period later than 100 us. The run keeps 9\nms.\n",
        'a CPU with few wake-ups decides');
};

subtest 'what others say of it' => sub {
    for (['good', 'pass: 0 of 60,000 periods later than 100 us, 60 allowed; p99.9 is 19.99 us (19.98 to 19.99), below the limit'],
        ['bad', 'FAIL: 60 of 60,000 periods later than 100 us, 30 allowed; p99.95 is 200.0 us (200.0 to 200.0), above the limit'],
        ['short', 'NOT YET: 0 of 60,000 periods later than 100 us, 0 allowed']) {
        my ($name, $sentence) = @$_;
        like((run($analyze, "$dir/$name.hist"))[1] =~ s/\n {12}/ /gr, qr/^  limit     \Q$sentence\E$/m, "stats: $name");
        my ($page, $on_page) = (undef, $sentence =~ s/ us\b/ \xc2\xb5s/gr);
        given_by(sub { $page = (run($analyze, 'report', "$dir/$name.hist"))[1] });
        like($page =~ s/<\/?strong[^>]*>//gr, qr{<dt>limit</dt> <dd>\Q$on_page\E</dd>}, "the page: $name");
    }
    my %slices = (0 => slices(60, 0), 3 => slices(60, 1));
    my $cpus = made_cpus("$dir/limited.hist", \%slices, limit => '100us@99.95');
    my $worst = 'FAIL: CPU 3: 60 of 60,000 periods later than 100 us, 30 allowed; p99.95 is 200.0 us (200.0 to 200.0), above the limit';
    like((run($analyze, $cpus))[1] =~ s/\n {12}/ /gr, qr/^  limit     \Q$worst\E$/m, 'stats says which CPU is the worst');
    unlike((run($analyze, made("$dir/x.hist", slices(20, 0), limit => 'soon')))[1], qr/^  limit/m, 'stats omits a limit that is none');
};

subtest 'what is refused' => sub {
    my ($status) = told("$data/small.hist");
    like($status, qr/\A1 realfeel-analyze: \S+small\.hist: has no limit of its own; give one with --max, as in [^\n]+\n\z/,
        'a run without a limit is refused');
    ($status) = told('--max=100us', "$data/preempt-2.4.17.hist");
    like($status, qr/\A1 realfeel-analyze: \S+: has no lateness or wake-up latency to be judged; [^\n]+\n\z/, 'a run of 2002 is refused');
    ($status) = told('--max=100us@101', "$data/small.hist");
    like($status, qr/\A1 realfeel-analyze: '100us\@101' is not TIME or TIME\@PERCENT, 50 or more; use one like [^\n]+\nTry/,
        '--max needs a limit');
    like((told('--max=100us@0.9999', "$data/small.hist"))[0], qr/PERCENT, 50 or more; /, 'a fraction is not taken for a percentage');
    ($status) = told('--max=1ms', '/nonexistent');
    like($status, qr{\A1 realfeel-analyze: /nonexistent: [^\n]+\n\z}, 'a file that is not there is refused');
    my @refused = ('/nonexistent', "$data/preempt-2.4.17.hist");
    my ($complaints, $out) = told('--max=100us@99.95', @refused, "$dir/bad.hist");
    like($complaints, qr{\A2 realfeel-analyze: /nonexistent: [^\n]+\nrealfeel-analyze: \S+/preempt-2\.4\.17\.hist: [^\n]+\n\z},
        'a file that is refused keeps no other from being judged');
    is($out, (told("$dir/bad.hist"))[1], 'a run beside a file that is refused has the answer that it has alone');
    for my $refused (@refused) {
        like((told('--max=100us@99', $refused, "$dir/good.hist"))[0], qr/\A1 realfeel-analyze: [^\n]+\n\z/,
            'a file that is refused is no pass');
    }
};

done_testing;
