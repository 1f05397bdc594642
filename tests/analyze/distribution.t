# SPDX-License-Identifier: GPL-2.0-or-later
# The numbers, against values computed by hand and against a slow reference that holds every sample.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(sum max);
use Test::More;

use Realfeel::Answer::Stats qw(ladder summary);
use Realfeel::Stat::Bins qw(COUNT_MAX);
use Realfeel::Stat::Distribution;
use Seed;

sub bins {
    my @bins = @_;
    return Realfeel::Stat::Distribution->new(
        low   => [map { $_->[0] } @bins],
        high  => [map { $_->[1] } @bins],
        count => [map { $_->[2] } @bins],
    );
}

sub close_to {
    my ($got, $expected, $name) = @_;
    ok(defined $got && abs($got - $expected) <= 1e-9 * (abs($expected) + 1), $name)
        or diag 'got ', $got // 'undef', ", expected $expected";
}

subtest 'the median of an even and of an odd number of values' => sub {
    close_to(bins([1, 1.02, 1], [3, 3.02, 1])->median, 2.01, 'between two: their mean');
    close_to(bins([1, 1.02, 1], [3, 3.02, 1], [9, 9.02, 1])->median, 3.01, 'of three: the middle one');
    close_to(bins([1, 1.02, 2], [3, 3.02, 2])->median, 2.01, 'the two middle values in neighbouring bins');
    close_to(bins([1, 1.02, 3], [3, 3.02, 1])->median, 1.01, 'both middle values in one bin');
};

subtest 'moments by hand: 1 1 2 4 in bins of no width to speak of' => sub {
    my $d = bins([0.9, 1.1, 2], [1.9, 2.1, 1], [3.9, 4.1, 1]);
    close_to($d->mean, 2, 'mean');
    close_to($d->variance, 2, 'variance of a sample: 6 / 3');
    close_to($d->sd, sqrt 2, 'standard deviation');
    close_to(($d->mode)[0], 1, 'mode');
    is(($d->mode)[1], 2, 'count of the mode');
    is($d->min, 0.9, 'minimum: the lower edge');
    is($d->max, 4.1, 'maximum: the upper edge');
    ok(!$d->max_is_exact, 'no value reaches the upper edge of a bin');
};

subtest 'more bins than are looked at together, and packed' => sub {
    my @low = 0 .. 9999;
    my $d = Realfeel::Stat::Distribution->new(low => \pack('d*', @low), high => [map { $_ + 1 } @low], count => \pack 'q*', @low);
    is_deeply([$d->{bins}, $d->n], [10_000, sum(@low)], 'the bins and their values are counted');
    close_to($d->mean, 6666 + 5 / 6, 'the mean');
    is_deeply([map { $d->below($_) } 4096, 4097], [sum(0 .. 4095), sum(0 .. 4096)], 'counts below an edge');
    is_deeply([($d->mode)[0]], [9999.5], 'the mode is found in a late block');
    my @blocks;
    $d->each_block(sub { push @blocks, scalar @{ $_[2] } }, 5000);
    is_deeply(\@blocks, [4096, 904], 'a block ends after 4096 bins');
    is_deeply([map { $_->[4999] } $d->columns], [4999, 5000, 4999], 'each bin has its columns');
};

subtest 'edges are made when they are asked for, and no moment that is given' => sub {
    my @made;
    my $edges = sub { my @edges = @_; return sub { push @made, \@edges; return \pack 'd*', @edges } };
    my %moments = (n => 7, mean_of_bins => 8, variance_of_bins => 9);
    my $d = Realfeel::Stat::Distribution->new(low => $edges->(1, 2), high => $edges->(2, 3), count => [1, 1], %moments);
    is_deeply([$d->n, $d->mean, $d->variance, $d->sd, scalar @made], [7, 8, 9, 3, 0], 'the moments that are given need no edges');
    is_deeply([map { $d->min, $d->max } 1 .. 2], [1, 3, 1, 3], 'the extremes are the outer edges');
    is_deeply([sort { $a->[0] <=> $b->[0] } @made], [[1, 2], [2, 3]], 'each edges are made once');
};

