# SPDX-License-Identifier: GPL-2.0-or-later
# The defects of other programs, one by one: what they leave out, make up or pass over is counted, refused or said here.
# Those of measuring are the business of tests/cli.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use JSON::PP ();
use List::Util qw(sum0);
use Test::More;

use Realfeel::Stat::Distribution;
use RandomReport;
use ReportText;
use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data";
my $dir     = tempdir(CLEANUP => 1);

sub written { my ($name, $text) = @_; return file_of("$dir/$name", $text) }

# A run of slices of [interval error, periods served, lateness], in ns.
sub run_of {
    my ($slices, %more) = @_;
    return written('run.hist', report_text(report_of($slices, %more)));
}

sub changed {
    my ($name, $change) = @_;
    local $_ = contents("$data/$name.hist");
    $change->();
    return written('changed.hist', $_);
}

sub output_of {
    my ($status, $out, $err) = run($analyze, @_);
    is("$status $err", '0 ', "@_[0 .. $#_ - 1]: no complaint");
    return $out;
}

sub listing  { return output_of('-v', @_) =~ s/\s+/ /gr }
sub json     { return JSON::PP->new->utf8->decode(output_of(@_)) }
sub rt_tests { return json('export', '--format=rt-tests', $_[0]) }

sub refused {
    my ($name, $pattern, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, @arguments);
    is("$status $out", '1 ', "$name: exit status, and nothing is written");
    like($err, qr/\Arealfeel-analyze: [^\n]*$pattern/, "$name: is said");
}

# Two seconds in which nothing woke, of six: 8200 wake-ups, of which one served 4096 periods.
my @stalled = ([([0, 1, 5000]) x 4000], [[2e9, 4096, 2_000_000_000], ([0, 1, 7000]) x 4199]);

subtest 'cyclictest: late periods are skipped and not counted' => sub {
    my $file = run_of(\@stalled);
    my ($run) = @{ json('--json', $file) };
    is_deeply([@{ $run->{results} }{qw(samples periods missed)}, $run->{lateness}{count}], [8200, 12_295, 4095, 12_295],
        'each period counts');
    is($run->{wakeups}{count}, 8200, 'beside them each wake-up');
    my $listing = listing($file);
    like($listing, qr/ missed 4095 of 12295 periods /, 'as the listing says');
    like($listing, qr/ signed interval error lateness lateness of wake-ups /, 'with the wake-ups in a column beside the periods');
    like($listing, qr/ 90 % [\d.]+ 14\d\d000 7\.01 /, 'whose percentiles do not know of the stall');
    my $thread = rt_tests($file)->{thread}{0};
    is($thread->{cycles}, 12_295, 'and each period is exported');
};

