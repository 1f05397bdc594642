# SPDX-License-Identifier: GPL-2.0-or-later
# The figures of a comparison, against values computed by hand and against a slow reference that holds every sample.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use List::Util qw(max);
use Test::More;

use Realfeel::Compare::Bootstrap qw(blocks spread spread_of_samples);
use Realfeel::Distribution;
use Realfeel::Compare::Effect qw(a12 distance size);
use Realfeel::Compare::Maxima qw(maxima);
use Realfeel::Random qw(generator);
use Realfeel::Compare::Ratio qw(beyond_chance ratio);
use Realfeel::Compare::Student qw(t_within);

sub bins {
    my @bins = @_;
    return Realfeel::Distribution->new(
        low   => [map { $_->[0] } @bins],
        high  => [map { $_->[1] } @bins],
        count => [map { $_->[2] } @bins],
    );
}

sub close_to {
    my ($got, $expected, $name, $error) = @_;
    ok(defined $got && abs($got - $expected) <= ($error // 1e-9) * (abs($expected) + 1), $name)
        or diag 'got ', $got // 'undef', ", expected $expected";
}

subtest 'effects by hand: 1 1 3 and 1 2 2 3' => sub {
    my $base = bins([1, 2, 2], [3, 4, 1]);
    my $file = bins([1, 2, 1], [2, 3, 2], [3, 4, 1]);
    close_to(a12($base, $file), (1 + 2 * 2 + 2.5) / 12, 'A12: 1 beats no one, draws 2; each 2 beats 2; 3 beats 2, draws 1');
    close_to(a12($file, $base), 1 - 7.5 / 12, 'the other way round');
    close_to(distance($base, $file)->{distance}, 2 / 3 - 1 / 4, 'distance: 2 of 3 below 2, and 1 of 4');
    is(distance($base, $file)->{at}, 2, 'where');
    is_deeply(distance($base, $base), { distance => 0, at => undef }, 'none');
    is(a12($base, $base), 0.5, 'neither is greater');
};

subtest 'bins of different width' => sub {
    my $fine = bins(map { [$_ / 10, ($_ + 1) / 10, 10] } 0 .. 19);
    my $wide = bins([0, 1, 7], [1, 2, 7]);
    is(a12($fine, $wide), 0.5, 'those that overlap are one: A12');
    is(distance($fine, $wide)->{distance}, 0, 'and distance');
    close_to(a12(bins([0, 1, 1]), bins([0.5, 1.5, 1], [1.5, 2, 1])), 0.75, 'a chain of overlaps is one cell');
};

subtest 'sizes' => sub {
    is_deeply([map { size($_) } 0.5, 0.55, 0.57, 0.35, 0.72, 0], [qw(negligible negligible small medium large large)], 'words');
};

subtest 't, from tables; more than 100 degrees are taken as 100' => sub {
    my %table = (1 => 12.706, 2 => 4.303, 3 => 3.182, 9 => 2.262, 10 => 2.228, 30 => 2.042, 100 => 1.984, 120 => 1.984);
    close_to(t_within(0.95, $_), $table{$_}, "95 %, $_", 2e-4) for sort keys %table;
    close_to(t_within(0.99, 5), 4.032, '99 %, 5', 2e-4);
    close_to(t_within(0.95, 1.5), sqrt(12.706 * 4.303), 'half of a degree: the geometric mean', 2e-4);
    is(t_within(0.95, 0), t_within(0.95, 1), 'one is the least');
};

sub slices { return { unit => 'slices', blocks => [@_] } }

subtest 'the spread of blocks, by hand' => sub {
    my @alike = map { { '1.00' => 90, '2.00' => 10 } } 1 .. 8;
    my ($even) = spread(slices(@alike), [0.9], 50, generator(1));
    close_to($even->{sd}, 0, 'blocks that are alike do not vary');
    is($even->{clusters}, 8, 'and are clusters, each of them');
    my ($burst) = spread(slices(({ 1 => 1000 }) x 5, { 1 => 900, 2 => 100 }, ({ 1 => 1000 }) x 4), [0.99], 4000, generator(1));
    is($burst->{clusters}, 1, 'one block holds all values beyond');
    # The burst is drawn 0, 1, 2 ... of 10 times: variance 0.9, each moves the share by 1 %; times 10 / 9 for the sample.
    close_to($burst->{sd}, 0.01, 'and is drawn or not', 0.001);
    my ($halves) = spread(slices(({ 1 => 10 }, { 2 => 10 }) x 10), [0.5], 4000, generator(1));
    close_to($halves->{sd}, sqrt(0.25 / 19), 'half of the blocks below', 0.005);
    my ($drift) = spread(slices(({ 1 => 10 }) x 10, ({ 2 => 10 }) x 10), [0.5], 4000, generator(1));
    close_to($drift->{sd}, sqrt(0.25 / 19 * 1.9 / 0.1), 'first all below, then none: 18 / 20 and 1 / 20 alike, 0.9 at most', 0.01);
    close_to($drift->{clusters}, 10 * 0.1 / 1.9, 'less than one cluster');
    ($drift) = spread({ unit => 'runs', blocks => [({ 1 => 10 }) x 10, ({ 2 => 10 }) x 10] }, [0.5], 4000, generator(1));
    close_to($drift->{sd}, sqrt(0.25 / 19), 'runs are each for itself', 0.005);
    my ($inside) = spread(slices(map { { 1 => 4, 2 => 4 } } 1 .. 5), [0.75], 5, generator(1));
    is($inside->{clusters}, 5, 'a share inside a bin');
    my ($sample, $four) = spread_of_samples(10_000, [0.99, 0.5], 1, 4);
    close_to($sample->{sd}, sqrt(0.99 * 0.01 / 10_000), 'samples');
    close_to($sample->{clusters}, 100, 'each for itself');
    close_to($four->{sd}, sqrt(0.5 * 0.5 / 2500), 'in fours');
    close_to($four->{clusters}, 1250, 'half of the fours');
};

subtest 'blocks' => sub {
    my %bins = (start_s => [0, 0, 1, 2, 0], from_us => [1, 2, 1, 1, 1], lateness => [1, 2, 3, 4, 5], run => [1, 1, 1, 1, 2]);
    is_deeply(blocks(\%bins), { unit => 'slices', units => 4, blocks => [{ 1 => 1, 2 => 2 }, { 1 => 3 }, { 1 => 4 }, { 1 => 5 }] },
        'slices of few runs');
    my %runs = (%bins, run => [1, 1, 2, 3, 5], start_s => [0, 0, 0, 0, 0]);
    is(blocks(\%runs)->{unit}, 'slices', 'four runs tell too little');
    %runs = map { my $c = $_; $c => [map { @{ $runs{$c} } } 1, 2] } keys %runs;
    $runs{run} = [1, 1, 2, 2, 2, 3, 3, 3, 4, 5];
    is_deeply(blocks(\%runs), { unit => 'runs', units => 5,
        blocks => [{ 1 => 1, 2 => 2 }, { 1 => 12 }, { 1 => 4, 2 => 2 }, { 1 => 4 }, { 1 => 5 }] }, 'five runs');
    my %many = (start_s => [0 .. 24], from_us => [(1) x 25], lateness => [1 .. 25]);
    is_deeply([map { $_->{1} } @{ blocks(\%many)->{blocks} }],
        [1 + 2, 3 + 4 + 5, 6 + 7, 8 + 9 + 10, 11 + 12, 13 + 14 + 15, 16 + 17, 18 + 19 + 20, 21 + 22, 23 + 24 + 25],
        'ten at most, of neighbours');
    is_deeply(blocks({ start_s => [], from_us => [], lateness => [] }), { unit => 'slices', units => 0, blocks => [] }, 'none');
};

sub run_of {
    my ($sd, $clusters, @bins) = @_;
    return { distribution => bins(@bins), spread => { 10 => { sd => $sd, clusters => $clusters } } };
}

subtest 'ratios by hand' => sub {
    my $base = run_of(0, 1e6, [1, 2, 85], [2, 2.5, 5], [10, 11, 10]);
    my $file = run_of(0, 1e6, [1, 2, 85], [4, 5, 5], [10, 11, 10]);
    my $ratio = ratio($base, $file, 10, 0.95);
    close_to($ratio->{ratio}, 2, 'of the upper edges: 5 and 2.5');
    close_to($ratio->{low}, 4 / 2.5, 'no chance: the widths of the bins alone, low');
    close_to($ratio->{high}, 5 / 2, 'and high');
    is(beyond_chance($ratio), 1, 'greater');
    is(beyond_chance(ratio($file, $base, 10, 0.95)), -1, 'less');
    is(beyond_chance(ratio($base, $base, 10, 0.95)), 0, 'neither');
    $file->{spread}{10}{sd} = 0.03;     # 90 % - 5.9 %: in the bin of 1; 90 % + 5.9 %: in that of 10
    $ratio = ratio($base, $file, 10, 0.95);
    close_to($ratio->{low}, 1 / 2.5, 'chance in one run, low');
    close_to($ratio->{high}, 11 / 2, 'and high');
    $base->{spread}{10}{sd} = 0.03;
    $ratio = ratio($base, $file, 10, 0.95);
    close_to($ratio->{low}, 4 / 2.5 * exp(-sqrt(log(4)**2 + log(11 / 2.5)**2)), 'in both, low');
    close_to($ratio->{high}, 5 / 2 * exp(sqrt(log(11 / 5)**2 + log(2)**2)), 'and high');
    $file->{spread}{10}{sd} = 0.06;
    is(ratio($base, $file, 10, 0.95)->{high}, undef, 'more than the largest value: no bound');
    is(beyond_chance(ratio($file, $base, 10, 0.95)), 0, 'which is no difference');
    my $zero = run_of(0, 1e6, [0, 0.01, 100]);
    is_deeply([@{ ratio($zero, $zero, 10, 0.95) }{qw(low high)}], [0, undef], 'two in a bin from 0: none at all');
};

subtest 'maxima by hand' => sub {
    my $side = sub {
        my ($n, @slices) = @_;
        return { distribution => bins([1, max(@slices), $n]), report => { slices => { lateness_max_us => \@slices } } };
    };
    my $base = $side->(100, (2) x 20);
    is_deeply(maxima($base, $base, 'lateness'), { larger => undef, differ => 0 }, 'equal');
    my %seven = (larger => 'file', units => 'slices', units_of => 20, above => 7, by_chance => 7, differ => 0);
    is_deeply(maxima($base, $side->(100, (1) x 13, (3) x 7), 'lateness'), \%seven, '7 of as long a run: 1 in 128, on either side');
    is_deeply(maxima($base, $side->(100, (1) x 12, (3) x 8), 'lateness'), { %seven, above => 8, differ => 1 }, '8: 1 in 256');
    is(maxima($side->(100, (1) x 14, (3) x 6), $base, 'lateness')->{larger}, 'base', 'the other is larger');
    is(maxima($base, $side->(900, 1, 3, 3), 'lateness')->{by_chance}, 50, 'a longer run: 0.9 ** 51 is below 0.5 %');
    is(maxima($base, $side->(0.4, 1, 3), 'lateness')->{differ}, 1, 'a much shorter run: 1 in 251');
    my $old = maxima({ distribution => bins([0, 100, 10]) }, { distribution => bins([0, 100, 2], [100, 200, 8]) }, 'interval');
    is_deeply($old, { larger => 'file', units => 'samples', units_of => 10, above => 8, by_chance => 7, differ => 1 }, 'samples');
};

my $seed = $ENV{SEED} // time;
srand $seed;
note "SEED=$seed";

sub random_bins {
    my ($edge, @bins) = (0);
    for (1 .. 1 + int rand 9) {
        $edge += int rand 3;
        push @bins, [$edge, $edge + 1, 1 + int rand(rand() < 0.2 ? 60 : 6)];
        $edge++;
    }
    return @bins;
}

sub samples { return map { my $bin = $_; ($bin->[0]) x $bin->[2] } @_ }

for my $round (1 .. 100) {
    my @bins = ([random_bins()], [random_bins()]);
    my ($base, $file) = map { bins(@$_) } @bins;
    my @base = samples(@{ $bins[0] });
    my @file = samples(@{ $bins[1] });
    my $greater = 0;
    for my $value (@file) {
        $greater += $_ < $value ? 1 : $_ == $value ? 0.5 : 0 for @base;
    }
    my $distance = max map {
        my $threshold = $_;
        abs((grep { $_ < $threshold } @base) / @base - (grep { $_ < $threshold } @file) / @file);
    } 0 .. 40;
    my @failed;
    push @failed, 'A12'      if abs(a12($base, $file) - $greater / @base / @file) > 1e-9;
    push @failed, 'distance' if abs(distance($base, $file)->{distance} - $distance) > 1e-9;
    my $one_in = (2, 4, 10)[rand 3];
    my @edge = map {
        my @sorted = sort { $a <=> $b } @$_;
        $sorted[$#sorted - int(@sorted / $one_in)] + 1;
    } \@base, \@file;
    my @runs = map { { distribution => $_, spread => { $one_in => { sd => 0, clusters => 9 } } } } $base, $file;
    push @failed, "ratio 1/$one_in" if abs(ratio(@runs, $one_in, 0.95)->{ratio} - $edge[1] / $edge[0]) > 1e-9;
    next unless @failed;
    fail "round $round: @failed";
    diag join ' ', "SEED=$seed:", map { join '', map { "[@$_]" } @$_ } @bins;
}
pass 'random histograms agree with their samples';

done_testing;
