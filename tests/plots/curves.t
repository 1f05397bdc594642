# SPDX-License-Identifier: GPL-2.0-or-later
# What the pictures show, read back from the SVG and held against the input.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use List::Util qw(sum);
use Test::More;

use Drawing;
use MakeReport;
use RunCommand;
use Seed;

seed();

# Latenesses around a peak with a long tail, as bins of three digits, which are wider than what a pixel can tell.
sub random_bins {
    my ($samples) = @_;
    my %count;
    $count{ _bin(2 + 8 * exp(rand(1)**8 * 7)) }++ for 1 .. $samples;
    return map { [(map { sprintf '%.2f', $_ } $_, $_ + _width($_)), $count{$_}] } sort { $a <=> $b } keys %count;
}

sub _width { my ($us) = @_; return 10**(length(int $us) - 3) }

sub _bin { my ($us) = @_; return sprintf '%.2f', _width($us) * int($us / _width($us)) }

sub near { my ($got, $expected, $name) = @_; cmp_ok(abs($got - $expected), '<=', 0.003 * abs $expected, "$name: $expected") }

my @bins  = random_bins(3000);
my $n     = sum(map { $_->[2] } @bins);
my $max   = $bins[-1][0] + 0.3;
make_report('run.hist', lateness => \@bins, lateness_max => $max);

sub maximum_is_marked {
    my ($svg) = @_;
    my ($marks) = $svg->marks;
    near($marks->[0][0], $max, 'a mark is at the maximum');
}