subtest 'exact figures come before those of the bins' => sub {
    my $d = Realfeel::Stat::Distribution->new(
        low => [1, 2], high => [2, 3], count => [1, 1], min => 1.25, max => 2.125, mean => 1.6875, sd => 0.6187);
    is_deeply([map { scalar $d->$_ } qw(min max mean sd)], [1.25, 2.125, 1.6875, 0.6187], 'all four');
    ok($d->max_is_exact, 'the maximum is one of the values');
    is($d->quantile(10), 2.125, 'a quantile is not above the maximum');
    close_to(bins([5, 6, 1])->median, 5.5, 'a median in the middle of its bin');
    is(Realfeel::Stat::Distribution->new(low => [5], high => [6], count => [1], min => 5.9, max => 5.9)->median, 5.9,
        'a median lies between the extremes');
};

subtest 'the mode is where values are densest, whatever the width of the bins' => sub {
    is((bins([98, 99, 40], [99, 100, 50], [100, 110, 300])->mode)[0], 99.5, '50 in 1 before 300 in 10');
    is((bins([1, 2, 4], [2, 3, 4])->mode)[0], 1.5, 'the first of equal ones');
};

subtest 'no values, and one' => sub {
    my $none = bins();
    is($none->n, 0, 'count 0');
    is_deeply([map { scalar $none->$_ } qw(min max mean sd variance median)], [(undef) x 6], 'nothing to say');
    is_deeply([$none->mode], [], 'no mode');
    is_deeply([ladder($none)], [], 'no ladder');
    my $one = bins([4, 5, 1]);
    is($one->sd, undef, 'no deviation of one value');
    is($one->mean, 4.5, 'the mean of one value is the middle of its bin');
};

subtest 'a percentile needs ten samples beyond it' => sub {
    for my $case ([19, 0], [20, 1], [99, 1], [100, 2], [199, 2], [200, 3], [999, 3], [1000, 4],
        [9_999_999, 7], [10_000_000, 8]) {
        my ($n, $given) = @$case;
        my $percentiles = summary(bins([1, 2, $n]))->{percentiles};
        is(scalar(grep { defined $_->{value_us} } @$percentiles), $given, "$n samples: $given percentiles");
    }
    my $percentiles = summary(bins([1, 2, 7801]))->{percentiles};
    is_deeply($percentiles->[5],
        { percentile => 99.99, value_us => undef, lack => 'samples', needed => 100_000, more => 92_199 },
        'the reason instead of a number');
};

subtest 'ranks, by hand: 100 samples' => sub {
    my $d = bins([1, 2, 50], [2, 3, 40], [3, 4, 9], [8, 9, 1]);
    is($d->quantile(2), 2, '50 %: the 50th is in the first bin');
    is($d->quantile(10), 3, '90 %: the 90th is in the second');
    is($d->quantile(100), 4, '99 %: the 99th is in the third');
    is($d->quantile(1000), 9, 'the 100th is in the last');
};

subtest 'counts beyond 2**53 lose nothing' => sub {
    my $d = bins([1, 2, 9007199254740992], [2, 3, 1], [3, 4, 9007199254740992]);
    is($d->n, '18014398509481985', 'the count has all digits');
    is($d->median, 2.5, 'the median lies in the bin of one value');
    is($d->below(3), '9007199254740993', 'the count below a threshold has all digits');
};

subtest 'the values below a threshold are counted' => sub {
    my $d = bins([0, 100, 5], [100, 200, 3], [400, 500, 2]);
    is_deeply([map { $d->below($_) } 0, 100, 200, 300, 400, 500, 1000], [0, 5, 8, 8, 8, 10, 10], 'a threshold may be an edge or in a gap');
    is($d->below($_), undef, "the count below $_, inside a bin, is unknown") for 50, 450;
    is_deeply([ladder($d)], [100, 200, 500, 1000], 'the ladder leaves out thresholds inside a bin');
};

subtest 'the ladder begins in the decade of the upper quartile' => sub {
    is_deeply([ladder(bins([2.3, 2.31, 9], [30, 31, 1]))], [1, 2, 5, 10, 20, 50], 'the ladder ends with the first step above the maximum');
    is_deeply([ladder(bins([0, 0.01, 5]))], [0.01, 0.02], 'the ladder begins at the finest bin');
    is_deeply([ladder(bins([-5, -4, 5]))], [0.01], 'early values alone leave one step');
};

seed();

