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
use Realfeel::Answer::Compare qw(compare limit);
use Realfeel::Model::Report;
use Realfeel::Show::Compare qw(caution complaint differing reason);
use Analyzer;
use RunCommand;

my $golden  = "$FindBin::Bin/golden";
my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;

# Slices of 1024 values with a long tail, whose level goes up and down.
sub run_of_slices {
    my ($slices, $level, $tail) = @_;
    my @tail = map { (1 - ($_ + 0.5) / 1024)**(-$tail) } 0 .. 1023;
    return [map { my $scale = $level * (1 + 0.03 * sin(2.4 * $_)); [map { $scale * $_ } @tail] } 1 .. $slices];
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
    my $slices = run_of_slices(20, $level, 0.3);
    return { map { my $more = 1 + $_ / 10; $_ => [map { [map { $_ * $more } @$_] } @$slices] } @cpus };
}

made_cpus('four.hist',  run_of_cpus(20, 0 .. 3));
made_cpus('later.hist', run_of_cpus(24, 0 .. 3));
made_cpus('three.hist', { %{ run_of_cpus(24, 0, 3) }, 2 => [] }, verdict => { 0 => 'valid', 2 => 'invalid: refused', 3 => 'valid' });
agrees('cpus.compare', 0, '-v', 'four.hist', 'later.hist');

subtest 'CPUs that only one run has' => sub {
    my ($status, $out, $err) = run($analyze, qw(compare -v four.hist three.hist));
    is("$status $err", '0 ', 'runs on CPUs are compared with all CPUs together');
    like($out, qr/^  CPUs      4 and 3 pooled$/m, 'the number of CPUs of each run is shown');
    like($out, qr/^  \* cpu  0-3 -> 0,2-3$/m, 'CPUs that only one run has are a difference in the environment');
    like($out, qr/caution: three.hist is invalid: CPU 2: refused$/m, 'the verdict of a CPU is a caution');
    like((run($analyze, 'compare', 'four.hist, CPU 1', 'four.hist, CPU 3'))[1], qr/^  cpu 3, in these runs alone: p99 is 18 % higher/m,
        'two CPUs of a run are compared');
};
my ($json) = @{ JSON::PP->new->utf8->decode(agrees('doubt.json', 0, '--json', 'none.hist', 'other.hist')) };
is((grep { $_->{key} eq 'hostname' } @{ $json->{environment} })[0]{file}, "caf\xe9", 'JSON is UTF-8');

subtest 'names of kernels' => sub {
    my %kernel = (full => '6.1.0-56-cloud-amd64', rt => '6.1.0-56-rt-amd64');
    my %model  = (full => 'full (PREEMPT_DYNAMIC)', rt => 'PREEMPT_RT');
    made("model-$_.hist", run_of_slices(6, 20 + length, 0.2), kernel_release => $kernel{$_}, preemption => $model{$_},
        preflight => "that of $_", preemption_from => "that of $_", label => $_) for keys %kernel;
    my ($status, $out) = run($analyze, 'compare', '-v', 'model-full.hist', 'model-rt.hist');
    like($out, qr/^ +preempt=full +PREEMPT_RT +ratio/m, 'kernels with long releases have the names of their preemption models');
    unlike($out, qr/preemption_from|label/, 'labels, and how a preemption model is known, do not tell kernels apart');
};

subtest 'one set of bounds' => sub {
    my $lab = "$FindBin::Bin/../lab/examples";
    my @files = map { "$lab/$_-loaded-nanosleep.hist.gz" } qw(full rt);
    my @of = map { { map { $_->{percentile} => $_ } @{ $_->{lateness}{percentiles} } } }
        @{ JSON::PP->new->utf8->decode((run($analyze, 'stats', '--json', @files))[1]) };
    my $apart = $of[1]{99.99}{high_us} < $of[0]{99.99}{low_us};
    ok($apart, 'the intervals of stats lie apart at p99.99');
    for my $arguments ([], ['-v'], ['--json']) {
        my (undef, $out) = run($analyze, 'compare', @$arguments, @files);
        like($out, qr/PREEMPT_RT:\s+p99\.99\s+is\s+15\s+times\s+lower\s+\(11\s+to\s+20\)/, "@$arguments: compare says so");
        unlike($out, qr/p99\.9+:\s+not\s+known/, "@$arguments: no percentile is unknown");
    }
};

