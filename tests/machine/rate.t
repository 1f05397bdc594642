# SPDX-License-Identifier: GPL-2.0-or-later
# The arithmetic of check-machine, and what it says of properties that are made to fail.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Analyzer;
use Program qw(workspace);
use Rate qw(at_least interval limit);
use RunCommand qw(run);
use Test::More;
use Tries qw(alarms differs lines not_within save_reports try_all);

use constant TRIES => 30;

my @INTERVALS = map { [interval($_, TRIES)] } 0 .. TRIES;

# How often an interval has the true chance: the tail on either side is 2.5 % at most.
sub coverage {
    my ($chance) = @_;
    my ($within, $below, $above) = (0, 0, 0);
    for my $failures (0 .. TRIES) {
        my ($low, $high) = @{ $INTERVALS[$failures] };
        my $probability = at_least($failures, TRIES, $chance) - at_least($failures + 1, TRIES, $chance);
        $_ += $probability for $chance < $low ? $below : $chance > $high ? $above : $within;
    }
    return $within > 0.95 && $below <= 0.025 && $above <= 0.025;
}

sub case { return { name => $_[0], try => $_[1], lacks => $_[2] } }

sub properties {
    my ($worse) = @_;
    return (
        { name => 'holds', cases => [case('', sub { differs('one', 1, 1) })] },
        { name => 'fails at times', cases => [case('', sub { not_within('number', $_[0], undef, 25) })] },
        { name => 'has three cases', cases => [
            case('odd', sub { return }), case('never', sub { die "tried\n" }, sub { 'no such device' }),
            case('even', sub { die "it broke\n" if $worse; return }) ] },
        { name => 'cannot be tried', cases => [case('', sub { die "tried\n" }, sub { 'perf: Operation not permitted' })] },
    );
}

is(limit(TRIES), 5, 'five failures of thirty are an alarm');
is(sprintf('%.5f', at_least(5, TRIES, 0.02)), '0.00030', 'five failures of thirty come of a chance of 2 % in 3 of 10,000 runs');
is(sprintf('%.4f', at_least(4, TRIES, 0.02)), '0.0029', 'four failures of thirty come of a chance of 2 % in 29 of 10,000 runs');
is(at_least(0, TRIES, 0.02), 1, 'no failure or more is certain');
is(sprintf('%.4f', at_least(TRIES, TRIES, 0.9)), sprintf('%.4f', 0.9**TRIES), 'the chance that all tries fail is a power');

my %INTERVAL = (0 => '0.0000 0.1157', 1 => '0.0008 0.1722', 5 => '0.0564 0.3472', 30 => '0.8843 1.0000');
for my $failures (sort { $a <=> $b } keys %INTERVAL) {
    is(join(' ', map { sprintf '%.4f', $_ } interval($failures, TRIES)), $INTERVAL{$failures}, "the interval of $failures");
}
is_deeply([grep { !coverage($_) } map { $_ / 200 } 1 .. 199], [], 'intervals hold the true chance in 95 % of all runs');

my @bad = try_all(TRIES, properties('worse'));
is_deeply([map { "$_->{name} $_->{failures}" } alarms(@bad)], ['has three cases 15'], 'a case that always fails is an alarm');
is_deeply([lines(@bad)], [
    '                 failed  of     %          95 %',
    'holds                 0  30   0.0   0.0 to 11.6',
    'fails at times        4  30  13.3   3.8 to 30.7',
    'has three cases      15  30  50.0  31.3 to 68.7  ALARM',
    'A property that fails in 2 % of its tries gives an alarm, 5 of 30, in 3 of 10,000 runs.',
    'has three cases, never, skipped: no such device',
    'cannot be tried, skipped: perf: Operation not permitted',
    'fails at times, 1 times: number: 26, more than 25',
    'fails at times, 1 times: number: 27, more than 25',
    'fails at times, 1 times: number: 28, more than 25',
    'has three cases, 15 times: even: it broke',
], 'what is printed');

# As of forty nights, of which the last fifteen fail.
workspace();
save_reports('.', 1.8e9 + 86400 * $_, try_all(TRIES, properties($_ > 25))) for 1 .. 40;
my ($status, $out, $err) = run($analyze, qw(trend --series=missed), glob '*.hist');
is("$status $err", '0 ', 'the reports are read');
my %shown = map { /^\S+, (.*), tries: 40 runs\n(.*)/s ? ($1 => $2) : () } split /\n\n(?=\S+, .*: 40 runs\n)/, $out;
is_deeply([sort keys %shown], ['fails at times', 'has three cases', 'holds'], 'each property that was tried is a series');
like($shown{'has three cases'}, qr/\(run 26\): missed 0 -> .*; detected at run \d+$/m, 'the trend says since when a property fails');
unlike($shown{'fails at times'} . $shown{holds}, qr/detected at/, 'the trend says nothing of properties that have not changed');

done_testing;
