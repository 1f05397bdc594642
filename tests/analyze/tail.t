# SPDX-License-Identifier: GPL-2.0-or-later
# How late a longer run may become: what that is estimated from, that the limit holds, and when there is none.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(max);
use Test::More;

use Realfeel::Answer::Stats qw(longer);
use Realfeel::Model::Report;
use Realfeel::Stat::Tail qw(blocks limit);
use Seed;

seed(USUAL);    # chance alone would make it fail now and then

# Of a generalized extreme value distribution.
sub maxima {
    my ($n, $shape) = @_;
    return map { level(-1 / log(rand() || 0.5), $shape) } 1 .. $n;
}

sub level {
    my ($n, $shape) = @_;
    return 60 + 12 * ($shape ? ($n**$shape - 1) / $shape : log $n);
}

# Slices of 1000 periods.
sub slices { return map { [1000, $_] } @_ }

# Ten times the run, of which these are the slices.
sub ten_times { return limit(10, max(map { $_->[1] } @_), \@_) }

subtest 'a run has blocks of equal length' => sub {
    is_deeply([blocks([slices(1 .. 60)])], [slices(1 .. 60)], 'a slice is a block');
    is_deeply([blocks([slices(1 .. 399)])], [map { [3000, 3 * $_] } 1 .. 133], 'three slices are a block, so that 100 blocks are left');
    is_deeply([(blocks([slices(1 .. 302)]))[-1]], [[3000, 300]], 'what fills no block is left out');
    is(scalar blocks([slices(1 .. 60), [899, 61]]), 60, 'a last slice that is short is left out');
    is(scalar blocks([slices(1 .. 60), [900, 61]]), 61, 'nine tenths are enough');
    my @two = blocks([map { [4000, $_] } 1 .. 60], [slices(101 .. 340)]);
    is_deeply(\@two, [map { [4000, $_] } 1 .. 60, map { 100 + 4 * $_ } 1 .. 60], 'runs with other slices get equal blocks');
    is_deeply([blocks(map { [slices($_, 100 + $_)] } 1 .. 200)], [map { [2000, 100 + $_] } 1 .. 200],
        'a run that is shorter than a block is one');
    is_deeply([blocks([], [])], [], 'no slices are no blocks');
};

