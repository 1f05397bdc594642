# SPDX-License-Identifier: GPL-2.0-or-later
# What is said of two runs, byte for byte, and of those that cannot be compared.
# RECORD=1 prove tests/analyze/compare.t writes the golden files anew: read the difference.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

use MadeReport;
use Realfeel::Answer::Compare qw(limit untold);
use Realfeel::Model::Report;
use Realfeel::Show::Conclusion qw(conclusion maxima);
use RunCommand;

my $analyze = "$FindBin::Bin/../../analyze/realfeel-analyze";
my $golden  = "$FindBin::Bin/golden";
my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;

# Slices of 1024 values with a long tail, whose level goes up and down.
sub run_of_slices {
    my ($slices, $level, $tail) = @_;
    return [map {
        my $scale = $level * (1 + 0.03 * sin(2.4 * $_));
        [map { my $u = ($_ + 0.5) / 1024; $scale * (1 - $u)**(-$tail) } 0 .. 1023];
    } 1 .. $slices];
}

made('none.hist',  run_of_slices(20, 20, 0.3), kernel_command_line => 'quiet preempt=none');
made('full.hist',  run_of_slices(20, 20, 0.2), kernel_command_line => 'quiet preempt=full');
made('again.hist', [map { [map { $_ * 1.001 } @$_] } reverse @{ run_of_slices(20, 20, 0.3) }],
    kernel_command_line => 'quiet preempt=none');
made('short.hist', run_of_slices(3, 20, 0.3));
made('one.hist', [[5]]);
made('other.hist', run_of_slices(20, 80, 0.15), frequency_hz => 2048, clock => 'tsc', kernel_release => '6.12.0',
    verdict => 'suspect: memory was not locked', cpu_model => 'X', hostname => "caf\xc3\xa9");
copy("$data/$_", '.') for qw(low-latency-2.4.17.hist preempt-lolat-2.4.17.hist small.hist empty.hist);

sub agrees {
    my ($name, $expected, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, 'compare', @arguments);
    is("$status $err", "$expected ", "@arguments: exit status, no complaint");
    file_of("$golden/$name", $out) if $ENV{RECORD};
    is($out, contents("$golden/$name"), "@arguments: as in golden/$name");
    return $out;
}

# At length, and as it is by default.
sub agrees_twice {
    my ($name, @expected) = @_;
    agrees("$name.compare", @expected, '-v');
    return agrees("$name.brief", @expected);
}

agrees_twice('better', 0, 'none.hist', 'full.hist');
agrees_twice('worse',  2, '--fail-above=1.1@99.9', 'full.hist', 'none.hist');
agrees('equal.compare',  0, '-v', '--fail-above=1@99', 'none.hist', 'again.hist');
agrees_twice('2002',   0, 'low-latency-2.4.17.hist', 'preempt-lolat-2.4.17.hist');
agrees_twice('short',  0, 'none.hist', 'short.hist');
agrees_twice('doubt',  0, 'none.hist', 'other.hist');

# Runs on several CPUs, which have the level in common.
sub run_of_cpus {
    my ($level, @cpus) = @_;
    return { map { my $cpu = $_; $cpu => [map { [map { $_ * (1 + $cpu / 10) } @$_] } @{ run_of_slices(20, $level, 0.3) }] } @cpus };
}

made_cpus('four.hist',  run_of_cpus(20, 0 .. 3));
made_cpus('later.hist', run_of_cpus(24, 0 .. 3));
made_cpus('three.hist', { %{ run_of_cpus(24, 0, 3) }, 2 => [] }, verdict => { 0 => 'valid', 2 => 'invalid: refused', 3 => 'valid' });
agrees('cpus.compare',    0, '-v', 'four.hist', 'later.hist');
agrees('per-cpu.compare', 2, '-v', '--per-cpu', '--fail-above=1.1@99', 'four.hist', 'later.hist');

