# SPDX-License-Identifier: GPL-2.0-or-later
# Confidence intervals: by hand, against each sample, and that they cover what they say; their inverse; and the pieces of a run.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(any max min sum0);
use Test::More;

use RandomReport;
use Seed;
use Realfeel::Answer::Stats qw(summary);
use Realfeel::Model::Report;
use Realfeel::Stat::Distribution;
use Realfeel::Stat::Intervals qw(order_statistics t_within);
use Realfeel::Stat::Pieces;

# Coverage is a figure with an error of its own, so the drawings are the same each time, unless a seed is given.
seed(USUAL);

sub bins {
    my @bins = @_;
    return Realfeel::Stat::Distribution->new(map { my $i = $_; (qw(low high count))[$i] => [map { $_->[$i] } @bins] } 0 .. 2);
}

sub report {
    my ($histogram, %header) = @_;
    return Realfeel::Model::Report->of({header => \%header, histogram => $histogram});
}

subtest 'limits by hand' => sub {
    is_deeply([order_statistics(20, 2)], [14, 5], 'median of 20: P(5 or fewer) is 2.07 %, P(14 or fewer) is 97.93 %');
    is_deeply([order_statistics(10_000, 1000)], [16, 4], '99.9 % of 10,000: P(4 or fewer) is 2.91 %, P(16 or fewer) is 97.31 %');
    is_deeply([order_statistics(3e16, 1e14)], [order_statistics(3e9, 1e7)], q(300 of a share that is less than rounding));
    is((order_statistics(20, 10))[1], undef, '90 % of 20: none beyond has a chance of 12 %, so there is no upper bound');
    my ($exact, $normal) = map { [order_statistics($_, 1000)] } 399_999, 401_001;
    cmp_ok(abs($exact->[$_] / $normal->[$_] - 1), '<', 0.01, 'no step where the sums end') for 0, 1;
    my %table = (1 => 12.706, 2 => 4.303, 3 => 3.182, 4 => 2.776, 9 => 2.262, 10 => 2.228, 30 => 2.042);
    cmp_ok(abs(t_within($_) - $table{$_}), '<', 6e-4, "t of $_ degrees, from tables") for sort keys %table;
};

