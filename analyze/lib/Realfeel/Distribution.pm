# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Distribution;
use strict;
use warnings;

use List::Util ();

use constant ROUNDING => 1 + 1e-6;      # widths of bins differ by less from what is written

=head1 NAME

Realfeel::Distribution - the statistics of a histogram

=head1 DESCRIPTION

Bins hold values from their lower edge up to, not including, their upper edge. Inside a bin, values are taken to lie in
its middle. No unit is assumed: results are in the unit of the edges. What needs more samples than there are is undef.

=head1 METHODS

=head2 new(low => [...], high => [...], count => [...], open => 1, min => $x, max => $x, mean => $x, sd => $x)

A distribution from bins that ascend, do not overlap and are not empty. The last four are exact figures, where they are
known; without them the bins answer. C<open> says that the last bin has no upper edge: its C<high> is above all values,
and nothing is taken to lie in its middle, so that a mean, deviation or median which needs that is undef.

=cut

sub new {
    my ($class, %self) = @_;
    my $sum = 0;
    $self{cumulative} = [map { $sum += $_ } @{ $self{count} }];
    $self{n} = $sum;
    return bless \%self, $class;
}

=head2 n

How many values there are.

=head2 bins

How many bins there are.

=head2 open_from

The lower edge of the last bin when that is open, else undef.

=head2 is_exact

Whether minimum, maximum and mean are exact figures.

=head2 max_is_exact

Whether the maximum is an exact figure, else all values lie below it.

=head2 min

The least value, else the lower edge of the first bin.

=head2 max

The largest value, else the upper edge of the last bin.

=cut

sub n    { return $_[0]{n} }
sub bins { return scalar @{ $_[0]{count} } }
sub open_from { return $_[0]{open} ? $_[0]{low}[-1] : undef }
sub is_exact { return !grep { !defined } @{ $_[0] }{qw(min max mean)} }
sub max_is_exact { return defined $_[0]{max} }

