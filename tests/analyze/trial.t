# SPDX-License-Identifier: GPL-2.0-or-later
# What a change does, by pairs: against values computed by hand and against a slow reference that plays every game.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use List::Util qw(shuffle sum);
use Test::More;

use MadeReport;
use Seed;
use Realfeel::Answer::Trial qw(trial);
use Realfeel::Model::Report;
use Realfeel::Model::Names qw(seconds);
use Realfeel::Output::Export qw(tap_of_trial);
use Realfeel::Stat::Pairs;

use constant { INFINITY => 9**9**9, MONEY => [[0.85 / 2, 0.95], [0.85 / 2, -0.95], [0.15 / 2, 0.6], [0.15 / 2, -0.6]] };

my $folder = tempdir(CLEANUP => 1);
seed();

sub pairs_of {
    my ($tests, @logs) = @_;
    my $pairs = Realfeel::Stat::Pairs->new($tests);
    $pairs->add($_) for @logs;
    return $pairs;
}

sub first_told {
    my ($tests, @logs) = @_;
    my $pairs = Realfeel::Stat::Pairs->new($tests);
    for (0 .. $#logs) {
        $pairs->add($logs[$_]);
        return [$_ + 1, $pairs->{differs}] if $pairs->{differs};
    }
    return undef;
}

subtest 'how long it took' => sub {
    my ($one, $other) = map { Realfeel::Model::Report->read(made("$folder/$_.hist", [[1], [2]], started => "2026-11-20T23:0$_:00Z",
        duration_s => 10)) } 1, 2;
    is(seconds([$one, undef], [$other]), 70, 'the time is that from the first start to the last end');
    for my $lacking ([started => '2026-11-20T23:03:00Z'], [duration_s => 10]) {
        my $report = Realfeel::Model::Report->read(made("$folder/3.hist", [[1], [2]], @$lacking));
        is(seconds([$one, $other], [$report]), undef, "a report with no more than $lacking->[0] leaves the time unknown");
    }
};

subtest 'how many pairs it takes' => sub {
    is_deeply(first_told(1, (0.1) x 9), [6, 'higher'], 'six on one side: 32 times the money in the fewest that can tell');
    is_deeply(first_told(1, (-0.1) x 9), [6, 'lower'], 'six pairs on the other side tell as much');
    is_deeply(first_told(1, -0.1, (0.1) x 19), [11, 'higher'], 'one of eleven may be on the other side');
    is_deeply(first_told(1, (0.1, -0.1, 0.1) x 9), undef, 'two to one is not told in 27');
    is_deeply([map { first_told($_, (0.1) x 19)->[0] } 1 .. 4, 10], [6, 7, 8, 8, 10], 'several variants take more pairs each');
    is_deeply(first_told(1, (0, undef, 0.1) x 9), [18, 'higher'], 'equal ones are no toss');
    my $pairs = pairs_of(1, (0.1) x 6, (-0.1) x 50);
    is($pairs->{differs}, 'higher', 'a conclusion, once reached, stays');
    is_deeply([@{ pairs_of(1, 0, undef, 0, 1, 2, -1) }{qw(higher lower equal)}], [2, 1, 3], 'how many are which');
};

subtest 'intervals by hand' => sub {
    is_deeply([@{ pairs_of(1, 1 .. 5) }{qw(low high)}], [-INFINITY(), INFINITY], 'five pairs exclude nothing');
    is_deeply([@{ pairs_of(1, shuffle 1 .. 6) }{qw(low high)}], [1, 6], 'six: the least and the greatest');
    is_deeply([@{ pairs_of(1, 5, 3, 1, 2, 4, 6 .. 10) }{qw(low high)}], [1, 6], 'ratios above 6 stay excluded after the sixth pair');
    is_deeply([@{ pairs_of(1, 1 .. 10, 0) }{qw(low high)}], [1, 6], 'eleven: the second on either side, 1 and 9, and what was');
    is(pairs_of(1, 3, 1, 2)->median, 2, 'the median of three is the middle one');
    is(pairs_of(1, 3, 1, 2, 10)->median, 2.5, 'the median of four is the mean of the middle two');
    is(pairs_of(1)->median, undef, 'no pairs have no median');
    is(pairs_of(1, -INFINITY(), INFINITY)->median, 0, 'the median of the infinities is 0');
    is_deeply([@{ pairs_of(1, (INFINITY) x 6) }{qw(low high)}], [INFINITY, INFINITY], 'six from nothing to something');
    my $changed = pairs_of(1, (1) x 6, (5) x 60);
    is_deeply([@$changed{qw(low high)}, $changed->median], [5, 5, 5], 'a ratio that changed: that of all pairs alone');
};

