# SPDX-License-Identifier: GPL-2.0-or-later
# Every kind of plot, of runs that are hard to draw.
use strict;
use warnings;
use File::Copy qw(copy);
use FindBin;
use List::Util qw(uniqnum);
use lib map { "$FindBin::Bin/$_" } qw(../lib lib ../../analyze/lib);
use Test::More;

use Drawing;
use MakeReport;
use Realfeel::Draw::Plot qw(inline_svgs);
use Realfeel::Model::Cpus qw(runs_of);
use Realfeel::Model::Names qw(names);
use Realfeel::Model::Report;
use RunCommand;
use Svg;

use constant KINDS => qw(histogram overlay percentiles exceedance matrix);

my @old = map { "$data/$_-2.4.17.hist" } qw(preempt-lolat low-latency);

make_report('one.hist', lateness => [['12.34', '12.35', 1]], interval => [['3.10', '3.11', 1]],
    lateness_min => 12.344, lateness_max => 12.344, interval_min => 3.1, interval_max => 3.1,
    slices => [['0.000000', '0.000488', 1, 1, 0, '12.344', '3.100']],
    slice_bins => [['0.000000', '0.000488', '12.00', '13.00', 1]]);
make_report('zero.hist', lateness => [['0.00', '0.01', 1000]], lateness_min => 0, lateness_max => 0, interval_min => 0,
    interval_max => 0, slices => [['0.000000', '1.000000', 1000, 1000, 0, '0.000', '0.000']],
    slice_bins => [['0.000000', '1.000000', '0.00', '0.01', 1000]]);

# A wake-up that served the periods of 300 s.
my @late = map { [map { sprintf '%.2f', $_ } 1e6 * $_, 1e6 * ($_ + 1)] } 0 .. 299;
make_report('stall.hist', lateness => [['2.00', '2.01', 9999], ['3.00', '3.01', 1], map { [@$_, 2048] } @late[1 .. 299]],
    interval => [['0.10', '0.11', 9999], ['299000000.00', '300000000.00', 1]],
    lateness_max => 299.9e6, interval_min => 0.1, interval_max => 299.8e6, header => { verdict => 'suspect: suspended for 300 s' },
    slices => [['0.000000', '5.000000', 9999, 9999, 0, '2.001', '1.000'],
        ['5.000000', '301.000000', 1, 612353, 612352, '299900000.000', '299800000.000']],
    slice_bins => [['0.000000', '5.000000', '2.00', '2.10', 9999],
        map { ['5.000000', '301.000000', "${_}0000000.00", $_ + 1 . '0000000.00', 20412] } 1 .. 29]);
make_report('huge.hist', lateness => [['2.00', '2.01', 10**15], ['50.00', '50.01', 3]], lateness_max => 50.005);
make_report('invalid.hist', lateness => [['2.00', '2.01', 10]], lateness_max => 2.005,
    header => { verdict => 'invalid: "p" <script> _x_ ^{2}', kernel_release => "6.1_rt^{7} \"q\" <&> m\xc3\xbc" });
for my $i (0 .. 11) {
    make_report("run$i.hist", lateness => [['3.00', '3.01', 500], [40 + $i, 41 + $i, 3]], lateness_max => 40.5 + $i,
        interval => [['1.00', '1.01', 300]], early => [['0.50', '0.51', 203]], interval_min => -0.505, interval_max => 1.005,
        header => { kernel_release => '6.1.' . $i % 3, load => ('none', 'hackbench', 'dd', 'stress-ng --cpu 1')[$i / 3] });
}

