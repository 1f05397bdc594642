# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Chance;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(beyond_chance critical maxima ratio ratios);

use List::Util qw(max min sum0 uniqstr);
use POSIX qw(ceil);
use Realfeel::Chance qw(NORMAL normals);

use constant {
    INFINITY  => 9**9**9,
    DRAWS     => 4_999,
    NOTHING   => 1e-6,         # of a standard deviation of 1: what rounding leaves

    # Of pairs of equivalent runs, in how many a percentile is said to differ. Their maxima are in 1 %, which makes 5 %.
    FALSE_ALARMS => 0.04,

    HALF_OF_1_PERCENT => 0.005,
    BLOCKS            => 10,        # of the shorter run, for load that comes and goes makes neighbouring slices alike
    RUNS_MIN          => 5,         # with fewer, slices are compared
    MANY              => 10_000,    # units, of which drawing one leaves the others as they were
};

=head1 NAME

Realfeel::Compare::Chance - which percentiles and maxima of two runs differ by more than chance

=head1 DESCRIPTION

The interval of each run's percentile comes from that of the share of values up to there, some standard deviations on
either side, which the distribution turns into values. A value lies anywhere in its bin, so the interval reaches from
the lower edge of one bin to the upper edge of another. The intervals of two runs are put together in logarithms, each
side for itself: the low end of the ratio from that of the one and the high end of the other.

If two runs do not differ, any of their units are as likely as any others to be the largest. Where one run has C<n>
units and the other C<m>, the C<k> largest of all belong to the first with the probability C<n/(n+m) * (n-1)/(n+m-1)
...>, the hypergeometric distribution. Units are runs, where five or more were merged, or else blocks of neighbouring
slices, equally long in both runs, for late wake-ups come in bursts and load comes and goes. Without slices they are
samples.

=head1 FUNCTIONS

=head2 ratios($base, $file, $random, @one_in)

For each C<$one_in> a ratio, see below, with 95 % confidence, that is a hash, and in it C<differs>: -1, 0 or 1 for less,
neither and greater, where of all pairs of equivalent runs at most 4 % have any that differs.

=cut

sub ratios {
    my ($base, $file, $random, @one_in) = @_;
    return unless @one_in;
    my $critical = critical(FALSE_ALARMS, $random, map { [_part($base, $_), _part($file, $_)] } @one_in);
    return map {
        my $differs = beyond_chance(ratio($base, $file, $_, $critical));
        +{ %{ ratio($base, $file, $_, NORMAL) }, differs => $differs };
    } @one_in;
}

# What a run has in the logarithm of the ratio: how far it may be off, and which units make it so.
sub _part {
    my ($run, $one_in) = @_;
    my $bounds = _bounds($run, $one_in, 1);
    my $factor = _factor(@$bounds{qw(least most)});
    return { sd => $factor < INFINITY ? log($factor) / 2 : 1, off => $run->{spread}{$one_in}{off} };
}

=head2 ratio($base, $file, $one_in, $deviations)

The ratio of the values that all but one in C<$one_in> do not exceed: a hash of C<ratio>, C<low>, C<high> and
C<coarse>. Each run is a hash of C<distribution> and C<spread>, which has for each C<$one_in> C<sd>, the standard
deviation of the share of values up to there, and C<off>, how far each unit of the run is off. C<low> is 0 and C<high>
undef where the data set no bound; C<coarse> says that none could, because both values lie in a bin from 0.

=cut

sub ratio {
    my ($base, $file, $one_in, $deviations) = @_;
    my ($b, $f) = map { _bounds($_, $one_in, $deviations) } $base, $file;
    my $down = _together(_factor(@$f{qw(least low)}),  _factor(@$b{qw(high most)}));
    my $up   = _together(_factor(@$f{qw(high most)}),  _factor(@$b{qw(least low)}));
    return {
        ratio  => $f->{high} / $b->{high},
        low    => $f->{low} / $b->{high} / $down,
        high   => $up < INFINITY ? $f->{high} / $b->{low} * $up : undef,
        coarse => $f->{low} > 0 || $b->{low} > 0 ? 0 : 1,
    };
}

# The edges of the percentile's bin, and how far the interval reaches below and above.
sub _bounds {
    my ($run, $one_in, $deviations) = @_;
    my ($distribution, $spread) = ($run->{distribution}, $run->{spread}{$one_in});
    my $n = $distribution->n;
    my $beyond = ($n - $n % $one_in) / $one_in;
    my $reach = $n * $spread->{sd} * $deviations;
    my ($low, $high) = $distribution->edges($n - $beyond);
    my ($first, $last) = ($n - $beyond - $reach, ceil($n - $beyond + $reach));
    return {
        low   => $low,
        high  => $high,
        least => $first > 0 ? ($distribution->edges(max(1, ceil $first)))[0] : 0,
        most  => $last < $n ? ($distribution->edges($last))[1] : INFINITY,
    };
}

