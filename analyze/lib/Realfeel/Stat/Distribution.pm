# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Distribution;
use Realfeel::Base::Modern;

use List::Util ();

use constant {
    ROUNDING => 1 + 1e-6,           # widths of bins differ by less from what is written
    SIZE     => 8,                  # of a number, in bytes
    BLOCK    => 8 * 4096,           # of a column, unpacked at a time
    FORM     => { low => 'd', high => 'd', count => 'q', cumulative => 'q', density => 'd' },
};

=head1 NAME

Realfeel::Stat::Distribution - the statistics of a histogram

=head1 DESCRIPTION

Bins hold values from their lower edge up to, not including, their upper edge. Inside a bin, values are taken to lie in
its middle. No unit is assumed: results are in the unit of the edges. What needs more samples than there are is undef.

=head1 METHODS

=head2 new(low => [...], high => [...], count => [...], open => 1, min => $x, max => $x, mean => $x, sd => $x)

A distribution from bins that ascend, do not overlap and are not empty. The last four are exact figures, where they are
known; without them the bins answer. C<open> says that the last bin has no upper edge: its C<high> is above all values,
and nothing is taken to lie in its middle, so that a mean, deviation or median which needs that is undef. Bins are kept
packed, edges by C<pack 'd*'> and counts by C<pack 'q*'>, for there may be a million; instead of an array a reference
to such a string may be given, which must not be changed afterwards, for edges also a function that returns one. Of
C<n>, C<mean_of_bins> and C<variance_of_bins> nothing is computed that is given, and no edges are asked for.

=cut

sub new ($class, %self) {
    $self{$_} = \pack FORM->{$_} . '*', @{ $self{$_} } for grep { ref $self{$_} eq 'ARRAY' } qw(low high count);
    my $self = bless { n => 0, cumulative => \&_cumulative, density => \&_density, %self }, $class;
    $self->{n} ||= unpack '%64q*', ${ $self->{count} };
    return $self;
}

# A number of a column, the last for -1.
sub _at ($self, $column, $i) {
    return undef unless $self->bins;
    return unpack FORM->{$column}, substr ${ $self->_packed($column) }, SIZE * $i, SIZE;
}

sub _packed ($self, $column) {
    return ref $self->{$column} eq 'CODE' ? $self->{$column} = $self->{$column}->($self) : $self->{$column};
}

# How many values there are up to each bin.
sub _cumulative ($self) {
    my ($packed, $sum) = ('', 0);
    $self->each_block(sub { $packed .= pack 'q*', map { $sum += $_ } @{ $_[0] } }, undef, 'count');
    return \$packed;
}

sub _density ($self) {
    my $packed = '';
    $self->each_block(sub ($low, $high, $count) {
        $packed .= pack 'd*', map { $count->[$_] / ($high->[$_] - $low->[$_]) } 0 .. $#$count;
    }, $self->closed_bins);
    return \$packed;
}

=head2 n

How many values there are.

=head2 bins

How many bins there are.

=head2 closed_bins

How many of them have an upper edge.

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

