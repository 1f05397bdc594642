# SPDX-License-Identifier: GPL-2.0-or-later
# Whether intervals hold what they say, in a few short runs whose truth is known; "make check-statistics" has many and long.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Seed;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $draw = ($ENV{BUILD} // "$root/build") . '/draw';
plan skip_all => "there is no $draw: make check builds it" unless -x $draw;

use constant { PAIRS => 20, SECONDS => 30, LOADS => [qw(independent wander-2 bursts drift-20)] };

my $seed = seed() % 10_000;
my @lines = `$root/tests/statistics/run --pairs=${\PAIRS} --seconds=${\SECONDS} --seed=$seed @{ LOADS() }`;
is($?, 0, 'tests/statistics/run: exit status');
note @lines;

# Of 40 runs 93 % hold the truth: 26 or fewer do in one of 4 million cases, and there are 16 such figures. Of 20 pairs 5 %
# differ: 9 do in one of 5 million. Of 20 that do differ 99.5 % are found (wander-2, 3 seeds of 200 pairs): 15 or fewer are
# in one of 22 million.
my %figures = map { my ($load, $tree, @figures) = split; ($load => \@figures) } grep { /^\S+ +this +[-\d]/ } @lines;
is_deeply([sort keys %figures], [sort @{ LOADS() }], 'a line for each load');
for my $load (@{ LOADS() }) {
    my @covered = @{ $figures{$load} }[0 .. 3];
    my ($given, $false, $alike, @found) = @{ $figures{$load} }[12 .. 17];
    cmp_ok($covered[$_], '>=', 67.5, "$load: intervals that hold the true p" . (50, 90, 99, 99.9)[$_])
        for grep { $covered[$_] ne '-' } 0 .. 3;
    cmp_ok($false, '<=', 35, "$load: bounds that are false");
    cmp_ok($alike, '<=', 40, "$load: false alarms");
    cmp_ok($found[0], '>=', 80, "$load: a median that is half as high again is found") unless $load eq 'drift-20';
    is_deeply([@{ $figures{$load} }[4 .. 7]], [('100.0') x 4], "$load: each interval has both ends")
        if $load =~ /^(?:independent|drift-20)$/;
}

# Of 20 changes that do nothing up to 5 % are told: 8 are in one of 500,000 cases, and so are 8 intervals that hold no truth.
# A load that drifts makes each block later than the one before, which is why the order is random.
my %trials = map { my ($load, $at, @figures) = split; ("$load $at" => \@figures) } grep { /^\S+ +(?:p\d|max)/ }
    `$root/tests/statistics/trial --trials=20 --pairs=12 --seconds=5 --seed=$seed independent drift-20 on-off-7`;
is($?, 0, 'tests/statistics/trial: exit status');
is(scalar keys %trials, 12, 'a line for each load and statistic');
for my $which (sort keys %trials) {
    my ($false, $in_order, $covered) = @{ $trials{$which} }[0, 1, -1];
    note "$which @{ $trials{$which} }";
    cmp_ok($false, '<=', 35, "$which: changes that do nothing and are told");
    cmp_ok($covered, '>=', 65, "$which: intervals of a trial that hold the truth") if $covered ne '-';
}
cmp_ok($trials{'drift-20 p50'}[1], '>=', 90, 'drift-20 p50: nearly all would be, were the base always the first');
is($trials{$_}[7], '100.0', "$_: all changes of half as much again are told") for 'independent p50', 'drift-20 p99';

done_testing;