sub intervals_of { return Realfeel::Stat::Intervals->new($_[0], $_[1] // Realfeel::Stat::Pieces->new, 'lateness') }

sub interval_of { my ($distribution, $one_in, $pieces) = @_; return intervals_of($distribution, $pieces)->interval($one_in) }

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
    return Realfeel::Stat::Distribution->new(low => [@edges[@kept]], high => [@edges[map { $_ + 1 } @kept]], count => [@count[@kept]]);
}

subtest 'the intervals cover the true percentile in 95 % of 2000 drawings' => sub {
    my ($drawings, %covered) = (2000);
    my @edges = fine_edges();
    for (1 .. $drawings) {
        my $distribution = draw(10_000, @edges);
        for ([50, 2], [99, 100], [99.9, 1000]) {
            my ($low, $high) = interval_of($distribution, $_->[1]);
            my $truth = 1 - 1 / $_->[1];
            $covered{$_->[0]} += $low <= $truth && $truth <= $high;
        }
    }
    for (50, 99, 99.9) {
        my $percent = 100 * $covered{$_} / $drawings;
        note "$_ %: $percent % of the drawings";
        cmp_ok(abs($percent - 95), '<=', 2, "$_ %");
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

sub pieces_of { return Realfeel::Stat::Pieces->new(latency => $_[0], measure => 'lateness', period => 1) }

subtest 'where stalls make many periods late at once' => sub {
    my ($drawings, $n, @runs, %all) = (500, 50_000);
    push @runs, stalled_run($n) for 1 .. $drawings;
    for ([map { $_->cells } @runs]) { $all{$_->[0]} += $_->[2] for @$_ }
    my $truth = bins(map { [$_, $_ + 0.1, $all{$_}] } sort { $a <=> $b } keys %all)->quantile(1000);
    my %covered = (episodes => 0, periods => 0);
    for my $run (@runs) {
        my %given = (periods => [interval_of($run, 1000)], episodes => [interval_of($run, 1000, pieces_of($run))]);
        $covered{$_} += $given{$_}[0] <= $truth && $truth <= ($given{$_}[1] // 'inf') for keys %given;
    }
    my %percent = map { $_ => 100 * $covered{$_} / $drawings } keys %covered;
    note "99.9 %: covered in $percent{episodes} %; if periods were independent, in $percent{periods} %";
    cmp_ok($percent{episodes}, '>=', 90, 'the interval covers nearly what it says');
    cmp_ok($percent{periods}, '<', 75, 'which one of independent periods does not');
};

subtest 'wake-ups by hand' => sub {
    my $late = bins([0, 0.5, 990], (map { [$_, $_ + 0.5, 5] } 1 .. 3), (map { [$_, $_ + 0.5, 1] } 4 .. 9));
    my $pieces = pieces_of($late);
    is($pieces->together('lateness', $late, 0.9, 2), 21 / 5, 'four stalls of three periods, and one of nine');
    is($pieces->together('lateness', $late, 2.9, 2), 11 / 5, 'the latest of each of them');
    is($pieces->together('interval', $late, 0.9, 2), 1, 'each interval is one of its own');
    is($pieces->{unknown}, undef, 'and without slices nothing speaks against it');
    is_deeply({ %{ Realfeel::Stat::Pieces->new } }, { bins => [] }, 'none');
};

# Fifths whose shares beyond the value are given; values come in bursts of that length.
{
    package Shares;
    sub new { my ($class, $together, @shares) = @_; return bless { together => $together, shares => \@shares }, $class }
    sub shares   { return @{ $_[0]{shares} } }
    sub widening { return 1.3 }
    sub together { return $_[0]{together} }
}

subtest 'intervals by hand' => sub {
    my $values = bins(map { [$_, $_ + 1, 100] } 1 .. 100);
    is_deeply([interval_of($values, 2)], [50, 52], 'without pieces: 5000 of 10,000, +-98');
    is_deeply([interval_of($values, 2, Shares->new(1, (0.5) x 5))], [50, 52], 'pieces that are equal add nothing');
    is((interval_of($values, 2, Shares->new(100)))[1], 61, 'values that come a hundred at once');
    my ($low, $high) = interval_of($values, 2, Shares->new(1, 0.6, 0.4, 0.5, 0.5, 0.5));
    my $reach = exp(1.3 * 2.776445 * sqrt((log(41 / 51)**2 + log(61 / 51)**2) / 4) / sqrt 5);
    cmp_ok(abs($high / (51 * $reach) - 1), '<', 1e-6, '1.3 t(4) sd / sqrt 5, in logarithms');
    cmp_ok(abs($low * $reach / 51 - 1), '<', 1e-6, 'to either side');
    ($low, $high) = interval_of($values, 2, Shares->new(1, 0.9999, 0.9999, 0.5, 0.0001, 0.0001));
    ok($low >= 1 && $high <= 101, 'never beyond the values');
    my $open = Realfeel::Stat::Distribution->new(low => [0, 10], high => [10, 'inf'], count => [9000, 1000]);
    is_deeply([interval_of($open, 10)], [0, undef], 'an end in the last bin, which is open, is open');
};

# What one in 2 exceed is 0 in most fifths, so its upper bound is open; 1 in 100 exceed 10 for sure.
subtest 'an interval and its inverse' => sub {
    for my $round (1 .. 100) {
        my $edge = 0;
        my $values = bins(map { $edge += int rand 3; [$edge++, $edge, 1 + int rand 99] } 1 .. 2 + int rand 40);
        my $intervals = intervals_of($values, Shares->new(1 + rand 3, map { 0.1 * exp(0.3 * (rand() - 0.5)) } 1 .. 5));
        my @known = grep { $_ <= $values->n / 10 } 2, 5, 10, 33, 50, 100;
        my @bounds = map { [$intervals->interval($_)] } @known;
        for my $i (1 .. $#known) {
            cmp_ok($bounds[$i][0], '>=', $bounds[$i - 1][0], "round $round, 1 in $known[$i]: a lower bound ascends") or return;
            cmp_ok($bounds[$i][1] // 'inf', '>=', $bounds[$i - 1][1] // 'inf', 'so does an upper one') or return;
        }
        for my $limit (map { rand 1.2 * $values->max } 1 .. 9) {
            my $sure = $intervals->sure_one_in($limit) // 1;
            my @kept = map { ($bounds[$_][1] // 'inf') <= $limit ? 1 : 0 } 0 .. $#known;
            is_deeply(\@kept, [map { $_ <= $sure ? 1 : 0 } @known], "round $round: above $limit") or return;
        }
    }
};

sub pieces_in {
    my ($slices, %header) = @_;
    my $made = report_of($slices);
    return Realfeel::Model::Report->of({ %$made, header => { %{ $made->{header} }, duration_s => 60, %header } })->pieces;
}

subtest 'the fifths of a run' => sub {
    my @slices = map { my $level = 1000 * (1 + int(($_ - 1) / 4)); [map { [0, 1, $level + $_] } 1 .. 500] } 1 .. 20;
    my $pieces = pieces_in(\@slices);
    is_deeply([scalar @{ $pieces->{bins} }, $pieces->{unit}, $pieces->widening], [5, 'fifths', 1.3], 'are five');
    my @share = $pieces->shares(2);
    cmp_ok(abs($share[$_] - (0.9 - 0.2 * $_)), '<', 0.001, 'the median of each, by its place in the run') for 0 .. 4;
    is(pieces_in([@slices[0 .. 3]])->{unknown}, 'short', 'and of fewer slices there are none');
    is(pieces_in(\@slices, duration_s => $_)->{unknown}, $_ < 59 ? 'short' : undef, "nor in a run of $_ s") for 58.9, 59, 60;
};

subtest 'a drift of half a percent' => sub {
    my @slices = map { my $s = $_; [map { [0, 1, 20_000 * (1 + $s / 4000) + $_ % 90] } 1 .. 500] } 1 .. 20;
    my $pieces = pieces_in(\@slices);
    my $median = summary($pieces->{latency}, $pieces, 'lateness')->{percentiles}[0];
    cmp_ok($median->{low_us}, '>', 19.9, 'leaves the median its interval');
    cmp_ok($median->{high_us}, '<', 20.3, 'with both ends');
};

subtest 'a slice whose bins are empty' => sub {
    my $made = report_of([map { [[0, 1, 1000], [0, 1, 9000]] } 1 .. 8]);
    my $bins = $made->{slice_bins};
    $bins->{lateness} = [map { $_ eq $bins->{start_s}[0] ? 0 : 1 } @{$bins->{start_s}}];
    my $report = Realfeel::Model::Report->of({ %$made, header => { %{ $made->{header} }, duration_s => 60 } });
    is(scalar @{ $report->pieces->{bins} }, 4, 'is none');
};

subtest 'merged runs' => sub {
    my @slices = map { my $run = $_; [map { [0, 1, 1000 * ($run + $_ % 20)] } 1 .. 500] } 1 .. 6;
    my %report = %{report_of(\@slices)};
    my @starts = do { my %seen; grep { !$seen{$_}++ } @{$report{slice_bins}{start_s}} };
    my %run = map { $starts[$_] => 1 + $_ } 0 .. $#starts;
    $report{slice_bins}{run} = [map { $run{$_} } @{$report{slice_bins}{start_s}}];
    my $runs = Realfeel::Model::Report->of(\%report)->pieces;
    is_deeply([scalar @{ $runs->{bins} }, $runs->{unit}, $runs->widening], [6, 'runs', 1], 'of five and more the runs are the pieces');
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

my @STEPS = (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8);

# A lower bound holds for all that is rarer, an upper one for all that is more frequent.
sub slow_bounds {
    my ($one_in, @sorted) = @_;
    my $most = @sorted / 10;
    my @steps = grep { $_ > 1 && $_ < $most } map { my $decade = $_; map { $_ * $decade } @STEPS } 1, 10, 100, 1000;
    my %of = map { $_ => [slow_interval($_, @sorted)] } @steps, $most;
    return (max(map { $of{$_}[0] } grep { $_ <= $one_in } @steps, $most),
        min(map { $of{$_}[1] // 'inf' } grep { $_ >= $one_in } @steps, $most));
}

# Of no more than 500 samples, for larger sums are taken to be normal.
subtest 'a hundred random histograms, sample by sample' => sub {
    for my $round (1 .. 100) {
        my $edge = 0;
        my @bins = map { $edge += int rand 3; [$edge++, $edge, 1 + int rand(rand() < 0.2 ? 40 : 5)] } 1 .. 2 + int rand 40;
        my @sorted = map { my $bin = $_; ($bin) x $bin->[2] } @bins;
        next if @sorted > 500;
        my $summary = summary(bins(@bins), Realfeel::Stat::Pieces->new, 'lateness');
        for my $given (grep { defined $_->{value_us} } @{ $summary->{percentiles} }) {
            my ($low, $high) = slow_bounds(sprintf('%.0f', 100 / (100 - $given->{percentile})), @sorted);
            is_deeply([$given->{low_us}, $given->{high_us} // 'inf'], [$low, $high], "round $round, $given->{percentile} %") or return;
        }
    }
};

# The latenesses of wake-ups come from those of periods: right to within the bin that is one period further up.
subtest 'wake-ups from periods, against a hundred random runs' => sub {
    for my $round (1 .. 100) {
        my ($made, $slices) = random_report(400);
        my $report = Realfeel::Model::Report->of($made);
        my @truth = map { $_->[2] / 1000 } map { @$_ } @$slices or next;
        my $wakeups = Realfeel::Stat::Bins::wakeups($report->latency('lateness'), RandomReport::PERIOD_NS / 1000, scalar @truth);
        is($wakeups->n, scalar @truth, 'each wake-up once') or last;
        for my $edge (map { $_->[0] } $wakeups->cells) {
            my ($is, $should) = ($wakeups->n - $wakeups->below($edge), scalar grep { $_ >= $edge } @truth);
            my $further = $edge + RandomReport::PERIOD_NS / 1000;
            my ($cut) = map { $_->[2] } grep { $_->[0] < $further && $further < $_->[1] } $report->latency('lateness')->cells;
            cmp_ok(abs($is - $should), '<=', ($cut // 0) + 1e-9, "round $round: above $edge us") or return;
        }
    }
};

subtest 'nothing, and one value' => sub {
    my $nothing = intervals_of(bins());
    is_deeply([$nothing->interval(2), $nothing->sure_one_in(1)], [undef, undef, undef], 'nothing is known of nothing');
    is_deeply([interval_of(bins([1, 2, 10**15]), 1e6)], [1, 2], 'ten to the fifteenth');
};

done_testing;