# Samples are whole numbers, in bins of one, two or five, each sample in the middle of its bin.
sub random_bins {
    my ($edge, @bins) = (-20);
    for (1 .. 1 + int rand 12) {
        my $low = $edge + int rand 4;
        my $width = (1, 2, 5)[rand 3];
        push @bins, [$low, $low + $width, 1 + int rand(rand() < 0.2 ? 400 : 6)];
        $edge = $low + $width;
    }
    return @bins;
}

sub slow_median {
    my @sorted = @_;
    return ($sorted[$#sorted / 2] + $sorted[@sorted / 2]) / 2;
}

my @wrong;
for my $round (1 .. 300) {
    my @bins    = random_bins();
    my $d       = bins(@bins);
    my @samples = map { my $bin = $_; (($bin->[0] + $bin->[1]) / 2) x $bin->[2] } @bins;
    my @uppers  = map { my $bin = $_; ($bin->[1]) x $bin->[2] } @bins;
    my $n       = @samples;
    my $mean    = sum(@samples) / $n;
    my @failed;
    push @failed, 'n'      if $d->n != $n;
    push @failed, 'mean'   if abs($d->mean - $mean) > 1e-9;
    push @failed, 'median' if $d->median != slow_median(@samples);
    push @failed, 'variance'
        if $n > 1 && abs($d->variance - sum(map { ($_ - $mean)**2 } @samples) / ($n - 1)) > 1e-6;
    for my $one_in (2, 4, 10, 100) {
        my $rank = 0;
        $rank++ while $rank * $one_in < $n * ($one_in - 1);
        push @failed, "quantile 1/$one_in" if $d->quantile($one_in) != $uppers[$rank - 1];
    }
    for my $threshold (map { $_->[0] } @bins) {
        push @failed, "below $threshold" if $d->below($threshold) != grep { $_ < $threshold } @samples;
    }
    my $top = max map { $_->[2] / ($_->[1] - $_->[0]) } @bins;
    my ($mode, $count) = $d->mode;
    push @failed, 'mode' unless grep { ($_->[0] + $_->[1]) / 2 == $mode && $_->[2] == $count
        && abs($count / ($_->[1] - $_->[0]) - $top) < 1e-6 } @bins;
    push @wrong, join ' ', "round $round: @failed:", map { "[@$_]" } @bins if @failed;
}
is_deeply(\@wrong, [], 'random histograms agree with their samples');

subtest 'an open last bin' => sub {
    my @bins = (low => [1, 2, 5], high => [2, 3, 90], count => [2, 1, 2], open => 1);
    my $d = Realfeel::Stat::Distribution->new(@bins, max => 9);
    is($d->{open_from}, 5, 'the open bin has a lower edge');
    is_deeply([map { scalar $d->$_ } qw(mean sd variance)], [(undef) x 3], 'the open bin has no middle, so nothing has a mean');
    is($d->median, 2.5, 'a median below it');
    is_deeply([$d->mode], [1.5, 2], 'a mode below it');
    is_deeply([map { $d->below($_) } 3, 5, 7, 10], [3, 3, undef, 5], 'thresholds inside the open bin are unknown');
    is(Realfeel::Stat::Distribution->new(@bins, mean => 4)->mean, 4, 'an exact mean');
    my $all = Realfeel::Stat::Distribution->new(low => [5], high => [90], count => [4], open => 1);
    is_deeply([$all->median, $all->mode, $all->n], [undef, 4], 'nothing else');
};

subtest 'the sum of a column is exact, and what is too much for one does not wrap' => sub {
    for ([[1, 2, 3], '6'], [[10**15 - 1], '999999999999999'], [[10**15, 1], '1000000000000001'],
        [[(COUNT_MAX - 1) / 2, (COUNT_MAX - 1) / 2, 1], COUNT_MAX]) {
        my ($counts, $sum) = @$_;
        my $bins = Realfeel::Stat::Bins->new('lateness');
        $bins->add({ lateness => $counts });
        is($bins->total('lateness') . '', "$sum", "@$counts");
    }
    my $bins = Realfeel::Stat::Bins->new('lateness');
    $bins->add({ lateness => [(COUNT_MAX) x 100] });
    cmp_ok($bins->total('lateness'), '>', COUNT_MAX * 99, 'a hundred times the most');
};

done_testing;
