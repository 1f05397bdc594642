# SPDX-License-Identifier: GPL-2.0-or-later
# What prints a figure of a run prints the same: the program at its end, its report, stats, judge, the page, JSON and TAP.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Analyzer;
use JSON::PP qw(decode_json);
use RunCommand qw(contents run);
use Sim;
use Test::More;

my @NAMES = qw(p50 p99 p99.9);

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
        cmp_ok(abs(plain($told->{$name}) / 1e3 - $header{$key}), '<=', $header{$key} / 1000, "$name agrees with its key")
            if defined $header{$key};
    }
}

sub agree_with_json {
    my ($told) = @_;
    my ($report) = @{ decode_json(printed($analyze, qw(stats --json report))) };
    my %is = map { ("p$_->{percentile}" => $_) } @{ $report->{lateness}{percentiles} };
    for my $name (@NAMES) {
        my ($value, $roughly) = @{ $is{$name} }{qw(value_us roughly_us)};
        is(defined $value ? '' : '~', $told->{$name} =~ /^(~?)/ ? $1 : '', "JSON: $name is rough");
        cmp_ok(abs(plain($told->{$name} =~ s/^~//r) / 1e3 / ($value // $roughly) - 1), '<=', 0.001, "JSON: $name agrees");
    }
}

# p95 is a percentile that the result leaves out, and TAP, too, where less than ten samples lie beyond it.
sub agree_on_p95 {
    my ($told, $tap) = @_;
    my ($report) = @{ decode_json(printed($analyze, qw(stats --json report))) };
    my ($p95) = grep { $_->{percentile} == 95 } @{ $report->{lateness}{percentiles} };
    is($tap->{p95}, defined $p95->{value_us} ? sprintf('%.9g us', $p95->{value_us}) : undef, 'p95: TAP and JSON');
    return if !defined $tap->{p95};
    cmp_ok(plain($_->[0]), '<=', plain($_->[1]), 'p95 is between p50 and p99')
        for [$told->{p50} =~ s/~//r, $tap->{p95}], [$tap->{p95}, $told->{p99} =~ s/~//r];
}

# The page as text, with blanks between its cells.
sub page { return printed($analyze, qw(report -o - report)) =~ s/<[^>]*>/ /gr =~ s/µ/u/gr =~ s/ +/ /gr }

# "pass: CPU 1: p99 is ..." and "pass: CPU 1: 0 of 12,000 periods ..." are a pass of CPU 1, of '' where none is named.
sub answers_in {
    my ($text) = @_;
    return { map { /(.*?): (?:CPU (\d+): )?/ ? ($2 // '' => $1) : () }
        $text =~ /((?:pass|FAIL|NOT YET): (?:CPU \d+: )?)(?:p[\d.]+ is|[\d,]+ of)/g };
}

my %WORD = (pass => 'pass', fail => 'FAIL', not_yet => 'NOT YET');

# The answer of judge is that of stats, of the page and of TAP; how many are above is what the program has counted.
sub agree_on_the_limit {
    my ($told, $stats, $page, $tap) = @_;
    my $judged = answers_in((run($analyze, qw(judge -v report)))[1]);
    my %json = map { ($judged->{''} ? '' : $_->{cpu}) => $_ } @{ decode_json((run($analyze, qw(judge --json report)))[1]) };
    is_deeply({ map { $_ => $WORD{ $json{$_}{answer} } } keys %json }, $judged, 'judge: JSON and text');
    my ($above, $count, $cpu) = $told =~ /^limit +\w+: counted (\d+) of (\d+) periods later than \S+ \S+?(?: on CPU (\d+))?;/m;
    is_deeply([@{ $json{ $cpu // '' } }{qw(above count)}], [$above, $count], 'judge: as many as the program') or diag $told;
    for (['stats', $stats], ['the page', $page]) {
        my ($name, $text) = @$_;
        my $said = answers_in($text);
        is(scalar keys %$said, 1, "$name: one answer");
        is($said->{$_}, $judged->{$_}, "$name: as judge") for keys %$said;
    }
    my %from_tap = map { /^(?:CPU (\d+): )?within --max\n.*?(pass|FAIL|NOT YET)/s ? ($1 // '' => $2) : () }
        split /^(?:not )?ok \d+ - /m, $tap;
    is_deeply(\%from_tap, $judged, 'TAP: as judge');
}

# The rows of the CPUs are those of stats, which tells their verdicts, too, where these differ.
sub agree_on_each_cpu {
    my ($told) = @_;
    my ($mine, $theirs) = map { { map { my ($cpu, @cells) = split; $cpu => "@cells[0 .. 5]" } /^[> ] +(\d+ +\d+ +~?[\d.]+ .*)$/mg } }
        $told, printed($analyze, qw(stats report));
    is_deeply([sort keys %$mine], [0, 1], 'a row for each CPU');
    is_deeply($mine, $theirs, 'stats: the same rows');
}

# Of a run on two CPUs both have figures in the result of stats: all together, and the worst CPU.
sub agree {
    my ($err) = @_;
    my ($row) = $err =~ /^(lateness .*)$/m;
    my $told = figures_of($row // '');
    is(scalar keys %$told, 4, 'four figures') or diag $err;
    my ($stats, $page, $tap) = (printed($analyze, qw(stats report)), page(), (run($analyze, qw(export --format=tap report)))[1]);
    my ($first) = $stats =~ /^ *(lateness .*(?:\n {12}\S.*)*)/m;
    is_deeply(figures_of($first), $told, 'stats: the same');
    is_deeply(figures_of($page =~ /(lateness p50.*)/), $told, 'the page: the same');
    my %tap = $tap =~ /^# (p50|p95|p99|p99\.9|max): ([\d.]+ us)$/mg;
    agree_on_p95($told, \%tap);
    my %known = map { $_ => $told->{$_} } grep { $told->{$_} !~ /^~/ } keys %$told;
    is_deeply([sort keys %tap], [sort keys %known, ('p95') x exists $tap{p95}], 'TAP: what is not rough');
    cmp_ok(abs(plain($tap{$_}) / plain($known{$_}) - 1), '<=', 0.001, "TAP: $_ agrees") for sort keys %known;
    agree_with_json($told);
    agree_on_the_limit($err, $stats, $page, $tap);
    return $told;
}

# What a run of this seed says at its end.
sub told {
    my ($seed, @options) = @_;
    return simulate([qw(-s nanosleep -o report), @options], script => ["set seed $seed"])->{err};
}

# With few late wake-ups that serve many periods each, and with few that serve more than one; one of two minutes.
my $rough = 0;
for ([1, 8192, 12_000], [2, 2048, 6_000], [3, 100, 12_000]) {
    my ($seed, $hz, $samples) = @$_;
    subtest "seed $seed, $hz Hz" => sub {
        my $told = agree(told($seed, qw(--max=1ms@99.9 -f), $hz, '-n', $samples));
        $rough += grep { /^~/ } values %$told;
        agree_with_header($told);
    };
}

cmp_ok($rough, '>', 0, 'several figures are rough');

subtest 'two CPUs' => sub {
    my $err = told(4, qw(-f 2000 -n 6000 --max=50us@90 -a), '0,1');
    agree($err);
    agree_on_each_cpu($err);
};

done_testing;
