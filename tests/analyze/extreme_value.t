# SPDX-License-Identifier: GPL-2.0-or-later
# The distribution of extremes: against a published fit, values by hand, and simulation.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use List::Util qw(shuffle sum);
use Test::More;

use Realfeel::Tail::ExtremeValue;

use constant { INFINITY => 9**9**9, SHAPE_MEAN => 0.1, SHAPE_SD => 0.2 };

my $seed = $ENV{SEED} // 20_020_701;    # fixed, for chance alone would make it fail now and then
srand $seed;
diag "SEED=$seed";

sub close_to {
    my ($got, $expected, $name, $error) = @_;
    ok(defined $got && abs($got - $expected) <= ($error // 1e-9), $name)
        or diag 'got ', $got // 'undef', ", expected $expected";
}

sub fit { my ($maxima, %how) = @_; return Realfeel::Tail::ExtremeValue->fit($maxima, %how) }

# All of the values, and nothing else, as in books.
sub whole_fit { return fit($_[0], share => 1, shape_sd => INFINITY) }

# What is exceeded once in n blocks where location is 0 and scale is 1.
sub level {
    my ($n, $shape) = @_;
    return $shape ? ($n**$shape - 1) / $shape : log $n;
}

sub sample {
    my ($n, $shape) = @_;
    return map { level(-1 / log(rand() || 0.5), $shape) } 1 .. $n;
}

# Yearly maxima of the sea at Port Pirie, 1923 to 1987. Coles (2001) fits location 3.87, scale 0.198, shape -0.050; the
# levels of 10 and 100 years are 4.30 and 4.69, that of 100 with 4.50 to 5.27.
subtest 'a published fit' => sub {
    my @metres = qw(
        4.03 3.83 3.65 3.88 4.01 4.08 4.18 3.80 4.36 3.96 3.98 4.69 3.85 3.96 3.85 3.93 3.75 3.63 3.57 4.25 3.97 4.05
        4.24 4.22 3.73 4.37 4.06 3.71 3.96 4.06 4.55 3.79 3.89 4.11 3.85 3.86 3.86 4.21 4.01 4.11 4.24 3.96 4.21 3.74
        3.85 3.88 3.66 4.11 3.71 4.18 3.90 3.78 3.91 3.72 4.00 3.66 3.62 4.33 4.55 3.75 4.08 3.90 3.88 3.94 4.33);
    my $fit = whole_fit(\@metres);
    close_to($fit->location, 3.87475, 'location', 5e-5);
    close_to($fit->scale,    0.19804, 'scale', 5e-5);
    close_to($fit->shape,   -0.05011, 'shape', 1e-4);
    is($fit->fitted, 65, 'of all values');
    my ($ten, $hundred) = map { -1 / log(1 - 1 / $_) } 10, 100;
    close_to($fit->level($ten), 4.30, 'once in ten years', 0.005);
    close_to($fit->level($hundred), 4.69, 'once in a hundred', 0.005);
    my ($low, $high) = $fit->interval($hundred, 1);
    close_to($low, 4.50, 'at least', 0.015);
    close_to($high, 5.27, 'at most', 0.015);
    my ($lower, $higher) = $fit->interval($hundred, 2);
    cmp_ok($lower, '<', $low, 'of half as many: less');
    cmp_ok($higher, '>', $high, 'or more');
};

subtest 'what is drawn is found' => sub {
    for my $shape (-0.3, 0, 0.2) {
        my $fit = whole_fit([map { 5 + 2 * level(-1 / log(($_ - 0.5) / 2000), $shape) } 1 .. 2000]);
        close_to($fit->location, 5, "shape $shape: location", 0.01);
        close_to($fit->scale, 2, "shape $shape: scale", 0.01);
        close_to($fit->shape, $shape, "shape $shape: itself", 0.01);
        close_to($fit->level(40), $fit->location + $fit->scale * level(40, $fit->shape), "shape $shape: a return level");
    }
};

# The likelihood as it is written: of each of the latest its density, and of the others that they are not above.
sub unlikely {
    my ($above, $below, $threshold, $location, $scale, $shape) = @_;
    my $intensity = sub { (1 + $shape * ($_[0] - $location) / $scale)**(-1 / $shape) };
    return (($shape - SHAPE_MEAN) / SHAPE_SD)**2 / 2 + $below * $intensity->($threshold)
        - sum map { log($intensity->($_)**(1 + $shape) * exp(-$intensity->($_)) / $scale) } @$above;
}

subtest 'the likelihood, by another way' => sub {
    my @sorted = sort { $a <=> $b } sample(100, 0.1);
    my $fit = fit([shuffle @sorted]);
    is($fit->fitted, 30, 'three of ten are fitted');
    close_to($fit->threshold, $sorted[69], 'those above the others');
    my @best = ($fit->location, $fit->scale, $fit->shape);
    my $least = unlikely([@sorted[70 .. 99]], 70, $sorted[69], @best);
    for my $i (0 .. 2) {
        for my $off (-0.02, 0.02) {
            my @beside = @best;
            $beside[$i] += $off;
            cmp_ok(unlikely([@sorted[70 .. 99]], 70, $sorted[69], @beside), '>', $least, "no better $off beside parameter $i");
        }
    }
};

subtest 'what is below the threshold' => sub {
    my @sorted = sort { $a <=> $b } sample(100, 0.1);
    my ($one, $other) = map { fit($_) } \@sorted, [(-1000) x 69, @sorted[69 .. 99]];
    close_to($other->$_, $one->$_, "has no say in the $_", 1e-4) for qw(location scale shape);
    my @tied = ((1) x 60, (2) x 20, 3 .. 22);
    is(fit(\@tied)->fitted, 20, 'nor has what is equal to it');
};

subtest 'scale and shift' => sub {
    my @x = sample(100, 0.1);
    my $fit = fit(\@x);
    for my $case ([1000, 7e6], [1e-3, -5]) {
        my ($factor, $shift) = @$case;
        my $other = fit([map { $shift + $factor * $_ } @x]);
        close_to(($other->location - $shift) / $factor, $fit->location, 'location', 1e-3);
        close_to($other->scale / $factor, $fit->scale, 'scale', 1e-3);
        close_to($other->shape, $fit->shape, 'shape', 1e-3);
        my ($low, $high, $other_low, $other_high) = map { $_->interval(1000, 1) } $fit, $other;
        close_to(($other_low - $shift) / $factor, $low, 'interval, low', 1e-2);
        close_to(($other_high - $shift) / $factor / $high, 1, 'interval, high', 1e-2);
    }
};

subtest 'blocks that are alike' => sub {
    my @alone = sample(100, 0);
    my @by_five = map { ($_) x 5 } sample(20, 0);
    my @at_the_end = map { $alone[$_] + ($_ < 85 ? 0 : 8) } 0 .. 99;
    my $fit = fit(\@alone);
    cmp_ok($fit->dependence(1000)->{spread}, '<', 2, 'independent ones are nearly as many as they are');
    cmp_ok(fit(\@by_five)->dependence(1000)->{spread}, '>', 3, 'five that are equal are hardly more than one');
    ok(!$fit->dependence(1000)->{slow}, 'and one can tell');
    ok(fit(\@at_the_end)->dependence(1000)->{slow}, 'but not where the latest gather once');
};

# 120 drawings have a standard error of 2 % in what they say of 95 %.
subtest 'the intervals of independent blocks' => sub {
    my ($held, $drawings) = (0, 0);
    for my $shape (-0.3, 0, 0.3) {
        for (1 .. 40) {
            my ($low, $high) = whole_fit([sample(100, $shape)])->interval(1000, 1);
            $held++ if $low <= level(1000, $shape) && level(1000, $shape) <= $high;
            $drawings++;
        }
    }
    my $share = 100 * $held / $drawings;
    diag sprintf '%.1f %% of %d intervals for ten times the sample hold the truth', $share, $drawings;
    cmp_ok($share, '>=', 87, 'they hold the truth');
    cmp_ok($share, '<=', 99.5, 'but are not too wide');
};

subtest 'samples that a fit must survive' => sub {
    my @steep = map { 1 / $_**3 } reverse 1 .. 50;
    my @capped = map { 100 - 1 / $_ } 1 .. 50;
    my @even = 1 .. 50;
    my @outlier = (1 .. 49, 1e6);
    my @apart = ((map { $_ / 1e6 } 1 .. 35), (map { 1e6 + $_ / 1e6 } 1 .. 15));
    for my $sample (\@steep, \@capped, \@even, \@outlier, \@apart, [1, 2, 3, 3.5]) {
        for my $fit (fit($sample), whole_fit($sample)) {
            my ($low, $high) = $fit->interval(100, 1);
            ok($fit->scale > 0 && $fit->shape >= -1, 'a fit');
            my $level = $fit->level(100);
            ok((!defined $low || $low <= $level * (1 + 1e-9)) && (!defined $high || $level <= $high * (1 + 1e-9)), 'in its interval')
                or diag "$level, ", $low // 'undef', ' to ', $high // 'undef';
        }
    }
};

done_testing;
