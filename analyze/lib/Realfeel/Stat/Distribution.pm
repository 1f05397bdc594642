# SPDX-License-Identifier: GPL-2.0-or-later
# The statistics of a histogram. Bins hold values from their lower edge up to, but not including, their upper edge, and
# values are taken to lie in the middle of their bin. Results are in the unit of the edges; what needs more samples than
# there are is undef.
package Realfeel::Stat::Distribution;
use Realfeel::Base::Modern;

use List::Util ();

use constant {
    ROUNDING => 1 + 1e-6,           # widths of bins differ by less from what is written
    SIZE     => 8,                  # of a number, in bytes
    BLOCK    => 8 * 4096,           # of a column, unpacked at a time
    FORM     => { low => 'd', high => 'd', count => 'q', cumulative => 'q', density => 'd' },
};

# Takes low, high and count of bins that ascend, do not overlap and are not empty, and the exact min, max, mean and sd
# if known. open: the last bin has no upper edge; its high is above all values, and what depends on its middle is undef.
# As there may be a million bins, a column may be a reference to a packed string (d* or q*), which must not change
# afterwards, or, for edges, a function that returns one. n, mean_of_bins and variance_of_bins are not computed if
# given, so that edges need not be made. Readers may look at bins, their number; closed_bins, how many have an upper
# edge; and open_from, the lower edge of an open one, else undef.
sub new ($class, %self) {
    $self{$_} = \pack FORM->{$_} . '*', @{ $self{$_} } for grep { ref $self{$_} eq 'ARRAY' } qw(low high count);
    my $self = bless { n => 0, cumulative => \&_cumulative, density => \&_density, %self }, $class;
    $self->{n} ||= unpack '%64q*', ${ $self->{count} };
    $self->{bins} = length(${ $self->{count} }) / SIZE;
    $self->{closed_bins} = $self->{bins} - ($self->{open} ? 1 : 0);
    $self->{open_from} = $self->{open} ? $self->_at('low', -1) : undef;
    return $self;
}

# Element $i of a column; -1 is the last
sub _at ($self, $column, $i) {
    return undef unless $self->{bins};
    return unpack FORM->{$column}, substr ${ $self->_packed($column) }, SIZE * $i, SIZE;
}

sub _packed ($self, $column) {
    return ref $self->{$column} eq 'CODE' ? $self->{$column} = $self->{$column}->($self) : $self->{$column};
}

# How many values lie in or below each bin
sub _cumulative ($self) {
    my ($packed, $sum) = ('', 0);
    $self->each_block(sub { $packed .= pack 'q*', map { $sum += $_ } @{ $_[0] } }, undef, 'count');
    return \$packed;
}

sub _density ($self) {
    my $packed = '';
    $self->each_block(sub ($low, $high, $count) {
        $packed .= pack 'd*', map { $count->[$_] / ($high->[$_] - $low->[$_]) } 0 .. $#$count;
    }, $self->{closed_bins});
    return \$packed;
}