subtest 'cyclictest: return_code 0 after a --breaktrace hit; an unknown option exits 0' => sub {
    is(rt_tests(changed('small', sub { s/status: complete/status: break/ }))->{return_code}, 1, 'break');
    is(rt_tests(changed('small', sub { s/^(?=# samples)/# max: exceeded\n/m }))->{return_code}, 1, 'limit exceeded');
    is(rt_tests("$data/small.hist")->{return_code}, 0, 'no fault');
    refused($_, 'unknown option', $_ eq 'stats' ? () : $_, '--what', "$data/small.hist") for qw(stats merge export import plot);
};

subtest 'cyclictest: JSON drops overflows' => sub {
    my $file = run_of(\@stalled);
    my $thread = rt_tests($file)->{thread}{0};
    is(sum0(values %{ $thread->{histogram} }), $thread->{cycles}, 'rt-tests: the sum of the histogram is cycles');
    my $rows = output_of('export', '--format=cyclictest', $file);
    is(sum0($rows =~ /^\d{6} (\d+)$/mg, $rows =~ /Overflows: (\d+)/), 12_295, 'cyclictest: what overflows is counted as such');
    my ($infinite) = output_of('export', '--format=prometheus', $file) =~ /le="\+Inf"\} (\d+)$/m;
    is($infinite, 12_295, 'Prometheus: the last bucket');
    my ($titles, @rows) = map { [split /,/] } split /\n/, output_of('export', '--format=csv', $file);
    is("$titles->[4] " . sum0(map { $_->[4] } @rows), 'lateness 12295', 'CSV: the column');
    my ($run) = @{ json('--json', run_of([[([0, 1, 1_001_000]) x 14, ([0, 1, 4000]) x 1986]])) };
    is($run->{lateness}{count}, 2000, 'JSON of our own: the count');
    is((grep { $_->{threshold_us} == 1000 } @{ $run->{lateness}{below} })[0]{count}, 1986, 'JSON of our own: those below 1000 us');
};

subtest 'cyclictest: JSON of others that dropped overflows' => sub {
    my $file = "$dir/imported.hist";
    output_of('import', '--format=rt-tests', '-F', '-o', $file, "$data/import/cyclictest.json");
    my $listing = listing($file);
    like($listing, qr/ count 1836 /, 'what it counted is there');
    like($listing, qr/ 105 of 1836 samples lie beyond the histogram /, 'and known to lie beyond');
    like($listing, qr/ from p95 on, percentiles lie beyond the histogram: at least 100\.000 us /, 'an overflow reads "at least"');
};

subtest 'cyclictest: SIGINT looks like a full run; an unwritable path is discovered at the end' => sub {
    my $file = changed('small', sub { s/status: complete/status: interrupted/ });
    like(listing($file), qr/ status interrupted, /, 'the listing says it');
    is(json('--json', $file)->[0]{status}, 'interrupted', 'its JSON says it');
    is(rt_tests($file)->{return_code}, 1, 'and so does the return code');
    refused($_->[0], 'none/out', @$_, '-o', "$dir/none/out", "$data/small.hist")
        for ['merge'], ['export', '--format=csv'], ['plot', 'histogram', '-o', "$dir/none/out.png"];
};

subtest 'cyclictest: invalid JSON from a quote, -nan at 0 cycles, keys with a stray colon' => sub {
    my $command = q{./realfeel "a\"" \\\\ \x0a \x1b};
    my $quoted = changed('small', sub { s/command: .*/command: $command/ });
    my @keys = sort qw(file_version cmdline rt_test_version start_time end_time return_code sysinfo num_threads resolution_in_ns thread);
    for my $file ($quoted, "$data/empty.hist", "$data/suspect.hist") {
        my ($status, $text) = run($analyze, 'export', '--format=rt-tests', $file);
        is_deeply([sort keys %{ JSON::PP->new->utf8->decode($text) }], \@keys, 'the keys are those');
        unlike($text, qr/\bnan\b|\binf\b/i, 'no number that is none');
    }
    is(rt_tests($quoted)->{cmdline}, qq{./realfeel "a\\"" \\ \n \e}, 'the quotes are kept');
    ok(json('--json', $_), 'JSON of our own') for $quoted, "$data/empty.hist", "$data/suspect.hist";
};

subtest 'stress-ng: prints the 99.99 percentile of 7801 samples, which is the maximum' => sub {
    my ($run) = @{ json('--json', run_of([[([0, 1, 4000]) x 7800, [0, 1, 90_000]]])) };
    my ($asked) = grep { $_->{percentile} == 99.99 } @{ $run->{lateness}{percentiles} };
    is_deeply([@$asked{qw(value_us needed more)}], [undef, 100_000, 92_199], 'is refused, with what it takes');
    my ($given) = grep { $_->{percentile} == 99 } @{ $run->{lateness}{percentiles} };
    ok(defined $given->{value_us}, 'one that is supported is given');
};

subtest 'rteval: the median is wrong for both parities' => sub {
    for ([[1, 3], 2], [[1, 3, 9], 3], [[1, 3, 9, 11], 6]) {
        my ($values, $median) = @$_;
        my $of_bins = Realfeel::Stat::Distribution->new(low => $values, high => [map { $_ + 0.01 } @$values], count => [(1) x @$values]);
        is(sprintf('%.2f', $of_bins->median - 0.005), sprintf('%.2f', $median), "{@$values}");
    }
};

subtest 'rtla: text only; a harness took "not found" for a pass' => sub {
    my $out = "$dir/rtla.hist";
    refused($_, '; give what', qw(import --format=rtla -o), $out, written('said.txt', "$_\n"))
        for 'bash: rtla: command not found', 'Tracer timerlat not found!';
    refused('nothing', 'is empty', qw(import --format=rtla -o), $out, written('said.txt', ''));
    refused('no file', 'cannot be opened', qw(import --format=rtla -o), $out, "$dir/none");
    ok(!-e $out, 'there is no report then');
    is(ref json('--json', "$data/small.hist"), 'ARRAY', 'JSON, not text alone');
};

subtest 'several: ran at another priority than was asked, and said pass' => sub {
    my $file = changed('small', sub { s/verdict: valid/verdict: invalid: the policy was other, not fifo/; s/23:05:57Z/23:06:57Z/ });
    like(listing($file), qr/\A\S+: INVALID \* the policy was other, not fifo /, 'the verdict and its reason come first');
    is(rt_tests($file)->{return_code}, 1, 'return_code');
    like(output_of('export', '--format=prometheus', $file), qr/^realfeel_verdict\{.*\} 2$/m, 'Prometheus');
    my $good = file_of("$dir/good.hist", contents("$data/small.hist") =~ s/^# started: \K\d+/2027/mr);
    output_of('merge', '-F', '-o', "$dir/merged.hist", $file, $good);
    like(listing("$dir/merged.hist"), qr/: INVALID \* the policy was other, not fifo /, 'a good run beside it changes nothing');
};

subtest 'all: no count of missed periods, no verdict whether the run was valid' => sub {
    my ($run) = @{ json('--json', "$data/small.hist") };
    is("$run->{verdict} $run->{results}{missed}", 'valid 1', 'JSON');
    like(listing("$data/small.hist"), qr/: valid .* missed 1 of 21 periods /, 'the listing');
    my $metrics = output_of(qw(export --format=prometheus), "$data/small.hist");
    like($metrics, qr/^realfeel_missed_periods\{.*\} 1$/m, 'Prometheus');
    like($metrics, qr/^realfeel_verdict\{.*\} 0$/m, 'with the verdict');
};

subtest 'asked for: "have we tested long enough?", statistics per time slot, us or ms' => sub {
    my $short = listing(run_of([([([0, 1, 4000]) x 500]) x 5, [([0, 1, 4000]) x 499, [0, 1, 50_000]]]));
    like($short, qr/ p99\.9 needs 7000 more periods, 3\.4 seconds at this rate /, 'how much longer');
    like($short, qr/ too short for intervals: measure a minute /, 'whether it was long enough');
    my $uneven = listing(run_of([[map { ([0, 1, 4000], [0, 1, 40_000]) } 1 .. 1000], [([0, 1, 4000]) x 999, [0, 1, 50_000]]]));
    like($uneven, qr/ worst slice: from 0\.97\d s on for 0\.\d+ s, worst 50\.000 us, 0 of 1000 periods missed /, 'the worst slot');
    like($uneven, qr/ min 0\.000 us 4\.000 us .* max 0\.000 us 50\.000 us /, 'units');
};

done_testing;
