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
use Realfeel::Trend::Change qw(LEAST changes drifts);
use RunCommand;

my $analyze = "$FindBin::Bin/../../analyze/realfeel-analyze";
my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;

my $seed = $ENV{SEED} // 20_020_701;    # fixed, for chance alone would make it fail now and then
srand $seed;
diag "SEED=$seed";

subtest 'changes' => sub {
    is_deeply([changes(1 .. 3)], [], 'too few');
    my $half = int LEAST / 2;
    is_deeply([changes((map { rand } 1 .. $half), map { 2 + rand } 1 .. LEAST - $half)], [[$half, LEAST - 1, 1]], 'the least');
    is_deeply([changes((map { rand } 1 .. $half), map { 2 + rand } 2 .. LEAST - $half)], [], 'one less');
    my @steps = ((map { rand } 1 .. 40), (map { 2 + rand } 1 .. 40), map { rand } 1 .. 40);
    is_deeply([map { [@$_[0, 2]] } changes(@steps)], [[40, 1], [80, 0]], 'a step up and one down');
    is_deeply([map { $_->[1] } changes(map { exp(5 * $_) } @steps)], [map { $_->[1] } changes(@steps)],
        'the shape of the distribution means nothing');
    for my $n (41 .. 120) {
        my @found = changes(@steps[0 .. $n - 1]);
        my @before = grep { $_->[1] < $n } changes(@steps);
        is_deeply([map { $_->[1] } @found], [map { $_->[1] } @before], "with $n values: what is found once stays found");
    }
    is_deeply([changes((0) x 500)], [], 'values that are equal');
    is_deeply([changes((map { $_ * 7 % 50 } 1 .. 50), 1e6)], [], 'one night alone');
    is_deeply([map { $_->[0] } changes((0) x 50, (1) x 10)], [50], 'from none to some');
    my @near = qw(5 4 3 7 4 2 7 5 7 7 1 5 7 4 4 0 9 8 4 5 8 7 10 13 9 8 16 10 13 15 8 14 8 13 9 11 15 7 7 10 16 10 9 10 12);
    is_deeply([map { $_->[0] } changes(@near)], [20], 'the place is where the medians part, not that of the greatest sum of ranks, 22');
};

subtest 'neighbours that are alike' => sub {
    is(drifts([[map { $_ % 2 ? rand : 1 + rand } 1 .. 100]]), 0, 'they differ');
    is(drifts([[1 .. 50]]), 1, 'each is near the one before it');
    my @stepping = grep { drifts([[map { rand } 1 .. 50], [map { 10 + rand } 1 .. 50]]) } 1 .. 200;
    cmp_ok(scalar @stepping, '<=', 6, 'a step is none, and one series in a hundred is by chance');
    is(drifts([[(0) x 50]]), 0, 'they are equal');
    is(drifts([[1 .. LEAST - 1]]), 0, 'they are few');
};

sub night {
    my ($number, $level, %header) = @_;
    my $file = sprintf 'night-%02d.hist', $number;
    my $day = sprintf '2026-%02d-%02d', 1 + $number / 28, 1 + $number % 28;
    return made($file, [map { [map { $level * (1 + $_ / 1000) + $number % 7 / 100 } 1 .. 600] } 1 .. 2], hostname => 'lab1',
        started => "${day}T02:00:00Z", duration_s => 2, period_ns => 976562, %header);
}

my @nights = ((map { night($_, 10, kernel_release => '6.1.0-31') } 1 .. 15),
    (map { night($_, 20, kernel_release => '6.1.0-32') } 16 .. 30));

subtest 'the table' => sub {
    my ($status, $out, $err) = run($analyze, 'trend', reverse @nights);
    is("$status $err", '0 ', 'exit status');
    my @rows = $out =~ /^ *(\d+  2026.*)$/mg;
    is(@rows, 30, 'a row for each run, in the order of their start');
    like($rows[0],  qr/^1  2026-01-02 02:00 +13\.0\d +15\.9\d +- +16\.0\d +0 +6\.1\.0-31$/, 'with the kernel where it begins');
    like($rows[1],  qr/ 0$/, 'and not again');
    like($rows[15], qr/^16 .* 26\.\d\d\^ +31\.\d+\^ .* 32\.\d+\^ +0 +6\.1\.0-32$/, 'marked where a level has changed');
    is((grep { /[v^]/ } @rows[0 .. 14, 16 .. 29]), 0, 'nowhere else');
    like($out, qr/^  p50 is higher, 2 times, since run 16, \S+ 02:00, night-16\.hist: 26\.\d\d\n  us, before 13\.\d\d us; found /m,
        'and told');
    like($out, qr/\Alab1, nanosleep at 1024 Hz: 30 runs\n/, 'the name of the series');
    is((grep { length > 80 } split /\n/, $out), 0, '80 columns');
};

subtest 'pass or fail' => sub {
    is((run($analyze, qw(trend --fail), @nights))[0], 2, 'a level is higher');
    is((run($analyze, qw(trend --fail --digest), @nights))[0], 2, 'whatever is printed');
    is((run($analyze, 'trend', @nights))[0], 0, 'only if asked');
    is((run($analyze, qw(trend --fail), @nights[15 .. 29]))[0], 0, 'not without the runs before it');
    my @better = map { night($_, 5) } 31 .. 45;
    my ($status, $out) = run($analyze, qw(trend --fail), @nights, @better);
    is($status, 0, 'not when it is lower again');
    like($out, qr/^  p50 is lower, 0\.25\d? times, since run 31\b/m, 'which is told');
    is((run($analyze, qw(trend --fail), @nights, 'missing.hist'))[0], 1, 'nor where a file cannot be read, which is an error');
    unlink @better;
};

