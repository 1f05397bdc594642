# SPDX-License-Identifier: GPL-2.0-or-later
# Many nights: what is shown of them, and from which on a level has changed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

use MadeReport;
use Realfeel::Answer::Trend;
use Realfeel::Base::Typed qw(is_truth);
use Realfeel::Model::Cpus;
use Realfeel::Model::Report;
use Realfeel::Stat::Trend qw(LEAST changes changes_among least likeness);
use Analyzer;
use RunCommand;
use Seed;

my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;

seed(USUAL);    # chance alone would make it fail now and then

subtest 'steps are found in a series' => sub {
    is_deeply([changes(1 .. 3)], [], 'three values have no change');
    my $half = int LEAST / 2;
    is_deeply([changes((map { rand } 1 .. $half), map { 2 + rand } 1 .. LEAST - $half)], [[$half, LEAST - 1, 1]],
        'half of the fewest values that show a change are higher: it is found');
    is_deeply([changes((map { rand } 1 .. $half), map { 2 + rand } 2 .. LEAST - $half)], [], 'one value less shows no change');
    my @steps = ((map { rand } 1 .. 40), (map { 2 + rand } 1 .. 40), map { rand } 1 .. 40);
    is_deeply([map { [@$_[0, 2]] } changes(@steps)], [[40, 1], [80, 0]], 'a step up and one down');
    is_deeply([map { $_->[1] } changes(map { exp(5 * $_) } @steps)], [map { $_->[1] } changes(@steps)],
        'a change does not depend on the shape of the distribution');
    my @all = changes(@steps);
    for my $n (41 .. 120) {
        my @found = changes(@steps[0 .. $n - 1]);
        my @before = grep { $_->[1] < $n } @all;
        is_deeply([map { $_->[1] } @found], [map { $_->[1] } @before], "with $n values: what is found once stays found");
    }
    is_deeply([changes((0) x 500)], [], 'equal values have no change');
    is_deeply([changes((map { $_ * 7 % 50 } 1 .. 50), 1e6)], [], 'one night alone is no change');
    is_deeply([map { $_->[0] } changes((0) x 50, (1) x 10)], [50], 'a value that is not 0 begins a change');
    my @near = qw(5 4 3 7 4 2 7 5 7 7 1 5 7 4 4 0 9 8 4 5 8 7 10 13 9 8 16 10 13 15 8 14 8 13 9 11 15 7 7 10 16 10 9 10 12);
    is_deeply([map { $_->[0] } changes(@near)], [20], 'the place is where the medians part, not that of the greatest sum of ranks, 22');
};

# As it is found of one alone, in many it would be found by chance.
subtest 'a change among many' => sub {
    is(least(1), LEAST, 'a series alone needs the fewest runs');
    my ($one, $many) = map { least($_) } 1, 40;
    cmp_ok($many, '>', $one, 'a series among many needs more runs');
    for my $series (1, 40, 1000) {
        my $n = least($series);
        my @values = ((map { rand } 1 .. $n / 2), map { 2 + rand } 1 .. $n - int($n / 2));
        is_deeply([map { scalar(() = changes_among($series, @values[0 .. $_])) } $n - 2, $n - 1], [0, 1],
            "among $series series it takes $n");
    }
};

