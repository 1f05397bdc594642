# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Maxima;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(maxima);

use List::Util qw(max sum uniqstr);
use POSIX qw(ceil);

use constant HALF_OF_1_PERCENT => 0.005;

=head1 NAME

Realfeel::Compare::Maxima - whether two maxima differ by more than chance

=head1 DESCRIPTION

Of two runs alike, one has the largest value of all. That the next is of the same run has the odds of its share in all
values, and so on: all C<k> largest are of one run with the probability of that share to the power C<k>. Late wake-ups
come in bursts, so slices count, where the report has them, or runs, where those differ.

=head1 FUNCTIONS

=head2 maxima($base, $file, $measure)

A hash: C<larger>, which is C<base>, C<file> or undef when they are equal; C<above>, how many C<units> (C<runs>,
C<slices> or C<samples>) of that run reach above the maximum of the other; C<units_of>, how many it has; C<by_chance>,
how many would in 99 % of all pairs of runs alike, at most; and C<differ>, whether it is more than that. A run is a hash
of C<report>, C<distribution> and C<drawn>, what L<Realfeel::Compare::Bootstrap> makes of its slices.

=cut

sub maxima {
    my ($base, $file, $measure) = @_;
    my $order = $file->{distribution}->max <=> $base->{distribution}->max;
    return { larger => undef, differ => 0 } unless $order;
    my ($larger, $other) = $order > 0 ? ($file, $base) : ($base, $file);
    my %found = _above($larger, $other->{distribution}->max, $measure);
    my ($n, $m) = map { $_->{distribution}->n } $larger, $other;
    my $by_chance = ceil(log(HALF_OF_1_PERCENT) / log($n / ($n + $m))) - 1;
    return {
        %found,
        larger    => $order > 0 ? 'file' : 'base',
        by_chance => $by_chance,
        differ    => $found{above} > $by_chance ? 1 : 0,
    };
}

# At least one is above, the maximum, though its bin or slice may not show it.
sub _above {
    my ($run, $maximum, $measure) = @_;
    my $slices = $run->{report}{slices} // {};
    my ($most, $runs) = (@$slices{"${measure}_max_us", 'run'});
    return _units('runs', $maximum, $runs, $most) if $runs && ($run->{drawn}{unit} // '') eq 'runs';
    return _units('slices', $maximum, [0 .. $#$most], $most) if $most && @$most;
    my $above = sum 0, map { $_->[2] } grep { $_->[0] >= $maximum } $run->{distribution}->cells;
    return (units => 'samples', units_of => $run->{distribution}->n, above => max(1, $above));
}

sub _units {
    my ($units, $maximum, $names, $most) = @_;
    my @above = map { $names->[$_] } grep { $most->[$_] > $maximum } 0 .. $#$most;
    return (units => $units, units_of => scalar(uniqstr @$names), above => max(1, scalar uniqstr @above));
}

1;
