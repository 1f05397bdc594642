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

use constant LOADS => qw(independent wander-2 bursts);

# The rows of a table by their loads, without the standard errors.
sub table {
    my ($name, @arguments) = @_;
    my @lines = `$root/tests/statistics/$name --seed=${\(seed() % 10_000)} @arguments @{[LOADS]}`;
    is($?, 0, "tests/statistics/$name: exit status");
    note @lines;
    my %rows = map { my ($load, @cells) = split; ($load => [map { s/\+-.*//r } @cells]) } grep { /\+-/ } @lines;
    is_deeply([sort keys %rows], [sort +LOADS], 'a line for each load');
    return %rows;
}

# Of 20 runs 93 % hold the truth: 12 or fewer do in one of 5 million cases, and there are 15 such figures. Of ten pairs 5 %
# differ: 6 do in one of 4 million. Of ten that do differ 99.5 % are found: 6 or fewer are in one of 8 million.
my %intervals = table('run', '--runs=20');
my %stars = table('compare', '--runs=10');
for my $load (LOADS) {
    cmp_ok($intervals{$load}[$_], '>=', 65, "$load: intervals that hold the true p" . (50, 90, 99, 99.9, 99.99)[$_]) for 0 .. 4;
    cmp_ok($stars{$load}[0], '<=', 50, "$load: false stars");
    cmp_ok($stars{$load}[1], '<=', 50, "$load: maxima that are said to differ");
    cmp_ok($stars{$load}[2], '>=', 70, "$load: a median that is half as high again is found");
}
is_deeply([@{ $intervals{independent} }[5 .. 8]], [('100.0') x 4], 'independent: each interval has both ends');

# Of 20 changes that do nothing up to 5 % are reported: 8 are in one of 500,000 cases, and so are 8 intervals that hold no truth.
# A load that drifts makes each block later than the one before, which is why the order is random.
my %trials = map { my ($load, $at, @figures) = split; ("$load $at" => \@figures) } grep { /^\S+ +(?:p\d|max)/ }
    `$root/tests/statistics/trial --trials=20 --pairs=12 --seconds=5 --seed=${\(seed() % 10_000)} independent drift-20 on-off-7`;
is($?, 0, 'tests/statistics/trial: exit status');
is(scalar keys %trials, 12, 'a line for each load and statistic');
for my $which (sort keys %trials) {
    my ($false, $in_order, $covered) = @{ $trials{$which} }[0, 1, -1];
    note "$which @{ $trials{$which} }";
    cmp_ok($false, '<=', 35, "$which: changes that do nothing and are reported");
    cmp_ok($covered, '>=', 65, "$which: intervals of a trial that hold the truth") if $covered ne '-';
}
cmp_ok($trials{'drift-20 p50'}[1], '>=', 90, 'drift-20 p50: nearly all would be, were the base always the first');
is($trials{$_}[7], '100.0', "$_: all changes of half as much again are reported") for 'independent p50', 'drift-20 p99';

done_testing;