subtest 'long series' => sub {
    my @long = map { int rand 50 } 1 .. 501;
    my ($all, $latest) = ([[], []], [[], []]);
    Realfeel::Stat::Trend::_take(@$all, $_) for @long;
    Realfeel::Stat::Trend::_take(@$latest, $_) for @long[1 .. $#long];
    is_deeply($all, $latest, 'ranks without the first value are as if it had not been');
    my @step = ((map { rand } 1 .. 1200), map { 3 + rand } 1 .. 1200);
    is_deeply([map { [@$_[0, 2]] } grep { abs($_->[0] - 1200) < 100 } changes(@step)], [[1200, 1]], 'a step is found in a long series');
};

subtest 'neighbours that are alike' => sub {
    is(likeness([[map { $_ % 2 ? rand : 1 + rand } 1 .. 100]]), 0, 'neighbours that differ are not alike');
    cmp_ok(likeness([[1 .. 50]]), '>', 0.9, 'values that ascend resemble their neighbours');
    my @stepping = grep { likeness([[map { rand } 1 .. 50], [map { 10 + rand } 1 .. 50]]) } 1 .. 200;
    cmp_ok(scalar @stepping, '<=', 6, 'a step makes no neighbours alike, but for one series in a hundred');
    is(likeness([[(0) x 50]]), 0, 'equal values are not alike');
    is(likeness([[1 .. LEAST - 1]]), 0, 'few values are not alike');
};

my %slices;

sub night {
    my ($number, $level, %header) = @_;
    my $more = $number % 7 / 100;
    my $slices = $slices{"$level $more"} //= [([map { $level * (1 + $_ / 200) + $more } map { ($_) x 5 } 1 .. 120]) x 2];
    return made(sprintf('night-%02d.hist', $number), $slices, hostname => 'lab1', duration_s => 2, period_ns => 976562,
        started => sprintf('2026-%02d-%02dT02:00:00Z', 1 + $number / 28, 1 + $number % 28), %header);
}

my @nights = ((map { night($_, 10, kernel_release => '6.1.0-31') } 1 .. 15),
    (map { night($_, 20, kernel_release => '6.1.0-32') } 16 .. 30));

subtest 'trend prints a table' => sub {
    my ($status, $out, $err) = run($analyze, 'trend', reverse @nights);
    is("$status $err", '0 ', 'exit status');
    my @rows = $out =~ /^ *(\d+  2026.*)$/mg;
    is(@rows, 30, 'the table has a row for each run, in the order of their start');
    like($rows[0],  qr/^1  2026-01-02 +13\.0\d +15\.9\d +- +16\.0\d +0 +6\.1\.0-31$/, 'the first row of a kernel names it');
    like($rows[1],  qr/ 0$/, 'a second row of a kernel does not name it');
    like($rows[15], qr/^16 .* 26\.\d\d\^ +31\.\d+\^ .* 32\.\d+\^ +0 +6\.1\.0-32$/, 'a row where a level has changed is marked');
    is((grep { /[v^]/ } @rows[0 .. 14, 16 .. 29]), 0, 'no other row is marked');
    like($out, qr/^  2026-01-17 \(run 16\): p50 13\.0\d -> 26\.0\d us, p99 15\.9\d -> 31\.9\d, .*; detected at run \d+$/ms,
        'the change is below the table');
    like($out, qr/\Alab1, nanosleep at 1024 Hz: 30 runs\n/, 'the name of the series');
    is((grep { length > 80 } split /\n/, $out), 0, 'the table has 80 columns');
    like($out, qr/^  \^ higher than before, v lower$/m, 'the marks are explained below the table');
    unlike((run($analyze, 'trend', @nights[0 .. 14]))[1], qr/\^/, 'marks are not explained where there are none');
    my $limited = (run($analyze, qw(trend --max=20us), @nights))[1];
    like($limited, qr/\Alab1, nanosleep at 1024 Hz: 30 runs, 15 FAIL 20 us\n/, 'the head of the table counts runs that fail a limit');
    is_deeply([$limited =~ /^ *(\d+)  2026.* FAIL\b/mg], [16 .. 30], 'the runs that fail it are marked');
    is((grep { length > 80 } split /\n/, $limited), 0, 'a table with a limit has 80 columns');
};

# As the program has it: what is known of the runs in these files.
sub series_of {
    my $trend = Realfeel::Answer::Trend->new;
    $trend->add(Realfeel::Model::Cpus::runs_of(Realfeel::Model::Report->read_all($_))) for @_;
    return $trend->series;
}

subtest 'trend knows a step' => sub {
    my ($series) = series_of(@nights);
    my ($step, @others) = Realfeel::Answer::Trend::together(@{ $series->{changes} });
    is_deeply([@$step{qw(run found found_last)}, scalar @others], [16, 23, 23, 0], 'one step has its first run and when it was found');
    my @changes = @{ $step->{changes} };
    is_deeply([map { $_->{statistic} } @changes], [qw(p50 p99 max)], 'the step is one of p50, p99 and max');
    is_deeply([map { sprintf '%.2f', $_ } @{ $changes[0] }{qw(before after ratio)}], [13.04, 26.04, '2.00'], 'the step has its levels');
    is($changes[0]{ratio}, $changes[0]{after} / $changes[0]{before}, 'the ratio is not rounded');
    ok(is_truth($_->{worse}) && $_->{worse}, "$_->{statistic} is worse") for @changes;
    is_deeply([@$series{qw(judged needed false_series)}], [30, LEAST, 5], 'a series says what it takes, and how often a change is none');
    ($series) = series_of(@nights[0, 1]);
    is_deeply([@$series{qw(judged needed)}, scalar @{ $series->{changes} }], [2, LEAST, 0], 'a series of two runs has no step');
};

subtest 'pass or fail' => sub {
    is((run($analyze, qw(trend --fail), @nights))[0], 2, '--fail fails where a level is higher');
    is((run($analyze, qw(trend --fail --digest), @nights))[0], 2, '--fail fails with --digest, too');
    is((run($analyze, 'trend', @nights))[0], 0, 'a level that is higher fails nothing without --fail');
    is((run($analyze, qw(trend --fail), @nights[15 .. 29]))[0], 0, '--fail passes the runs of one level');
    my @better = map { night($_, 5) } 31 .. 45;
    my ($status, $out) = run($analyze, qw(trend --fail), @nights, @better);
    is($status, 0, '--fail passes a level that is lower again');
    like($out, qr/^  2026-02-04 \(run 31\): p50 26\.\d\d -> 6\.\d+ us,/m, 'the table says that the level is lower again');
    is((run($analyze, qw(trend --fail), @nights, 'missing.hist'))[0], 2, '--fail fails beside a file that cannot be read');
    unlink @better;
};

subtest 'trend counts copies once' => sub {
    my @copies = map { system('cp', $_, "copy-$_") and die $!; "copy-$_" } @nights[0 .. 2];
    system(gzip => '-kf', $nights[3]) and die $!;
    run($analyze, qw(merge -o both.hist), @nights[4, 5]);
    my ($status, $out, $err) = run($analyze, 'trend', @nights, @copies, "$nights[3].gz", $nights[6], 'both.hist');
    is($status, 0, 'copies of runs are no error');
    is($err =~ s/^realfeel-analyze: \S+ is the same run as \S+; it counts once\n//mgr,
        "realfeel-analyze: 2 more runs are such copies; each counts once\n", 'copies are named, but for those after the fourth');
    like($out, qr/: 30 runs$/m, 'a copy of a run counts once');
    ($status, $out, $err) = run($analyze, 'trend', $nights[4], 'both.hist');
    is($status, 1, 'a run beside a merged report of it is an error');
    like($err, qr/: both\.hist: holds 1 run that night-05\.hist holds, too; leave out one$/m, 'the merged report of a run is named');
};

subtest 'a small step' => sub {
    my @small = map { night($_, $_ < 50 ? 10 : 10.3, hostname => 'small') } 31 .. 70;
    my ($status, $out) = run($analyze, qw(trend --fail), @small);
    is($status, 0, '--fail passes a step of 3 %');
    like($out, qr/^  no level has changed by more than 5 %\n  smaller steps, which --least=0 tells: p50, p99\b/m,
        'the table says that there are smaller steps');
    for (qw(0 2 2%)) {
        ($status, $out) = run($analyze, qw(trend --fail), "--least=$_", @small);
        is($status, 2, "--fail fails a step of 3 % with --least=$_");
        like($out, qr/^  2026-02-23 \(run 20\): p50 13\.0\d -> 13\.4\d us,/m, "the table has a step of 3 % with --least=$_");
    }
    my $level = 10;
    my @creeping = map { night($_, $level *= $_ % 14 ? 1 : 1.03, hostname => 'creeps') } 71 .. 140;
    is((run($analyze, qw(trend --fail), @creeping))[0], 2, 'many small steps are a step in the end');
    is((run($analyze, qw(trend --fail --least=x), @small))[0], 1, '--least refuses what is no size');
    unlink @small, @creeping;
};

subtest 'what the runs do not show' => sub {
    like((run($analyze, 'trend', @nights))[1], qr/^  of 100 series of 100 runs without a change at most 5 show one, if no run\n  depends/m,
        'the table says what it takes runs to be independent');
    my ($level, @walk) = 0;
    push @walk, night($_, 100 * exp(0.1 * ($level = 0.5 * $level + rand() - 0.5)), hostname => 'walks') for 31 .. 130;
    like((run($analyze, 'trend', @walk))[1],
        qr/^  each run resembles the one before it \(p50 0\.[3-7], .* about\s+(?:50|75|95)\s+show\s+one$/ms,
            'the table says that runs depend on each other');
    unlink @walk;
};

subtest 'trend keeps series apart' => sub {
    my @others = (night(46, 10, hostname => 'lab2'), night(47, 10, label => 'idle'), night(48, 10, frequency_hz => 2048));
    my ($status, $out) = run($analyze, 'trend', @others, @nights);
    is_deeply([$out =~ /^(lab.*): \d+ runs?$/mg], ['lab1, nanosleep at 1024 Hz', 'lab1, nanosleep at 2048 Hz',
        'lab1, idle, nanosleep at 1024 Hz', 'lab2, nanosleep at 1024 Hz'], 'series are apart by host, label, source and rate');
    like($out, qr/^  1 run; at least ${\LEAST} are needed to detect a change$/m, 'the table says how many runs it takes');
    ($status, $out, my $err) = run($analyze, qw(trend --plot), @others, @nights);
    is("$status $out", '1 ', '--plot refuses more than one series');
    like($err, qr/^realfeel-analyze: --plot draws one series, and there are 4; give the runs of one/, '--plot says how many there are');
    my $alone = sub { (run($analyze, 'trend', @_))[1] };
    is((run($analyze, 'trend', @others[0, 1]))[1], join("\n", map { $alone->($others[$_]) } 1, 0), 'each series has a table as alone');
    unlink @others;
    like($alone->(night(46, 10, hostname => '(none)')), qr/\Aunknown host, nanosleep at 1024 Hz: 1 run\n/, 'a nameless host is unknown');
    my @loaded = (night(46, 30, load => 'stress-ng --cpu 0 --seed 1'), night(47, 30, load => 'stress-ng --cpu 0 --seed 2'),
        night(48, 10, policy => 'rr'), night(49, 10, priority => 20), night(50, 10, cpu => 3));
    ($status, $out) = run($analyze, 'trend', @loaded, @nights);
    is_deeply([sort { $a <=> $b } $out =~ /^lab1, nanosleep at 1024 Hz, .*: (\d+) runs?$/mg], [1, 1, 1, 2, 30],
        'series are apart by load, policy, priority and CPU');
    like($out, qr/^lab1, nanosleep at 1024 Hz, policy fifo, priority 95, cpu unknown, load stress-ng --cpu 0: 2 runs$/m,
        'a seed makes no other load, and a series is named by what differs');
    unlink @loaded;
    is_deeply([(run($analyze, 'trend', "$data/ring.hist"))[1] =~ /^(box, .*): 1 run$/mg],
        ['box, ring, 2x0', 'box, ring, 8x0', 'box, ring, 8x16k'], 'each cell of a ring is a series');
};

subtest 'a run that cannot be believed' => sub {
    night(8, 9000, verdict => 'invalid: suspended');
    my ($status, $out) = run($analyze, 'trend', @nights);
    like($out, qr/^ +8 .* INVALID +6\.1\.0$/m, 'an invalid run is listed');
    like($out, qr/^  2026-01-17 \(run 16\): p50 13\.0\d -> 26\.0\d us\b/m, 'an invalid run has no part in a level');
    my @invalid = map { night($_, 10, verdict => 'invalid: suspended') } 31 .. 40;
    like((run($analyze, 'trend', @nights[0 .. 14], @invalid))[1], qr/^  14 runs, and 11 invalid; at least 21 /m,
        'invalid runs do not count');
    unlink @invalid;
    night(8, 10);
};

subtest 'what has no place' => sub {
    my $old = "$data/low-latency-2.4.17.hist";
    my ($status, $out, $err) = run($analyze, 'trend', $old, "$data/small.hist", @nights[0, 1]);
    is($status, 1, 'exit status');
    like($err, qr/^realfeel-analyze: \Q$old\E: has no lateness; give /m, 'a file of 2002 is refused');
    like($out, qr/: 2 runs$/m, 'runs beside a file that is refused are listed');
    is((run($analyze, 'trend', '-o', 'x.png', @nights))[0], 1, '-o without --plot');
    is((run($analyze, qw(trend --json --digest), @nights))[0], 1, '--json and --digest cannot be combined');
};

subtest 'chosen series' => sub {
    my ($status, $out) = run($analyze, 'trend', '--fail', '--series=p90,missed', @nights);
    is($status, 2, 'chosen statistics are judged');
    like($out, qr/^ +started +p90 us +missed +kernel$/m, 'chosen statistics are shown in their order');
    like($out, qr/^  2026-01-17 \(run 16\): p90 15\.4\d -> 30\.8\d us; detected/m, 'chosen statistics alone are judged');
    is((run($analyze, qw(trend --fail --series=missed), @nights))[0], 0, 'a statistic that is not chosen is not judged');
    my ($series) = @{ JSON::PP->new->decode((run($analyze, qw(trend --json --series=p90), @nights))[1]) };
    is_deeply([map { $_->{statistic} } @{ $series->{changes} }], ['p90'], 'JSON has the chosen statistics');
    my ($max, $of_intervals) = map { (run($analyze, 'trend', "--series=$_", "$data/explained.hist"))[1] } 'max', 'max,interval';
    like($of_intervals, qr/^ +started +max us +kernel$/m, 'a measure can be chosen with its maximum');
    isnt($of_intervals, $max, 'the maximum of a measure is not that of the latency');
    like((run($analyze, qw(trend --series=wakeup), $nights[0]))[2], qr/night-01\.hist: has no wake-up latency; give /,
        'a measure that a run has not is refused');
    for ('p51', '', 'p50,', 'interval,lateness', 'P50') {
        ($status, undef, my $err) = run($analyze, 'trend', "--series=$_", $nights[0]);
        is($status, 1, "'$_' is an error");
        like($err, qr/^realfeel-analyze: '\Q$_\E' names none of p50, p90, .*, p99\.999, p99\.9999, max, /,
            "the refusal of '$_' says what can be chosen");
    }
    is((run($analyze, qw(trend --plot --series=missed), @nights))[2],
        "realfeel-analyze: no run has a value for any statistic in --series; add p50 or max\n",
        '--plot refuses a statistic without values');
};

subtest 'trend prints a digest' => sub {
    my ($status, $out) = run($analyze, qw(trend --digest), @nights);
    my @lines = split /\n/, $out;
    is(@lines, 5, 'the digest has five lines');
    like($lines[0], qr/^lab1, nanosleep at 1024 Hz: valid, 2026-02-03 02:00, 2\.0 seconds, 6\.1\.0-32$/, 'the digest begins with the run');
    like($lines[1], qr/^last run: p50 26\.\d\d us, p99 .* us, p99\.9 -, max 32\.\d\d us, missed 0$/,
        'the digest has the figures of the run') or diag $lines[1];
    like($lines[2], qr/^usual: +p50 13\.\d\d us,/, 'the digest has the usual figures');
    like($lines[3], qr/^worse: +p50 2 times, p99 2 times, max 2 times higher since 2026-01-17$/, 'the digest says what has changed');
    like($lines[4], qr/^report: +night-30\.hist$/, 'the digest names the report');
    ($status, $out) = run($analyze, qw(trend --digest), $nights[0]);
    like($out, qr/^usual: +not known, there is no run before it\n1 run; at least 21 are needed to detect a change$/m,
        'the digest of one run says that nothing is usual yet');
    night(8, 9000, verdict => 'invalid: suspended');
    like((run($analyze, qw(trend --digest), @nights[7, 8]))[1], qr/^usual: +not known/m, 'an invalid run is not usual');
    night(8, 10);
    like((run($analyze, qw(trend --digest), @nights[0 .. 15]))[1], qr/, 6\.1\.0-32 \(new\)$/m, 'the digest says that a kernel is new');
};

subtest 'several CPUs' => sub {
    my @files = map { made_cpus("cpus-$_.hist", { 0 => [[(3) x 500, 9]], 1 => [[(5) x 500, 50 + $_]] },
        started => "2026-03-0${_}T00:00:00Z", duration_s => 1, period_ns => 976562) } 1, 2;
    my ($series) = @{ JSON::PP->new->decode((run($analyze, qw(trend --json), @files))[1]) };
    is_deeply([map { $_->{max_us} } @{ $series->{runs} }], [51, 52], 'the CPUs of a run are taken together');
    is_deeply([map { $_->{periods} } @{ $series->{runs} }], [1002, 1002], 'the CPUs of a run have all their periods');
};

# A report is read, its numbers are kept, and it is forgotten.
subtest 'trend forgets reports' => sub {
    my @slices = map { [map { 5 + int rand 30 } 1 .. 12] } 1 .. 1000;
    my $text = contents(made('1.hist', \@slices, started => '2026-01-01T00:00:01Z'));
    my @reports = map { file_of("$_.hist", $text =~ s/(?<=T00:00:0)1/$_/r) } 1 .. 8;
    my ($few, $many) = map { memory_mb('trend', @reports[0 .. $_ - 1]) } 2, 8;
    cmp_ok($many - $few, '<', 1, '8 reports take no MB more than 2');
};

done_testing;
