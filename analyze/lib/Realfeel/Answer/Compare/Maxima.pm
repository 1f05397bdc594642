# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare::Maxima;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(maxima);

use List::Util qw(max min sum0 uniqstr);
use POSIX qw(ceil);
use Realfeel::Base::Typed qw(truth);

use constant {
    HALF_OF_1_PERCENT => 0.005,
    BLOCKS            => 10,        # of the shorter run, for load that comes and goes makes neighbouring slices alike
    RUNS_MIN          => 5,         # with fewer, slices are compared
    MANY              => 10_000,    # units, of which drawing one leaves the others as they were
};

=head1 NAME

Realfeel::Answer::Compare::Maxima - whether the maxima of two runs differ by more than chance

=head1 DESCRIPTION

If two runs do not differ, any of their units are as likely as any others to be the largest. Where one run has C<n>
units and the other C<m>, the C<k> largest of all belong to the first with the probability C<n/(n+m) * (n-1)/(n+m-1)
...>, the hypergeometric distribution. Units are runs, where five or more were merged, or else blocks of neighbouring
slices, equally long in both runs, for late wake-ups come in bursts and load comes and goes. Without slices they are
samples.

=head1 FUNCTIONS

=head2 maxima($base, $file, $measure)

A hash: C<larger>, which is C<base>, C<file> or undef when they are equal; C<above>, how many of its C<units> exceed the
maximum of the other; C<unit>, what these are (C<runs>, C<blocks>, C<slices> or C<samples>); C<by_chance>, how many do
in 99 % of all pairs of equivalent runs, at most; and C<differ>, whether it is more than that. A run is a hash of
C<report> and C<distribution>.

=cut

sub maxima {
    my ($base, $file, $measure) = @_;
    my $order = $file->{distribution}->max <=> $base->{distribution}->max;
    return { larger => undef, differ => truth(0) } unless $order;
    my ($larger, $other) = $order > 0 ? ($file, $base) : ($base, $file);
    my ($found, $others) = _compared($larger, $other, $measure);
    my $by_chance = _by_chance($found->{units}, $others);
    return {
        %$found,
        larger    => $order > 0 ? 'file' : 'base',
        by_chance => $by_chance,
        differ    => truth($found->{above} > $by_chance),
    };
}

# What is found, and how many such units the other run has.
sub _compared {
    my ($larger, $other, $measure) = @_;
    my ($maximum, $times) = ($other->{distribution}->max, $larger->{distribution}->n / $other->{distribution}->n);
    my ($slices, $other_slices) = map { $_->{report}->columns('slices') // {} } $larger, $other;
    my $most = $slices->{"${measure}_max_us"} // [];
    my ($runs, $others) = map { max(1, scalar uniqstr @{ $_->{run} // [] }) } $slices, $other_slices;
    return (_found('runs', $maximum, $most, @{ $slices->{run} // [(1) x @$most] }), min($others, $runs / $times))
        if @$most && max($runs, $others) >= RUNS_MIN;
    return (_samples($larger, $maximum), $other->{distribution}->n) unless @$most;
    my $blocks = min(scalar @$most, sprintf '%.0f', BLOCKS * max(1, $times));
    my $unit = $blocks < @$most ? 'blocks' : 'slices';
    return (_found($unit, $maximum, $most, map { int($_ * $blocks / @$most) } 0 .. $#$most), $blocks / $times);
}

# The units by name, one for each slice. At least one exceeds the other maximum, though bin or slice may not show it.
sub _found {
    my ($unit, $maximum, $most, @names) = @_;
    my @above = map { $names[$_] } grep { $most->[$_] > $maximum } 0 .. $#names;
    return { unit => $unit, units => scalar(uniqstr @names), above => max(1, scalar uniqstr @above) };
}

sub _samples {
    my ($run, $maximum) = @_;
    my $above = sum0 map { $_->[2] } grep { $_->[0] >= $maximum } $run->{distribution}->cells;
    return { unit => 'samples', units => $run->{distribution}->n, above => max(1, $above) };
}

# The most of so many units that are the largest of all with a probability of half of 1 % or more.
sub _by_chance {
    my ($units, $others) = @_;
    return ceil(log(HALF_OF_1_PERCENT) / log($units / ($units + $others))) - 1 if $units > MANY;
    my ($most, $chance) = (0, 1);
    while ($most < $units) {
        $chance *= ($units - $most) / ($units - $most + $others);
        return $most if $chance < HALF_OF_1_PERCENT;
        $most++;
    }
    return $units;
}

1;