sub n ($self)    { return $self->{n} }
sub bins ($self) { return length(${ $self->{count} }) / SIZE }
sub closed_bins ($self) { return $self->bins - ($self->{open} ? 1 : 0) }
sub open_from ($self) { return $self->{open} ? $self->_at('low', -1) : undef }
sub is_exact ($self) { return !grep { !defined } @$self{qw(min max mean)} }
sub max_is_exact ($self) { return defined $self->{max} }
sub min ($self)  { return $self->{min} // $self->_at('low', 0) }
sub max ($self)  { return $self->{max} // $self->_at('high', -1) }

=head2 mean

The exact mean, else that of the bins' middles.

=cut

sub mean ($self) {
    return $self->{mean} if defined $self->{mean} || !$self->n || $self->{open};
    my $sum = 0;
    $self->each_block(sub ($low, $high, $count) {
        $sum += $count->[$_] * ($low->[$_] + $high->[$_]) for 0 .. $#$count;
    }) unless defined $self->{mean_of_bins};
    return $self->{mean_of_bins} //= $sum / 2 / $self->n;
}

=head2 variance

That of a sample (n - 1), from the bins' middles.

=cut

sub variance ($self) {
    return undef if $self->n < 2 || $self->{open};
    my ($twice, $sum) = (2 * $self->mean, 0);
    $self->each_block(sub ($low, $high, $count) {
        my @off = map { $low->[$_] + $high->[$_] - $twice } 0 .. $#$count;
        $sum += $off[$_] * $off[$_] * $count->[$_] for 0 .. $#off;
    }) unless defined $self->{variance_of_bins};
    return $self->{variance_of_bins} //= $sum / 4 / ($self->n - 1);
}

=head2 sd

The exact standard deviation, else the root of the variance.

=cut

sub sd ($self) {
    my $variance = defined $self->{sd} ? undef : $self->variance;
    return defined $variance ? sqrt $variance : $self->{sd};
}

=head2 median

The middle value, or the mean of the two middle values when their number is even.

=cut

sub median ($self) {
    my $n = $self->n or return undef;
    my $half = ($n - $n % 2) / 2;
    my @bins = map { $self->_bin_of($_) } $half + 1, $n % 2 ? () : $half;
    return undef if $bins[0] == $self->closed_bins;
    return List::Util::sum0(map { $self->_middle($self->_at('low', $_), $self->_at('high', $_)) } @bins) / @bins;
}

=head2 mode

The middle of the bin in which values lie densest (of equal ones the first), and its count: a list of two, empty when
there are no values but in an open bin.

=cut

sub mode ($self) {
    my ($best, $top, $i) = (undef, 0, -1);
    $self->each_block(sub {
        for (@{ $_[0] }) { $i++; ($best, $top) = ($i, $_ * ROUNDING) if $_ > $top }
    }, $self->closed_bins, 'density');
    return unless defined $best;
    return ($self->_middle(map { $self->_at($_, $best) } qw(low high)), $self->_at('count', $best));
}

=head2 quantile($one_in)

The value that all but one in C<$one_in> values do not exceed: the upper edge of the bin that holds that rank, and never
more than the maximum. 100 is the 99th percentile.

=cut

sub quantile ($self, $one_in) {
    my $n = $self->n or return undef;
    my $beyond = ($n - $n % $one_in) / $one_in;
    return List::Util::min($self->_at('high', $self->_bin_of($n - $beyond)), $self->max);
}

=head2 edges($rank)

Between which values that of a rank lies, 1 for the least: the edges of its bin, as far as the extremes reach.

=cut

sub edges ($self, $rank) {
    my $bin = $self->_bin_of($rank);
    my ($low, $high) = map { $self->_at($_, $bin) } qw(low high);
    return (List::Util::max($low, $self->min), List::Util::min($high, $self->max));
}

=head2 below($threshold)

How many values are less; undef when the threshold lies inside a bin, so that it cannot be known.

=cut

sub below ($self, $threshold) {
    return $self->n if $threshold > $self->max;
    my $bin = $self->_first('high', $threshold);
    return undef if $bin < $self->bins && $self->_at('low', $bin) < $threshold;
    return $bin ? $self->_at('cumulative', $bin - 1) : 0;
}

=head2 above($value)

How many values are not less, where those of the bin that holds it are taken to lie evenly in it.

=cut

sub above ($self, $value) {
    my $bin = $self->_first('high', $value);
    return 0 if $bin == $self->bins;
    my ($low, $high, $count) = map { $self->_at($_, $bin) } qw(low high count);
    return $self->n - $self->_at('cumulative', $bin) + $count * ($value > $low ? ($high - $value) / ($high - $low) : 1);
}

=head2 beyond($count)

The edges of the bin that holds the value beyond which so many lie: a list of two, the upper never above the maximum.
Empty where there are not as many.

=cut

sub beyond ($self, $count) {
    return if $count >= $self->n || $count < 0;
    my $bin = $self->_bin_of($self->n - int $count);
    return ($self->_at('low', $bin), List::Util::min($self->_at('high', $bin), $self->max));
}

=head2 regroup($cell)

One in other cells: C<$cell> turns a bin's lower edge into the edges of the cell that takes it all, never descending.

=cut

sub regroup ($self, $cell) {
    my (@low, @high, @count);
    for my $bin ($self->cells) {
        my ($low, $high) = $cell->($bin->[0]);
        if (!@low || $low > $low[-1]) {
            push @low,   $low;
            push @high,  $high;
            push @count, 0;
        }
        $count[-1] += $bin->[2];
    }
    return (ref $self)->new(low => \@low, high => \@high, count => \@count);
}

=head2 each_block($code, $bins, @columns)

Calls C<< $code->($low, $high, $count) >>, three arrays, for some thousand bins at a time, ascending, and if C<$bins>
is given only for so many. C<@columns> are those to be passed, if not C<low>, C<high> and C<count>; a C<density>, the
count by the width, have bins with an upper edge.

=cut

sub each_block ($self, $code, $bins = undef, @columns) {
    my $end = SIZE * ($bins // $self->bins);
    @columns = qw(low high count) unless @columns;
    for (my $at = 0; $at < $end; $at += BLOCK) {
        my $size = List::Util::min(BLOCK, $end - $at);
        $code->(map { [unpack FORM->{$_} . '*', substr ${ $self->_packed($_) }, $at, $size] } @columns);
    }
}

=head2 cells

One C<[low, high, count]> for each bin, ascending.

=cut

sub cells ($self) {
    my ($low, $high, $count) = $self->columns;
    return map { [$low->[$_], $high->[$_], $count->[$_]] } 0 .. $#$count;
}

=head2 columns($value)

The lower edges, the upper edges and the counts, references to arrays; with a value those of bins that end above it.

=cut

sub columns ($self, $value = undef) {
    my $from = defined $value ? SIZE * $self->_first('high', $value) : 0;
    return map { [unpack FORM->{$_} . '*', substr ${ $self->_packed($_) }, $from] } qw(low high count);
}

# Of a bin, as far as the extremes reach.
sub _middle ($self, $low, $high) {
    return List::Util::max($self->min, List::Util::min($self->max, ($low + $high) / 2));
}

# The bin that holds the value of a rank, 1 for the least.
sub _bin_of ($self, $rank) {
    return $self->_first('cumulative', $rank == int $rank ? $rank - 1 : int $rank);
}

# The first bin of which a column, that must not descend, is more than a value; how many bins there are if none is.
sub _first ($self, $column, $value) {
    my ($low, $high, $packed, $form) = (0, $self->bins, $self->_packed($column), FORM->{$column});
    while ($low < $high) {
        my $probe = ($low + $high) >> 1;
        unpack($form, substr $$packed, SIZE * $probe, SIZE) > $value ? $high = $probe : ($low = $probe + 1);
    }
    return $low;
}

1;