# In another order, so that the maxima neither rise nor fall.
sub shuffled { my @values = @_; return map { $values[7 * $_ % @values] } 0 .. $#values }

subtest 'the limit follows from the maxima of blocks' => sub {
    my @power = slices(map { 100 * (61 / (61 - $_))**0.5 } shuffled(1 .. 60));
    my ($one, $ten) = map { limit($_, 1, \@power) } 1, 10;
    my $exponent = log($ten / $one) / log 10;
    cmp_ok($exponent, '>', 0.5, 'the exponent is above that of the tail');
    cmp_ok(abs($one / 3**$exponent - 1), '<', 1e-9, 'the limit rises from the maximum by the rule of three');
    cmp_ok(limit(10, 1, [slices(map { 100 + $_ / 1000 } shuffled(1 .. 60))]), '<', 1.01, 'the limit hardly rises if no block is late');
    cmp_ok(limit(10, 1, [slices(shuffled(1001 .. 1054, 5001 .. 5006))]), '<', 30**3, 'a rare cause does not make it endless');
};

# Runs of 100 blocks whose levels are known: tails from bounded to heavy; ten blocks later than the next ten; and a cause
# that acts in two blocks of five, ten times as late as the others. 95 % of 40 hold the truth: 34 or fewer in 1.4 %.
my %runs = (
    'bounded'     => { draw => sub { maxima(100, -0.2) }, level => sub { level($_[0], -0.2) } },
    'exponential' => { draw => sub { maxima(100, 0) }, level => sub { level($_[0], 0) } },
    'heavy'       => { draw => sub { maxima(100, 0.2) }, level => sub { level($_[0], 0.2) } },
    'power'       => { draw => sub { map { 60 / sqrt(rand() || 0.5) } 1 .. 100 }, level => sub { 60 * sqrt $_[0] } },
    'on and off'  => { draw => sub { my $i = 0; map { $_ + ($i++ / 10 % 2 ? 50 : 0) } maxima(100, 0) },
        level => sub { 50 + level($_[0] / 2, 0) } },
    'two causes'  => { draw => sub { map { rand() < 0.4 ? 10 * $_ : $_ } maxima(100, 0) },
        level => sub { 10 * level($_[0] * 0.4, 0) } },
);
for my $name (sort keys %runs) {
    my ($draw, $level) = @{ $runs{$name} }{qw(draw level)};
    my @by = sort { $a <=> $b } map { ten_times(slices($draw->())) / $level->(1000) } 1 .. 40;
    cmp_ok(scalar(grep { $_ >= 1 } @by), '>=', 35, "$name: the limits hold");
    cmp_ok($by[@by / 2], '<', $name eq 'power' ? 8 : 3, "$name: the limits are not far above the truth");
}

subtest 'blocks that tell nothing' => sub {
    my @good = maxima(110, 0);
    ok(defined ten_times(slices(@good)), 'good blocks have a limit');
    ok(defined ten_times(slices(map { 1 / (rand() || 0.5) } 1 .. 110)), 'blocks with a heavy tail have a limit');
    ok(defined ten_times(slices(@good[0 .. 39])), 'forty blocks have a limit');
    is(ten_times(slices(@good[0 .. 38])), undef, 'fewer than forty');
    is(ten_times(slices(@good[0 .. 38]), [10, 70]), undef, 'forty with the last one cut off');
    is(limit(10, undef), undef, 'no maximum has no limit');
    is(ten_times(slices(map { $good[$_] + $_ } 0 .. 109)), undef, 'maxima that rise as the run goes on');
    is(ten_times(slices(map { $good[$_] - $_ } 0 .. 109)), undef, 'maxima that fall as the run goes on have no limit');
    is(ten_times((map { [1000, $good[$_]] } 0 .. 55), map { [1600, $good[$_]] } 56 .. 109), undef, 'blocks that are not equally long');
    is(ten_times(slices((41) x 80)), undef, 'equal maxima');
    is(ten_times(slices(shuffled(map { int $_ / 10 } 1 .. 200))), undef, 'maxima of few values');
    is(ten_times(slices(shuffled(-56 .. 3))), undef, 'maxima of 0 and less');
};

# A report of runs, each a list of the maxima of its slices, and what else is to be in it.
sub report {
    my ($runs, %more) = @_;
    my @max = map { @$_ } @$runs;
    my $n = 1000 * @max;
    my %slices = (
        start_s => [0 .. $#max], seconds => [(1) x @max], wakeups => [(1000) x @max], periods => [(1000) x @max],
        missed => [(0) x @max], lateness_max_us => \@max,
        @$runs > 1 ? (run => [map { my $run = $_; ($run + 1) x @{ $runs->[$run] } } 0 .. $#$runs]) : (),
    );
    my %header = (verdict => 'valid', duration_s => scalar @max, samples => $n, periods => $n, missed => 0,
        lateness_max_ns => 1000 * max(0, @max),
        %{ $more{header} // {} });
    return Realfeel::Model::Report->of({ file => 'x.hist', header => \%header, slices => \%slices,
        histogram => { from_us => [3], to_us => ['inf'], lateness => [$n] }, %{ $more{sets} // {} } });
}

sub below_us { my $longer = longer($_[0]); return $longer && $longer->{below_us} }

subtest 'a report has a limit for a longer run' => sub {
    my @maxima = map { int 100 * $_ } maxima(201, 0);
    is(below_us(report([\@maxima])), limit(10, max(@maxima), [slices(@maxima)]), 'the limit of a report is that of its slices');
    is(longer(report([\@maxima]))->{duration_s}, 10 * @maxima, 'the longer run has ten times the duration');
    my @two = ([@maxima[0 .. 100]], [@maxima[101 .. 200]]);
    is(below_us(report(\@two)), limit(10, max(@maxima), map { [slices(@$_)] } @two),
        'the limit of several runs is that of the slices of each');
    my %late = (header => { lateness_max_ns => 50_000_000 });
    is(below_us(report([\@maxima], %late)), limit(10, 50_000, [slices(@maxima)]), 'the limit begins at the maximum of the report');
    for my $header ({ verdict => 'suspect: memory was not locked' }, { verdict => undef }, { status => 'break' }) {
        is(below_us(report([\@maxima], header => $header)), undef, join ' ', map { $_ // 'none' } %$header);
    }
    is(below_us(report([[]])), undef, 'no slice');
    is(below_us(report([\@maxima], sets => { slices => undef })), undef, 'a report without slices has no limit');
    my $interval = { from_us => [3], to_us => [4], interval => [60_000], early => [0] };
    is(below_us(report([\@maxima], sets => { histogram => $interval })), undef, 'no latency');
    is(below_us(report([[shuffled(map { 10**(9 * $_) } 1 .. 60)]])), undef, 'a limit beyond all numbers is none');
    is(below_us(Realfeel::Model::Report->read("$FindBin::Bin/data/preempt-lolat-2.4.17.hist")), undef, 'a report of 2002 has no limit');
    cmp_ok(below_us(Realfeel::Model::Report->read("$FindBin::Bin/data/tail.hist")), '>', 190.353,
        'the limit of a report is above its maximum');
};

done_testing;