subtest 'five runs against five' => sub {
    for my $level (20, 30) {
        made("of-$level-$_.hist", [map { my $s = $_; [map { $level * (1 + 0.3 * sin($s * ($_ % 7 + 1))) + $_ / 100 } 1 .. 1024] } 1 .. 10],
            started => "2026-01-0${_}T00:00:0${_}Z", hostname => "box") for 1 .. 5;
        is((run($analyze, 'merge', '-F', '-o', "of-$level.hist", map { "of-$level-$_.hist" } 1 .. 5))[0], 0, "$level us: merged");
    }
    like((run($analyze, qw(compare of-20.hist of-30.hist)))[1], qr/^  of-30\.hist: p99\.9 is 36 % higher \(35\.7 to 36\.2\s%\)/m,
        'merged runs are judged by the spread of their runs');
};

subtest 'what is unlike' => sub {
    my $of = sub { return compare(map { Realfeel::Model::Report->read($_) } @_) };
    my $told = $of->('none.hist', 'other.hist');
    is_deeply($told->{doubts}, [
        { code => 'unlike', key => 'frequency_hz', base => 1024, file => 2048 },
        { code => 'unlike', key => 'clock', base => 'monotonic', file => 'tsc' },
        { code => 'verdict', file => 'other.hist', verdict => 'suspect: memory was not locked' },
    ], 'what is unlike has codes');
    is_deeply([map { caution($_) } @{ $told->{doubts} }], ['the frequencies differ: 1024 and 2048', 'the clocks differ: monotonic and tsc',
        'other.hist is suspect: memory was not locked'], 'what is unlike has sentences');
    made('silent.hist', run_of_slices(6, 20, 0.2), clock => 'unknown', kernel_command_line => 'preempt=none quiet');
    $told = $of->('none.hist', 'silent.hist');
    is_deeply($told->{doubts}, [{ code => 'unlike_unknown', key => 'clock', file => 'silent.hist' }], 'an unknown fact has a code');
    is_deeply([map { caution($_) } @{ $told->{doubts} }], ['the clocks may differ: silent.hist does not say'],
        'a fact that one run does not record may differ');
    made('broken.hist', run_of_slices(6, 20, 0.2), status => 'break', break_ns => 90_000, schedule => 'contradicted: it drifts');
    $told = $of->('none.hist', 'broken.hist');
    is_deeply($told->{doubts}, [{ code => 'contradicted', file => 'broken.hist', reason => 'it drifts' },
        { code => 'break', file => 'broken.hist', latency => 'lateness' }], 'a break and a contradicted schedule have codes');
    is(caution($told->{doubts}[1]), 'broken.hist ended when its lateness exceeded --break', 'a break has a sentence');
    $told = $of->('none.hist', 'silent.hist');
    my %order = (key => 'kernel_command_line', base => undef, file => undef);
    is_deeply((grep { $_->{key} =~ /line/ } @{ $told->{environment} })[0], \%order, 'a command line in another order is a difference');
    is_deeply([differing(\%order)], ['one order', 'another'], 'a command line in another order has a sentence');
    made('partly.hist', run_of_slices(6, 20, 0.2), clock => 'monotonic or unknown');
    is_deeply($of->('none.hist', 'partly.hist')->{doubts}, [], 'a fact that some merged runs do not record is like the others');
};

subtest 'what is too few' => sub {
    my $row = sub {
        my ($percentile, @files) = @_;
        my $comparison = compare(map { Realfeel::Model::Report->read($_) } @files);
        my ($row) = grep { $_->{percentile} == $percentile } @{ $comparison->{percentiles} };
        return [@$row{qw(judgement lacking needed)}, reason($row)];
    };
    is_deeply($row->(99.99, qw(none.hist full.hist)), ['samples', 'both', 100_000, 'needs 100000 samples'], 'p99.99 needs more in both');
    is_deeply($row->(99.9, qw(none.hist short.hist)), ['samples', 'file', 10_000, 'FILE needs 10000 samples'], 'p99.9 needs more in FILE');
    is_deeply($row->(99.9, qw(short.hist none.hist)), ['samples', 'base', 10_000, 'BASE needs 10000 samples'], 'p99.9 needs more in BASE');
    is_deeply($row->(50, qw(none.hist short.hist)), ['short', undef, undef, undef],
        'a short run has no reason in words for a percentile without an interval');
};

subtest 'several files' => sub {
    like((run($analyze, qw(compare --fail-above=1@99.9 none.hist full.hist)))[1],
        qr/^  limit 1 at p99\.9: pass \(the ratio is 0\.380 to 0\.638, 95 %\)\.$/m, 'a limit beyond the interval passes');
    my ($status, $out) = run($analyze, 'compare', '--fail-above=1.2@50', qw(none.hist again.hist other.hist));
    is($status, 2, 'one of three runs above the limit fails');
    is(scalar(() = $out =~ /^lateness: FILE/mg), 2, 'each run is compared with the first');
};