sub min  { return $_[0]{min} // $_[0]{low}[0] }
sub max  { return $_[0]{max} // $_[0]{high}[-1] }

=head2 mean

The exact mean, else that of the bins' middles.

=cut

sub mean {
    my ($self) = @_;
    return $self->{mean} if defined $self->{mean} || !$self->n || $self->{open};
    my ($low, $high, $count) = @$self{qw(low high count)};
    my $sum = 0;
    $sum += $count->[$_] * ($low->[$_] + $high->[$_]) for 0 .. $#$count;
    return $sum / 2 / $self->n;
}

=head2 variance

That of a sample (n - 1), from the bins' middles.

=cut

sub variance {
    my ($self) = @_;
    return undef if $self->n < 2 || $self->{open};
    my ($low, $high, $count) = @$self{qw(low high count)};
    my ($twice, $sum) = (2 * $self->mean, 0);
    $sum += $count->[$_] * ($low->[$_] + $high->[$_] - $twice)**2 for 0 .. $#$count;
    return $sum / 4 / ($self->n - 1);
}

=head2 sd

The exact standard deviation, else the root of the variance.

=cut

sub sd {
    my ($self) = @_;
    my $variance = defined $self->{sd} ? undef : $self->variance;
    return defined $variance ? sqrt $variance : $self->{sd};
}

=head2 median

The middle value, or the mean of the two middle values when their number is even.

=cut

sub median {
    my ($self) = @_;
    my $n = $self->n or return undef;
    my $half = ($n - $n % 2) / 2;
    my $bin = $self->_bin_of($half + 1);
    return undef if $self->{open} && $bin == $self->bins - 1;
    my $upper = $self->_middle($bin);
    return $n % 2 ? $upper : ($self->_middle($self->_bin_of($half)) + $upper) / 2;
}

=head2 mode

The middle of the bin in which values lie densest (count by width, for bins may differ in width; of equal ones the
first), and its count: a list of two, empty when there are no values but in an open bin.

=cut

sub mode {
    my ($self) = @_;
    my ($low, $high, $count) = @$self{qw(low high count)};
    my ($best, $top) = (undef, 0);
    for my $i (0 .. $#$count - ($self->{open} ? 1 : 0)) {
        my $density = $count->[$i] / ($high->[$i] - $low->[$i]);
        ($best, $top) = ($i, $density * ROUNDING) if $density > $top;
    }
    return defined $best ? ($self->_middle($best), $self->{count}[$best]) : ();
}

=head2 quantile($one_in)

The value that all but one in C<$one_in> values do not exceed: the upper edge of the bin that holds that rank, and never
more than the maximum. 100 is the 99th percentile.

=cut

sub quantile {
    my ($self, $one_in) = @_;
    my $n = $self->n or return undef;
    my $beyond = ($n - $n % $one_in) / $one_in;
    return List::Util::min($self->{high}[$self->_bin_of($n - $beyond)], $self->max);
}

=head2 edges($rank)

Between which values that of a rank lies, 1 for the least: the edges of its bin, as far as the extremes reach.

=cut

sub edges {
    my ($self, $rank) = @_;
    my $bin = $self->_bin_of($rank);
    return (List::Util::max($self->{low}[$bin], $self->min), List::Util::min($self->{high}[$bin], $self->max));
}

=head2 below($threshold)

How many values are less; undef when the threshold lies inside a bin, so that it cannot be known.

=cut

sub below {
    my ($self, $threshold) = @_;
    return $self->n if $threshold > $self->max;
    my $bin = _first(sub { $self->{high}[ $_[0] ] > $threshold }, $self->bins);
    return undef if $bin < $self->bins && $self->{low}[$bin] < $threshold;
    return $bin ? $self->{cumulative}[$bin - 1] : 0;
}

=head2 above($value)

How many values are not less, where those of the bin that holds it are taken to lie evenly in it.

=cut

sub above {
    my ($self, $value) = @_;
    my $bin = _first(sub { $self->{high}[ $_[0] ] > $value }, $self->bins);
    return 0 if $bin == $self->bins;
    my ($low, $high) = ($self->{low}[$bin], $self->{high}[$bin]);
    my $beyond = $self->n - $self->{cumulative}[$bin];
    return $beyond + $self->{count}[$bin] * ($value > $low ? ($high - $value) / ($high - $low) : 1);
}

=head2 beyond($count)

The edges of the bin that holds the value beyond which so many lie: a list of two, the upper never above the maximum.
Empty where there are not as many.

=cut

sub beyond {
    my ($self, $count) = @_;
    return if $count >= $self->n || $count < 0;
    my $bin = $self->_bin_of($self->n - int $count);
    return ($self->{low}[$bin], List::Util::min($self->{high}[$bin], $self->max));
}

=head2 regroup($cell)

A new distribution in other cells. C<$cell> is a function from a bin's lower edge to the edges of the cell that takes
the whole bin; it must not decrease.

=cut

sub regroup {
    my ($self, $cell) = @_;
    my (@low, @high, @count);
    for my $i (0 .. $self->bins - 1) {
        my ($low, $high) = $cell->($self->{low}[$i]);
        if (!@low || $low > $low[-1]) {
            push @low,   $low;
            push @high,  $high;
            push @count, 0;
        }
        $count[-1] += $self->{count}[$i];
    }
    return (ref $self)->new(low => \@low, high => \@high, count => \@count);
}

=head2 cells

One C<[low, high, count]> for each bin, ascending.

=cut

sub cells {
    my ($self) = @_;
    return map { [$self->{low}[$_], $self->{high}[$_], $self->{count}[$_]] } 0 .. $self->bins - 1;
}

=head2 columns

The lower edges, the upper edges and the counts: references to three arrays, which must not be changed.

=cut

sub columns { return @{ $_[0] }{qw(low high count)} }

sub _middle {
    my ($self, $i) = @_;
    my $middle = ($self->{low}[$i] + $self->{high}[$i]) / 2;
    return List::Util::max($self->min, List::Util::min($self->max, $middle));
}

# The bin that holds the value of a rank, 1 for the least.
sub _bin_of {
    my ($self, $rank) = @_;
    return _first(sub { $self->{cumulative}[ $_[0] ] >= $rank }, $self->bins);
}

# The first of 0 .. $n - 1 for which the test holds, $n if there is none; it must hold for all that follow, too.
sub _first {
    my ($test, $n) = @_;
    my $low = 0;
    while ($low < $n) {
        my $probe = $low + int(($n - $low) / 2);
        if   ($test->($probe)) { $n   = $probe }
        else                   { $low = $probe + 1 }
    }
    return $low;
}

1;
