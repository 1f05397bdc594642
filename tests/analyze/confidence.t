# SPDX-License-Identifier: GPL-2.0-or-later
# What a run supports: confidence intervals that cover what they say, and episodes instead of periods.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(any max min sum0);
use Test::More;

use RandomReport;
use Realfeel::Chance qw(chance_limit order_statistics rate_limit);
use Realfeel::Dependence;
use Realfeel::Distribution;
use Realfeel::Modes qw(modes);
use Realfeel::Report;
use Realfeel::Stats qw(exceedance summary);

# Coverage is a figure with an error of its own, so the drawings are the same each time, unless a seed is given.
my $seed = $ENV{SEED} // 20_020_701;
srand $seed;
diag "SEED=$seed";

sub bins {
    my @bins = @_;
    return Realfeel::Distribution->new(map { my $i = $_; (qw(low high count))[$i] => [map { $_->[$i] } @bins] } 0 .. 2);
}

sub report {
    my ($histogram, %header) = @_;
    return Realfeel::Report->of({header => \%header, histogram => $histogram});
}

subtest 'limits by hand' => sub {
    is_deeply([order_statistics(20, 2)], [14, 5], 'median of 20: P(5 or fewer) is 2.07 %, P(14 or fewer) is 97.93 %');
    is_deeply([order_statistics(10_000, 1000)], [16, 4], '99.9 % of 10,000: P(4 or fewer) is 2.91 %, P(16 or fewer) is 97.31 %');
    is((order_statistics(20, 10))[1], undef, '90 % of 20: none beyond has a chance of 12 %, so there is no upper bound');
    my ($exact, $normal) = map { [order_statistics($_, 1000)] } 399_999, 401_001;
    cmp_ok(abs($exact->[$_] / $normal->[$_] - 1), '<', 0.01, 'no step where the sums end') for 0, 1;
    for (['0', 2.9957], ['1', 4.7439], ['2', 6.2958], ['10', 16.9622], ['100', 118.079]) {
        cmp_ok(abs(rate_limit($_->[0]) - $_->[1]), '<', 0.001, "$_->[0] seen: at most $_->[1]");
    }
    cmp_ok(abs(rate_limit(401) / rate_limit(400) - 1), '<', 0.005, 'no step there, either');
    cmp_ok(abs(chance_limit(10) - 23.209), '<', 0.05, 'chi square of 10, 1 %');
};

# n drawings of a uniform distribution, in bins that are narrow around the percentiles.
my @FINE = ([0.475, 0.525, 500], [0.985, 0.995, 500], [0.9975, 1, 500]);

sub fine_edges {
    my @edges = 0;
    for (@FINE) {
        my ($from, $to, $count) = @$_;
        push @edges, map { $from + ($to - $from) * $_ / $count } 0 .. $count;
    }
    return @edges;
}

sub draw {
    my ($n, @edges) = @_;
    my @slot = map { [$_->[0], $_->[2] / ($_->[1] - $_->[0]), $_->[1]] } @FINE;
    my ($first, @count) = 1;
    my @base = map { my $base = $first; $first += $_->[2] + 1; $base } @FINE;
    for (1 .. $n) {
        my $u = rand;
        my $i = $u < 0.475 ? 0 : $u < 0.525 ? 1 + int(($u - 0.475) * $slot[0][1]) : $u < 0.985 ? $base[1] - 1
            : $u < 0.995 ? $base[1] + int(($u - 0.985) * $slot[1][1]) : $u < 0.9975 ? $base[2] - 1
            : $base[2] + int(($u - 0.9975) * $slot[2][1]);
        $count[$i]++;
    }
    my @kept = grep { $count[$_] } 0 .. $#count;
    return Realfeel::Distribution->new(low => [@edges[@kept]], high => [@edges[map { $_ + 1 } @kept]], count => [@count[@kept]]);
}

