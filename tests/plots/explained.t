# SPDX-License-Identifier: GPL-2.0-or-later
# The pictures of what realfeel --explain found: what latenesses are made of, and what had the CPU.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use List::Util qw(max uniqnum);
use Test::More;

use Drawing;
use MakeExplained;
use MakeReport;
use RunCommand;

use constant MICRO => "\xc2\xb5s";
use constant USUAL => (8, 9, 27, 0, 11);

sub near { my ($is, $expected, $name) = @_; cmp_ok(abs($is - $expected), '<=', 0.02 + 0.005 * abs $expected, "$name: $expected") }

make_explained('late.hist', wakeups => [[90, USUAL], [9, 8, 9, 72, 0, 11], [1, 900, 20, 40, 20, 20]]);
make_explained('one.hist', wakeups => [[1, USUAL]], parts => [[USUAL]], blame => [[
    [5, qw(idle idle - -)], [20, qw(interrupt timer\x20interrupt - -)], [44, qw(idle idle - -)], [55, qw(self realfeel rt:95 -)],
]]);

# 90 wake-ups of 55 us, 9 of 100 us, one of 1 ms: up to one in 10, 100, and half of one in 100.
subtest 'what latenesses are made of' => sub {
    my $svg = drawn('parts', 'late.hist');
    my @edges = map { $_->[0] } $svg->lines;
    is(scalar(grep { @$_ } @edges[0 .. 3]), 4, 'four lines between five parts');
    my @shares = ([8 / 0.55, 8, 90], [17 / 0.55, 17, 92], [44 / 0.55, 89, 96], [44 / 0.55, 89, 98]);
    for my $part (0 .. 3) {
        my @points = @{ $edges[$part] };
        near($points[[0, 2, 4]->[$_]][0], [1, 10, 100]->[$_], "column $_ begins at one in so many") for 0 .. 2;
        near($points[[0, 2, 4]->[$_]][1], $shares[$part][$_], "column $_, up to part $part, %") for 0 .. 2;
        near($points[-1][0], 200, 'the last column ends');
    }
    my @texts = $svg->texts;
    is_deeply([grep { /^\d+(?:\.\d)? (?:${\MICRO}|ms)$/ } @texts], ["56 ${\MICRO}", "110 ${\MICRO}", '1.0 ms'],
        'above the drawing: what p50, p90 and all do not exceed');
    is_deeply([grep { /: p50/ } @texts], [
        "switch to stamp: p50 11.01 ${\MICRO}, max 20.00 ${\MICRO}", "blocked again: p50 0.010 ${\MICRO}, max 20.00 ${\MICRO}",
        "waking to switch: p50 27.01 ${\MICRO}, max 72.00 ${\MICRO}", "expiry to waking: p50 9.010 ${\MICRO}, max 20.00 ${\MICRO}",
        "due to expiry: p50 8.010 ${\MICRO}, max 900.0 ${\MICRO}"], 'the key, the last part at its top');
    ok((grep { $_ eq '100 wake-ups' } @texts), 'the key says how many wake-ups there are');
};

subtest 'negative parts and unknown wake-ups' => sub {
    make_explained('early.hist', wakeups => [[50, -6, 5, 10, 0, 1], [50, 2, 5, 10, 0, 3]]);
    my ($expiry, $waking) = map { $_->[0] } drawn('parts', 'early.hist')->lines;
    near($expiry->[0][1], 0, 'a negative part has no share');
    near($waking->[0][1], 100 * 5 / 16, 'the other parts are shares of the rest, %');
    make_explained('few.hist', wakeups => [[1000, USUAL]], unknown => 1);
    my @texts = given('parts', 'few.hist')->texts;
    ok((grep { $_ eq '1001 wake-ups; the parts of 1 are unknown' } @texts), 'one unknown wake-up is reported');
    make_explained('half.hist', wakeups => [[500, USUAL]], unknown => 500);
    @texts = given('parts', 'half.hist')->texts;
    ok((grep { /^the parts of 500 of 1000 wake-ups are unknown/ } @texts), 'many unknown wake-ups are a warning');
    make_explained('blind.hist', wakeups => [[500, USUAL]], header => { explain_switches => '250 of 500' });
    ok((grep { /^self-test failed/ } given('parts', 'blind.hist')->texts), 'a self-test that failed is a warning');
};

