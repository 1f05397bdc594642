# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Sum::Bins;
use Realfeel::Base::Modern;

use List::Util qw(any min sum0);
use Realfeel::Stat::Distribution;

use constant {
    BUCKET_US => 100,       # the width of those of 2002
    INFINITY  => 9**9**9,
    SIZE      => 8,         # of a number in a packed column
};

=head1 NAME

Realfeel::Model::Sum::Bins - the bins of several histograms added together

=head1 DESCRIPTION

Bins are the same where both edges are. Where one bin is open, all histograms get the open bin that begins first, which
takes what they have in later ones. Bins that are still in each other's way are refused.

=head1 METHODS

=head2 new

No bins.

=head2 add($bins, %column)

Adds a L<Realfeel::Stat::Bins>: of the sum's columns, by their names, the columns there that are added to them.

=cut

sub new ($class) { return bless { bins => 0, place => {}, counts => {} }, $class }

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

=head2 distribution($name)

That of a column, a L<Realfeel::Stat::Distribution>; undef where there is no such column.

=cut

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

=head2 make_coarse

Puts all bins into the buckets of 2002 that they begin in, and early wake-ups, which those files do not tell, into the
first.

=cut

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

# Moves what each bin has to the edges that the function gives it.
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

=head2 columns($remedy, @names)

The bins that any of these columns counts in, as a hash from the column's name to its values. Dies with one line, which
ends in the remedy, where bins are in each other's way.

=cut

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

# The bins that any of these columns counts in, in their order.
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
