# SPDX-License-Identifier: GPL-2.0-or-later
# What prints a figure of a run prints the same: the program at its end, its report, stats, the page, JSON and TAP.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeTime;
use JSON::PP qw(decode_json);
use Program;
use RunCommand qw(contents run);
use Test::More;

my $ANALYZE = abs_path("$FindBin::Bin/../../analyze/realfeel-analyze");
my @NAMES   = qw(p50 p99 p99.9);
workspace();

# From the name of a figure to its text, "~3.469 ms".
sub figures_of {
    my ($row) = @_;
    return { $row =~ /(p[\d.]+|max) +(~?[\d.]+ [num]?s)/g };
}

sub printed {
    my (@command) = @_;
    my ($status, $out, $err) = run(@command);
    is("$status $err", '0 ', "@command[1, 2]");
    return $out;
}

# In ns, with its mark.
sub plain {
    my ($text) = @_;
    my ($mark, $value, $unit) = $text =~ /^(~?)([\d.]+) (\S+)$/ or return $text;
    return $mark . sprintf '%.0f', $value * { ns => 1, us => 1e3, ms => 1e6, s => 1e9 }->{$unit};
}

# What the header has no value for is rough.
sub agree_with_header {
    my ($told) = @_;
    my %header = contents('report') =~ /^# latency_(\w+)_us: ([\d.]+)$/mg;
    for (['p50', 'p50'], ['p99', 'p99'], ['p99.9', 'p99_9']) {
        my ($name, $key) = @$_;
        is(defined $header{$key} ? '' : '~', $told->{$name} =~ /^(~?)/ ? $1 : '', "$name is rough where it is no key");
        cmp_ok(abs(plain($told->{$name}) / 1e3 - $header{$key}), '<=', $header{$key} / 1000, 'and else the same')
            if defined $header{$key};
    }
}

sub agree_with_json {
    my ($told) = @_;
    my ($report) = @{ decode_json(printed($ANALYZE, qw(stats --json report))) };
    my %is = map { ("p$_->{percentile}" => $_) } @{ $report->{lateness}{percentiles} };
    for my $name (@NAMES) {
        my ($value, $roughly) = @{ $is{$name} }{qw(value_us roughly_us)};
        is(defined $value ? '' : '~', $told->{$name} =~ /^(~?)/ ? $1 : '', "JSON: $name is rough");
        cmp_ok(abs(plain($told->{$name} =~ s/^~//r) / 1e3 / ($value // $roughly) - 1), '<=', 0.001, 'and the same');
    }
}

# With few late wake-ups that serve many periods each, and with few that serve more than one.
my $rough = 0;
for ([1, 8192], [2, 2048], [3, 100]) {
    my ($seed, $hz) = @$_;
    subtest "seed $seed, $hz Hz" => sub {
        my (undef, undef, $err) = run(fake_time($seed), realfeel(qw(-s nanosleep -n 12000 -F -o report -f), $hz));
        my ($row) = $err =~ /^(lateness .*)$/m;
        my $told = figures_of($row // '');
        is(scalar keys %$told, 4, 'four figures') or diag $err;
        my ($stats) = printed($ANALYZE, qw(stats report)) =~ /^ *(lateness .*(?:\n {12}\S.*)*)/m;
        is_deeply(figures_of($stats), $told, 'stats: the same');
        my ($page) = printed($ANALYZE, qw(report -o - report)) =~ s/<[^>]*>/ /gr =~ s/µ/u/gr =~ /(lateness +p50.*)/;
        is_deeply(figures_of($page), $told, 'the page: the same');
        my %tap = printed($ANALYZE, qw(export --format=tap report)) =~ /^# (p50|p99|p99\.9|max): ([\d.]+ us)$/mg;
        my %known = map { $_ => $told->{$_} } grep { $told->{$_} !~ /^~/ } keys %$told;
        is_deeply([sort keys %tap], [sort keys %known], 'TAP: what is not rough');
        cmp_ok(abs(plain($tap{$_}) / plain($known{$_}) - 1), '<=', 0.001, "and $_ the same") for sort keys %known;
        $rough += grep { /^~/ } values %$told;
        agree_with_header($told);
        agree_with_json($told);
    };
}

cmp_ok($rough, '>', 0, 'some are rough');

done_testing;