# Every game about one ratio: whether any look at it shows the money of both sides together.
sub wins {
    my ($ratio, $tests, @logs) = @_;
    my @money = map { $_->[0] } @{ MONEY() };
    for my $log (@logs) {
        next unless defined $log && $log != $ratio;
        $money[$_] *= 1 + MONEY->[$_][1] * ($log > $ratio ? 1 : -1) for 0 .. $#money;
        return 1 if sum(@money) >= 20 * $tests - 1e-9;
    }
    return 0;
}

my @wrong;
for my $round (1 .. 60) {
    my ($tests, $step) = (1 + int rand 4, rand() < 0.5 ? 0.5 : 0);
    my ($effect, $spread) = ((0, 0.3, 2)[rand 3], 1 + rand 2);
    my @logs = map { my $log = $effect + $spread * (rand() + rand() - 1); $step ? $step * int($log / $step) : $log } 1 .. 10 + rand 40;
    my $pairs = pairs_of($tests, @logs);
    my @at = sort { $a <=> $b } @logs;
    my @ratios = ($at[0] - 1, (map { ($at[$_] + $at[$_ + 1]) / 2 } grep { $at[$_] < $at[$_ + 1] } 0 .. $#at - 1), $at[-1] + 1);
    my @accepted = grep { !wins($_, $tests, @logs) } @ratios;
    my ($low, $high) = @$pairs{qw(low high)};
    push @wrong, "round $round: decision" if wins(0, $tests, @logs) != defined $pairs->{differs};
    next unless @accepted;
    push @wrong, "round $round: $low to $high, not @accepted" if "@accepted" ne "@{[grep { $low < $_ && $_ < $high } @ratios]}";
}
is_deeply(\@wrong, [], 'random pairs agree with every game played by itself');

# A report of 1,000 latenesses of which one in a hundred is 10 times as late.
sub report {
    my ($us, %header) = @_;
    my $file = made("$folder/run.hist", [[(10 * $us) x 10, ($us) x 490], [(10 * $us) x 10, ($us) x 490]], %header);
    return Realfeel::Model::Report->read($file);
}

subtest 'a trial by hand' => sub {
    my @rounds = map { [report(100), report(50 + $_), report(100 + $_)] } 1 .. 6;
    my $trial = trial('90', [qw(half same)], @rounds);
    is_deeply([@$trial{qw(at measure rounds)}], [90, 'lateness', 6], 'what is judged');
    my ($half, $same) = @{ $trial->{variants} };
    is_deeply([map { $_->{name} } $half, $same], [qw(half same)], 'the variants have their names');
    ok(!defined $half->{effect}{differs} && !$trial->{decided}, 'two variants: six pairs do not tell');
    $trial = trial('90', ['half'], @rounds);
    my $effect = $trial->{variants}[0]{effect};
    ok($trial->{decided}, 'six pairs are enough for one variant');
    is_deeply([@$effect{qw(statistic differs pairs higher lower equal)}], ['p90', 'lower', 6, 0, 6, 0], 'the variant is lower');
    my ($ratio, $low, $high) = map { sprintf '%.3f', $_ } @$effect{qw(ratio low high)};
    is_deeply([$ratio, $low, $high], ['0.535', '0.510', '0.560'], 'the ratio, and the least and the greatest of the six');
    is(sprintf('%.2f', $effect->{unseen}), sprintf('%.2f', 1 / $effect->{low}),
        'the difference that may be unseen is the end of the interval');
    is_deeply([map { sprintf '%.0f', $_ } @$effect{qw(base variant)}], [100, 54], 'the effect has the values of both');
    is_deeply([map { $_->{round} } @{ $effect->{so_far} }], [1 .. 6], 'the pairs are kept in the order of the rounds');
    is_deeply([map { defined $_->{high} ? 1 : 0 } @{ $effect->{so_far} }], [0, 0, 0, 0, 0, 1], 'an interval with the sixth');
    is_deeply([map { $_->{differs} } @{ $effect->{so_far} }], [(undef) x 5, 'lower'], 'the sixth pair decides');
    is($trial->{variants}[0]{beside}{statistic}, 'p50', 'the median is reported beside it');
    is(trial('50', ['half'], @rounds)->{variants}[0]{beside}, undef, 'the median is not shown beside itself');
    is(trial('max', ['half'], @rounds)->{variants}[0]{effect}{differs}, 'lower', 'the maximum can be judged');
};

subtest 'a trial has TAP' => sub {
    my @rounds = map { [report(100), report(50 + $_), report(100), report(150 + $_)] } 1 .. 9;
    my $trial = trial('50', ['half', 'same', "more'"], @rounds);
    my ($version, $plan, @lines) = split /\n/, tap_of_trial($trial);
    is("$version, $plan", 'TAP version 13, 1..3', 'a test for each variant');
    is_deeply([grep { !/^# [^ :]+ p50 / } @lines], ['ok 1 - half: p50 is not higher',
        '# half: p50 is 45 % lower (42 to 49 %); 9 pairs.', 'ok 2 - same: p50 is not higher # SKIP same: cannot tell; '
        . 'a difference of less than 0 % at p50 would not have been seen; 9 pairs.', "not ok 3 - more': p50 is not higher",
        '  ---', "  message: 'more'': p50 is 55 % higher (51 to 58 %); 9 pairs.'", '  ...'], 'lower, not known, higher');
    is_deeply([grep { /^# half p50/ } @lines],
        ['# half p50 ratio: 0.5496', '# half p50 low: 0.5096', '# half p50 high: 0.5795', '# half p50 pairs: 9'], 'TAP has the figures');
};

subtest 'for a harness, of one pair' => sub {
    my $tap = tap_of_trial(trial('50', ['half'], [report(100), report(50)]));
    is_deeply([$tap =~ /^# half p50 (.*)$/mg], ['ratio: 0.4996', 'pairs: 1'], 'no interval that has no end');
};

subtest 'what is left out' => sub {
    my $trial = trial('99.9', ['a'], [report(9), report(9)]);
    is_deeply($trial->{variants}[0]{left_out}, [{ round => 1, side => 'base', code => 'samples', needed => 10_000 }],
        'a run with too few samples is left out');
    is($trial->{variants}[0]{effect}{pairs}, 0, 'no pair');
    is($trial->{variants}[0]{beside}{pairs}, 1, 'the median still has a pair');
    is_deeply([@{ $trial->{variants}[0]{effect} }{qw(ratio unseen)}], [undef, undef], 'nothing is known');
    my @rounds = ([report(9), report(9, verdict => 'invalid: x')], [report(9, schedule => 'contradicted: y'), report(9)],
        [report(9), undef], [report(9), report(9, missed => 'unknown', periods => 'unknown')]);
    my @left_out = map { [@$_{qw(round side code)}] } @{ trial('missed', ['a'], @rounds)->{variants}[0]{left_out} };
    is_deeply(\@left_out, [[1, 'variant', 'invalid'], [2, 'base', 'contradicted'], [4, 'variant', 'unknown']], 'other reasons');
    is(trial('50', ['a'])->{measure}, undef, 'no round yet');
};

subtest 'missed periods' => sub {
    my %histogram = (from_us => [9], to_us => [10], lateness => [1000]);
    my $pair = sub { [map { Realfeel::Model::Report->of({ header => { missed => $_, periods => 1000 }, histogram => \%histogram }) } @_] };
    my $effect = trial('missed', ['a'], map { $pair->(@$_) } [0, 0], [3, 0], [2, 0], [0, 0], [1, 0])->{variants}[0]{effect};
    is_deeply([@$effect{qw(pairs higher lower equal)}], [5, 0, 3, 2], 'a pair without missed periods is no toss');
    is_deeply([@$effect{qw(base variant ratio low high)}], [1200, 0, 0, 0, undef], 'the means, in a million; less by any factor');
    is_deeply([map { $_->{pair_ratio} } @{ $effect->{so_far} }], [undef, 0, 0, undef, 0], 'each pair has its ratio');
    $effect = trial('missed', ['a'], map { $pair->(0, $_) } 1 .. 6)->{variants}[0]{effect};
    is_deeply([@$effect{qw(differs ratio low high unseen)}], ['higher', undef, undef, undef, undef],
        'a base without missed periods has no ratio');
    $effect = trial('missed', ['a'], map { $pair->(0, 0) } 1 .. 20)->{variants}[0]{effect};
    is_deeply([@$effect{qw(differs ratio low high)}], [undef, undef, 0, undef], 'runs without missed periods leave the ratio unknown');
};

done_testing;