subtest 'the intervals cover the true percentile in 95 % of 2000 drawings' => sub {
    my ($drawings, %covered) = (2000);
    my @edges = fine_edges();
    for (1 .. $drawings) {
        my $distribution = draw(10_000, @edges);
        for ([50, 2], [99, 100], [99.9, 1000]) {
            my $given = Realfeel::Stats::_percentile($distribution, Realfeel::Dependence->none, undef, @$_);
            my $truth = 1 - 1 / $_->[1];
            $covered{$_->[0]} += $given->{low_us} <= $truth && $truth <= $given->{high_us};
        }
    }
    for (50, 99, 99.9) {
        my $percent = 100 * $covered{$_} / $drawings;
        note "$_ %: $percent % of the drawings";
        cmp_ok(abs($percent - 95), '<=', $ENV{SEED} ? 2 : 1, "$_ %");
    }
};

# Stalls: a wake-up that is late by many periods. Its latenesses differ by one period, so they are one episode.
sub stalled_run {
    my ($n) = @_;
    my %count = (0 => $n);
    for (1 .. $n / 100) {
        next if rand() > 0.02;
        my $late = rand 40;
        $count{int(10 * ($late - $_)) / 10}++ for 0 .. int $late;
    }
    return bins(map { [$_, $_ + 0.1, $count{$_}] } sort { $a <=> $b } keys %count);
}

