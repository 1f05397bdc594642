# SPDX-License-Identifier: GPL-2.0-or-later
# The figures of a comparison, against values computed by hand and against a slow reference that holds every sample.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use List::Util qw(max sum);
use Test::More;

use Realfeel::Chance qw(generator normals t_within);
use Realfeel::Compare::Chance qw(beyond_chance critical maxima ratio);
use Realfeel::Distribution;
use Realfeel::Report;

sub bins {
    my @bins = @_;
    return Realfeel::Distribution->new(
        low   => [map { $_->[0] } @bins],
        high  => [map { $_->[1] } @bins],
        count => [map { $_->[2] } @bins],
    );
}

sub report_of { return Realfeel::Report->of({@_}) }

sub close_to {
    my ($got, $expected, $name, $error) = @_;
    ok(defined $got && abs($got - $expected) <= ($error // 1e-9) * (abs($expected) + 1), $name)
        or diag 'got ', $got // 'undef', ", expected $expected";
}

subtest 't, from tables; more than 100 degrees are taken as 100' => sub {
    my %table = (1 => 12.706, 2 => 4.303, 3 => 3.182, 9 => 2.262, 10 => 2.228, 30 => 2.042, 100 => 1.984, 120 => 1.984);
    close_to(t_within(0.95, $_), $table{$_}, "95 %, $_", 2e-4) for sort keys %table;
    close_to(t_within(0.99, 5), 4.032, '99 %, 5', 2e-4);
    close_to(t_within(0.95, 1.5), sqrt(12.706 * 4.303), 'half of a degree: the geometric mean', 2e-4);
    is(t_within(0.95, 0), t_within(0.95, 1), 'one is the least');
};

subtest 'random numbers' => sub {
    my ($one, $other, $again) = map { generator($_) } 1, 2, 1;
    my @drawn = map { $one->() } 1 .. 20_000;
    is_deeply([map { $again->() } 1 .. 20_000], \@drawn, 'the same for the same seed');
    isnt($other->(), $drawn[0], 'others for another');
    is(scalar(grep { $_ <= 0 || $_ >= 1 } @drawn), 0, 'between 0 and 1');
    close_to(sum(@drawn) / @drawn, 0.5, 'on average 1/2', 0.01);
    close_to(sum(map { ($drawn[$_] - 0.5) * ($drawn[$_ - 1] - 0.5) } 1 .. $#drawn) / $#drawn, 0, 'no two alike', 0.002);
    ok(generator('9' x 18)->() < 1, 'a large seed');
};

subtest 'normal distribution' => sub {
    my ($one, $again) = map { normals(generator($_)) } 1, 1;
    my @drawn = map { $one->($_) } (7) x 1000;
    is(scalar @drawn, 7000, 'as many as asked for');
    is_deeply([$again->(7000)], \@drawn, 'in parts or at once');
    close_to(sum(@drawn) / @drawn, 0, 'on average 0', 0.05);
    close_to(sum(map { $_**2 } @drawn) / @drawn, 1, 'variance 1', 0.03);
};

subtest 'how far off the worst of several percentiles is, with the normal distribution' => sub {
    my $part = sub { my ($sd, @off) = @_; return { sd => $sd, off => \@off } };
    my @one = ($part->(1, 1, 2, -1, -2), $part->(1, 3, -3));
    my $critical = sub { return critical(0.05, generator(7), @_) };
    close_to($critical->([@one]), 1.96, 'one percentile', 0.05);
    close_to($critical->(([@one]) x 3), 1.96, 'three that are off together are as one', 0.05);
    my @apart = map { my $i = $_; [map { $part->(1, map { $_ == $i ? 1 : 0 } 0 .. 2) } 0, 1] } 0 .. 2;
    close_to($critical->(@apart), 2.388, 'three that are off each for itself: the cube root of 0.95', 0.05);
    close_to($critical->(map { [$part->(1), $part->(2)] } 1 .. 3), 2.388, 'as are those of runs without units', 0.05);
    close_to(critical(0.05, generator(7), [$part->(0), $part->(1, 2)]), 1.96, 'one run alone varies', 0.05);
};

sub run_of {
    my ($sd, @bins) = @_;
    return { distribution => bins(@bins), spread => { 10 => { sd => $sd, off => [] } } };
}

subtest 'ratios by hand' => sub {
    my $base = run_of(0, [1, 2, 85], [2, 2.5, 5], [10, 11, 10]);
    my $file = run_of(0, [1, 2, 85], [4, 5, 5], [10, 11, 10]);
    my $ratio = ratio($base, $file, 10, 1.96);
    close_to($ratio->{ratio}, 2, 'of the upper edges: 5 and 2.5');
    close_to($ratio->{low}, 4 / 2.5, 'no chance: the widths of the bins alone, low');
    close_to($ratio->{high}, 5 / 2, 'and high');
    is(beyond_chance($ratio), 1, 'greater');
    is(beyond_chance(ratio($file, $base, 10, 1.96)), -1, 'less');
    is(beyond_chance(ratio($base, $base, 10, 1.96)), 0, 'neither');
    $file->{spread}{10}{sd} = 0.03;     # 90 % - 5.9 %: in the bin of 1; 90 % + 5.9 %: in that of 10
    $ratio = ratio($base, $file, 10, 1.96);
    close_to($ratio->{low}, 1 / 2.5, 'chance in one run, low');
    close_to($ratio->{high}, 11 / 2, 'and high');
    $base->{spread}{10}{sd} = 0.03;
    $ratio = ratio($base, $file, 10, 1.96);
    close_to($ratio->{low}, 4 / 2.5 * exp(-sqrt(log(4)**2 + log(11 / 2.5)**2)), 'in both, low');
    close_to($ratio->{high}, 5 / 2 * exp(sqrt(log(11 / 5)**2 + log(2)**2)), 'and high');
    $file->{spread}{10}{sd} = 0.06;
    is(ratio($base, $file, 10, 1.96)->{high}, undef, 'more than the largest value: no bound');
    is(beyond_chance(ratio($file, $base, 10, 1.96)), 0, 'which is no difference');
    my $zero = run_of(0, [0, 0.01, 100]);
    is_deeply([@{ ratio($zero, $zero, 10, 1.96) }{qw(low high)}], [0, undef], 'two in a bin from 0: none at all');
};

subtest 'maxima by hand' => sub {
    my $side = sub {
        my ($n, @slices) = @_;
        return { distribution => bins([1, max(@slices), $n]), report => report_of(slices => { lateness_max_us => \@slices }) };
    };
    my $base = $side->(100, (2) x 10);
    is_deeply(maxima($base, $base, 'lateness'), { larger => undef, differ => 0 }, 'equal');
    my %six = (larger => 'file', unit => 'slices', units => 10, above => 6, by_chance => 6, differ => 0);
    is_deeply(maxima($base, $side->(100, (1) x 4, (3) x 6), 'lateness'), \%six, '6 of 10 and 10: 0.54 %, and 0.5 % is left to each side');
    is_deeply(maxima($base, $side->(100, (1) x 3, (3) x 7), 'lateness'), { %six, above => 7, differ => 1 }, '7: 0.15 %');
    is(maxima($side->(100, (1) x 9, 3), $base, 'lateness')->{larger}, 'base', 'the other is larger');
    is_deeply(maxima($base, $side->(100, (1) x 60, (3) x 30, (1) x 10), 'lateness'), { %six, unit => 'blocks', above => 3 },
        'neighbouring slices are alike: 30 of 100 are 3 of 10 blocks');
    is_deeply(maxima($base, $side->(400, (1) x 30, (3) x 10), 'lateness'), { %six, units => 40, above => 10, by_chance => 18 },
        'a run four times as long has four times as many: 18 of 40 and 10: 0.63 %');
    my @old = (bins([0, 100, 10]), bins([0, 100, 2], [100, 200, 8]));
    my $old = maxima(map({ { distribution => $_, report => report_of() } } @old), 'interval');
    is_deeply($old, { larger => 'file', unit => 'samples', units => 10, above => 8, by_chance => 6, differ => 1 }, 'samples');
    $old = maxima(map({ { distribution => bins([0, $_, 5_000_000]), report => report_of() } } 100, 200), 'interval');
    is($old->{by_chance}, 7, 'many samples: 1 in 128, and 1 in 256');
};

subtest 'maxima of runs' => sub {
    my $merged = sub {
        my ($runs, @most) = @_;
        my %slices = (run => [map { ($_) x 4 } 1 .. $runs], lateness_max_us => [map { (1, $_, 1, 1) } @most]);
        return { distribution => bins([0, max(@most), 100 * $runs]), report => report_of(slices => \%slices) };
    };
    my %all = (larger => 'file', unit => 'runs', units => 6, above => 6, by_chance => 5, differ => 1);
    is_deeply(maxima($merged->(6, (5) x 6), $merged->(6, 6 .. 11), 'lateness'), \%all, '6 of 6 and 6: 1 in 924');
    is_deeply(maxima($merged->(6, (5) x 6), $merged->(6, 4, 7 .. 11), 'lateness'), { %all, above => 5, differ => 0 }, '5: 1 in 132');
    is_deeply(maxima($merged->(1, 5), $merged->(6, 6 .. 11), 'lateness'), { %all, by_chance => 6, differ => 0 }, '6 of 6 and 1: 1 in 7');
    is(maxima($merged->(4, (5) x 4), $merged->(4, 6 .. 9), 'lateness')->{unit}, 'blocks', 'fewer than five runs of each');
};

my $seed = $ENV{SEED} // time;
srand $seed;
diag "SEED=$seed";

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

my @wrong;
for my $round (1 .. 100) {
    my @bins = ([random_bins()], [random_bins()]);
    my ($base, $file) = map { bins(@$_) } @bins;
    my @base = samples(@{ $bins[0] });
    my @file = samples(@{ $bins[1] });
    my $one_in = (2, 4, 10)[rand 3];
    my @edge = map {
        my @sorted = sort { $a <=> $b } @$_;
        $sorted[$#sorted - int(@sorted / $one_in)] + 1;
    } \@base, \@file;
    my @runs = map { { distribution => $_, spread => { $one_in => { sd => 0, off => [] } } } } $base, $file;
    push @wrong, join ' ', "round $round, 1/$one_in:", map { join '', map { "[@$_]" } @$_ } @bins
        if abs(ratio(@runs, $one_in, 1.96)->{ratio} - $edge[1] / $edge[0]) > 1e-9;
}
is_deeply(\@wrong, [], 'random histograms agree with their samples');

done_testing;
