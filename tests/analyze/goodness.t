# SPDX-License-Identifier: GPL-2.0-or-later
# The tests of a series and of a fit: values by hand, published figures, and false alarms.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use List::Util qw(sum);
use Test::More;

use Realfeel::Tail::GoodnessOfFit qw(anderson_darling chance dip gap);
use Realfeel::Chance qw(generator);
use Realfeel::Tail::Stationarity qw(halves neighbours runs_differ trend);

my $seed = $ENV{SEED} // 20_020_701;    # fixed, for chance alone would make it fail now and then
srand $seed;
diag "SEED=$seed";

sub close_to {
    my ($got, $expected, $name, $error) = @_;
    ok(defined $got && abs($got - $expected) <= ($error // 1e-9), $name)
        or diag 'got ', $got // 'undef', ", expected $expected";
}

subtest 'a trend' => sub {
    my ($tau, $p) = trend([1 .. 10]);
    is($tau, 1, 'all pairs rise');
    close_to($p, 8.303e-5, 'z = 44 / sqrt(125) = 3.9355', 1e-7);
    is((trend([reverse 1 .. 10]))[0], -1, 'all fall');
    ($tau, $p) = trend([1, 2, 1, 2]);
    close_to($tau, 1 / 3, 'of 6 pairs 3 rise, 1 falls, 2 are equal');
    is_deeply([trend([5, 5, 5])], [0, 1], 'equal values have none');
    is_deeply([trend([5])], [0, 1], 'nor has one');
    close_to((trend([1 .. 10], [map { 100 + $_ } 1 .. 10]))[0], 1, 'two series are not compared with each other');
    close_to((trend([101 .. 110], [1 .. 10]))[0], 1, 'whatever their order');
};

subtest 'halves' => sub {
    is((halves([1, 2, 3, 4, 5, 6]))[0], 1, 'apart: the distance is 1');
    is((halves([1, 4, 2, 1, 4, 2]))[0], 0, 'alike: 0');
    is((halves([1, 9, 99, 1, 9]))[0], 0, 'the middle one is in neither');
    close_to((halves([1, 2, 3, 4, 3, 4, 5, 6]))[0], 0.5, 'by hand: at 2, 2/4 and 0');
    close_to((halves([1 .. 50, 15 .. 64]))[1], 0.0317, 'p of 0.28 in 50 and 50: 2 exp(-2 * 1.44**2)', 5e-4);
    is_deeply([halves([5])], [0, 1], 'one value has none');
};

subtest 'neighbours' => sub {
    close_to((neighbours([1, 2, 3, 4, 5]))[0], 0.4, 'by hand: (2 + 0 + 0 + 2) / 10');
    cmp_ok((neighbours([(1, 2) x 50]))[0], '<', -0.9, 'in turns');
    cmp_ok((neighbours([(1, 2) x 50]))[1], '<', 1e-9, 'which is not chance');
    is_deeply([neighbours([5, 5, 5])], [0, 1], 'equal values have no order');
};

subtest 'runs' => sub {
    my ($statistic, $p) = runs_differ([1, 2, 3], [4, 5, 6]);
    close_to($statistic, 27 / 7, 'by hand: 12 / 42 * (3 * 1.5**2 * 2)');
    close_to($p, 0.0495, 'p of a chi-square of 3.857', 0.003);
    close_to((runs_differ([1 .. 3], [4 .. 6], [7 .. 9]))[1], exp(-3.6), 'three runs: of 7.2', 1e-3);
    is_deeply([runs_differ([1, 2, 3])], [0, 1], 'one run does not differ');
    is_deeply([runs_differ([1, 1], [1])], [0, 1], 'nor do equal values');
};

subtest 'the distance of Anderson and Darling, by hand' => sub {
    close_to(anderson_darling(0.5), -1 + 2 * log 2, 'one value in the middle');
    close_to(anderson_darling(0.25, 0.75), -2 - (log(1 / 16) + 3 * log(9 / 16)) / 2, 'two');
    cmp_ok(anderson_darling(0, 0.5, 1), '>', 5, 'values that cannot be are far off, and finite');
};

# The spacings of an exponential sample, each times the number of values above it, are exponential too.
subtest 'the widest gap' => sub {
    is(gap(0, 1, 2, 3, 7, 9, 11, 13), 16, 'by hand: below the four largest it is 4');
    is(gap(1 .. 7, 99), 4, 'one far off is left out; of all that are 1 that below four counts most');
    is(gap(5, 5, 5, 5, 5, 5), 0, 'equal values have none');
    is(gap(1, 2, 3), 0, 'nor have few');
    my $limit = -log(1 - 0.95**(1 / 48));
    my $above = grep { gap(sort { $a <=> $b } map { -log(rand() || 0.5) } 1 .. 100) > $limit } 1 .. 1000;
    close_to($above, 50, 'the largest of 48: one in twenty is above the limit', 35);
};

# From the table of the dip in Maechler's diptest for uniform samples: n, its median, 95 % and 99 %.
subtest 'the dip' => sub {
    close_to(dip(1 .. 20), 1 / 40, 'evenly spaced: the least there is');
    close_to(dip(-1, 0, 1), 1 / 6, 'of three, too');
    close_to(dip((map { $_ * 1e-9 } 1 .. 50), (map { 1 + $_ * 1e-9 } 1 .. 50)), 1 / 4, 'two needles: the most', 1e-6);
    close_to(dip(1, 2, 3, 10, 11, 12), dip(map { 7 + 5 * $_ } 1, 2, 3, 10, 11, 12), 'scale and shift');
    close_to(dip(1, 2, 4, 8, 16, 32), dip(map { -$_ } reverse 1, 2, 4, 8, 16, 32), 'and turned round');
    is(dip(5, 5, 5), 0, 'equal values');
    for my $case ([10, 0.0978, 0.1396, 0.1597], [100, 0.03546, 0.05113, 0.05902]) {
        my ($n, @published) = @$case;
        my @dips = sort { $a <=> $b } map { dip(sort { $a <=> $b } map { rand } 1 .. $n) } 1 .. 1000;
        for ([500, 0], [950, 1], [990, 2]) {
            my ($rank, $i) = @$_;
            close_to($dips[$rank] / $published[$i], 1, "$n values: $rank of 1000 are below", 0.1);
        }
    }
};

subtest 'random numbers' => sub {
    my ($one, $other, $again) = map { generator($_) } 1, 2, 1;
    my @drawn = map { $one->() } 1 .. 20_000;
    is_deeply([map { $again->() } 1 .. 20_000], \@drawn, 'the same for the same seed');
    isnt($other->(), $drawn[0], 'others for another');
    is(scalar(grep { $_ <= 0 || $_ >= 1 } @drawn), 0, 'between 0 and 1');
    close_to(sum(@drawn) / @drawn, 0.5, 'on average 1/2', 0.01);
    cmp_ok((neighbours([@drawn[0 .. 999]]))[1], '>', 1e-4, 'each independent of the one before');
    ok(generator('9' x 18)->() < 1, 'a large seed');
};

subtest 'how often chance does it' => sub {
    my $calls = 0;
    is(chance(5, sub { $calls++; 9 }), 1, 'always');
    is($calls, 10, 'which ten drawings show');
    is(chance(5, sub { 1 }), 1 / 500, 'never, in 499');
    $calls = 0;
    close_to(chance(5, sub { $calls++ % 4 ? 1 : 5 }), 10 / 37, 'one in four: the tenth is the 37th');
};

# Of 2000 samples without anything in them, p is below 5 % in 100 +- 10.
subtest 'false alarms' => sub {
    my %alarms;
    for (1 .. 2000) {
        my @series = map { [map { -log(rand() || 0.5) } 1 .. 30] } 1 .. 2;
        my %p = (trend => (trend(@series))[1], halves => (halves(@series))[1], neighbours => (neighbours(@series))[1],
            runs => (runs_differ(@series))[1]);
        $alarms{$_} += $p{$_} <= 0.05 for keys %p;
    }
    for my $name (sort keys %alarms) {
        diag sprintf '%-10s %.1f %% at 5 %%', $name, $alarms{$name} / 20;
        cmp_ok($alarms{$name}, '<=', 145, "$name: not too many");
        cmp_ok($alarms{$name}, '>=', 55, "$name: not too few");
    }
};

done_testing;
