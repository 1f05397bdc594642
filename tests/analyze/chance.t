# SPDX-License-Identifier: GPL-2.0-or-later
# Whether intervals hold what they say, in a few short runs whose truth is known; "make check-statistics" has many and long.
use strict;
use warnings;
use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $draw = ($ENV{BUILD} // "$root/build") . '/draw';
plan skip_all => "there is no $draw: make check builds it" unless -x $draw;

use constant { PAIRS => 10, SECONDS => 30, LOADS => [qw(independent wander-2 bursts drift-20)] };

my $seed = $ENV{SEED} // time % 10_000;
diag "SEED=$seed";
my @lines = `$root/tests/statistics/run --pairs=${\PAIRS} --seconds=${\SECONDS} --seed=$seed @{ LOADS() }`;
is($?, 0, 'tests/statistics/run: exit status');
note @lines;

# Of 20 runs 93 % hold the truth: 13 or fewer do in one of 10,000 cases. Of 10 pairs 5 % differ: 5 do in one of 20,000.
# Of 10 that do differ 97 % are found: 6 or fewer are in one of 6,000.
my %figures = map { my ($load, $tree, @figures) = split; ($load => \@figures) } grep { /^\S+ +this +[-\d]/ } @lines;
is_deeply([sort keys %figures], [sort @{ LOADS() }], 'a line for each load');
for my $load (@{ LOADS() }) {
    my @covered = @{ $figures{$load} }[0 .. 3];
    my ($given, $false, $alike, @found) = @{ $figures{$load} }[12 .. 17];
    cmp_ok($covered[$_], '>=', 70, "$load: intervals that hold the true p" . (50, 90, 99, 99.9)[$_])
        for grep { $covered[$_] ne '-' } 0 .. 3;
    cmp_ok($false, '<=', 35, "$load: bounds that are false");
    cmp_ok($alike, '<=', 40, "$load: false alarms");
    cmp_ok($found[0], '>=', 70, "$load: a median that is half as high again is found") unless $load eq 'drift-20';
    is_deeply([@{ $figures{$load} }[4 .. 7]], [('100.0') x 4], "$load: each interval has both ends")
        if $load =~ /^(?:independent|drift-20)$/;
}

done_testing;
