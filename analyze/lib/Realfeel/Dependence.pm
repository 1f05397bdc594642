# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Dependence;
use strict;
use warnings;

use List::Util qw(max min sum sum0);
use Realfeel::Chance qw(NORMAL chance_limit t_within);
use Realfeel::Wander qw(wander);

use constant {
    UNITS_LEAST => 5,       # fewer tell nothing of how a level wanders, or how runs differ
    UNITS_MOST  => 160,     # more are put together
    SLOW        => 'the level wanders too slowly for a run of this length',
    ALIKE       => { factor => 1, reach => 1, slow => 0, off => [] },      # from unit to unit, no more than by chance
    INDEPENDENT => { spread => 1, episodes => 9**9**9, unknown => undef, off => [] },
};

=head1 NAME

Realfeel::Dependence - how far the values of a run depend on each other

=head1 DESCRIPTION

A wake-up that serves forty periods is forty late periods, but one episode; in a bad second there are many late
wake-ups; and the level of a load wanders for seconds and minutes. What a count can tell depends on the number of
independent episodes. The latenesses of one wake-up differ by one period each, so the histogram tells how many wake-ups
there were. The slices tell the rest: how much they differ, as far as it is more than chance makes once in a hundred
times, and how slowly, see L<Realfeel::Wander>. Of five merged runs and more, runs take the place of slices, and what
they differ by is taken as it is. A level that wanders more slowly than the run is long is not seen by anyone.

=head1 METHODS

=head2 of($report)

That of a L<Realfeel::Report>. Where it has no latency, its values are taken as independent.

=head2 none

For values that are independent.

=cut

sub of {
    my ($class, $report) = @_;
    my $latency = $report->latency or return $class->none;
    my $self = bless {
        distribution => $latency,
        measure      => $report->latency_name,
        period       => $report->header('lateness_of') ? undef : $report->us('period_ns'),
        units        => [],
    }, $class;
    $self->_take_slices($report) if $report->has('slice_bins');
    return $self;
}

sub none { return bless { units => [] }, $_[0] }

sub _take_slices {
    my ($self, $report) = @_;
    my @runs = $report->groups('slice_bins', 'run');
    $self->{by_run} = UNITS_LEAST <= @runs ? 1 : 0;
    my @parts = $self->{by_run} ? @runs : $report->groups('slice_bins', 'start_s');
    my $units = $self->{by_run} ? @parts : min(UNITS_MOST, scalar @parts);
    my @first = map { int($_ * @parts / ($units || 1)) } 0 .. $units;
    $self->{units} = [grep { $_->{periods} } map {
        _unit($self->{measure}, $report->columns('slice_bins', join '', @parts[$first[$_] .. $first[$_ + 1] - 1]))
    } 0 .. $units - 1];
}

# The number of its periods, and its bins: their edges, and how many periods are in them and before.
sub _unit {
    my ($measure, $bins) = @_;
    my ($from, $to, $count) = @$bins{qw(from_us to_us), $measure};
    my (%to, %count);
    for my $i (0 .. $#$from) {
        $to{ $from->[$i] } = $to->[$i];
        $count{ $from->[$i] } += $count->[$i];
    }
    my @from = sort { $a <=> $b } keys %count;
    my $periods = 0;
    return {
        from    => \@from,
        to      => [@to{@from}],
        up_to   => [map { $periods += $_ } @count{@from}],
        periods => $periods,
    };
}

=head2 beyond($measure, $distribution, $value, $one_in)

How far the values of a measure that lie above C<$value>, one in C<$one_in>, depend on each other: a hash of C<spread>,
by which their number must be divided for as wide an interval as that of independent values; C<episodes>, the number of
bursts that made them, infinite where there is no latency; C<unknown>, why nobody can tell how far they depend on each
other, else undef; and C<off>, by how many of them each unit of the run is off, by their share. C<$measure> is
C<lateness>, C<wakeup>, C<wakeups> or C<interval>. The slices tell nothing of interval errors, nor of wake-up latency
beside lateness; these are taken to gather as the latest of the wake-ups do, one in as many.

=cut

sub beyond {
    my ($self, $measure, $distribution, $value, $one_in) = @_;
    my $late = $self->{distribution} or return INDEPENDENT;
    my $is_told = grep { $measure eq $_ } $self->{measure}, 'wakeups';
    my ($edge) = $is_told ? $value : $late->beyond($late->n / $one_in);
    $edge //= $late->max;
    my $is_of_periods = grep { $measure eq $_ } qw(lateness wakeup);
    my ($variation, $wakeup) = ($self->_variation($edge), $is_of_periods ? $self->_by_wakeup($edge) : 1);
    my $count = $is_of_periods ? $self->wakeups_above($edge) : $distribution->above($value);
    return {
        spread   => $wakeup * $variation->{reach},
        episodes => $count / $variation->{factor},
        unknown  => $self->unknown // ($variation->{slow} ? SLOW : undef),
        off      => $variation->{off},
    };
}

