# SPDX-License-Identifier: GPL-2.0-or-later
# What pictures show of runs on several CPUs: a row or a line for each, or all together.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use List::Util qw(max min sum);
use Test::More;

use Drawing;
use MakeReport;
use RunCommand;

# Of CPU i most periods are $us late, and some, 20 unless given, 10 * (i + 1) more.
sub cpu {
    my ($i, %told) = @_;
    my ($us, $many, $late, $header) = ($told{us} // 4, $told{many} // 10_000, $told{late} // 20, $told{header} // {});
    my $worst = $us + 10 * ($i + 1);
    return (lateness => []) if $told{off};
    return (lateness => [[bin($us), $many], [bin($worst), $late]], lateness_max => $worst,
        slices => [[sprintf('%.6f', $i / 1e6), '1.000000', ($many + $late) x 2, 0, sprintf('%.3f', $worst), '1.000']],
        slice_bins => [map { [sprintf('%.6f', $i / 1e6), '1.000000', @$_] } [bin($us), $many], [bin($worst), $late]]);
}

sub bin { my ($us) = @_; return map { sprintf '%.2f', $_ } $us, $us + 0.01 }

sub made {
    my ($file, @cpus) = @_;
    make_parts($file, map { +{ cpu($_, %{ $cpus[$_] }), header => $cpus[$_]{header} } } 0 .. $#cpus);
}

made('four.hist', ({}) x 4);
made('two.hist', ({}) x 2);
made('twelve.hist', ({}) x 12);
my @odd = map { ($_ * 37) % 64 } 0 .. 63;       # in another order than the CPUs
make_parts('many.hist', map { +{ cpu($_) } } @odd);
make_report('plain.hist', cpu(0));
make_report('bound.hist', cpu(0), header => { cpu => 3 });

sub keys_of { return [grep { /: \d+ periods/ } $_[0]->texts] }

sub key {
    my ($name, $i, $more) = @_;
    my $max = 4 + 10 * ($i + 1);
    return sprintf "%s: 10020 periods, max %.*f \xc2\xb5s%s", $name, 4 - length $max, $max, $more // q();
}

sub near { my ($is, $expected, $name) = @_; cmp_ok(abs($is / $expected - 1), '<', 0.005, "$name: $expected") }

subtest 'a line for each CPU' => sub {
    for my $kind (qw(overlay exceedance)) {
        my $svg = drawn($kind, 'four.hist');
        is_deeply(keys_of($svg), [map { key("CPU $_", $_) } 0 .. 3], "$kind: the key names them");
        my ($marks) = $svg->marks;
        near($marks->[$_][0], 4 + 10 * ($_ + 1), "$kind: where the maximum of CPU $_ is marked") for 0 .. 3;
        is_deeply(keys_of(given($kind, 'four.hist', 'plain.hist', 'two.hist')),
            [(map { key("four, CPU $_", $_) } 0 .. 3), key('plain', 0), map { key("two, CPU $_", $_) } 0 .. 1],
            "$kind: of several files with the name of the file");
        is_deeply(keys_of(given($kind, 'four.hist, CPU 2')), [key('four.hist, CPU 2', 2)], "$kind: one CPU alone is a run");
    }
};

subtest 'a picture of too many CPUs has the worst' => sub {
    for my $kind (qw(overlay exceedance)) {
        my $svg = given($kind, 'twelve.hist');
        is(scalar @{ keys_of($svg) }, 12, "$kind: twelve are drawn");
        ok(!grep({ /not drawn/ } $svg->texts), "$kind: nothing is said of CPUs that are not drawn");
        $svg = given($kind, 'many.hist');
        my ($together, @others) = @{ keys_of($svg) };
        is($together, "many.hist, 64 CPUs: 641280 periods, max 644.0 \xc2\xb5s", "$kind: of 64 all together");
        my @worst = grep { $odd[$_] >= 57 } 0 .. 63;
        is_deeply(\@others, [map { key("CPU $_", $odd[$_]) } @worst], "$kind: the CPUs whose p99.9 is highest are drawn");
        is_deeply([grep { /not drawn/ } $svg->texts], ['not drawn: 57 of 64 CPUs (lower p99.9)'],
            "$kind: the remark counts CPUs that are not drawn");
    }
    like((run($analyze, qw(plot overlay many.hist)))[1], qr/^ +not drawn: 57 of 64 CPUs \(lower p99\.9\)$/m, 'the terminal says so, too');
    my $svg = given('overlay', 'many.hist', 'two.hist', 'plain.hist');
    is_deeply([map { s/:.*//r } @{ keys_of($svg) }], ['many, 64 CPUs', (map { "many, CPU $_" } grep { $odd[$_] >= 62 } 0 .. 63),
        'two, CPU 0', 'two, CPU 1', 'plain'], 'several runs share the lines');
    $svg = given('overlay', ('two.hist') x 12);
    is(scalar @{ keys_of($svg) }, 12, 'twelve runs have a line each');
    ok((grep { $_ eq 'no CPU is drawn by itself' } $svg->texts), 'the remark says that no CPU is drawn by itself');
    made('off.hist', ({}) x 15, { off => 1, header => { verdict => 'invalid: CPU 15 went offline' } });
    my @texts = given('overlay', 'off.hist')->texts;
    is_deeply([grep { /INVALID/ } @texts], ['INVALID: 1 of 16 CPUs', "off.hist, 16 CPUs: 150300 periods, max 154.0 \xc2\xb5s, INVALID",
        'not drawn: 9 of 16 CPUs (lower p99.9; 1 INVALID)'], 'an invalid CPU is in the note');
};

subtest 'all together' => sub {
    for my $kind (qw(histogram percentiles slices)) {
        like(keys_of(given($kind, 'four.hist'))->[0], qr/^four\.hist, 4 CPUs: 40080 periods, max 44\.00/, "$kind: the key says how many");
        is((run($analyze, 'plot', $kind, 'four.hist'))[0], $kind eq 'slices' ? 1 : 0, "$kind: the terminal draws all but slices");
    }
    my @texts = given('matrix', 'four.hist', 'plain.hist')->texts;
    is_deeply([grep { /CPUs$/ } @texts], ['4 CPUs'], 'matrix: the figures say how many CPUs there are');
    like((run($analyze, 'plot', 'matrix', 'four.hist'))[1], qr/, 4 CPUs .* 44\.00 us$/m,
        'matrix: the terminal says how many CPUs there are');
    my ($levels) = (drawn('histogram', 'four.hist')->lines)[0];
    near(max(map { $_->[1] } map { @$_ } @$levels), 40_000, 'histogram: counts are added');
    my $given = given('slices', 'four.hist');
    is("$given->{shade_high} $given->{shade_text}", '40000 periods a second', 'slices: rates are, too');
};

subtest 'cpus: a row for each' => sub {
    made('rows.hist', { us => 4 }, { us => 40, late => 9 }, { us => 4, many => 200 });
    my $svg = drawn('cpus', 'rows.hist');
    my @boxes = map { [min(@$_[0, 2]), max(@$_[0, 2]), ($_->[1] + $_->[3]) / 2] } coloured($svg);
    is(scalar @boxes, 6, 'a box for each cell that is not empty');
    my ($top, $bottom) = ($svg->limits)[3, 2];
    cmp_ok($top, '<', $bottom, 'CPU 0 is at the top');
    for my $i (0 .. 2) {
        my $us = $i == 1 ? 40 : 4;
        my @row = grep { abs($_->[2] - $i - 1) < 0.1 } @boxes;
        for my $value ($us, $us + 10 * ($i + 1)) {
            ok((grep { $_->[0] <= $value * 1.001 && $value < $_->[1] } @row), "CPU $i: a box at $value");
        }
    }
    my @lines = map { @$_ } $svg->lines;
    my $is_at = sub { my ($row, $us) = @_; grep { abs($_->[0][0] / $us - 1) < 0.005 && abs(mean($_) - $row) < 0.1 } @lines };
    ok($is_at->($_ + 1, [14, 60, 34]->[$_]), "CPU $_: a line at the maximum") for 0 .. 2;
    is(scalar(grep { abs(mean($_) - 1) < 0.1 } @lines) - scalar(grep { abs(mean($_) - 3) < 0.1 } @lines), 1,
        'a line is at p99.9 if ten values lie beyond it');
    ok($is_at->(2, 40.01), 'the line at p99.9 is where it should be');
    is_deeply([grep { /^[0-9]\*?$/ } ($svg->texts)], [grep { /^[0-9]$/ } ($svg->texts)], 'valid CPUs have no star');
};

# Boxes, but not the paper below a mark; each with its colour behind its corners.
sub coloured {
    my ($svg) = @_;
    my ($i, @colours) = (0, $svg->colours);
    return grep { $_->[4] ne 'rgb(255, 255, 255)' } map { [@$_, $colours[$i++]] } $svg->boxes;
}

sub mean { my ($piece) = @_; return sum(map { $_->[1] } @$piece) / @$piece }

subtest 'cpus: one scale for all' => sub {
    made('scale.hist', { many => 9000, late => 1000 }, { many => 90, late => 10 }, { many => 50, late => 50 });
    my $svg = drawn('cpus', 'scale.hist');
    my @colours = map { $_->[4] } coloured($svg);
    is(scalar @colours, 6, 'six boxes');
    is($colours[0], $colours[2], 'nine tenths of many periods and of few have one colour');
    is($colours[1], $colours[3], 'one tenth of many periods and of few has one colour');
    isnt($colours[0], $colours[4], 'a half has another colour than nine tenths');
    ok((grep { $_ eq "% of a CPU's periods" } $svg->texts), 'the scale says what it is of');
    for (['12', '88'], ['8.5', '92']) {
        my ($low, $high) = @$_;
        made('ends.hist', { many => 1000 - 10 * $low, late => 10 * $low });
        my @ends = grep { $_ eq $low || $_ eq $high } drawn('cpus', 'ends.hist')->texts;
        is("@ends", $low < 10 ? $high : "$low $high", "the scale has its ends $low and $high, unless close to 10");
    }
};

subtest 'cpus: from 1 to 128' => sub {
    for my $n (1, 16, 64, 128) {
        made('n.hist', ({}) x $n);
        for my $format ('svg', $n == 16 ? qw(png pdf) : ()) {
            my ($status, $out, $err) = run($analyze, 'plot', 'cpus', '-o', "n.$format", 'n.hist');
            is("$status $out$err", '0 ', "$n CPUs: $format");
        }
        my @labels = labels(contents('n.svg'));
        cmp_ok(min(map { $labels[$_][1] - $labels[ $_ - 1 ][1] } 1 .. $#labels), '>=', 20, "$n CPUs: labels do not touch") if $n > 1;
        is($labels[0][0], 0, "$n CPUs: the first label is CPU 0");
        is_deeply([map { $_->[0] } @labels], [0 .. $n - 1], "$n CPUs: each CPU has a label") if $n <= 40;
    }
};

# Of the y axis, its labels are right-aligned: [text, y].
sub labels {
    my ($text) = @_;
    my @all = $text =~ m{translate\([\d.]+,([\d.]+)\)"[^>]*text-anchor="end">\s*<text><tspan[^>]*>\s*(\d+)\*?\s*</tspan>}g;
    return map { [@all[2 * $_ + 1, 2 * $_]] } 0 .. $#all / 2;
}

subtest 'cpus: numbers are those of the CPUs' => sub {
    make_parts('some.hist', map { +{ cpu($_), header => { cpu => (2, 17, 9)[$_] } } } 0 .. 2);
    run($analyze, qw(plot cpus -o some.svg some.hist));
    my @labels = labels(contents('some.svg'));
    is_deeply([map { $_->[0] } @labels], [2, 9, 17], 'CPUs stand in the order of their numbers');
    my @boxes = coloured(drawn('cpus', 'some.hist'));
    my @widths = map { my $row = $_; max(map { @$_[0, 2] } grep { abs(mean([map { [0, $_] } @$_[1, 3]]) - $row) < 0.1 } @boxes) } 1 .. 3;
    ok($widths[0] < $widths[2] && $widths[2] < $widths[1], 'each CPU has its own boxes');
    is_deeply(keys_of(given('cpus', 'bound.hist')), [key('bound.hist', 0)], 'a run that was bound to one CPU');
    run($analyze, qw(plot cpus -o bound.svg bound.hist));
    is_deeply([map { $_->[0] } labels(contents('bound.svg'))], [3], 'a run on one CPU has one row');
};

subtest 'cpus: what is not valid' => sub {
    my ($suspect, $invalid) = map { { verdict => $_ } } 'suspect: it was', 'invalid: it went offline';
    made('bad.hist', {}, { header => $suspect }, { off => 1, header => $invalid }, { header => $suspect });
    my @texts = given('cpus', 'bad.hist')->texts;
    is_deeply([grep { /^\d\*?$/ && length == 2 } @texts], ['1*', '2*', '3*'], 'a CPU that is not valid has a star');
    is_deeply([grep { /^\* / } @texts], ['* INVALID: CPU 2; SUSPECT: CPU 1,3'], 'the key explains the star');
    ok((grep { $_ eq 'INVALID: 1 of 4 CPUs' } @texts), 'a note names the invalid CPUs');
    make_parts('long.hist', map { +{ cpu($_), header => { cpu => 2 * $_, verdict => 'suspect: it was' } } } 0 .. 63);
    my ($remark) = grep { /^\* / } given('cpus', 'long.hist')->texts;
    like($remark, qr/^\* SUSPECT: CPU 0,2,4,.*\.\.\.$/, 'the key names as many CPUs as it has room for');
    cmp_ok(length $remark, '<=', 70, 'the key fits');
};

subtest 'cpus: the limit, the measure' => sub {
    made('limit.hist', ({ header => { max_ns => 20_000 } }) x 4);
    ok((grep { $_ eq "--max=20\xc2\xb5s" } given('cpus', 'limit.hist')->texts), 'the limit is drawn');
    my @texts = given('cpus', '--measure=interval', 'limit.hist')->texts;
    ok((grep { $_ eq "% of a CPU's samples" } @texts), '--measure=interval counts samples');
};

subtest 'what is refused' => sub {
    my $old = "$data/low-latency-2.4.17.hist";
    my $unbound = "has no CPU that the run was bound to; give a report of 'realfeel --cpu'";
    for my $case (
        ["plain.hist: $unbound", 'cpus', 'plain.hist'],
        ["$old: $unbound", 'cpus', $old],
        ['2 runs are too many for one picture of this kind; choose one', 'cpus', 'four.hist', 'bound.hist'],
        ['2 runs are too many for one picture of this kind; choose one', 'slices', 'four.hist', 'two.hist'],
        ['13 runs are too many for one picture of this kind; choose at most 12', 'overlay', ('two.hist') x 13],
    ) {
        my ($message, @arguments) = @$case;
        my ($status, $out, $err) = run($analyze, 'plot', '-o', 'x.png', @arguments);
        is("$status $out", '1 ', "@arguments: exit status");
        is($err, "realfeel-analyze: $message\n", "@arguments: the message has the reason");
    }
};

done_testing;
