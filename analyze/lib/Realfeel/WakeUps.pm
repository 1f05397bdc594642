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
    my (@count, $later);
    my $above = 0;
    for my $cell (reverse @cells) {
        my $all = max($above, min($samples, _above($lateness, $cell->[0]) - _above($lateness, $cell->[0] + $period)));
        unshift @count, $all - $above;
        $above = $all;
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

sub _above {
    my ($distribution, $value) = @_;
    return sprintf '%.0f', $distribution->above($value);
}

1;