=head2 unknown

Why nobody can tell how far the run's values depend on each other: it is too short, or its level, the median, wanders
too slowly for it. Undef where they can.

=cut

sub unknown {
    my ($self) = @_;
    my $units = @{ $self->{units} } or return undef;
    return 'the run has fewer than five slices' if $units < UNITS_LEAST;
    my ($median) = $self->{distribution}->beyond($self->{distribution}->n / 2);
    return defined $median && $self->_variation($median)->{slow} ? SLOW : undef;
}

=head2 units

How many units of the run there are to tell how far its values depend on each other.

=head2 unit

What they are: C<slices>, or C<runs> where five or more were merged; undef where the values are independent.

=cut

sub units { return scalar @{ $_[0]{units} } }
sub unit  { return $_[0]{distribution} && ($_[0]{by_run} ? 'runs' : 'slices') }

=head2 wakeups_above($value)

How many wake-ups made periods later than this.

=cut

sub wakeups_above {
    my ($self, $value) = @_;
    my $distribution = $self->{distribution};
    my $above = $distribution->above($value);
    return $self->{period} ? $above - $distribution->above($value + $self->{period}) : $above;
}

# How the number of wake-ups that were later than this varies: by which factor more from unit to unit than independent
# ones do, and what Realfeel::Wander says of their sum.
sub _variation {
    my ($self, $value) = @_;
    return ALIKE if @{ $self->{units} } < UNITS_LEAST;
    return $self->{variation}{$value} //= $self->_variation_of_units($value);
}

# By the variance of the counts above the value, from unit to unit, by that of as many independent wake-ups.
sub _variation_of_units {
    my ($self, $value) = @_;
    my @units = @{ $self->{units} };
    my @above = map { _above($_, $value) } @units;
    my $share = sum0(@above) / sum0(map { $_->{periods} } @units);
    return ALIKE if $share <= 0 || $share >= 1;
    my @off = map { ($above[$_] - $units[$_]{periods} * $share) / sqrt $units[$_]{periods} } 0 .. $#units;
    my $squares = sum(map { $_**2 } @off) / $share / (1 - $share) / $self->_by_wakeup($value);
    my $freedom = $#units;
    my $excess = $self->{by_run} || $squares > chance_limit($freedom) ? max(1, $squares / $freedom) : 1;
    my $sum = $self->{by_run} ? { reach => (t_within(0.95, $freedom) / NORMAL)**2, slow => 0 } : wander(@off);
    my $factor = $self->{by_run} ? 1 : $excess;    # that runs differ makes no burst of them
    return { factor => $factor, reach => max(1, $excess * $sum->{reach}), slow => $sum->{slow}, off => \@off };
}

# A wake-up that makes m periods late adds m to their number, and m ** 2 to its variance.
sub _by_wakeup {
    my ($self, $value) = @_;
    return $self->{by_wakeup}{$value} //= $self->_variance_by_wakeup($value);
}

sub _variance_by_wakeup {
    my ($self, $value) = @_;
    my ($distribution, $period) = @$self{qw(distribution period)};
    my $above = $distribution->above($value);
    return 1 unless $period && $above;
    my ($middle, $count) = @{ $self->{late} //= _late($distribution, $period) };
    my ($first, $behind) = (0, 0);
    $first++ while $first < @$middle && $middle->[$first] - $value < $period;
    $behind += $count->[$_] * int(($middle->[$_] - $value) / $period) for $first .. $#$middle;
    return 1 + 2 * $behind / $above;
}

# The middles and the counts of the bins that lie beyond a period: before them a wake-up has no second one.
sub _late {
    my ($low, $high, $count) = $_[0]->columns($_[1]);
    return [[map { ($low->[$_] + $high->[$_]) / 2 } 0 .. $#$low], $count];
}

# How many periods of a slice are later. Those of the bin that holds the value are taken to lie evenly in it.
sub _above {
    my ($slice, $value) = @_;
    my ($from, $to, $up_to) = @$slice{qw(from to up_to)};
    my ($low, $high) = (0, scalar @$to);
    while ($low < $high) {
        my $middle = ($low + $high) >> 1;
        $to->[$middle] > $value ? $high = $middle : ($low = $middle + 1);
    }
    return 0 if $low == @$to;
    my $below = $low ? $up_to->[ $low - 1 ] : 0;
    my $part = $from->[$low] >= $value || $to->[$low] eq 'inf' ? 0
        : ($value - $from->[$low]) / ($to->[$low] - $from->[$low]);
    return $slice->{periods} - $below - $part * ($up_to->[$low] - $below);
}

1;
