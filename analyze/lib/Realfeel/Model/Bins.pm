# SPDX-License-Identifier: GPL-2.0-or-later
# Adds the bins of several histograms. Bins are equal if both edges are. If any histogram has an open bin, all get the
# one that begins first, which takes over their later bins. Bins that still overlap are refused.
package Realfeel::Model::Bins;
use Realfeel::Base::Modern;

use List::Util qw(any min sum0);
use Realfeel::Stat::Bins qw(BUCKET_US INFINITY);
use Realfeel::Stat::Distribution qw(SIZE);

sub new ($class) { return bless { bins => 0, place => {}, counts => {} }, $class }

# %column maps our columns to those of $bins, a Stat::Bins
sub add ($self, $bins, %column) {
    my ($place, $from, $to) = ($self->{place}, map { ${ $bins->packed($_) } } qw(from_us to_us));
    my @at;
    for (my $i = 0; $i < length $from; $i += SIZE) {
        push @at, $place->{ substr($from, $i, SIZE) . substr($to, $i, SIZE) } //= $self->{bins}++;
    }
    for my $name (keys %column) {
        my ($counts, $added, $i) = ($self->{counts}{$name} //= [], ${ $bins->packed($column{$name}) }, 0);
        next unless $added =~ tr/\0//c;         # few reports have a wake-up that was early
        $counts->[ $at[$i++] ] += $_ for unpack 'q*', $added;
    }
}

# undef without such a column
sub distribution ($self, $name) {
    my $counts = $self->{counts}{$name} or return undef;
    my ($bins, $low, $high) = $self->_filled($name);
    my @at = @{ $self->{place} }{@$bins};
    return Realfeel::Stat::Distribution->new(low => $low, high => $high, count => [@$counts[@at]]);
}

# Moves bins to the buckets of 2002 in which they begin, and early wake-ups, which those files lack, to the first
sub make_coarse ($self) {
    my ($interval, $early) = @{ $self->{counts} }{qw(interval early)};
    my $first = $self->{place}{ pack 'd2', 0, BUCKET_US } //= $self->{bins}++;
    $interval->[$first] += sum0(grep { defined } @{ $early // [] });
    delete $self->{counts}{early};
    $self->_move(sub {
        my $from = BUCKET_US * int($_[0] / BUCKET_US);
        return ($from, $from + BUCKET_US);
    });
}

# Moves the counts of each bin to the edges that the function returns
sub _move ($self, $edges) {
    my %place;
    for my $bin (keys %{ $self->{place} }) {
        my $from = $self->{place}{$bin};
        my $to = $place{ pack 'd2', $edges->(unpack 'd2', $bin) } //= $from;
        for (grep { $from != $to && $_->[$from] } values %{ $self->{counts} }) {
            $_->[$to] += $_->[$from];
            $_->[$from] = 0;
        }
    }
    $self->{place} = \%place;
}

# The bins counted in any of @names, as a hash of columns. Dies with one line that ends in $remedy if bins overlap.
sub columns ($self, $remedy, @names) {
    my $open = min(map { my ($from, $to) = unpack 'd2', $_; $to == INFINITY ? $from : () } keys %{ $self->{place} });
    $self->_move(sub { $_[0] >= $open ? ($open, INFINITY) : @_ }) if defined $open;
    my ($bins, $from, $to) = $self->_filled(@names);
    my ($other) = grep { $from->[$_] < $to->[$_ - 1] } 1 .. $#$from;
    die "the bin from $from->[$other] us does not have the same width in all reports; $remedy\n" if defined $other;
    $to->[-1] = 'inf' if @$to && $to->[-1] == INFINITY;
    my @at = @{ $self->{place} }{@$bins};
    my %columns = map { $_ => [map { $_ || 0 } @{ $self->{counts}{$_} // [] }[@at]] } @names;
    return { from_us => $from, to_us => $to, %columns };
}

# The bins counted in any of @names in order, their lower edges, and their upper edges
sub _filled ($self, @names) {
    my $place = $self->{place};
    my @counts = grep { defined } @{ $self->{counts} }{@names};
    my %from = map { $_ => unpack 'd', $_ } grep { my $at = $place->{$_}; any { $_->[$at] } @counts } keys %$place;
    my @bins = sort { $from{$a} <=> $from{$b} } keys %from;
    return (\@bins, [@from{@bins}], [map { unpack 'x8 d', $_ } @bins]);
}

1;