subtest 'where stalls make many periods late at once' => sub {
    my ($drawings, $n, @runs, %all) = (500, 50_000);
    push @runs, stalled_run($n) for 1 .. $drawings;
    for ([map { $_->cells } @runs]) { $all{$_->[0]} += $_->[2] for @$_ }
    my $truth = bins(map { [$_, $_ + 0.1, $all{$_}] } sort { $a <=> $b } keys %all)->quantile(1000);
    my %covered = (episodes => 0, periods => 0);
    for my $run (@runs) {
        my $dependence = bless {distribution => $run, measure => 'lateness', period => 1, units => []}, 'Realfeel::Dependence';
        my %given = (periods => Realfeel::Stats::_percentile($run, Realfeel::Dependence->none, undef, 99.9, 1000),
            episodes => Realfeel::Stats::_percentile($run, $dependence, 'lateness', 99.9, 1000));
        $covered{$_} += ($given{$_}{low_us} // 0) <= $truth && $truth <= ($given{$_}{high_us} // 'inf') for keys %given;
    }
    my %percent = map { $_ => 100 * $covered{$_} / $drawings } keys %covered;
    note "99.9 %: covered in $percent{episodes} %; if periods were independent, in $percent{periods} %";
    cmp_ok($percent{episodes}, '>=', 92, 'the interval still covers what it says');
    cmp_ok($percent{periods}, '<', 75, 'which one of independent periods does not');
};

subtest 'dependence by hand' => sub {
    my $late = bins([0, 0.5, 990], (map { [$_, $_ + 0.5, 5] } 1 .. 3), (map { [$_, $_ + 0.5, 1] } 4 .. 9));
    my $dependence = bless {distribution => $late, measure => 'lateness', period => 1, units => []}, 'Realfeel::Dependence';
    is($dependence->wakeups_above(0.9), 5, 'four stalls of three periods, and one of nine');
    is($dependence->wakeups_above(2.9), 5, 'the latest of each of them');
    my $above = sub { $dependence->beyond('lateness', $late, $_[0], 2) };
    is($above->(2.9)->{spread}, (4 * 1**2 + 7**2) / 11, 'squares of the sizes by their sum: four of one, one of seven');
    is($above->(5)->{episodes}, 1, 'one above five');
    is($above->(5)->{unknown}, undef, 'and without slices nothing speaks against it');
    my $none = Realfeel::Dependence->none;
    is($none->beyond('interval', $late, 1, 2)->{spread}, 1, 'without latenesses each value is independent');
    is_deeply([$none->units, $none->unit, $none->unknown], [0, undef, undef], 'of no units');
};

subtest 'slices that are not alike' => sub {
    my @alike = map { [map { [0, 1, 1000 * (1 + $_ % 100)] } 1 .. 500] } 1 .. 20;
    my @mixed = map { my $bad = $_ % 10 == 0; [map { [0, 1, 1000 * ($bad ? 100 : 1 + $_ % 50)] } 1 .. 500] } 1 .. 20;
    my ($one, $other) = map { Realfeel::Dependence->of(Realfeel::Report->of(report_of($_))) } \@alike, \@mixed;
    my ($in_one, $in_other) = map { $_->beyond('lateness', $_->{distribution}, 90, 10) } $one, $other;
    cmp_ok($in_one->{spread}, '<', 1.3, 'alike: each period is as good as independent');
    is($in_one->{episodes}, $one->wakeups_above(90), 'and a burst of its own');
    cmp_ok($in_other->{spread}, '>', 400, 'all in two of twenty slices: about one episode in each');
    cmp_ok($in_other->{episodes}, '<', 3, 'of a thousand periods');
    my $percentile = summary($other->{distribution}, $other, 'lateness')->{percentiles}[1];
    is($percentile->{value_us}, undef, 'so a percentile there is refused');
    like($percentile->{reason}, qr/^\d of 10 bursts$/, 'with the reason');
    ok($percentile->{roughly_us} && $percentile->{bursts} < 10, 'and what it is roughly');
};

subtest 'a slice whose bins are empty' => sub {
    my $made = report_of([map { [[0, 1, 1000], [0, 1, 9000]] } 1 .. 8]);
    my $bins = $made->{slice_bins};
    $bins->{lateness} = [map { $_ eq $bins->{start_s}[0] ? 0 : 1 } @{$bins->{start_s}}];
    my $report = Realfeel::Report->of($made);
    is($report->dependence->units, 7, 'is none');
    is($report->dependence->beyond('lateness', $report->lateness, 5, 2)->{spread}, 1, 'and no fault');
};

subtest 'merged runs that differ' => sub {
    my @slices = map { my $run = $_; [map { [0, 1, 1000 * ($run + $_ % 20)] } 1 .. 500] } 1 .. 5;
    my %report = %{report_of(\@slices)};
    my @starts = do { my %seen; grep { !$seen{$_}++ } @{$report{slice_bins}{start_s}} };
    my %run = map { $starts[$_] => 1 + $_ } 0 .. $#starts;
    $report{slice_bins}{run} = [map { $run{$_} } @{$report{slice_bins}{start_s}}];
    my $runs = Realfeel::Dependence->of(Realfeel::Report->of(\%report));
    is($runs->unit, 'runs', 'five runs are the units');
    my $median = $runs->beyond('lateness', $runs->{distribution}, 13, 2);
    cmp_ok($median->{spread}, '>', 2, 'their number varies more than that of independent values, by as much as the runs differ');
    is($median->{episodes}, $runs->wakeups_above(13), 'but that runs differ makes no burst of them');
};

# By the binomial coefficients themselves, and the sorted samples.
sub slow_interval {
    my ($one_in, @sorted) = @_;
    my ($n, $p) = (scalar @sorted, 1 / $one_in);
    my ($log, $sum, @up_to) = ($n * log(1 - $p), 0);
    for my $k (0 .. $n) {
        push @up_to, $sum += exp $log;
        $log += log(($n - $k) / ($k + 1)) + log($p / (1 - $p)) if $k < $n;
    }
    my ($least, $most) = map { my $aim = $_; nearest($aim, @up_to) } 0.025, 0.975;
    return ($sorted[$n - 1 - $most][0], $up_to[0] > 0.05 ? undef : $sorted[$n - 1 - $least][1]);
}

# Of two that are as near the lower; what a sum loses by rounding makes no difference.
sub nearest {
    my ($aim, @values) = @_;
    my @distance = map { sprintf '%.9f', abs $_ - $aim } @values;
    return (sort { $distance[$a] <=> $distance[$b] || $a <=> $b } 0 .. $#values)[0];
}

subtest 'a hundred random histograms, sample by sample' => sub {
    for my $round (1 .. 100) {
        my $edge = 0;
        my @bins = map { $edge += int rand 3; [$edge++, $edge, 1 + int rand(rand() < 0.2 ? 300 : 9)] } 1 .. 2 + int rand 40;
        my @sorted = map { my $bin = $_; ($bin) x $bin->[2] } @bins;
        for my $given (grep { defined $_->{value_us} } @{summary(bins(@bins))->{percentiles}}[0 .. 3]) {
            my ($low, $high) = slow_interval(sprintf('%.0f', 100 / (100 - $given->{percentile})), @sorted);
            is_deeply([@$given{qw(low_us high_us)}], [$low, $high], "round $round, $given->{percentile} %") or return;
        }
        my $threshold = $bins[rand @bins][1];
        is(exceedance(bins(@bins), undef, undef, $threshold)->{count}, scalar(grep { $_->[0] >= $threshold } @sorted), 'above a threshold');
    }
};

# The latenesses of wake-ups come from those of periods: right to within the bin that is one period further up.
subtest 'wake-ups from periods, against a hundred random runs' => sub {
    for my $round (1 .. 100) {
        my ($made, $slices) = random_report(400);
        my $report = Realfeel::Report->of($made);
        my @truth = map { $_->[2] / 1000 } map { @$_ } @$slices or next;
        my $wakeups = Realfeel::Bins::wakeups($report->lateness, RandomReport::PERIOD_NS / 1000, scalar @truth);
        is($wakeups->n, scalar @truth, 'each wake-up once') or last;
        for my $edge (map { $_->[0] } $wakeups->cells) {
            my ($is, $should) = ($wakeups->n - $wakeups->below($edge), scalar grep { $_ >= $edge } @truth);
            my $further = $edge + RandomReport::PERIOD_NS / 1000;
            my ($cut) = map { $_->[2] } grep { $_->[0] < $further && $further < $_->[1] } $report->lateness->cells;
            cmp_ok(abs($is - $should), '<=', ($cut // 0) + 1e-9, "round $round: above $edge us") or return;
        }
    }
};

subtest 'modes by hand' => sub {
    my @one = map { [$_ / 100, ($_ + 1) / 100, 1000 - abs($_ - 1400)] } 500 .. 2300;
    is_deeply([map { $_->{value_us} } modes(bins(@one))], [14.005], 'one');
    my @two = (@one, map { [$_ / 10, ($_ + 1) / 10, 100 - abs($_ - 5000)] } 4950 .. 5050);
    my @modes = modes(bins(@two));
    is_deeply([map { $_->{value_us} } @modes], [14.005, 500.05], 'two');
    is($modes[0]{count} + $modes[1]{count}, sum0(map { $_->[2] } @two), 'each value is in one of them');
    is(scalar modes(bins(@one, [300, 300.1, 3], [700, 700.1, 2])), 1, 'some values far out are no mode');
    is(scalar modes(bins(map { [$_, $_ + 100, 10 + 90 / (1 + $_)] } map { 100 * $_ } 0 .. 12)), 1, 'nor are wide bins');
    is_deeply([modes(bins())], [], 'none of nothing');
    is_deeply([modes(bins([-2, -1, 4], [3, 4, 4]))], [], 'none where there are negative values');
};

subtest 'nothing, and one value' => sub {
    is(summary(bins())->{above_max}, undef, 'nothing is above nothing');
    is(exceedance(bins([1, 2, 1]), undef, undef, 2)->{fewer_than_one_in}, undef, 'one value tells nothing of those not seen');
    is(exceedance(bins([1, 2, 3000]), undef, undef, 2)->{fewer_than_one_in}, 1001, 'three thousand do: 1 in 1001');
    is(exceedance(bins([1, 2, 10]), undef, undef, 1.5)->{count}, undef, 'inside a bin it cannot be known');
    is(summary(bins([1, 2, 10**15]))->{percentiles}[6]{high_us}, 2, 'ten to the fifteenth');
};

done_testing;
