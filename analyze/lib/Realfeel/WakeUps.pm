# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::WakeUps;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(wakeups);

use List::Util qw(max min);
use Realfeel::Distribution;

=head1 NAME

Realfeel::WakeUps - the lateness of wake-ups, each counted once

=head1 FUNCTIONS

=head2 wakeups($lateness, $period, $samples)

The L<Realfeel::Distribution> of the latenesses of C<$samples> wake-ups, each by the oldest period that it served, from
that of all periods: this is what a program measures that skips the periods which it missed. The periods that a wake-up
served are each one period less late than the one before, so those that are not the oldest have another that is later by
just one period. Counts are right to within those of one bin.

=cut

sub wakeups {
    my ($lateness, $period, $samples) = @_;
    my @cells = $lateness->cells;
    my $later = _above_ascending($lateness, map { $_->[0] + $period } @cells);
    my ($all, $above, @count) = ($lateness->n, 0);
    for my $i (reverse 0 .. $#cells) {
        my $at_least = $lateness->n - ($all -= $cells[$i][2]);
        my $wakeups = max($above, min($samples, $at_least - $later->[$i]));
        $count[$i] = $wakeups - $above;
        $above = $wakeups;
    }
    $count[0] += $samples - $above if @count;
    my @kept = grep { $count[$_] } 0 .. $#count;
    return Realfeel::Distribution->new(
        low   => [map { $cells[$_][0] } @kept],
        high  => [map { $cells[$_][1] } @kept],
        count => [@count[@kept]],
        min   => $lateness->min,
        max   => $lateness->max,
    );
}

# How many values are not less than each of some that ascend, to the nearest whole number: in one pass over the bins.
sub _above_ascending {
    my ($distribution, @values) = @_;
    my @cells = $distribution->cells;
    my ($i, $beyond, @above) = (0, $distribution->n);
    for my $value (@values) {
        $beyond -= $cells[$i++][2] while $i < @cells && $cells[$i][1] <= $value;
        my $part = $i < @cells && $cells[$i][0] < $value
            ? $cells[$i][2] * ($value - $cells[$i][0]) / ($cells[$i][1] - $cells[$i][0]) : 0;
        push @above, sprintf '%.0f', $beyond - $part;
    }
    return \@above;
}

1;