subtest 'CPUs that only one run has' => sub {
    my ($status, $out, $err) = run($analyze, qw(compare -v four.hist three.hist));
    is("$status $err", '0 ', 'all together');
    like($out, qr/^  4 and 3 CPUs pooled; --per-cpu compares them one by one$/m, 'are told');
    like($out, qr/^    cpu  0-3 -> 0,2-3$/m, 'and are a difference in the environment');
    like($out, qr/caution: three.hist is invalid: CPU 2: refused$/m, 'the verdict, too');
    ($status, $out, $err) = run($analyze, qw(compare --per-cpu four.hist three.hist));
    is($status, 0, 'one by one');
    is($err, "realfeel-analyze: four.hist: CPU 1 is not compared, for three.hist lacks it\n"
        . "realfeel-analyze: three.hist, CPU 2: holds no samples; compare runs that do\n", 'what is not compared');
    is_deeply([$out =~ /^  FILE  (.*)$/mg], [map { "three.hist$_" } '', ', CPU 0', ', CPU 3'], 'and what is');
    is_deeply([$out =~ /^    (\d) .*  1\.200 \*/mg], [0, 3], 'in a table, too');
    like((run($analyze, qw(compare --per-cpu four.hist four.hist)))[1], qr/^    3  identical runs$/m, 'a copy');
    ($status, $out) = run($analyze, qw(compare --per-cpu --fail-above=9@99 four.hist three.hist));
    is($status, 1, 'with a limit, what is not compared is not passed');
    is((run($analyze, qw(compare --per-cpu --fail-above=9@99 four.hist later.hist)))[0], 0, 'what is within it passes');
    made_cpus('five.hist', run_of_cpus(20, 5, 6));
    is_deeply([run($analyze, qw(compare --per-cpu four.hist five.hist))], [1, '',
        "realfeel-analyze: five.hist: has no CPU in common with four.hist; leave out --per-cpu\n"], 'none in common');
    is_deeply([run($analyze, qw(compare --per-cpu four.hist none.hist))], [1, '',
        "realfeel-analyze: none.hist: is not bound to CPUs; leave out --per-cpu\n"], 'not bound to one');
    like((run($analyze, 'compare', 'four.hist, CPU 1', 'four.hist, CPU 3'))[1], qr/In these runs cpu 3 is worse/, 'two of one run');
};
my ($json) = @{ JSON::PP->new->utf8->decode(agrees('doubt.json', 0, '--json', 'none.hist', 'other.hist')) };
is($json->{environment_differences}{hostname}{file}, "caf\xe9", 'JSON in UTF-8');