subtest 'one sample' => sub {
    my ($status, $out, $err) = run($analyze, 'compare', '-v', qw(none.hist one.hist));
    is("$status $err", '0 ', 'a run of one sample is no error');
    like($out, qr/^  one\.hist, in these .* no percentile can be judged, as one\.hist is too\n  short\. p50: too few/m,
        'a run of one sample supports no percentile');
    like($out, qr/^  p50 +one\.hist needs 20 samples$/m, 'each percentile says how many samples it needs');
    unlike($out, qr/negligible|A12|Kolmogorov/, 'a run of one sample has no effect size');
    like($out, qr/Maximum: not known\.$/m, 'a run of one sample has no known maximum');
};

subtest 'identical runs' => sub {
    copy('none.hist', 'copy.hist');
    my $said = "  Identical runs: the files hold the same figures, and nothing is judged.\n";
    for my $other (qw(none.hist copy.hist)) {
        my ($status, $out, $err) = run($analyze, 'compare', 'none.hist', $other);
        is("$status $err", '0 ', "$other: is no error");
        is($out, "lateness: FILE compared with BASE\n  BASE      none.hist\n  FILE      $other\n\n$said",
            "$other: identical runs are named, and nothing else is said");
    }
    my ($status, $out, $err) = run($analyze, qw(compare --json none.hist copy.hist));
    my ($json) = @{ JSON::PP->new->utf8->decode($out) };
    ok($json->{identical}, 'identical runs are identical in JSON');
    is_deeply([@$json{qw(percentiles maxima doubts)}], [[], undef, []], 'identical runs have no figures in JSON');
    is($json->{conclusion}, 'Identical runs.', 'identical runs have a conclusion in JSON');
    ($status, $out, $err) = run($analyze, qw(compare --fail-above=1.1@99 none.hist copy.hist));
    is("$status $err", "1 realfeel-analyze: copy.hist: p99 cannot be judged: identical runs; give another run\n",
        'a limit that compares a run with itself fails');
    my $old = 'low-latency-2.4.17.hist';
    like((run($analyze, 'compare', $old, $old))[1], qr/^interval error, early as 0: .*\Q$said\E\z/s, 'runs of 2002 are identical');
    file_of('slice.hist', contents('none.hist') =~ s/^(19 1 1024 1024 0 )(\d)/$1 . (9 - $2)/mer);
    unlike((run($analyze, qw(compare none.hist slice.hist)))[1], qr/dentical/, 'a run with another slice is not identical');
};

sub merged {
    my ($path, $level, $runs, $seconds, %header) = @_;
    my @parts = map { my $i = $_; made("part-$i.hist", run_of_slices(6, $level * (1 + $i / 100), 0.2),
        duration_s => $seconds,
        period_ns => 976562, started => "2026-01-0${i}T00:00:00Z", %header) } 1 .. $runs;
    my ($status, undef, $err) = run($analyze, 'merge', '-F', '-o', $path, @parts);
    is("$status $err", '0 ', "$path: merged of $runs runs");
}

