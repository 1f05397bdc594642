# SPDX-License-Identifier: GPL-2.0-or-later
# What a terminal shows of many runs: a line of text for each.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../lib lib ../../analyze/lib);
use Test::More;

use Drawing;
use MakeReport;
use RunCommand;

use constant TWO_SCREENS => 48;

sub shown {
    my ($locale, @arguments) = @_;
    local $ENV{LC_ALL} = $locale;
    my ($status, $out, $err) = run($analyze, 'plot', @arguments);
    is("$status $err", '0 ', "@arguments: drawn without a word");
    return split /\n/, $out;
}

# That of tests/unit/report_wrap.c, so that the program draws the same. From 1 us to 4096 us two cells are a factor of 2.
my @both = (['1.00', '1.01', 10_000_000], ['2.01', '2.02', 10], ['4.02', '4.03', 1000], ['4096.00', '4097.00', 1]);
make_report('both.hist', lateness => \@both, lateness_min => 1, lateness_max => 4096, header => { kernel_release => '6.1.0' });
make_report('late.hist', lateness => [['2.01', '2.02', 2]], lateness_max => 2.014,
    header => { kernel_release => '6.1.1', verdict => 'suspect: it was' });
make_report('none.hist', lateness => [], header => { kernel_release => '6.1.2', verdict => 'invalid: it failed' });

subtest 'each line' => sub {
    my @head = ('Lateness: histograms', 'Linux 6.1.0, 6.1.1 and 6.1.2, nanosleep, 2048 Hz', 'INVALID: 1 of 3 runs, as they are marked',
        'lateness: 0 to 10001011 periods each', 'both scales logarithmic: the same times for all, heights by the peak of each', '');
    is_deeply([shown('C', 'matrix', map { "$_.hist" } qw(both late none))], [
        @head,
        '      1.000 us        4.096 ms        p50       max',
        'both  @ : =                  .   1.010 us  4.096 ms  worst',
        'late    @                       ~2.014 us  2.014 us  SUSPECT',
        'none                                    -         -  INVALID',
    ], 'sketches are plain in the locale C');
    is((shown('C.UTF-8', 'matrix', 'both.hist', 'late.hist'))[-2],
        'both  █ ▂ ▄                  ▁   1.010 us  4.096 ms  worst', 'UTF-8 has block characters');
    local $ENV{PATH} = '/nowhere';
    is((shown('C', 'matrix', 'both.hist'))[-1], 'both.hist  @ : =                  .  1.010 us  4.096 ms',
        'a run alone is not the worst, and needs no gnuplot');
};

subtest 'cells and letters are those of the program' => sub {
    require Realfeel::Draw::Curves;
    my $source = join "", map { contents("$plots/../src/report/$_") } qw(report.h histogram_sketch.c);
    is(Realfeel::Draw::Curves::CELLS(), $source =~ /SKETCH_CELLS (\d+)/ ? $1 : '', 'a sketch has as many cells as that of the program');
    for my $name (qw(blocks plain)) {
        my ($letters) = $source =~ /${name}\[HEIGHTS \+ 1\] = \{(.*?)\}/s;
        is_deeply(Realfeel::Draw::Curves->can(uc $name)->(), [$letters =~ /"([^"]+)"/g], $name);
    }
};

subtest 'limits are drawn below the sketches' => sub {
    make_report("max$_.hist", lateness => \@both, lateness_min => 1, lateness_max => 4096,
        header => { max_ns => 1000 * $_, kernel_release => "6.1.$_" }) for 64, 8192;
    my ($scale, $low, $high) = (shown('C', 'matrix', 'max64.hist', 'max8192.hist'))[-5 .. -3];
    like($scale, qr/^ +1\.000 us {8}8\.192 ms /, 'a limit above the largest value lengthens the scale');
    is($low, '--max=64us    ' . ' ' x 11 . '|', 'a limit is shown in its cell, 6 of 13 octaves from the left');
    is($high, '--max=8192us  ' . ' ' x 23 . '|', 'each limit is shown');
};

# The cells of a ring, as a file of its own each, and all in one.
my @ring = map {
    my $most = 3 * 2**(1 + $_);
    make_report("ring$_.hist", lateness => [['3.00', '3.01', 500], [$most . '.00', $most + 1 . '.00', 1]], lateness_max => $most + 0.5,
        header => { source => 'ring', array_bytes => 16384 * ($_ % 3), processes => 2**(1 + int($_ / 3)), label => "cell $_" });
    "ring$_.hist";
} 0 .. 17;
file_of('all.hist', join '', map { contents($_) } @ring);

subtest 'eighteen cells fit two screens' => sub {
    for my $arguments (['matrix', @ring], ['all.hist']) {
        my @lines = shown('C', @$arguments);
        cmp_ok(scalar @lines, '<=', TWO_SCREENS, "@$arguments: eighteen cells fit two screens of 24 lines");
        is(scalar(grep { length > 79 } @lines), 0, "@$arguments: the lines have at most 79 columns");
        is_deeply([map { /^cell (\d+)  / ? $1 : () } @lines], [0 .. 17], 'a line each, in the order of the files');
        is_deeply([map { /^(.*?)  .* worst$/ ? $1 : () } @lines], ['cell 17'], "@$arguments: one cell is the worst");
    }
    like(picture('png', 'all.hist'), qr/\A\x89PNG/, 'the cells are a picture with -o');
};

subtest 'long names and many doubts' => sub {
    make_report("$_.hist", lateness => \@both, lateness_max => 4096, header => { label => $_ x 70 . " $_",
        verdict => 'suspect: it was', schedule => 'contradicted: x' }) for qw(a b);
    my @lines = shown('C', 'matrix', 'a.hist', 'b.hist');
    like($lines[-2], qr/^a+\.\.\.a* a  @/, 'names keep their ends');
    like($lines[-2], qr/ms  worst, SUSPECT/, 'the verdict stands before other doubts');
    is(scalar(grep { length > 79 } @lines), 0, 'long names and many doubts fit 79 columns');
};

done_testing;