# The levels of a histogram's outline: [from, to, height].
sub levels {
    my ($svg, $plot) = @_;
    my @levels;
    for my $piece (@{ ($svg->lines)[ $plot // 0 ] }) {
        for my $i (1 .. $#$piece) {
            my ($from, $to) = @$piece[$i - 1, $i];
            push @levels, [$from->[0], @$to] if $to->[0] > $from->[0] && $to->[1] > 1.01 * ($svg->limits)[2];
        }
    }
    return @levels;
}

# Whether a level has the values between its ends, which are read as exactly as a pixel is.
sub is_off {
    my ($level, $bins, $share) = @_;
    my ($from, $to, $height) = @$level;
    my ($least, $most) = map { my $more = $_; sum(0, map { $_->[2] }
        grep { $_->[0] > $from * (1 - $more) && $_->[0] < $to * (1 + $more) } @$bins) } -0.001, 0.001;
    return $height < 0.995 * $share * $least || $height > 1.005 * $share * $most;
}

sub holds_all_bins {
    my ($svg, $bins, $share) = @_;
    my @levels = levels($svg);
    is_deeply([grep { is_off($_, $bins, $share) } @levels], [], 'each level holds its bins');
    near(sum(map { $_->[2] } @levels), $share * sum(map { $_->[2] } @$bins), 'the levels hold all values');
    cmp_ok($levels[0][0] / 1.001, '<=', $bins->[0][0], 'the first holds the first bin');
    cmp_ok($levels[-1][1] * 1.001, '>=', $bins->[-1][0], 'the last holds the last');
}

subtest 'a histogram holds all values' => sub {
    my $svg = drawn('histogram', 'run.hist');
    holds_all_bins($svg, \@bins, 1);
    maximum_is_marked($svg);
};

subtest 'an overlay holds all values' => sub {
    my $svg = drawn('overlay', 'run.hist');
    holds_all_bins($svg, \@bins, 100 / $n);
    maximum_is_marked($svg);
};

# How many of the values lie beyond one that is read from a curve: a list of two, by the edges of its bin.
sub beyond {
    my ($value) = @_;
    return map { my $edge = $_; sum(0, map { $_->[2] } grep { $_->[$edge] > $value } @bins) } 0, 1;
}

subtest 'percentiles are those of the values' => sub {
    my $svg = drawn('percentiles', 'run.hist');
    my ($sure, $rest) = map { [map { @$_ } @$_] } $svg->lines;
    my @all = (@$sure, @$rest);
    near($sure->[-1][0], $n / 10, 'the line is thick up to ten values beyond');
    near($rest->[-1][0], $n, 'the line ends at one in all');
    near($rest->[-1][1], $max, 'the line ends at the maximum');
    my ($mark) = map { @$_ } $svg->marks;
    near($mark->[$_], $rest->[-1][$_], "where the mark is, $_") for 0, 1;
    for my $one_in (2, 10, 100) {
        my ($value) = map { $_->[1] } grep { $_->[0] >= 1.001 * $one_in } @all;
        cmp_ok(0.97 * $n / $one_in, '<=', ((beyond($value * 0.985))[1]), "an outline has at least 1 in $one_in beyond it");
        cmp_ok($n / $one_in, '>=', ((beyond($value * 1.005))[0]), "an outline has at most 1 in $one_in beyond it");
    }
};

# Below the mark of an error bar gnuplot draws paper, which would hide the curve of another run.
subtest 'the marks of percentiles hide nothing' => sub {
    my %scale = reverse picture('svg', 'percentiles', 'run.hist') =~ /#gpPt6' \S+ scale\((\S+)\)' color='(.*?)'/g;
    my ($paper) = grep { /white|#ffffff/i } keys %scale;
    my ($mark) = grep { /rgb/ } keys %scale;
    cmp_ok($scale{$mark}, '>', $scale{ $paper // '' } // 0, 'the mark covers the paper below it');
};

subtest 'the intervals of several runs stand side by side' => sub {
    my @plots = drawn('percentiles', ('run.hist') x 2)->lines;
    my %places = map { sprintf('%.1f', $_->[0]) => 1 } map { @$_ } grep { @$_ == 2 && $_->[0][0] == $_->[1][0] } map { @$_ } @plots;
    my @near = grep { $_ > 80 && $_ < 120 } sort { $a <=> $b } keys %places;
    near($near[$_], 100 * 1.14**($_ - 0.5), "p99 of run $_") for 0, 1;
};

# Too few slices for an interval.
subtest 'percentiles without intervals' => sub {
    make_report('short.hist', lateness => [['4.00', '4.01', 1000], ['9.00', '9.01', 50]], lateness_max => 9.005,
        slices => [['0.000000', '1.000000', 1050, 1050, 0, '9.005', '1.000']],
        slice_bins => [map { ['0.000000', '1.000000', @$_] } ['4.00', '4.10', 1000], ['9.00', '9.10', 50]]);
    like((run($analyze, 'short.hist'))[1], qr/too short for intervals: measure a minute$/m, 'a short run has no intervals');
    my $svg = drawn('percentiles', 'short.hist');
    my $top = ($svg->limits)[3];
    is_deeply([grep { $_->[1] > 0.999 * $top } map { @$_ } map { @$_ } $svg->lines], [], 'no bound is drawn at the top');
    my %tells = map { $_ => scalar grep { /^upper bound/ } drawn('exceedance', $_)->texts } qw(run.hist short.hist);
    is_deeply(\%tells, { 'run.hist' => 1, 'short.hist' => 0 }, 'the key of exceedance has a bound where there is one');
};

# The lines of the key that say what marks are.
sub explained { my ($svg, $pattern) = @_; return scalar grep { /^$pattern/ } $svg->texts }

subtest 'the key says what is thin, and what the bars are' => sub {
    my @told = map { my $svg = drawn('percentiles', $_); [map { explained($svg, $_) } 'thin: ', '95 % confidence interval'] }
        qw(run.hist short.hist);
    is_deeply(\@told, [[1, 1], [1, 0]], 'a line for each, where it is drawn');
    is(explained(drawn('percentiles', ('run.hist') x 5), '95 % confidence interval'), 0, 'five runs have no bars');
};

subtest 'bounds of many runs would hide each other' => sub {
    for my $case ([2, 1], [3, 0]) {
        my ($runs, $has_bound) = @$case;
        my $svg = drawn('exceedance', ('run.hist') x $runs);
        is(explained($svg, 'upper bound'), $has_bound, "$runs runs: in the key");
        is(scalar(grep { @$_ } $svg->lines), $runs * (1 + $has_bound), "$runs runs: lines");
    }
};

subtest 'exceedance is the share of the values above' => sub {
    my $svg = drawn('exceedance', 'run.hist');
    my ($curve, $bound) = map { [map { @$_ } @$_] } $svg->lines;
    my $floor = ($svg->limits)[2];
    is_deeply([grep { $_->[1] > 1.01 * $floor && off($_) } @$curve], [], 'each point has the share of the values above');
    near((sort { $b->[0] <=> $a->[0] } @$curve)[0][0], $max, 'the curve ends at the maximum');
    near($bound->[-1][0], $max, 'the bound ends at the maximum');
    is_deeply([grep { $_->[1] < 0.99 * (beyond($_->[0] * 1.01))[0] / $n } @$bound], [], 'the bound is nowhere below the share');
};

subtest 'slices have their cells' => sub {
    my @rows = map { [sprintf('%.6f', 2 * $_), '2.000000', 4096, 4096, 0, sprintf('%.3f', 20 + 10 * $_ % 70), '1.000'] } 0 .. 9;
    my @cells = map {
        my ($start, $most) = @$_[0, 5];
        ([$start, '2.000000', '4.00', '4.10', 4095], [$start, '2.000000', (map { sprintf '%.2f', $_ } $most, $most + 1), 1]);
    } @rows;
    make_report('slices.hist', lateness => [['4.00', '4.01', 40950], ['20.00', '20.01', 9], ['90.00', '90.01', 1]],
        lateness_max => 90.005, slices => \@rows, slice_bins => \@cells);
    my $svg = drawn('slices', 'slices.hist');
    my @boxes = $svg->boxes;
    is(scalar @boxes, 20, 'a box for each cell that is not empty');
    for my $i (0, 5, 9) {
        my @column = grep { ($_->[0] + $_->[2]) / 2 > 2 * $i && ($_->[0] + $_->[2]) / 2 < 2 * $i + 2 } @boxes;
        my ($low, $high) = map { [sort { $a <=> $b } @$_[1, 3]] } sort { $a->[1] <=> $b->[1] } @column;
        ok($low->[0] < 4.05 && $low->[1] > 4.05, "slice $i: the many");
        ok($high->[0] < $rows[$i][5] * 1.001 && $high->[1] > $rows[$i][5], "slice $i: the worst");
    }
    my @worst = map { @$_ } map { @$_ } $svg->lines;
    for my $row (@rows) {
        ok((grep { abs($_->[1] / $row->[5] - 1) < 0.005 && abs($_->[0] - $row->[0]) < 0.05 } @worst), "a line at $row->[5]");
    }
    my ($ring) = map { $_->[0] } $svg->marks;
    near($ring->[1], 80, 'a ring at the worst of all');
    my @key = ('the worst of each slice', 'the worst of all', 'another run begins');
    is_deeply([map { explained($svg, $_) } @key], [1, 1, 0], 'the key says what they are');
    push @$_, $_->[0] > 5 && $_->[0] < 9 ? 1 : 0 for @rows;
    make_report('smis.hist', lateness => [['4.00', '4.01', 40950], ['20.00', '20.01', 9], ['90.00', '90.01', 1]],
        lateness_max => 90.005, slices => \@rows, slice_bins => \@cells);
    my $with = drawn('slices', 'smis.hist');
    is_deeply([map { explained($_, 'at the top: the firmware had the CPU') } $with, $svg], [1, 0], 'SMIs are named if there were any');
    my $above = ($with->limits)[3] * 0.99;
    my @top = grep { $_->[0][1] > $above && $_->[1][1] > $above } map { @$_ } $with->lines;
    is_deeply([map { map { sprintf '%.0f', $_->[0] } @$_ } @top], [6, 8, 8, 10], 'SMIs are marked in their slices');
    my $merged = drawn('slices', "$FindBin::Bin/../lab/examples/none-loaded-rtc.hist.gz");
    is_deeply([map { explained($merged, $_) } @key], [1, 1, 1], 'the key has the seams of merged runs');
};

sub off {
    my ($point) = @_;
    my ($x, $share) = @$point;
    return $share > 1.01 * (beyond($x * 0.98))[1] / $n || $share < 0.99 * (beyond($x * 1.005))[0] / $n;
}

done_testing;
