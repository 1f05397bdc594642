# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Intervals;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(bounds ratio);

use List::Util qw(max min sum);
use Realfeel::Stat::Chance qw(NORMAL order_statistics t_within);

use constant {
    INFINITY   => 9**9**9,
    CONFIDENCE => 0.95,
    MANY       => 100,      # degrees of freedom of what chance alone sets
    VARIED     => 3,        # times as far off as by chance
};

=head1 NAME

Realfeel::Stat::Intervals - the 95 % confidence interval of a percentile, and of the ratio of two

=head1 DESCRIPTION

Late wake-ups come in bursts and the level of a load wanders, so the values of a run depend on each other in a way that
nobody knows. But pieces of a run that are long enough are nearly independent, and each has a percentile of its own. How
far these are off that of the whole run, in logarithms, tells how far that may be off the truth, by Student's t. A
percentile is never better known than by as many independent values: where their order statistics reach further, they
set the bound. No bound lies outside of the values.

=head1 FUNCTIONS

=head2 bounds($distribution, $one_in, $together, $widening, @shares)

The bounds of the value that one in C<$one_in> values of a L<Realfeel::Stat::Distribution> exceed: a hash of C<value>,
which is the upper edge of its bin, C<edge>, the lower one, C<low> and C<high>, either undef where the data set none;
C<freedom>, how many degrees of freedom they have; C<spread>, how many times fewer values would be as far off if they
were independent, and C<worth>, how many there must be for one that is independent so that chance alone reaches as far
as the pieces do; and, where the pieces are off more than three times as far as by chance, C<pieces>, an array of the
value of each. C<$together> is how many values come at once, and count as one. C<@shares> are the pieces: which share of
all values lies beyond the percentile of each. What they reach is multiplied by C<$widening>. Without pieces chance
alone sets the bounds.

=cut

sub bounds {
    my ($distribution, $one_in, $together, $widening, @shares) = @_;
    my $n = $distribution->n;
    my ($edge, $value) = $distribution->beyond($n / $one_in);
    my %bounds = (edge => $edge, value => $value, freedom => MANY, spread => 1, worth => $together);
    @bounds{qw(low high)} = _by_chance($distribution, $one_in, $together);
    my @pieces = map { ($distribution->beyond(min($n - 1, $n * $_)))[1] } @shares;
    return \%bounds if !@pieces || grep { $_ <= 0 } $value, @pieces;
    my $error = sqrt(sum(map { log($_ / $value)**2 } @pieces) / $#pieces / @pieces);
    my $times = $error / _chance_error(@bounds{qw(low high)});
    $bounds{spread} = max(1, $times**2);
    $bounds{pieces} = \@pieces if $times > VARIED;
    my $errors = $widening * t_within(CONFIDENCE, $#pieces);
    $bounds{worth} = $together * max(1, ($times * $errors / NORMAL)**2);
    my $reach = exp($error * $errors);
    my ($low, $high) = (max($distribution->min, $value / $reach), min($distribution->max, $value * $reach));
    $bounds{freedom} = $#pieces if $low < ($bounds{low} // 0) || $high > ($bounds{high} // INFINITY);
    $bounds{low}  = min($bounds{low},  $low)  if defined $bounds{low};
    $bounds{high} = max($bounds{high}, $high) if defined $bounds{high};
    return \%bounds;
}

sub _by_chance {
    my ($distribution, $one_in, $together) = @_;
    my ($most, $least) = order_statistics($distribution->n / $together, $one_in);
    my ($low) = $distribution->beyond($most * $together);
    my (undef, $high) = defined $least ? $distribution->beyond($least * $together) : ();
    return ($low, $high);
}

# The standard error, in logarithms, of a value with these bounds.
sub _chance_error {
    my ($low, $high) = @_;
    return $low && defined $high && $high > $low ? log($high / $low) / 2 / NORMAL : INFINITY;
}

=head2 ratio($base, $file, $confidence)

The ratio of the second value to the first, each with its C<bounds>: a hash of C<ratio>, and of C<low> and C<high>,
between which it lies with this confidence. A value lies anywhere in its bin, so they reach from the edge of one bin to
that of another, and as far beyond as chance goes. C<low> is 0 and C<high> undef where the data set no bound.

=cut

sub ratio {
    my ($base, $file, $confidence) = @_;
    my ($file_down, $base_down) = map { [_distance(@$_{qw(low edge)}), $_->{freedom}] } $file, $base;
    my ($file_up, $base_up) = map { [_distance(@$_{qw(value high)}), $_->{freedom}] } $file, $base;
    my ($down, $up) = (_reach($confidence, $file_down, $base_up), _reach($confidence, $file_up, $base_down));
    return {
        ratio => $file->{value} / $base->{value},
        low   => $file->{edge} / $base->{value} / exp $down,
        high  => $up < INFINITY ? $file->{value} / $base->{edge} * exp $up : undef,
    };
}

sub _distance {
    my ($low, $high) = @_;
    return $low && defined $high ? log($high / $low) : INFINITY;
}

# How far two are off together, each by its distance and its degrees of freedom; together they have those of Welch and
# Satterthwaite.
sub _reach {
    my ($confidence, @sides) = @_;
    return INFINITY if grep { $_->[0] == INFINITY } @sides;
    my @variance = map { ($_->[0] / t_within(CONFIDENCE, $_->[1]))**2 } @sides;
    my $sum = sum(@variance) or return 0;
    my $freedom = $sum**2 / sum(map { $variance[$_]**2 / $sides[$_][1] } 0 .. $#sides);
    return t_within($confidence, $freedom) * sqrt $sum;
}

1;