# A request waits for no timer, so it has not the first of five parts.
subtest 'the parts of a request' => sub {
    my $svg = drawn('parts', "$FindBin::Bin/../analyze/data/asked.hist");
    my @texts = $svg->texts;
    ok((grep { $_ eq 'latency' } @texts), 'what is above the drawing');
    is_deeply([map { /(.*): p50 / } @texts], ['switch to stamp', 'blocked again', 'waking to switch', 'request to waking'],
        'the key has four parts');
    is(scalar(grep { @{ $_->[0] // [] } } $svg->lines), 3, 'three lines lie between four parts');

    @texts = given('timeline', "$FindBin::Bin/../analyze/data/asked.hist")->texts;
    is_deeply([sort grep { /^(?:asked|due|request made|timer expired)$/ } @texts], ['asked', 'request made'],
        'no row begins when anything was due');
};

sub boxes {
    my ($svg) = @_;
    my $bottom = max(($svg->limits)[2, 3]);
    my @boxes = grep { max(@$_[1, 3]) < $bottom } $svg->boxes;      # not those of the key
    return sort { $a->[1] <=> $b->[1] || $a->[0] <=> $b->[0] } map { [$_->[0], ($_->[1] + $_->[3]) / 2, $_->[2]] } @boxes;
}

subtest 'one wake-up' => sub {
    my $svg = drawn('timeline', 'one.hist');
    my @ends = map { [@$_[0, 2]] } boxes($svg);
    is(scalar @ends, 4, 'four boxes');
    for my $i (0 .. 3) {
        near($ends[$i][0], 100 * [0, 5, 20, 44]->[$i] / 55, "box $i begins at, %");
        near($ends[$i][1], 100 * [5, 20, 44, 55]->[$i] / 55, 'and ends');
    }
    my (undef, undef, $expiry, $waking) = $svg->marks;      # the first are their white edges
    near($expiry->[0][0], 100 * 8 / 55, 'the timer expired at, %');
    near($waking->[0][0], 100 * 17 / 55, 'the waking was at, %');
    my @texts = $svg->texts;
    for ('timer interrupt', "realfeel 11 ${\MICRO}", "lateness (${\MICRO})", '55.000', 'due', 'stamp') {
        my $text = $_;
        ok((grep { $_ eq $text } @texts), $text);
    }
};

make_explained('long.hist', wakeups => [[5000, USUAL]], parts => [[8, 9, 62_043, 0, 11], undef, [8, 9, 500, 0, 11]], blame => [
    [[1, qw(task sh nice:0 pid:1)], [3, qw(interrupt timer\x20interrupt - -)], [62_050, qw(task sh nice:0 pid:1)],
        [62_071, qw(self realfeel rt:95 -)]],
    [[60_000, qw(unknown - - ring-ends)], [60_010, qw(interrupt eth0 - irq:9)], [60_060, qw(self realfeel rt:95 -)]],
    [[100, 'task', 'a"b`c$d@e\x5c', qw(rt:99 pid:9)], [200, qw(task x\x20y deadline pid:8)], [528, qw(self realfeel rt:95 -)]],
    [[3, qw(self realfeel rt:95 -)]],
]);

subtest 'a timeline has rows from 1 us to 60 ms' => sub {
    my $svg = drawn('timeline', 'long.hist');
    my @boxes = boxes($svg);
    is(scalar @boxes, 11, 'all eleven boxes are drawn');
    is(scalar(grep { $_->[2] - $_->[0] < 0.75 } @boxes), 0, 'each box is wide enough to be seen');
    for my $row (1 .. 4) {
        my @of_row = sort { $a->[0] <=> $b->[0] } grep { abs($_->[1] - $row) < 0.4 } @boxes;
        near($of_row[0][0], 0, "row $row begins at, %");
        near($of_row[-1][2], 100, 'and ends');
        near($of_row[$_][0], $of_row[$_ - 1][2], 'the boxes of a row have no gap between them') for 1 .. $#of_row;
    }
    my ($expiries) = $svg->marks;
    is(scalar @$expiries, 2, 'an unknown expiry has no mark');
    my @texts = $svg->texts;
    for ('a\x22b`c$d@e\\', 'sh 62 ms', 'not recorded 60 ms', "x y 100 ${\MICRO}", '62.071', '0.003') {
        my $text = $_;
        ok((grep { $_ eq $text } @texts), $text);
    }
};

my @hostile = ('-', 'L' x 200, "h\xc3\xb6g", 'e' x 40 . '\x1b' x 4);
make_explained('named.hist', wakeups => [[5000, USUAL]],
    blame => [map { [[490, 'task', $_, qw(rt:97 pid:1)], [500, qw(self realfeel rt:95 -)]] } @hostile]);

subtest 'names that no task should have' => sub {
    my @names = grep { / 490 ${\MICRO}$/ } given('timeline', 'named.hist')->texts;
    is(scalar @names, 4, 'each name stands in its row');
    ok((grep { $_ eq "task 1 490 ${\MICRO}" } @names), 'a task without a name has its number');
    ok((grep { /^L+\.\.\. 490 / } @names), 'a long one is cut');
};

subtest 'a timeline has 32 rows of 101 boxes' => sub {
    my ($to, @parts) = (0);
    my @short = map { [$to += 21, $_ % 2 ? qw(softirq NET_RX - -) : qw(interrupt eth0 - irq:9)] } 1 .. 100;
    make_explained('many.hist', wakeups => [[5000, USUAL]],
        blame => [map { my $us = 32 - $_; [map { [$_->[0] + $us, @$_[1 .. 4]] } @short, [$to + 11, qw(self realfeel rt:95 -)]] } 0 .. 31]);
    my $given = given('timeline', 'many.hist');
    my @boxes = map { split /\n/ } (split /\n\n\n/, $given->{points})[0];
    is(scalar @boxes, 32 * 101, '32 rows of 101 boxes');
    cmp_ok((grep { $_ eq 'NET_RX 1.1 ms' } $given->texts), '>=', 32, 'each row names the longest though no box has room');
};

my @timer = qw(interrupt timer\x20interrupt - -);
make_explained('under.hist', wakeups => [[5000, USUAL]], blame => [[
    [12, qw(softirq RCU - -)], [32, qw(task sh nice:0 pid:1)], [45, @timer], [52, qw(task sh nice:0 pid:1)],
    [80, qw(self realfeel rt:95 -)], [98, @timer], [110, qw(self realfeel rt:95 -)],
]]);

subtest 'parts and timeline are drawn as PNG and PDF' => sub {
    for my $kind (qw(parts timeline)) {
        like(picture('png', $kind, 'under.hist'), qr/\A\x89PNG\r\n/, "$kind: a PNG");
        like(picture('pdf', $kind, 'under.hist'), qr/\A%PDF-/, "$kind: a PDF");
    }
};

subtest 'the name in the middle of a row has no other under it' => sub {
    my @texts = given('timeline', 'under.hist')->texts;
    my %has = map { $_ => 1 } @texts;
    is(join(' ', map { $has{$_} ? 1 : 0 } 'RCU', "sh 20 ${\MICRO}", "timer interrupt 31 ${\MICRO}"), '1 1 1',
        'the names beside the middle stay');
    is(scalar(grep { /realfeel/ } @texts), 0, 'a name that would be half hidden is left out');
};

subtest 'the tasks that had the CPU longest have different colours' => sub {
    my @others = map { [[100 - 10 * $_, 'task', "job$_", qw(nice:0 pid:1)], [110 - 10 * $_, qw(self realfeel rt:95 -)]] } 0 .. 5;
    make_explained('own.hist', wakeups => [[5000, USUAL]], blame => \@others);
    my $given = given('timeline', 'own.hist');
    is_deeply($given->{key}, [qw(job0 job1 job2 job3 others), 'measuring process', 'timer expired', 'woken'], 'a line of the key for each');
    my @boxes = map { [split] } split /\n/, (split /\n\n\n/, $given->{points})[0];
    my @colours = map { my $row = $_; (map { $_->[3] } grep { $_->[0] == $row } @boxes)[0] } 1 .. 6;
    is(scalar(uniqnum @colours[0 .. 4]), 5, 'five colours');
    is($colours[4], $colours[5], 'all other culprits have one colour');
    is($given->{has_taken}, 0, 'nothing is hatched');
    make_explained('taken.hist', wakeups => [[5000, USUAL]], blame => [[[12, qw(task sh nice:0 pid:1)], [40, qw(self realfeel rt:95 -)],
        [90, qw(task hog rt:99 pid:7)], [110, qw(self realfeel rt:95 -)]]]);
    $given = given('timeline', 'taken.hist');
    my ($hatched) = (split /\n\n\n/, $given->{points})[1];
    is(scalar(split /\n/, $hatched), 1, 'one box is hatched');
    near((split ' ', $hatched)[$_], [1, 100 * 40 / 110, 100 * 90 / 110]->[$_], 'where the CPU was taken away') for 0 .. 2;
};

subtest 'what is refused' => sub {
    make_report('plain.hist', lateness => [['3.00', '3.01', 500]], lateness_max => 3.005);
    make_explained('early.hist', wakeups => [[50, USUAL]], blame => [[[0, qw(self realfeel rt:95 -)]]]);
    make_explained('denied.hist', wakeups => [[50, USUAL]], header => { explain => 'off' });
    for my $case (
        ['its header says that the run was not explained; give another report', 'parts', 'denied.hist'],
        ['no late wake-up has a record of what had the CPU; give another report', 'timeline', 'early.hist'],
        ['plain.hist: holds no parts of latenesses', 'parts', 'plain.hist'],
        ['late.hist: does not record what had the CPU before the worst wake-ups', 'timeline', 'late.hist'],
        ['2 reports are too many for one picture of this kind; choose one', 'parts', ('late.hist') x 2],
    ) {
        my ($message, $kind, @files) = @$case;
        my ($status, $out, $err) = run($analyze, 'plot', $kind, '-o', 'x.png', @files);
        is("$status $out", '1 ', "$kind: exit status");
        like($err, qr/^realfeel-analyze: \Q$message\E(?:; give a report of a run with --explain(?:=blame)?)?\n\z/, "$kind: message");
    }
};

subtest 'an invalid run is marked' => sub {
    make_explained('invalid.hist', wakeups => [[50, USUAL]], blame => [[[55, qw(self realfeel rt:95 -)]]],
        header => { verdict => 'invalid: p <script> _x_' });
    for my $kind (qw(parts timeline)) {
        ok((grep { $_ eq 'INVALID: p <script> _x_' } given($kind, 'invalid.hist')->texts), "$kind: a note with the reason");
    }
};

done_testing;
