# SPDX-License-Identifier: GPL-2.0-or-later
package Hog;
use strict;
use warnings;

use Built qw(built);
use Exporter 'import';
use List::Util qw(max min reduce sum0);
use RunCommand qw(run);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC CLOCK_REALTIME);
use Time::Local qw(timegm);
our @EXPORT = qw(hog stalled_us);

=head1 NAME

Hog - a process that takes a CPU away, and what of a late wake-up is its doing

=head1 FUNCTIONS

=head2 hog($cpu, @words)

Runs tests/lib/hog.c there, with these words. Returns its stalls, as it says itself: arrays of the time when each began and
ended, in microseconds of UTC.

=head2 stalled_us($event, @stalls)

For how many microseconds of the lateness of this wake-up, a row of a report's C<events>, these stalls lasted.

=cut

sub hog {
    my ($cpu, @words) = @_;
    my (undef, $told) = run(qw(taskset -c), $cpu, built('hog'), @words);
    my $offset_us = offset_us();
    return map { [map { $_ / 1000 + $offset_us } split] } split /\n/, $told;
}

sub stalled_us {
    my ($event, @stalls) = @_;
    my $to_us = utc_us($event->{utc});
    return sum0(map { overlap_us($_, [$to_us - $event->{lateness_us}, $to_us]) } @stalls);
}

# From CLOCK_MONOTONIC to UTC: of ten readings the one that took the least time.
sub offset_us {
    my @readings = map { [clock_gettime(CLOCK_MONOTONIC), clock_gettime(CLOCK_REALTIME), clock_gettime(CLOCK_MONOTONIC)] } 1 .. 10;
    my $best = reduce { $a->[2] - $a->[0] <= $b->[2] - $b->[0] ? $a : $b } @readings;
    return 1e6 * ($best->[1] - ($best->[0] + $best->[2]) / 2);
}

sub utc_us {
    my ($year, $month, @rest) = $_[0] =~ /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(\.\d+)Z$/;
    my $fraction = pop @rest;
    return 1e6 * (timegm(reverse($year, $month - 1, @rest)) + $fraction);
}

sub overlap_us {
    my ($one, $other) = @_;
    return max(0, min($one->[1], $other->[1]) - max($one->[0], $other->[0]));
}

1;
