# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Together;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(critical);

use List::Util qw(max sum0);

use constant { RESAMPLES => 999, TWO_PI => 8 * atan2(1, 1) };

=head1 NAME

Realfeel::Compare::Together - how far off the worst of several percentiles is by chance

=head1 FUNCTIONS

=head2 critical($false_alarms, $random, @percentiles)

How many standard deviations the difference of two like runs is off at the one of these percentiles where it is most, in
all but a share of C<$false_alarms> of such pairs. Percentiles of one run are off together: the same bad seconds made
them. So the units of each run are given random weights again and again, the same for all its percentiles, and each time
the greatest of the studentized differences is taken. A percentile is a list of two for the two runs, each a hash of
C<sd>, that of the run's share in the logarithm of the ratio, and C<off>, the deviation of each unit; an empty one where
the run has no units, and its percentiles are taken to be off each for itself. C<$random> is a generator of
L<Realfeel::Chance>.

=cut

sub critical {
    my ($false_alarms, $random, @percentiles) = @_;
    my @sides = map { my $side = $_; [map { _scaled($side, @$_) } @percentiles] } 0, 1;
    my $normal = _normal($random);
    my @most = sort { $a <=> $b } map {
        my @off = map { [_drawn($normal, @$_)] } @sides;
        max(map { abs($off[0][$_] + $off[1][$_]) } 0 .. $#percentiles);
    } 1 .. RESAMPLES;
    return $most[(1 - $false_alarms) * (RESAMPLES + 1) - 1];
}

# The deviations of a run's units so that with random weights their sum has the run's share of a variance of 1.
sub _scaled {
    my ($side, @runs) = @_;
    my ($run, $all) = ($runs[$side], sqrt(sum0(map { $_->{sd}**2 } @runs)) || 1);
    my $size = sqrt(sum0(map { $_**2 } @{ $run->{off} })) or return { alone => $run->{sd} / $all };
    return { off => [map { $_ * $run->{sd} / $all / $size } @{ $run->{off} }] };
}

sub _drawn {
    my ($normal, @percentiles) = @_;
    my @weights = map { $normal->() } 1 .. max(map { scalar @{ $_->{off} // [] } } @percentiles);
    return map {
        my ($off, $sum) = ($_->{off}, 0);
        if ($off) { $sum += $weights[$_] * $off->[$_] for 0 .. $#weights }
        $off ? $sum : $_->{alone} * $normal->();
    } @percentiles;
}

# Box and Muller.
sub _normal {
    my ($random) = @_;
    my @left;
    return sub {
        return pop @left if @left;
        my ($radius, $angle) = (sqrt(-2 * log $random->()), TWO_PI * $random->());
        push @left, $radius * sin $angle;
        return $radius * cos $angle;
    };
}

1;