# How many values there are
sub n ($self)    { return $self->{n} }
# If false, all values lie below the maximum
sub max_is_exact ($self) { return defined $self->{max} }
# Exact, else the lower edge of the first bin
sub min ($self)  { return $self->{min} // $self->_at('low', 0) }
# Exact, else the upper edge of the last bin
sub max ($self)  { return $self->{max} // $self->_at('high', -1) }

sub mean ($self) {
    return $self->{mean} if defined $self->{mean} || !$self->n || $self->{open};
    my $sum = 0;
    $self->each_block(sub ($low, $high, $count) {
        $sum += $count->[$_] * ($low->[$_] + $high->[$_]) for 0 .. $#$count;
    }) unless defined $self->{mean_of_bins};
    return $self->{mean_of_bins} //= $sum / 2 / $self->n;
}

# The deviation of a sample (n - 1), from the middles of the bins
sub variance ($self) {
    return undef if $self->n < 2 || $self->{open};
    my ($twice, $sum) = (2 * $self->mean, 0);
    $self->each_block(sub ($low, $high, $count) {
        my @off = map { $low->[$_] + $high->[$_] - $twice } 0 .. $#$count;
        $sum += $off[$_] * $off[$_] * $count->[$_] for 0 .. $#off;
    }) unless defined $self->{variance_of_bins};
    return $self->{variance_of_bins} //= $sum / 4 / ($self->n - 1);
}

sub sd ($self) {
    return $self->{sd} // sqrt($self->variance // return undef);
}

sub median ($self) {
    my $n = $self->n or return undef;
    my $half = ($n - $n % 2) / 2;
    my @bins = map { $self->_bin_of($_) } $half + 1, $n % 2 ? () : $half;
    return undef if $bins[0] == $self->{closed_bins};
    return List::Util::sum0(map { $self->_middle($self->_at('low', $_), $self->_at('high', $_)) } @bins) / @bins;
}

# The middle and the count of the densest bin, the first of equal ones; empty without values outside an open bin
sub mode ($self) {
    my ($best, $top, $i) = (undef, 0, -1);
    $self->each_block(sub {
        for (@{ $_[0] }) { $i++; ($best, $top) = ($i, $_ * ROUNDING) if $_ > $top }
    }, $self->{closed_bins}, 'density');
    return unless defined $best;
    return ($self->_middle(map { $self->_at($_, $best) } qw(low high)), $self->_at('count', $best));
}

# The value exceeded by at most one in $one_in, so 100 for p99: the upper edge of the bin with that rank, and never more
# than the maximum
sub quantile ($self, $one_in) {
    my $n = $self->n or return undef;
    return List::Util::min($self->_at('high', $self->_bin_of($n - ($n - $n % $one_in) / $one_in)), $self->max);
}

# The edges, clipped to the extremes, of the bin that holds $rank, 1 for the least value
sub edges ($self, $rank) {
    my $bin = $self->_bin_of($rank);
    my ($low, $high) = map { $self->_at($_, $bin) } qw(low high);
    return (List::Util::max($low, $self->min), List::Util::min($high, $self->max));
}

# undef if the threshold lies inside a bin, so that the number is unknown
sub below ($self, $threshold) {
    return $self->n if $threshold > $self->max;
    my $bin = $self->_first('high', $threshold);
    return undef if $bin < $self->{bins} && $self->_at('low', $bin) < $threshold;
    return $bin ? $self->_at('cumulative', $bin - 1) : 0;
}

# How many values are not less than $value, taken as spread evenly over the bin that holds it
sub above ($self, $value) {
    my $bin = $self->_first('high', $value);
    return 0 if $bin == $self->{bins};
    my ($low, $high, $count) = map { $self->_at($_, $bin) } qw(low high count);
    return $self->n - $self->_at('cumulative', $bin) + $count * ($value > $low ? ($high - $value) / ($high - $low) : 1);
}

# The edges, at most the maximum, of the bin with the value beyond which $count others lie; empty if there are too few
sub beyond ($self, $count) {
    return if $count >= $self->{n} || $count < 0;
    my $bin = $self->_first('cumulative', $self->{n} - int($count) - 1);
    return ($self->_at('low', $bin), List::Util::min($self->_at('high', $bin), $self->max));
}

# $cell maps a bin's lower edge to the edges of the cell that takes all of it; cells must not descend
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

# Calls $code with three arrays, low, high and count, for 4096 bins at a time, for the first $bins of them, by
# default all. @columns replaces these three; density, the count divided by the width, exists for closed bins.
sub each_block ($self, $code, $bins = undef, @columns) {
    my $end = SIZE * ($bins // $self->{bins});
    @columns = qw(low high count) unless @columns;
    for (my $at = 0; $at < $end; $at += BLOCK) {
        my $size = List::Util::min(BLOCK, $end - $at);
        $code->(map { [unpack FORM->{$_} . '*', substr ${ $self->_packed($_) }, $at, $size] } @columns);
    }
}

# One [low, high, count] for each bin
sub cells ($self) {
    my ($low, $high, $count) = $self->columns;
    return map { [$low->[$_], $high->[$_], $count->[$_]] } 0 .. $#$count;
}

# Arrays of lower edges, upper edges and counts; with $value, only of bins that end above it
sub columns ($self, $value = undef) {
    my $from = defined $value ? SIZE * $self->_first('high', $value) : 0;
    return map { [unpack FORM->{$_} . '*', substr ${ $self->_packed($_) }, $from] } qw(low high count);
}

# Clipped to the extremes
sub _middle ($self, $low, $high) {
    return List::Util::max($self->min, List::Util::min($self->max, ($low + $high) / 2));
}

# The bin that holds $rank, 1 for the least value
sub _bin_of ($self, $rank) {
    return $self->_first('cumulative', $rank == int $rank ? $rank - 1 : int $rank);
}

# The first bin whose column, which must not descend, exceeds $value; the number of bins if none does. Bins are few.
sub _first ($self, $column, $value) {
    my ($low, $high, $packed, $form) = (0, $self->{bins}, $self->_packed($column), FORM->{$column});
    my $list = SIZE * $high > BLOCK ? undef : ($self->{lists}{$column} //= [unpack "$form*", $$packed]);
    while ($low < $high) {
        my $probe = ($low + $high) >> 1;
        my $there = $list ? $list->[$probe] : unpack $form, substr $$packed, SIZE * $probe, SIZE;
        $there > $value ? $high = $probe : ($low = $probe + 1);
    }
    return $low;
}

1;
