# SPDX-License-Identifier: GPL-2.0-or-later
# What the pictures show, read back from the SVG and held against the input.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use List::Util qw(max sum);
use Test::More;

use MakeReport;
use RunCommand;
use Svg;

my ($missing) = run('gnuplot', '--version');
plan skip_all => 'gnuplot is not installed' if $missing;

my $analyze = abs_path("$FindBin::Bin/../../analyze/realfeel-analyze");
my $seed    = $ENV{SEED} // int rand 2**31;
srand $seed;
diag("SEED=$seed");
chdir tempdir(CLEANUP => 1) or die $!;

# Latenesses around a peak with a long tail, as bins of three digits, which are wider than what a pixel can tell.
sub random_bins {
    my ($samples) = @_;
    my %count;
    $count{ _bin(2 + 8 * exp(rand(1)**8 * 7)) }++ for 1 .. $samples;
    return map { [(map { sprintf '%.2f', $_ } $_, $_ + _width($_)), $count{$_}] } sort { $a <=> $b } keys %count;
}

sub _width { my ($us) = @_; return 10**(length(int $us) - 3) }

sub _bin { my ($us) = @_; return sprintf '%.2f', _width($us) * int($us / _width($us)) }

sub drawn {
    my ($kind, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, 'plot', $kind, '-o', 'x.svg', @arguments);
    is("$status $out$err", '0 ', "$kind @arguments: drawn");
    return Svg->new(contents('x.svg'));
}

sub near { my ($got, $expected, $name) = @_; cmp_ok(abs($got - $expected), '<=', 0.003 * abs $expected, "$name: $expected") }

my @bins  = random_bins(3000);
my $n     = sum(map { $_->[2] } @bins);
my $max   = $bins[-1][0] + 0.3;
make_report('run.hist', lateness => \@bins, lateness_max => $max);

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
    is_deeply([grep { is_off($_, $bins, $share) } @levels], [], 'each level has its bins');
    near(sum(map { $_->[2] } @levels), $share * sum(map { $_->[2] } @$bins), 'together they have all');
    cmp_ok($levels[0][0] / 1.001, '<=', $bins->[0][0], 'the first holds the first bin');
    cmp_ok($levels[-1][1] * 1.001, '>=', $bins->[-1][0], 'the last holds the last');
}

subtest 'histogram' => sub {
    my $svg = drawn('histogram', 'run.hist');
    holds_all_bins($svg, \@bins, 1);
    my ($marks) = $svg->marks;
    near($marks->[0][0], $max, 'a mark is at the maximum');
};

subtest 'overlay' => sub {
    my $svg = drawn('overlay', 'run.hist');
    holds_all_bins($svg, \@bins, 100 / $n);
    my ($marks) = $svg->marks;
    near($marks->[0][0], $max, 'a mark is at the maximum');
};

# How many of the values lie beyond one that is read from a curve: a list of two, by the edges of its bin.
sub beyond {
    my ($value) = @_;
    return map { my $edge = $_; sum(0, map { $_->[2] } grep { $_->[$edge] > $value } @bins) } 0, 1;
}

subtest 'percentiles' => sub {
    my $svg = drawn('percentiles', 'run.hist');
    my ($sure, $rest) = map { [map { @$_ } @$_] } $svg->lines;
    my @all = (@$sure, @$rest);
    near($sure->[-1][0], $n / 10, 'the line is thick as far as ten values lie beyond');
    near($rest->[-1][0], $n, 'and ends at one in all');
    near($rest->[-1][1], $max, 'with the maximum');
    my ($mark) = map { @$_ } $svg->marks;
    near($mark->[$_], $rest->[-1][$_], "where the mark is, $_") for 0, 1;
    for my $one_in (2, 10, 100) {
        my ($value) = map { $_->[1] } grep { $_->[0] >= 1.001 * $one_in } @all;
        cmp_ok(0.97 * $n / $one_in, '<=', ((beyond($value * 0.985))[1]), "one in $one_in lies beyond: not less");
        cmp_ok($n / $one_in, '>=', ((beyond($value * 1.005))[0]), "one in $one_in lies beyond: not more");
    }
};

subtest 'exceedance' => sub {
    my $svg = drawn('exceedance', 'run.hist');
    my ($curve, $bound) = map { [map { @$_ } @$_] } $svg->lines;
    my $floor = ($svg->limits)[2];
    is_deeply([grep { $_->[1] > 1.01 * $floor && off($_) } @$curve], [], 'each point has the share of the values above');
    near((sort { $b->[0] <=> $a->[0] } @$curve)[0][0], $max, 'the curve ends at the maximum');
    near($bound->[-1][1], 3 / $n, 'beyond it holds the rule of three');
    is_deeply([grep { $_->[1] < 0.99 * (beyond($_->[0] * 1.01))[0] / $n } @$bound], [], 'the bound is nowhere below the share');
};

sub off {
    my ($point) = @_;
    my ($x, $share) = @$point;
    return $share > 1.01 * (beyond($x * 0.98))[1] / $n || $share < 0.99 * (beyond($x * 1.005))[0] / $n;
}

done_testing;
