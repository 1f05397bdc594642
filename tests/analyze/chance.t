# SPDX-License-Identifier: GPL-2.0-or-later
# Whether intervals hold what they say, in a few short runs whose truth is known; "make check-statistics" has many and long.
use strict;
use warnings;
use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $draw = ($ENV{BUILD} // "$root/build") . '/draw';
plan skip_all => "there is no $draw: make check builds it" unless -x $draw;

use constant { PAIRS => 10, SECONDS => 30 };

# The seed is fixed, for chance alone would make it fail now and then.
my $seed = $ENV{SEED} // 1;
my @lines = `$root/tests/statistics/run --pairs=${\PAIRS} --seconds=${\SECONDS} --seed=$seed independent wander-2 bursts`;
is($?, 0, 'tests/statistics/run: exit status');
note @lines;

# Of 20 runs 95 % hold the truth: 16 or fewer do in 1.6 % of all cases, 15 in 0.3 %. Of 10 pairs 5 % differ: 3 do in 1.2 %.
my @loads = map { /^(independent|wander-2|bursts)\s+(.*)/ ? [$1, $2] : () } @lines;
is("@{[map { $_->[0] } @loads]}", 'independent wander-2 bursts', 'a line for each load');
for (@loads) {
    my ($load, $line) = @$_;
    my @covered = $line =~ m{[-\d.]+ / ([\d.]+)}g;
    cmp_ok($covered[$_], '>=', 75, "$load: runs that hold the true p" . (50, 90, 99, 99.9)[$_]) for 0 .. 3;
    my ($false, $alike, $together, $alone) = $line =~ m{([\d.]+)\s+([\d.]+)\s+([\d.]+) / ([\d.]+)$};
    cmp_ok($false, '<=', 15, "$load: bounds that are false");
    cmp_ok($alike, '<=', 30, "$load: false alarms");
    cmp_ok($alone, '>=', $together, "$load: what is judged alone is found as often, or more often") if $load eq 'independent';
}

done_testing;
