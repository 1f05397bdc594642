# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Pieces;
use Realfeel::Base::Modern;

use List::Util qw(max sum0);

use constant WIDENING => 1.3;       # for fifths that depend on each other; tests/statistics/run says what it is worth

=head1 NAME

Realfeel::Stat::Pieces - the pieces of a run that tell how far its percentiles may be off

=head1 DESCRIPTION

The pieces are five parts of a run, of equal length, or the runs of a merged one. A wake-up that serves forty
periods is forty late periods, whose latenesses differ by one period each, so the histogram tells how many wake-ups
there were.

=head1 METHODS

=head2 new(latency => $distribution, measure => $name, period => $us, unit => $unit, bins => \@counts, unknown => $why)

Those of a run of this latency, of which C<$name> is C<lateness> or C<wakeup>. C<$us> is the time between periods, undef
where none serves for several. C<@counts> has for each piece a hash from the lower edge of a bin to its count, of those
that are not empty; without it there are no pieces, and the run's values are taken as independent.

=head2 none

No pieces.

=cut

sub new ($class, %self) {
    return bless { bins => [], %self }, $class;
}

sub none ($class) { return $class->new }

=head2 count

How many there are.

=head2 unit

What they are: C<fifths>, or C<runs>; undef where there are no slices.

=head2 unknown

Why nobody knows how far the run's values depend on each other: C<short>, the run is shorter than a minute, or has fewer
than five slices. Else undef.

=head2 widening

By how much more the truth may be off than independent pieces would say.

=cut

sub count ($self)    { return scalar @{ $self->{bins} } }
sub unit ($self)     { return $self->{unit} }
sub unknown ($self)  { return $self->{unknown} }
sub widening ($self) { return ($self->{unit} // '') eq 'fifths' ? WIDENING : 1 }

=head2 shares($one_in)

Of each piece which share of the whole run's latencies lies beyond what one in so many of its own exceed. Those of one
bin are taken to lie in each piece as they do in the whole run.

=cut

sub shares ($self, $one_in) {
    my $all = $self->{all} //= _sum(@{ $self->{bins} });
    return map { _beyond($_, $one_in, @{ $all->{bins} }) / $all->{n} } @{ $self->{bins} };
}

# How many latencies all pieces have, and the bins, the highest first, each with its count.
sub _sum {
    my %sum;
    for my $bins (@_) { $sum{$_} += $bins->{$_} for keys %$bins }
    return { n => sum0(values %sum), bins => [map { [$_, $sum{$_}] } sort { $b <=> $a } keys %sum] };
}

# How many of all lie beyond that value of a piece.
sub _beyond ($piece, $one_in, @bins) {
    my ($left, $beyond) = (sum0(values %$piece) / $one_in, 0);
    for (@bins) {
        my ($bin, $all) = @$_;
        my $count = $piece->{$bin} // 0;
        return $beyond + $all * $left / $count if $count > $left;
        $left -= $count;
        $beyond += $all;
    }
    return $beyond;
}

=head2 together($measure, $distribution, $value, $one_in)

How many values of a measure that lie above C<$value>, one in C<$one_in>, one wake-up made, on average. C<$measure> is
C<lateness>, C<wakeup>, C<wakeups> or C<interval>. Of wake-up latency beside lateness the slices tell nothing; it is
taken to come as the latest of the periods do, one in as many.

=cut

sub together ($self, $measure, $distribution, $value, $one_in) {
    my $latency = $self->{latency};
    return 1 unless $latency && $self->{period} && ($measure eq 'lateness' || $measure eq 'wakeup');
    my ($edge) = $measure eq $self->{measure} ? $value : $latency->beyond($latency->n / $one_in);
    $edge //= $latency->max;
    return max(1, $latency->above($edge) / max(1, $self->_wakeups_above($edge)));
}

# The periods later than this count only as many as do not lie one period further up, too.
sub _wakeups_above ($self, $value) {
    my $latency = $self->{latency};
    return $latency->above($value) - $latency->above($value + $self->{period});
}

1;