my @twelve = map { "run$_.hist" } 0 .. 11;
# By one gnuplot, which warns of nothing.
my @hard = (['one.hist'], ['zero.hist'], ['stall.hist'], ['huge.hist', 'run0.hist'], [@old], \@twelve);
my @wanted = ((map { my $files = $_; map { [$_, @$files] } KINDS } @hard), map { ['slices', $_] } 'one.hist', 'zero.hist', 'stall.hist');
my ($warned, @svgs) = stills(@wanted);
is($warned, '', 'runs that are hard to draw are drawn without a word');
for my $i (0 .. $#wanted) {
    my ($kind, @files) = @{ $wanted[$i] };
    is(scalar(() = $svgs[$i] =~ m{</svg>}g), 1, "$kind of @files: one picture");
    my @names = names(map { Realfeel::Model::Report->read($_) } @files);
    my $titles = $kind eq 'matrix' ? @files : grep { $svgs[$i] =~ /\Q$_: / } @names;
    is($titles, scalar @files, "$kind of @files: each run is in the key");
}

# What gnuplot complains about, and the pictures.
sub stills {
    open my $kept, '>&', \*STDERR or die $!;
    open STDERR, '>', 'complaint' or die $!;
    my @drawn = inline_svgs($plots, map {
        my ($kind, @files) = @$_;
        [$kind, undef, [runs_of(map { Realfeel::Model::Report->read($_) } @files)]];
    } @_);
    open STDERR, '>&', $kept;
    return (contents('complaint'), map { $_->[0] // $_->[1] } @drawn);
}

subtest 'the other formats' => sub {
    like(picture('png', 'slices', 'stall.hist'), qr/\A\x89PNG\r\n/, 'slices: a PNG');
    like(picture('pdf', 'slices', 'stall.hist'), qr/\A%PDF-/, 'slices: a PDF');
    for my $kind (KINDS) {
        my @files = ('stall.hist', 'run0.hist');
        local $ENV{LC_ALL} = 'C' if $kind eq 'matrix';      # the others have ASCII in any locale
        my ($status, $out, $err) = run($analyze, 'plot', $kind, @files);
        is("$status $err", '0 ', "$kind: in the terminal");
        unlike($out, qr/[^\n\x20-\x7e]|.{80}/, "$kind: 79 columns of ASCII");
        like($out, qr/suspect/i, "$kind: with the verdict");
    }
};

subtest 'no kind is named' => sub {
    for (['histogram', 'run0.hist'], ['exceedance', 'run0.hist', 'run4.hist']) {
        my ($kind, @files) = @$_;
        is_deeply([run($analyze, 'plot', @files)], [run($analyze, 'plot', $kind, @files)], "of @files: $kind");
    }
    is_deeply([run($analyze, qw(plot --measure=interval run0.hist))], [run($analyze, qw(plot histogram --measure=interval run0.hist))],
        'with an option');
};

subtest 'an invalid run is marked' => sub {
    for my $kind (KINDS) {
        my @texts = given($kind, 'invalid.hist')->texts;
        ok((grep { $_ eq 'INVALID: "p" <script> _x_ ^{2}' } @texts), "$kind: a note with the reason");
        ok((grep { /^Linux 6\.1_rt\^\{7\} "q" <&> m\xc3\xbc, nanosleep/ } @texts), "$kind: the title as it is");
        ok((grep { /INVALID$/ } @texts), "$kind: in the key");
    }
    like((run($analyze, 'plot', $_, 'invalid.hist'))[1], qr/INVALID: "p" <script>/, "$_: in the terminal, too") for qw(histogram matrix);
};

subtest 'a long red line' => sub {
    my @words = map { "reason$_" } 10 .. 29;
    my $first = "INVALID: @words[0 .. 5]";
    for my $case (
        ["@words", $first, "@words[6 .. 10] ... (stats -v has all)"],
        ["@words[0 .. 12]", $first, "@words[6 .. 12]"],
        ['x' x 200, 'INVALID:', 'x' x 65 . '...'],
    ) {
        my ($reason, @lines) = @$case;
        make_report('told.hist', lateness => [['2.00', '2.01', 10]], lateness_max => 2.005, header => { verdict => "invalid: $reason" });
        for my $kind (qw(histogram matrix)) {
            my @red = split /\n/, given($kind, 'told.hist')->{note};
            is_deeply(\@red, \@lines, "$kind: two lines, which say where the rest is");
        }
    }
};

subtest 'names' => sub {
    my %shown = ("a\"b'c_d^{e}.hist" => "a\"b'c_d^{e}.hist", '<script>&.hist' => '<script>&.hist',
        "m\xc3\xbc\xe6\x97\xa5_x.hist" => "m\xc3\xbc\xe6\x97\xa5_x.hist", "no\xff_utf8.hist" => 'no\xff_utf8.hist',
        "turned\xe2\x80\xae.hist" => 'turned\xe2\x80\xae.hist');
    copy('run0.hist', $_) or die "$_: $!" for keys %shown;
    my @names = sort keys %shown;
    for my $kind (KINDS) {
        my @texts = ($kind eq 'overlay' ? drawn($kind, @names) : given($kind, @names))->texts;
        for my $name (@names) {
            ok((grep { index($_, $shown{$name} =~ s/\.hist$//r) == 0 } @texts), "$kind: $shown{$name}");
        }
    }
};

subtest 'the matrix is filled row by row' => sub {
    my $svg = picture('svg', 'matrix', @twelve);
    my @at = map { [$svg =~ m{translate\(([\d.]+),([\d.]+)\)"[^>]*>\s*<text>run$_<}] } 0 .. 11;
    is_deeply([map { scalar uniqnum map { $_->[0] } @at[@$_] } [0, 3, 6, 9], [0, 1, 2]], [1, 3], 'in three columns');
    is_deeply([map { scalar uniqnum map { $_->[1] } @at[@$_] } [0, 1, 2], [0, 3, 6, 9]], [1, 4], 'and four rows');
    cmp_ok($at[0][0], '<', $at[1][0], 'from the left');
    cmp_ok($at[0][1], '<', $at[3][1], 'and from above');
    is(scalar(() = $svg =~ /<text>max \d/g), 12, 'twelve maxima');
    copy('run0.hist', "many$_.hist") or die $! for 12 .. 36;
    my @many = (@twelve, map { "many$_.hist" } 12 .. 35);
    is(scalar(grep { /^max \d/ } given('matrix', @many)->texts), 36, 'up to 36 runs');
    like((run($analyze, qw(plot matrix -o x.svg), @many, 'many36.hist'))[2],
        qr/37 reports are too many for one picture of this kind; choose at most 36$/m, 'no more');
};

# A line of 68 letters, the last of them capitals, went beyond the right edge.
subtest 'a key that fits' => sub {
    my @long = map { $_ x 60 . '.hist' } 'a', 'b';
    make_report($_, lateness => [['4.00', '4.01', 3813]], lateness_max => 1_873_834.5, header => { verdict => 'suspect: it was' })
        for @long;
    my @keys = grep { /SUSPECT$/ } given('overlay', @long)->texts;
    is_deeply([map { length s/\xc2\xb5/u/r } @keys], [66, 66], 'has 66 letters, and the doubt');
};

subtest 'SVGs for a page' => sub {
    my ($old, @runs) = map { runs_of(Realfeel::Model::Report->read($_)) } $old[0], 'one.hist', 'stall.hist';
    my @wishes = map { [$_, 'lateness', \@runs] } KINDS;
    my @drawn = inline_svgs($plots, ['histogram', 'lateness', [$old]], @wishes, ['slices', undef, \@runs]);
    is_deeply([map { defined $_->[0] ? 1 : 0 } @drawn], [0, (1) x @wishes, 0], 'what can be drawn is drawn');
    like($drawn[0][1], qr/: has no lateness; .*\n\z/, 'else there is the reason');
    like($drawn[-1][1], qr/^2 reports are too many .*\n\z/, 'of each');
    for (1 .. @wishes) {
        my ($kind, $svg) = ($wishes[$_ - 1][0], $drawn[$_][0]);
        is(scalar(() = $svg =~ /<svg /g), 1, "$kind: one picture");
        like($svg, qr/<svg .*stall: .*<\/svg>\s*\z/s, "$kind: of these runs") unless $kind eq 'matrix';
        unlike($svg, qr/<script|onload|onclick/, "$kind: without a script");
        my ($alone) = inline_svgs($plots, $wishes[$_ - 1]);
        is(without_empty_groups($svg), without_empty_groups($alone->[0]), "$kind: as it is when drawn alone");
    }
    my ($named) = inline_svgs($plots, ['slices', undef, [$runs[0]], ['the first']]);
    like($named->[0], qr/>\s*the first: /, 'a run that has a name already keeps it');
};

# Their pen is that of what was drawn before.
sub without_empty_groups { my ($svg) = @_; return $svg =~ s/<g[^<>]*>\s*<\/g>//gr }

subtest 'several pictures by one gnuplot hold names as they are' => sub {
    my @names = ('"; !touch y', '`touch y`', '$(touch y)', '@x %d \\n \\', "it's");
    for my $name (@names) {
        make_report('named.hist', lateness => [['3.00', '3.01', 500]], lateness_max => 3.005, header => { label => $name });
        my @runs = runs_of(Realfeel::Model::Report->read('named.hist'));
        my @drawn = inline_svgs($plots, map { [$_, undef, \@runs] } qw(histogram percentiles));
        ok((grep { index($_, "$name: 500 periods") == 0 } Svg->new($_->[0])->texts), $name) for @drawn;
    }
    ok(!-e 'y', 'and run none of them');
};

subtest 'the limit is drawn and named' => sub {
    my @runs = map { my $max_us = $_; make_report("max$max_us.hist", lateness => [['3.00', '3.01', 500], [40, 41, 3]],
        lateness_max => 40.5, slices => [['0.000000', '0.300000', 503, 503, 0, '40.500', '3.100']],
        slice_bins => [['0.000000', '0.300000', '3.00', '3.10', 500], ['0.000000', '0.300000', '40.00', '41.00', 3]],
        header => { max_ns => 1000 * $max_us }); "max$max_us.hist" } 20, 100, 1000;
    for my $kind (KINDS, 'slices') {
        my ($drawn, @others) = (drawn($kind, $runs[0]), map { given($kind, $_) } @runs[1, 2]);
        my %seen = map { $runs[$_] => 0 + !!grep { /--max=/ } ($drawn, @others)[$_]->texts } 0 .. 2;
        is("@seen{@runs}", '1 1 0', "$kind: a limit below the maximum, one above, but none that is far above");
        next if $kind eq 'slices' || $kind eq 'overlay';
        my ($status, $out) = run($analyze, 'plot', $kind, $runs[0]);
        is(scalar(() = $out =~ /--max=20us/g), 1, "$kind: in the terminal");
    }
    my ($with, $without) = map { scalar(() = picture('svg', 'slices', $_) =~ /stroke='(?:rgb\(255, 255, 255\)|white|#ffffff)'/gi) }
        @runs[0, 2];
    cmp_ok($with, '>', $without, 'a limit has a white edge on a heat map');
    is(scalar(grep { /--max=/ } drawn('matrix', @runs[0, 1, 0, 1])->texts), 1, 'the names stand once below histograms side by side');
    my @texts = given('overlay', @runs)->texts;
    is_deeply([grep { /^--max/ } @texts], ["--max=20\xc2\xb5s", "--max=100\xc2\xb5s"], 'each of several');
    @texts = given('overlay', '--measure=interval', $runs[0])->texts;
    is_deeply([grep { /^--max/ } @texts], [], 'it is one of the lateness');
};

subtest 'a key has room for what tells its runs apart' => sub {
    my @files = map { 'x' x 40 . "-$_-" . 'y' x 40 . '.hist' } qw(a b);
    copy('run0.hist', $_) or die $! for @files;
    my @texts = given('overlay', @files)->texts;
    is(scalar(grep { /^[ab]: 503 periods, max 40\.50/ } @texts), 2, 'the names are a and b');
    make_report("long.hist", lateness => [['3.00', '3.01', 500]], lateness_max => 3.005,
        header => { label => 'first ' . 'x' x 90 . ' last', verdict => 'invalid', schedule => 'contradicted: x' });
    @texts = given('overlay', 'long.hist')->texts;
    my ($key) = grep { /INVALID$/ } @texts;
    like($key, qr/^first x+\.\.\.x* last: .*INVALID$/, 'a long name keeps its ends');
    cmp_ok(length $key, '<=', 70, 'and fits');
    make_report("run$_.hist", lateness => [['3.00', '3.01', 500]], lateness_max => 3.005,
        header => { kernel_release => "6.1.0-56-$_-amd64" }) for qw(cloud rt);
    @texts = given('overlay', 'runcloud.hist', 'runrt.hist')->texts;
    ok((grep { /^Linux 6\.1\.0-56-cloud-amd64 and 6\.1\.0-56-rt-amd64\b/ } @texts), 'the title names both kernels');
    make_report("run$_.hist", lateness => [['3.00', '3.01', 500]], lateness_max => 3.005,
        header => { kernel_release => '6.1.0-56-' . (/RT/ ? 'rt' : 'cloud') . '-amd64', preemption => $_ })
        for qw(none voluntary full PREEMPT_RT);
    @texts = given('overlay', map { "run$_.hist" } qw(none voluntary full PREEMPT_RT))->texts;
    ok((grep { $_ eq 'Linux 6.1.0-56, four preemption models, nanosleep, 2048 Hz' } @texts), 'or the version and how many models');
};

# Where a program tells of a value beyond its histogram, the median may be unknown.
subtest 'the title says what is shown, where and when' => sub {
    make_report("on$_->[0].hist", lateness => [['3.00', '3.01', 500]], lateness_max => 3.005,
        header => { hostname => $_->[0], started => "2026-03-0$_->[1]T01:02:03Z" }) for ['box', 1], ['lab', 4];
    my %first = map { $_ => (given($_, 'onbox.hist', 'onlab.hist')->texts)[0] } KINDS;
    is_deeply([@first{ +KINDS }], [map { "Lateness: $_, box and lab, 2026-03-01 to 2026-03-04" }
        'histogram', 'histograms of shares', 'percentiles', 'share above', 'histograms'], 'of two hosts and days');
    make_report('far.hist', lateness => [['3.00', '3.01', 500]], lateness_max => 3.005, header => { hostname => 'h' x 90 . '.org' });
    like((given('overlay', 'far.hist')->texts)[0], qr/^(?=.{60,68}$)Lateness: histograms of shares, h+\.\.\.h+\.org$/,
        'a long name has room');
};

subtest 'no median' => sub {
    my $json = "$data/import/two-threads.json";
    is((run($analyze, qw(import --format=rt-tests -o beyond.hist), $json))[0], 0, 'imported');
    make_report('open.hist', lateness => [['3.00', '3.01', 5], ['10.00', 'inf', 9]], lateness_max => 300);
    drawn($_, 'beyond.hist', 'open.hist') for qw(percentiles histogram exceedance);
};

subtest 'kinds that a terminal cannot draw' => sub {
    for my $kind (qw(cpus slices parts timeline)) {
        my ($status, $out, $err) = run($analyze, 'plot', $kind, 'one.hist');
        is("$status $out$err", "1 realfeel-analyze: $kind can only be drawn to a file; add -o $kind.png\n", "$kind in the terminal");
    }
};

subtest 'templates alone say who loads them' => sub {
    for my $kind (map { /(\w[-\w]*)\.gp\z/ && $1 ne 'style' ? $1 : () } glob "$plots/*.gp") {
        my ($status, $out, $err) = run('gnuplot', "$plots/$kind.gp");
        is($status, 1, "$kind: exit status");
        like($out . $err, qr/^\Q$kind\E\.gp is loaded by realfeel-analyze, which sets what style\.gp names$/m, "$kind: message");
        like(contents("$plots/$kind.gp"), qr/^# DATA .*^# All others are described in style\.gp\.$/ms, "$kind: its head");
    }
};

done_testing;