subtest 'merged runs' => sub {
    merged('six.hist', 20, 6, 6, load => 'none');
    merged('five.hist', 30, 5, 6, load => 'stress-ng --cpu 4', hostname => 'box 2');
    merged('two.hist', 20, 2, 60);
    my $out = (run($analyze, 'compare', '-v', qw(six.hist five.hist)))[1];
    like($out, qr/from\s+the\s+spread\s+of\s+the\s+merged\s+runs,/, 'intervals come from the spread of the merged runs');
    like($out, qr/^  five\.hist: p99\.9 is \d\d % higher \(/m, 'the merged runs with higher latencies are named');
    like($out, qr/Maximum: higher in each of 5 parts\.$/m, 'the maxima of merged runs are compared');
    like($out, qr/^  \* load  none -> stress-ng --cpu 4$/m, 'the differences in the load of merged runs are shown');
    $out = (run($analyze, 'compare', '-v', qw(six.hist two.hist)))[1];
    like($out, qr/spread\s+of\s+the\s+fifths\s+of\s+one\s+run\s+and\s+the\s+runs\s+of\s+the\s+other,/,
        'two merged runs are too few for their spread');
    like($out, qr/do\s+not\s+cover\s+differences\s+between\s+runs/, 'intervals of too few runs do not cover differences between runs');
};

subtest 'names that could steer a terminal' => sub {
    made("a\e[31m.hist", run_of_slices(20, 30, 0.2));
    my ($status, $out, $err) = run($analyze, 'compare', '--fail-above=1@99.99', 'none.hist', "a\e[31m.hist");
    is($status, 1, 'a run with a hostile name is not judged at p99.99');
    unlike($out . $err, qr/\e/, 'a hostile name steers no terminal');
};

subtest 'counts of 10 ** 15' => sub {
    file_of('huge.hist', "0.1 1000000000000000\n0.2 300000000000000\n5.0 7000000000\n");
    my ($status, $out, $err) = run($analyze, 'compare', qw(huge.hist low-latency-2.4.17.hist));
    is("$status $err", '0 ', 'counts of 10**15 are no error');
    like($out, qr/^  count  +1300007000000000 +5000000$/m, 'counts of 10**15 are exact');
};

sub refused {
    my ($pattern, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, 'compare', @arguments);
    is($status, 1, "@arguments: exit status");
    like($err, qr/\Arealfeel-analyze: $pattern.*; .+\n(?:Try .*\n)?\z/, "@arguments: message");
}

subtest 'what cannot be compared' => sub {
    refused('fewer than two reports were given', 'none.hist');
    refused("there is no measure 'x'", '--measure=x', 'none.hist', 'full.hist');
    refused("'$_' is not RATIO\@PERCENTILE", "--fail-above=$_", 'none.hist', 'full.hist')
        for '1.1', '@99', '1@98', '-1@99', '0@99', '1@90.9', '1@50.0';
    refused('empty\.hist: holds no samples', 'none.hist', 'empty.hist');
    refused('missing\.hist: cannot be opened', 'none.hist', 'missing.hist');
    refused('full\.hist: p99\.999 cannot be judged: needs 1000000 samples', '--fail-above=1@99.999', 'none.hist', 'full.hist');
    refused('short\.hist: p50 cannot be judged: FILE is too short for intervals', '--fail-above=1@50', 'none.hist', 'short.hist');
    refused('none\.hist: p50 cannot be judged: BASE is too short for intervals', '--fail-above=1@50', 'short.hist', 'none.hist');
    refused('one\.hist: p50 cannot be judged: FILE needs 20 samples', '--fail-above=1@50', 'none.hist', 'one.hist');
    refused('none\.hist: has no interval', 'none.hist', 'low-latency-2.4.17.hist');
    refused('low-\S+\.hist: has no lateness', '--measure=lateness', 'small.hist', 'low-latency-2.4.17.hist');
};

subtest 'what to do where a limit cannot be judged' => sub {
    my %sides = (base => {}, file => { file => 'short.hist' });
    my $told = sub {
        my ($row, %comparison) = @_;
        my %all = (%sides, %comparison, percentiles => [{ percentile => 99, %$row }]);
        return { %all, limit => limit(\%all, 99, 1.1) };
    };
    my $said = sub {
        my ($code, $remedy, $sentence, @comparison) = @_;
        my $comparison = $told->(@comparison);
        is_deeply([@{ $comparison->{limit} }{qw(exceeded code remedy)}], [undef, $code, $remedy], "$code: the code");
        is(complaint($comparison), "short.hist: p99 cannot be judged: $sentence", "$code: in words");
    };
    my %open = (judgement => 'open', ratio => 1);
    $said->('samples', 'longer', 'FILE needs 1000 samples; measure longer', { judgement => 'samples', lacking => 'file', needed => 1000 });
    $said->('bins', 'lower', 'FILE is at least 9.00 us; choose a lower percentile',
        { judgement => 'bins', lacking => 'file', from_us => 9 });
    $said->('short', 'minute', 'FILE is too short for intervals; measure a minute', { judgement => 'short' },
        file => { file => 'short.hist', is_short => 1 });
    $said->('zero', 'finer', 'a value is 0; measure in finer steps', { judgement => 'zero' });
    $said->('open', 'longer', 'an end of its interval is open; measure longer', { %open, low => 0.5, high => undef });
    $said->('open', 'finer', 'an end of its interval is open; measure in finer steps', { %open, low => 0, high => undef });
    my $above = $told->({ %open, low => 1.2, high => undef })->{limit};
    is_deeply([@$above{qw(exceeded low high code)}], [1, 1.2, undef, undef], 'an interval with an open upper end can be above the limit');
    is($told->({ %open, low => 0, high => 1.05 })->{limit}{exceeded}, 0, 'an interval with an open lower end can be below the limit');
    is(complaint($told->({ %open, low => 0, high => 1.05 })), undef, 'an interval below the limit has no complaint');
    made('zero.hist', [([(0) x 1024]) x 6]);
    refused('zero\.hist: p50 cannot be judged: a value is 0', '--fail-above=1@50', 'none.hist', 'zero.hist');
};

done_testing;
