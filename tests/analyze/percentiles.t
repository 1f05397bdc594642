# SPDX-License-Identifier: GPL-2.0-or-later
# Which percentiles there are, which outputs list them, and which decide something.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../../analyze/lib lib ../lib ../plots/lib);
use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

use Realfeel::Answer::Compare qw(compare limit);
use Realfeel::Answer::Stats qw(is_percentile percentiles);
use Realfeel::Model::Report;
use Realfeel::Stat::Distribution;
use Analyzer;
use Given;
use MadeReport;
use RunCommand;

my @listed  = (50, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999);
my $dir = tempdir(CLEANUP => 1);
my @files = ("$FindBin::Bin/data/one-run.hist.gz", made("$dir/b.hist", [map { [map { 20 + $_ / 20 } 1 .. 2000] } 1 .. 60]));
my @runs  = map { Realfeel::Model::Report->read($_) } @files;

sub of { my ($report) = @_; return map { $_->{percentile} => $_ } percentiles($report->latency, $report->pieces, 'lateness') }

subtest 'percentiles have names' => sub {
    ok(is_percentile("p$_"), "p$_") for @listed;
    ok(!is_percentile($_), "'$_' is no percentile") for '95', 'p', 'p95.0', 'p96', 'p99.90', 'p99.99999', "p95\n", 'xp95', '';
};

subtest 'percentiles of even values are known' => sub {
    my @edges = 0 .. 999;
    my $even = Realfeel::Stat::Distribution->new(low => \@edges, high => [map { $_ + 1 } @edges], count => [(1) x 1000]);
    my %is = map { $_->{percentile} => $_ } percentiles($even, undef, 'lateness');
    is_deeply([sort { $a <=> $b } keys %is], \@listed, 'all of the list');
    is_deeply([map { $is{$_}{value_us} } 90, 95, 99], [900, 950, 990], 'the percentiles have values');
    my $few = Realfeel::Stat::Distribution->new(low => \@edges, high => [map { $_ + 1 } @edges], count => [(1) x 199, (0) x 801]);
    my ($p95) = percentiles($few, undef, 'lateness', 95);
    is_deeply([@$p95{qw(percentile value_us lack more needed roughly_us)}], [95, undef, 'samples', 1, 200, 190],
        'one of 199 samples lacks one');
};

subtest 'verbs that list percentiles agree' => sub {
    my ($file, %is) = ($files[0], of($runs[0]));
    my ($us, $low, $high) = @{ $is{95} }{qw(value_us low_us high_us)};
    ok($is{90}{value_us} < $us && $us < $is{99}{value_us}, 'p95 lies between p90 and p99');
    my $told = sub {
        my @arguments = @_;
        my ($status, $out, $err);
        given_by(sub { ($status, $out, $err) = run($analyze, @arguments) });
        is("$status $err", '0 ', "@arguments[0, 1]: an answer");
        return $out;
    };
    my ($json) = @{ JSON::PP->new->decode($told->(qw(stats --json), $file)) };
    my ($in_json) = grep { $_->{percentile} == 95 } @{ $json->{lateness}{percentiles} };
    is_deeply([@$in_json{qw(value_us low_us high_us)}], [map { 0 + sprintf '%.12g', $_ } $us, $low, $high], 'JSON has p95');
    my $short = sprintf '%.2f', $us;
    like($told->(qw(stats -v), $file), qr/^ +95 % .* \Q$short\E \[/m, 'stats -v');
    unlike($told->('stats', $file), qr/p95/, 'stats has no p95 without -v');
    like($told->(qw(report -o -), $file), qr{<tr><th scope="row">95 %.*>\Q$short\E<}, 'the page has p95');
    like($told->(qw(table --show=p95), $file), qr/ p95\n\S+ +\Q$short\E$/m, 'table has p95');
    like($told->(qw(export --format=tap), $file), qr/^# p95: 0*\Q@{[0 + $us]}\E us$/m, 'TAP has p95');
    my @old = map { "$FindBin::Bin/data/$_-2.4.17.hist" } qw(low-latency preempt-lolat vanilla);
    like($told->(qw(report -o -), @old), qr{<div class="table wide">(?:(?!</div>).)*>99\.9999 %}s,
        'eight of several runs are a table of the page, and no list');
};

subtest 'what is compared' => sub {
    my $table = compare(@runs);
    is_deeply([map { $_->{percentile} } @{ $table->{percentiles} }], \@listed, 'all of the list');
    my ($status, $out, $err) = run($analyze, qw(compare --json --fail-above=0.9@95), @files);
    my ($told) = @{ JSON::PP->new->decode($out) };
    is_deeply([$status, $err], [2, ''], '--fail-above at p95');
    ok($told->{limit}{exceeded} && limit($table, 95, 0.9)->{exceeded}, 'judges it');
    is((run($analyze, qw(compare --fail-above=5@95), @files))[0], 0, '--fail-above at p95 judges the ratio');
};

done_testing;
