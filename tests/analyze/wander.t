# SPDX-License-Identifier: GPL-2.0-or-later
# How far a sum is off when its parts follow a level that wanders: 95 % of simulated sums are to be within the reach.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use List::Util qw(sum);
use Test::More;

use Realfeel::Wander qw(wander);

use constant { UNITS => 60, DRAWINGS => 200, TWO_PI => 8 * atan2(1, 1) };

my $seed = $ENV{SEED} // 20_020_701;    # fixed, for chance alone would make it fail now and then
srand $seed;
note "SEED=$seed";

sub normal { return sqrt(-2 * log(1 - rand)) * cos(TWO_PI * rand) }

# Each unit is off by a level with that time constant in units, whose variance is this share of all.
sub units {
    my ($tau, $share) = @_;
    my ($level, $alike) = (normal(), exp(-1 / $tau));
    return map {
        $level = $alike * $level + sqrt(1 - $alike**2) * normal();
        sqrt($share) * $level + sqrt(1 - $share) * normal();
    } 1 .. UNITS;
}

sub drawn {
    my ($tau, $share) = @_;
    my ($within, $slow, @reach) = (0, 0);
    for (1 .. DRAWINGS) {
        my @off = units($tau, $share);
        my ($sum, $squares) = (sum(@off), 0);
        my $mean = $sum / UNITS;
        $squares += ($_ - $mean)**2 for @off;
        my $wander = wander(map { $_ - $mean } @off);
        $within += $sum**2 <= 1.96**2 * $wander->{reach} * $squares / (UNITS - 1) * UNITS;
        $slow += $wander->{slow};
        push @reach, $wander->{reach};
    }
    return (100 * $within / DRAWINGS, 100 * $slow / DRAWINGS, (sort { $a <=> $b } @reach)[DRAWINGS / 2]);
}

for ([1, 0, 'independent'], [1, 0.9, 'time constant 1'], [3, 0.9, '3'], [3, 0.3, '3, a third of the variance'], [8, 0.9, '8']) {
    my ($tau, $share, $name) = @$_;
    my ($within, $slow, $reach) = drawn($tau, $share);
    note sprintf '%s: %.1f %% within, %.1f %% slow, reach %.2f', $name, $within, $slow, $reach;
    cmp_ok($within, '>=', 88, "$name: sums within the reach");
    cmp_ok($slow, '<', $tau > UNITS / 10 ? 50 : 5, "$name: how often it is too slow for the run");
    cmp_ok(sqrt $reach, '<', 1.3, 'and at most 1.3 times as wide as that of independent values') if !$share;
}
my $slow = (drawn(60, 0.9))[1];
cmp_ok($slow, '>', 50, 'a time constant as long as the run is found to be too slow, as a rule') or diag $slow;

is_deeply(wander((0) x 7), { reach => 1, slow => 0 }, 'nothing is off');
is_deeply(wander((1) x 7), { reach => 1, slow => 0 }, 'all are off by the same, which says nothing of how they differ');

done_testing;
