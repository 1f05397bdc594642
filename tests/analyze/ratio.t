# SPDX-License-Identifier: GPL-2.0-or-later
# The figures of a comparison, against values computed by hand and against a slow reference that holds every sample.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(max sum);
use Test::More;

use Realfeel::Answer::Compare::Maxima qw(maxima);
use Realfeel::Model::Report;
use Realfeel::Stat::Chance qw(t_within);
use Realfeel::Stat::Distribution;
use Realfeel::Stat::Intervals qw(bounds ratio);
use Seed;

sub bins {
    my @bins = @_;
    return Realfeel::Stat::Distribution->new(
        low   => [map { $_->[0] } @bins],
        high  => [map { $_->[1] } @bins],
        count => [map { $_->[2] } @bins],
    );
}

sub report_of { return Realfeel::Model::Report->of({@_}) }

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

sub side {
    my ($low, $value, $high, $freedom) = @_;
    return { low => $low, edge => $value, value => $value, high => $high, freedom => $freedom // 100 };
}

subtest 'ratios by hand' => sub {
    my ($base, $file) = (side(8, 10, 15), side(18, 20, 24));
    my $ratio = ratio($base, $file, 0.95);
    close_to($ratio->{ratio}, 2, 'of the values');
    close_to($ratio->{low}, 2 * exp(-sqrt(log(20 / 18)**2 + log(15 / 10)**2)), 'the low end: of the low one and the high one', 1e-4);
    close_to($ratio->{high}, 2 * exp(sqrt(log(24 / 20)**2 + log(10 / 8)**2)), 'the high end', 1e-4);
    my $wide = ratio($base, $file, 0.99);
    close_to(log($wide->{high} / 2) / log($ratio->{high} / 2), 2.626 / 1.984, 'with more confidence further away', 1e-3);
    close_to(ratio(side(10, 10, 10), $file, 0.95)->{low}, 1.8, 'where one run alone varies', 1e-4);
    my @few = map { side($_ / 1.2, $_, $_ * 1.2, 4) } 10, 20;
    close_to(log(ratio(@few, 0.95)->{high} / 2) / log 1.2, sqrt(2) * 2.306 / 2.776, 'two of four degrees of freedom have eight', 1e-3);
    is(ratio($base, side(undef, 20, 24), 0.95)->{low}, 0, 'no low end');
    is(ratio(side(0, 10, 15), $file, 0.95)->{high}, undef, 'no high one');
    my @bins = map { { %{ side(@$_) }, edge => $_->[0] } } [300, 400, 400], [200, 300, 300];
    is_deeply([map { sprintf '%.9f', $_ } @{ ratio(@bins, 0.999) }{qw(low high)}], ['0.500000000', '1.000000000'],
        'bins that touch, without chance: the widths of the bins alone');
    is_deeply([@{ ratio(side(0, 10, undef), side(0, 20, undef), 0.95) }{qw(low high)}], [0, undef], 'none at all');
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

seed();

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
    my @bounds = map { bounds($_, $one_in, 1, 1) } $base, $file;
    push @wrong, join ' ', "round $round, 1/$one_in:", map { join '', map { "[@$_]" } @$_ } @bins
        if abs(ratio(@bounds, 0.95)->{ratio} - $edge[1] / $edge[0]) > 1e-9;
}
is_deeply(\@wrong, [], 'random histograms agree with their samples');

done_testing;
