# SPDX-License-Identifier: GPL-2.0-or-later
# Adds the bins of several histograms. Bins are equal if both edges are. If any histogram has an open bin, all get the
# one that begins first, which takes over their later bins. Bins that still overlap are refused.
package Realfeel::Model::Sum::Bins;
use Realfeel::Base::Modern;

use List::Util qw(any min sum0);
use Realfeel::Stat::Distribution;

use constant {
    BUCKET_US => 100,       # the width of those of 2002
    INFINITY  => 9**9**9,
    SIZE      => 8,         # of a number in a packed column
};

sub new ($class) { return bless { bins => 0, place => {}, counts => {} }, $class }

# %column maps our columns to those of $bins
sub add ($self, $bins, %column) {
    my ($place, $from, $to) = ($self->{place}, map { $bins->packed($_) } qw(from_us to_us));
    my @at;
    for (my $i = 0; $i < length $from; $i += SIZE) {
        push @at, $place->{ substr($from, $i, SIZE) . substr($to, $i, SIZE) } //= $self->{bins}++;
    }
    for my $name (keys %column) {
        my ($counts, $added, $i) = ($self->{counts}{$name} //= [], $bins->packed($column{$name}), 0);
        next unless $added =~ tr/\0//c;         # few reports have a wake-up that was early
        $counts->[ $at[$i++] ] += $_ for unpack 'q*', $added;
    }
}

# undef without such a column
sub distribution ($self, $name) {
    my $counts = $self->{counts}{$name} or return undef;
    my ($place, @bins) = ($self->{place}, $self->_filled($name));
    my @edges = map { [unpack 'd2', $_] } @bins;
    return Realfeel::Stat::Distribution->new(
        low   => [map { $_->[0] } @edges],
        high  => [map { $_->[1] } @edges],
        count => [@$counts[@$place{@bins}]],
    );
}

# Moves bins to the buckets of 2002 in which they begin, and early wake-ups, which those files lack, to the first
sub make_coarse ($self) {
    my ($interval, $early) = @{ $self->{counts} }{qw(interval early)};
    my $first = $self->{place}{ pack 'd2', 0, BUCKET_US } //= $self->{bins}++;
    $interval->[$first] += sum0(grep { defined } @{ $early // [] });
    delete $self->{counts}{early};
    $self->_move_all(sub {
        my $from = BUCKET_US * int($_[0] / BUCKET_US);
        return ($from, $from + BUCKET_US);
    });
}

# Moves the counts of each bin to the edges that the function returns
sub _move_all ($self, $edges) {
    my %place;
    for my $bin (keys %{ $self->{place} }) {
        my $from = $self->{place}{$bin};
        my $to = $place{ pack 'd2', $edges->(unpack 'd2', $bin) } //= $from;
        $self->_move($from, $to) if $from != $to;
    }
    $self->{place} = \%place;
}

sub _move ($self, $from, $to) {
    for (grep { $_->[$from] } values %{ $self->{counts} }) {
        $_->[$to] += $_->[$from];
        $_->[$from] = 0;
    }
}

# The bins counted in any of @names, as a hash of columns. Dies with one line that ends in $remedy if bins overlap.
sub columns ($self, $remedy, @names) {
    $self->_open_all;
    my @bins = $self->_filled(@names);
    my @edges = unpack 'd*', join '', @bins;
    my ($from, $to) = map { my $edge = $_; [map { $edges[2 * $_ + $edge] } 0 .. $#bins] } 0, 1;
    _refuse_overlap($remedy, $from, $to);
    $to->[-1] = 'inf' if @bins && $to->[-1] == INFINITY;
    my @at = @{ $self->{place} }{@bins};
    my %columns = map { $_ => [map { $_ || 0 } @{ $self->{counts}{$_} // [] }[@at]] } @names;
    return { from_us => $from, to_us => $to, %columns };
}

sub _open_all ($self) {
    my $open = min(map { my ($from, $to) = unpack 'd2', $_; $to == INFINITY ? $from : () } keys %{ $self->{place} });
    $self->_move_all(sub { $_[0] >= $open ? ($open, INFINITY) : @_ }) if defined $open;
}

# The bins counted in any of @names, in order
sub _filled ($self, @names) {
    my $place = $self->{place};
    my @counts = grep { defined } @{ $self->{counts} }{@names};
    my %from = map { $_ => unpack 'd', $_ } grep { my $at = $place->{$_}; any { $_->[$at] } @counts } keys %$place;
    return sort { $from{$a} <=> $from{$b} } keys %from;
}

sub _refuse_overlap ($remedy, $from, $to) {
    my $end = 0;
    for my $i (0 .. $#$from) {
        die "the bin from $from->[$i] us is of another width in one report than in the others; $remedy\n"
            if $from->[$i] < $end;
        $end = $to->[$i];
    }
}

1;