sub _factor {
    my ($from, $to) = @_;
    return $from > 0 ? $to / $from : INFINITY;
}

sub _together {
    my @factors = @_;
    return INFINITY if grep { $_ == INFINITY } @factors;
    return exp sqrt(log($factors[0])**2 + log($factors[1])**2);
}

=head2 beyond_chance($ratio)

-1 when the interval of such a ratio lies below 1, 1 when it lies above, 0 when it holds 1.

=cut

sub beyond_chance {
    my ($ratio) = @_;
    return $ratio->{low} >= 1 ? 1 : defined $ratio->{high} && $ratio->{high} <= 1 ? -1 : 0;
}

=head2 critical($false_alarms, $random, @percentiles)

How many standard deviations the difference of two like runs is off at the one of these percentiles where it is most, in
all but a share of C<$false_alarms> of such pairs. Percentiles of one run are off together: the same bad seconds made
them. So what they have in common is taken from the units of each run, and differences with as much in common are drawn
again and again; of each draw the greatest counts. A percentile is a list of two for the two runs, each a hash of C<sd>,
that of the run's share in the logarithm of the ratio, and C<off>, the deviation of each unit; an empty one where the
run has no units, and its percentiles are taken to be off each for itself. C<$random> is a generator of
L<Realfeel::Chance>.

=cut

sub critical {
    my ($false_alarms, $random, @percentiles) = @_;
    my @root = _root(_correlations(@percentiles));
    my $normals = normals($random);
    my @most = sort { $a <=> $b } map {
        my @normal = $normals->(scalar @root);
        max(map { abs _product($_, \@normal) } @root);
    } 1 .. DRAWS;
    return $most[(1 - $false_alarms) * (DRAWS + 1) - 1];
}

# Of the differences between the runs, one row for each percentile up to itself. The runs' shares in the variance add
# up to 1.
sub _correlations {
    my @scaled = map {
        my $all = sqrt(sum0(map { $_->{sd}**2 } @$_)) || 1;
        [map { _scaled($_->{sd} / $all, $_->{off}) } @$_];
    } @_;
    return map {
        my $row = $_;
        [map { my $column = $_; sum0(map { _covariance($scaled[$row][$_], $scaled[$column][$_]) } 0, 1) } 0 .. $row];
    } 0 .. $#scaled;
}

# The deviations of a run's units so that with random weights their sum has that standard deviation.
sub _scaled {
    my ($sd, $off) = @_;
    my $size = sqrt(sum0(map { $_**2 } @$off)) or return { off => [], alone => $sd };
    return { off => [map { $_ * $sd / $size } @$off], alone => 0 };
}

# What is off alone has nothing in common but with itself.
sub _covariance {
    my ($one, $other) = @_;
    return ($one == $other ? $one->{alone}**2 : 0) + _product($one->{off}, $other->{off});
}

sub _product {
    my ($one, $other) = @_;
    my $sum = 0;
    $sum += $one->[$_] * $other->[$_] for 0 .. min($#$one, $#$other);
    return $sum;
}

# What turns independent normal numbers into some with these covariances (Cholesky). Where percentiles are off alike,
# nothing is left to add for the later one.
sub _root {
    my @covariances = @_;
    my @root;
    for my $row (@covariances) {
        my @found;
        for my $column (0 .. $#root) {
            my $pivot = $root[$column][$column];
            push @found, $pivot > NOTHING ? ($row->[$column] - _product(\@found, $root[$column])) / $pivot : 0;
        }
        push @root, [@found, sqrt max(0, $row->[-1] - _product(\@found, \@found))];
    }
    return @root;
}

=head2 maxima($base, $file, $measure)

A hash: C<larger>, which is C<base>, C<file> or undef when they are equal; C<above>, how many of its C<units> exceed the
maximum of the other; C<unit>, what these are (C<runs>, C<blocks>, C<slices> or C<samples>); C<by_chance>, how many do
in 99 % of all pairs of equivalent runs, at most; and C<differ>, whether it is more than that. A run is a hash of
C<report> and C<distribution>.

=cut

sub maxima {
    my ($base, $file, $measure) = @_;
    my $order = $file->{distribution}->max <=> $base->{distribution}->max;
    return { larger => undef, differ => 0 } unless $order;
    my ($larger, $other) = $order > 0 ? ($file, $base) : ($base, $file);
    my ($found, $others) = _compared($larger, $other, $measure);
    my $by_chance = _by_chance($found->{units}, $others);
    return {
        %$found,
        larger    => $order > 0 ? 'file' : 'base',
        by_chance => $by_chance,
        differ    => $found->{above} > $by_chance ? 1 : 0,
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