subtest 'series' => sub {
    my @others = (night(46, 10, hostname => 'lab2'), night(47, 10, label => 'idle'), night(48, 10, frequency_hz => 2048));
    my ($status, $out) = run($analyze, 'trend', @others, @nights);
    is_deeply([$out =~ /^(lab.*): \d+ runs?$/mg], ['lab1, nanosleep at 1024 Hz', 'lab1, nanosleep at 2048 Hz',
        'lab1, idle, nanosleep at 1024 Hz', 'lab2, nanosleep at 1024 Hz'], 'by host, label, source and rate');
    like($out, qr/takes ${\LEAST} runs or more that are not invalid; these are 1$/m, 'what is too few is told');
    ($status, $out, my $err) = run($analyze, qw(trend --plot), @others, @nights);
    is("$status $out", '1 ', 'a picture is of one');
    like($err, qr/^realfeel-analyze: --plot draws one series, and there are 4; name /, 'the message');
    unlink @others;
    is_deeply([(run($analyze, 'trend', "$data/ring.hist"))[1] =~ /^(box, .*): 1 run$/mg],
        ['box, ring, 2x0', 'box, ring, 8x0', 'box, ring, 8x16k'], 'each cell of a ring is one');
};

subtest 'a run that cannot be believed' => sub {
    night(8, 9000, verdict => 'invalid: suspended');
    my ($status, $out) = run($analyze, 'trend', @nights);
    like($out, qr/^ 8 .* INVALID$/m, 'is listed');
    like($out, qr/^  p50 is higher, 2 times, since run 16\b/m, 'and left out');
    my @invalid = map { night($_, 10, verdict => 'invalid: suspended') } 31 .. 40;
    like((run($analyze, 'trend', @nights[0 .. 14], @invalid))[1], qr/^  to find .* invalid; these are 14$/m, 'nor counted');
    unlink @invalid;
    night(8, 10);
};

subtest 'what has no place' => sub {
    my $old = "$data/low-latency-2.4.17.hist";
    my ($status, $out, $err) = run($analyze, 'trend', $old, "$data/small.hist", @nights[0, 1]);
    is($status, 1, 'exit status');
    like($err, qr/^realfeel-analyze: \Q$old\E: has no lateness; name /m, 'a file of 2002');
    like($out, qr/: 2 runs$/m, 'the others are listed');
    is((run($analyze, 'trend', '-o', 'x.png', @nights))[0], 1, '-o without --plot');
    is((run($analyze, qw(trend --json --digest), @nights))[0], 1, 'two forms at once');
};

subtest 'the digest' => sub {
    my ($status, $out) = run($analyze, qw(trend --digest), @nights);
    my @lines = split /\n/, $out;
    is(@lines, 5, 'five lines');
    like($lines[0], qr/^lab1, nanosleep at 1024 Hz: valid, 2026-02-03 02:00, 2\.0 seconds, 6\.1\.0-32$/, 'the run');
    like($lines[1], qr/^last run: p50 26\.\d\d us, p99 .* us, p99\.9 -, max 32\.\d\d us, missed 0$/, 'its figures') or diag $lines[1];
    like($lines[2], qr/^usual: +p50 13\.\d\d us,/, 'the usual ones');
    like($lines[3], qr/^worse: +p50 2 times since 2026-01-17 02:00, /, 'what has changed');
    like($lines[4], qr/^report: +night-30\.hist$/, 'where it is');
    ($status, $out) = run($analyze, qw(trend --digest), $nights[0]);
    like($out, qr/^usual: +not known, there is no run before it\nto find a change takes .* not invalid; these are 1$/m, 'of one run');
    night(8, 9000, verdict => 'invalid: suspended');
    like((run($analyze, qw(trend --digest), @nights[7, 8]))[1], qr/^usual: +not known/m, 'not of an invalid run');
    night(8, 10);
    like((run($analyze, qw(trend --digest), @nights[0 .. 15]))[1], qr/, 6\.1\.0-32 \(new\)$/m, 'a kernel that is new');
};

subtest 'several CPUs' => sub {
    my @files = map { made_cpus("cpus-$_.hist", { 0 => [[(3) x 500, 9]], 1 => [[(5) x 500, 50 + $_]] },
        started => "2026-03-0${_}T00:00:00Z", duration_s => 1, period_ns => 976562) } 1, 2;
    my ($series) = @{ JSON::PP->new->decode((run($analyze, qw(trend --json), @files))[1]) };
    is_deeply([map { $_->{max_us} } @{ $series->{runs} }], [51, 52], 'are taken together');
    is_deeply([map { $_->{periods} } @{ $series->{runs} }], [1002, 1002], 'with all their periods');
};

# A report is read, its numbers are kept, and it is forgotten.
subtest 'memory' => sub {
    my $report = "$FindBin::Bin/../lab/examples/rt-loaded-rtc.hist.gz";
    my $peak = sub {
        my (undef, undef, $err) = run('/bin/sh', '-c', '"$@" >/dev/null; grep VmHWM /proc/$$/status >&2', 'sh', 'perl', '-e',
            'my $p = shift; $SIG{__DIE__} = sub { die @_ }; require $p; main(@ARGV); open S, "/proc/self/status"; print STDERR <S>',
            $analyze, 'trend', @_);
        return ($err =~ /^VmHWM:\s+(\d+)/m)[0];
    };
    my ($few, $many) = map { $peak->(($report) x $_) } 3, 40;
    cmp_ok($many, '<', 1.2 * $few, "40 reports take no more than 3: $many kB, $few kB");
};

done_testing;