# Each percentile as percentile, judgement, ratio, low, high.
sub concluded {
    my ($maxima, @percentiles) = @_;
    my %differs = (higher => 1, lower => -1);
    my @rows = map {
        my %row;
        @row{qw(percentile judgement ratio low high)} = @$_;
        +{ %row, differs => $differs{ $row{judgement} } // 0 };
    } @percentiles;
    my @sides = map { { unit => 'fifths', units => 5 } } 1, 2;
    return conclusion({ names => [qw(old new)], maxima => $maxima, percentiles => \@rows, base => $sides[0], file => $sides[1] });
}

subtest 'conclusions' => sub {
    is(conclusion({ identical => 1 }), 'identical runs.', 'of a run and itself');
    my ($equal, $alike, $greater) = ({}, { larger => 'base', differ => 0 }, { larger => 'base', differ => 1 });
    is(concluded($alike, [50, 'alike', 1, 0.9, 1.1], [99.9, 'lower', 0.77, 0.75, 0.78], [99.99, 'samples']),
        'in these runs new is better at p99.9 by 22 to 25 %; the maxima do not differ beyond chance.', 'better');
    is(concluded($greater, [50, 'lower', 0.9, 0.85, 0.9], [99, 'alike', 1, 0.9, 1.1]),
        'in these runs new is better at p50 by 10 to 15 %, and p99 does not differ beyond chance; '
        . 'the maximum of old is greater beyond chance.', 'better at the median alone');
    is(concluded($alike, [99, 'higher', 2.7, 2.4, 2.9], [99.9, 'alike', 0.34, 0.31, 0.82], [99.99, 'wakeups']),
        'in these runs new is worse '
        . 'at p99, 2.4 to 2.9 times as high; it looks better at p99.9 by 18 to 69 %, which only more data can prove; '
        . 'the maxima do not differ beyond chance.', 'a lead that is lost higher up, but not for sure');
    is(concluded($equal, [50, 'lower', 0.9, 0.85, 0.9], [99, 'higher', 1.5, 1.4, 1.6]),
        'in these runs new is worse at p99 by 40 to 60 %, but better at p50 by 10 to 15 %; the maxima are equal.', 'both');
    is(concluded($equal, [50, 'higher', 4, 3, 12]),
        'in these runs new is worse at p50, 3.0 to 12 times as high; the maxima are equal.', 'far worse');
    is(concluded($equal, [50, 'higher', 4, 3, undef]),
        'in these runs new is worse at p50, at least 3.0 times as high; the maxima are equal.', 'no end');
    is(concluded($equal, [50, 'lower', 0.5, 0, 0.6]),
        'in these runs new is better at p50 by at least 40 %; the maxima are equal.', 'no beginning');
    is(concluded($alike, [50, 'alike', 1, 0.8, 1.3], [90, 'alike', 1, 0.5, 2], [99, 'open', 9, 0, undef]), 'in these runs no percentile '
        . 'of new up to p90 differs from that of old beyond chance (at p90, 50 % less to 100 % more is possible); p99 cannot be judged; '
        . 'the maxima do not differ beyond chance either.', 'no difference, as far as can be judged');
    is(concluded($alike, [50, 'alike', 1, 0.8, 1.3]), 'in these runs p50 of new does not differ from that of old beyond chance '
        . '(at p50, 20 % less to 30 % more is possible); the maxima do not differ beyond chance either.', 'of one alone');
    is(concluded($alike, [99.99, 'open', 15, 0, undef]), 'p99.99 of old and new cannot be compared: an end of its interval is open; '
        . 'the maxima do not differ beyond chance.', 'an open end is no answer');
    is(concluded($alike, [50, 'lower', 0.9, 0.85, 0.9], [99, 'open', 9, 0, undef], [99.9, 'open', 9, 0, undef]),
        'in these runs new is better at p50 by 10 to 15 %; p99 and p99.9 cannot be judged; the maxima do not differ beyond chance.',
        'nor beside another');
    is(concluded($equal, [50, 'wakeups']), 'the data are too few to compare the percentiles of old and new; the maxima are equal.',
        'too few');
};

subtest 'maxima' => sub {
    my $said = sub { return maxima({ names => [qw(old new)], maxima => { larger => 'file', differ => 0, @_ } }) };
    my $each = 'each maximum is a single observation.';
    is(maxima({ names => [qw(old new)], maxima => { larger => undef, differ => 0 } }), 'equal.', 'equal');
    is($said->(unit => 'blocks', units => 10, above => 3, by_chance => 6),
        "$each 3 of 10 blocks of new exceed the maximum of old; chance alone explains up to 6.", 'some blocks');
    is($said->(unit => 'blocks', units => 10, above => 1, by_chance => 10),
        "$each 1 of 10 blocks of new exceeds the maximum of old; chance alone explains up to all.", 'one');
    is($said->(unit => 'slices', units => 1, above => 1, by_chance => 1), $each, 'one of one says nothing more');
    is($said->(unit => 'slices', units => 1, above => 1, by_chance => 0, differ => 1),
        "$each The only slice of new exceeds the maximum of old; chance alone explains none.", 'but where it differs');
};

subtest 'names of kernels' => sub {
    my %kernel = (full => '6.1.0-56-cloud-amd64', rt => '6.1.0-56-rt-amd64');
    my %model  = (full => 'full (PREEMPT_DYNAMIC)', rt => 'PREEMPT_RT');
    made("model-$_.hist", run_of_slices(6, 20 + length, 0.2), kernel_release => $kernel{$_}, preemption => $model{$_},
        preflight => "that of $_", preemption_from => "that of $_", label => $_) for keys %kernel;
    my ($status, $out) = run($analyze, 'compare', '-v', 'model-full.hist', 'model-rt.hist');
    like($out, qr/^ +preempt=full +PREEMPT_RT +ratio/m, 'by what they do, where their releases are long');
    unlike($out, qr/preemption_from|label/, 'whatever they are called, and however that is known');
};

subtest 'one set of bounds' => sub {
    my $lab = "$FindBin::Bin/../lab/examples";
    my @files = map { "$lab/$_-loaded-nanosleep.hist.gz" } qw(full rt);
    my @of = map { { map { $_->{percentile} => $_ } @{ $_->{lateness}{percentiles} } } }
        @{ JSON::PP->new->utf8->decode((run($analyze, 'stats', '--json', @files))[1]) };
    my $apart = $of[1]{99.99}{high_us} < $of[0]{99.99}{low_us};
    ok($apart, 'where the intervals of stats lie apart');
    for my $arguments ([], ['--at=99.99'], ['--json']) {
        my (undef, $out) = run($analyze, 'compare', @$arguments, @files);
        like($out, qr/better\s+at\s+p99\.99\s+by/, "@$arguments: compare says so");
        unlike($out, qr/no percentile|nothing above/, 'and nothing else');
    }
    my ($status, $out) = run($analyze, 'compare', "$data/vanilla-2.4.17.hist", "$lab/full-loaded-rtc.hist.gz");
    unlike($out, qr/nothing above/, 'nor of what cannot be judged');
};

subtest 'five runs against five' => sub {
    for my $level (20, 30) {
        made("of-$level-$_.hist", [map { my $s = $_; [map { $level * (1 + 0.3 * sin($s * ($_ % 7 + 1))) + $_ / 100 } 1 .. 1024] } 1 .. 10],
            started => "2026-01-0${_}T00:00:0${_}Z", hostname => "box") for 1 .. 5;
        is((run($analyze, 'merge', '-F', '-o', "of-$level.hist", map { "of-$level-$_.hist" } 1 .. 5))[0], 0, "$level us: merged");
    }
    like((run($analyze, qw(compare of-20.hist of-30.hist)))[1], qr/Over 5 and 5 runs, of-30\.hist is worse at p\S+ by/,
        'are judged by the runs');
};

subtest 'one percentile alone' => sub {
    my ($status, $out, $err) = run($analyze, 'compare', '--at=99.9', qw(none.hist full.hist));
    is("$status $err", '0 ', 'is compared');
    is(join(' ', $out =~ /^  (p[\d.]+) /mg), 'p99.9', 'and no other');
    is((run($analyze, 'compare', '--at=98', qw(none.hist full.hist)))[0], 1, 'if it is one of the list');
    is((run($analyze, 'compare', '--at=99', '--fail-above=1.1@99.9', qw(none.hist full.hist)))[0], 1, 'and not two');
};

subtest 'several files' => sub {
    my ($status, $out) = run($analyze, 'compare', '--fail-above=1.2@50', qw(none.hist again.hist other.hist));
    is($status, 2, 'one of them is above the limit');
    is(scalar(() = $out =~ /^lateness: FILE/mg), 2, 'each is compared with the first');
};

subtest 'one sample' => sub {
    my ($status, $out, $err) = run($analyze, 'compare', '-v', qw(none.hist one.hist));
    is("$status $err", '0 ', 'is no error');
    like($out, qr/^  The percentiles of none\.hist and one\.hist cannot be compared: the run has\n  fewer than five slices;/m,
        'but not enough');
    like($out, qr/^  p50 +FILE needs 20 samples$/m, 'for any percentile');
    unlike($out, qr/negligible|A12|Kolmogorov/, 'no effect size is given');
    like($out, qr/up\s+to\s+all\.$/m, 'nor the maximum');
};

subtest 'identical runs' => sub {
    copy('none.hist', 'copy.hist');
    my $said = "  Identical runs: the files hold the same figures, and nothing is judged.\n";
    for my $other (qw(none.hist copy.hist)) {
        my ($status, $out, $err) = run($analyze, 'compare', 'none.hist', $other);
        is("$status $err", '0 ', "$other: is no error");
        is($out, "lateness: FILE compared with BASE\n  BASE  none.hist\n  FILE  $other\n\n$said", 'but named, and nothing else is said');
    }
    my ($status, $out, $err) = run($analyze, qw(compare --json none.hist copy.hist));
    my ($json) = @{ JSON::PP->new->utf8->decode($out) };
    ok($json->{identical}, 'the same in JSON');
    is_deeply([@$json{qw(conclusion percentiles maxima doubts)}], ['identical runs.', [], undef, []], 'and no figures');
    ($status, $out, $err) = run($analyze, qw(compare --fail-above=1.1@99 none.hist copy.hist));
    is("$status $err", "1 realfeel-analyze: copy.hist: p99 cannot be judged: identical runs; name another run\n",
        'a gate that compares a run with itself fails');
    my $old = 'low-latency-2.4.17.hist';
    like((run($analyze, 'compare', $old, $old))[1], qr/^interval error, early as 0: .*\Q$said\E\z/s, 'of 2002');
    file_of('slice.hist', contents('none.hist') =~ s/^(19 1 1024 1024 0 )(\d)/$1 . (9 - $2)/mer);
    unlike((run($analyze, qw(compare none.hist slice.hist)))[1], qr/dentical/, 'another slice is another run');
};

sub merged {
    my ($path, $level, $runs, %header) = @_;
    my @parts = map { my $i = $_; made("part-$i.hist", run_of_slices(6, $level * (1 + $i / 100), 0.2), duration_s => 6,
        period_ns => 976562, started => "2026-01-0${i}T00:00:00Z", %header) } 1 .. $runs;
    my ($status, undef, $err) = run($analyze, 'merge', '-F', '-o', $path, @parts);
    is("$status $err", '0 ', "$path: merged of $runs runs");
}

subtest 'merged runs' => sub {
    merged('six.hist', 20, 6, load => 'none');
    merged('five.hist', 30, 5, load => 'stress-ng --cpu 4', hostname => 'box 2');
    merged('two.hist', 20, 2);
    my $out = (run($analyze, 'compare', '-v', qw(six.hist five.hist)))[1];
    like($out, qr/between\s+6\s+runs\s+of\s+BASE\s+and\s+between\s+5\s+runs\s+of\s+FILE;/, 'runs are drawn, which may differ');
    like($out, qr/^  Over 6 and 5 runs, five\.hist is worse at p99\.9 by/m, 'and it is told which is worse, of the kernels');
    like($out, qr/5 of 5 runs of five\.hist\s+exceed/, 'so do the maxima');
    like($out, qr/^    load  none -> stress-ng --cpu 4$/m, 'and what the cause may be');
    $out = (run($analyze, 'compare', '-v', qw(six.hist two.hist)))[1];
    like($out, qr/between\s+6\s+runs\s+of\s+BASE\s+and\s+between\s+the\s+fifths\s+of\s+FILE;/, 'two runs are too few');
    like($out, qr/do\s+not\s+cover\s+differences\s+between\s+runs/, 'as is said');
};

subtest 'names that could steer a terminal' => sub {
    made("a\e[31m.hist", run_of_slices(20, 30, 0.2));
    my ($status, $out, $err) = run($analyze, 'compare', '--fail-above=1@99.99', 'none.hist', "a\e[31m.hist");
    is($status, 1, 'not judged');
    unlike($out . $err, qr/\e/, 'neither in the text nor in the complaint');
};

subtest 'counts of 10 ** 15' => sub {
    file_of('huge.hist', "0.1 1000000000000000\n0.2 300000000000000\n5.0 7000000000\n");
    my ($status, $out, $err) = run($analyze, 'compare', qw(huge.hist low-latency-2.4.17.hist));
    is("$status $err", '0 ', 'no complaint');
    like($out, qr/^  count  +1300007000000000 +5000000$/m, 'exact');
};

sub refused {
    my ($pattern, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, 'compare', @arguments);
    is($status, 1, "@arguments: exit status");
    like($err, qr/\Arealfeel-analyze: $pattern.*; .+\n(?:Try .*\n)?\z/, "@arguments: message");
}

subtest 'what cannot be compared' => sub {
    refused('no two reports are named', 'none.hist');
    refused("there is no measure 'x'", '--measure=x', 'none.hist', 'full.hist');
    refused("'$_' is not RATIO\@PERCENTILE", "--fail-above=$_", 'none.hist', 'full.hist')
        for '1.1', '@99', '1@98', '-1@99', '0@99', '1@90.9', '1@50.0';
    refused('empty\.hist: holds no samples', 'none.hist', 'empty.hist');
    refused('missing\.hist: cannot be opened', 'none.hist', 'missing.hist');
    refused('full\.hist: p99\.999 cannot be judged: needs 1000000 samples', '--fail-above=1@99.999', 'none.hist', 'full.hist');
    refused('short\.hist: p50 cannot be judged: FILE: the run has fewer than five slices', '--fail-above=1@50', 'none.hist', 'short.hist');
    refused('none\.hist: p50 cannot be judged: BASE: the run has fewer than five slices', '--fail-above=1@50', 'short.hist', 'none.hist');
    refused('one\.hist: p50 cannot be judged: FILE needs 20 samples', '--fail-above=1@50', 'none.hist', 'one.hist');
    refused('none\.hist: has no interval', 'none.hist', 'low-latency-2.4.17.hist');
    refused('low-\S+\.hist: has no lateness', '--measure=lateness', 'small.hist', 'low-latency-2.4.17.hist');
};

subtest 'what to do where a limit cannot be judged' => sub {
    my $report = Realfeel::Model::Report->read('short.hist');
    my %sides = (base => {}, file => { report => $report });
    my $said = sub {
        my ($row, %comparison) = @_;
        my %all = (%sides, %comparison, percentiles => [{ percentile => 99, %$row }]);
        $all{limit} = limit(\%all, 99, 1.1);
        return untold(\%all) =~ s/^short.hist: p99 cannot be judged: (?=\Q$all{limit}{reason}\E; )//r;
    };
    my %open = (judgement => 'open', ratio => 1);
    is($said->({ reason => 'FILE needs 1000 samples', judgement => 'samples' }), 'FILE needs 1000 samples; measure longer', 'too few');
    is($said->({ reason => 'FILE is at least 9 us', judgement => 'bins' }), 'FILE is at least 9 us; name a lower percentile',
        'an open bin');
    is($said->({ judgement => 'slices' }, file => { report => $report, no_interval => 'it is short' }), 'FILE: it is short; measure longer',
        'no interval');
    is($said->({ judgement => 'zero' }), 'a value is 0; measure in finer steps', 'no ratio');
    is($said->({ %open, low => 0.5, high => undef }), 'an end of its interval is open; measure longer', 'an open end');
    is($said->({ %open, low => 0, high => undef }), 'an end of its interval is open; measure in finer steps', 'in bins from 0');
    is(limit({ %sides, percentiles => [{ percentile => 99, %open, low => 1.2, high => undef }] }, 99, 1.1)->{exceeded}, 1,
        'but one end is enough to be above');
    is(limit({ %sides, percentiles => [{ percentile => 99, %open, low => 0, high => 1.05 }] }, 99, 1.1)->{exceeded}, 0, 'or below');
    made('zero.hist', [([(0) x 1024]) x 6]);
    refused('zero\.hist: p50 cannot be judged: a value is 0', '--fail-above=1@50', 'none.hist', 'zero.hist');
};

done_testing;
