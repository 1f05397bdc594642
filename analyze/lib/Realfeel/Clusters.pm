# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Clusters;
use strict;
use warnings;

use List::Util qw(max sum0);
use Realfeel::Confidence qw(chance_limit);

=head1 NAME

Realfeel::Clusters - how many independent things a number of late periods are

=head1 DESCRIPTION

A wake-up that serves forty periods is forty late periods, but one episode; and in a bad second there are many late
wake-ups. What a count can tell depends on the number of independent episodes. The latenesses of one wake-up differ by
one period each, so the histogram tells how many wake-ups there were. Slices are taken to be independent of each other;
that they are not alike is assumed only where they differ by more than chance does once in a hundred times.

=head1 METHODS

=head2 of($report)

Those of the latenesses of a L<Realfeel::Report> that has them.

=cut

sub of {
    my ($class, $report) = @_;
    my $self = bless {
        distribution => $report->lateness,
        period       => $report->header('lateness_of') ? undef : $report->us('period_ns'),
        samples      => $report->header('samples'),
        slices       => [],
    }, $class;
    $self->_take_slices($report->{slice_bins}) if $self->{period} && $report->{slice_bins};
    return $self;
}

# Of each slice the number of its periods, and its bins: their edges, and how many periods are in later ones.
sub _take_slices {
    my ($self, $bins) = @_;
    my ($start, $run, $from, $to, $count) = @$bins{qw(start_s run from_us to_us lateness)};
    my ($last, @slices) = '';
    for my $i (0 .. $#$start) {
        my $name = $run ? "$run->[$i] $start->[$i]" : $start->[$i];
        push @slices, { periods => 0, from => [], to => [], up_to => [] } if $name ne $last;
        $last = $name;
        my $slice = $slices[-1];
        push @{ $slice->{from} },  $from->[$i];
        push @{ $slice->{to} },    $to->[$i];
        push @{ $slice->{up_to} }, $slice->{periods} += $count->[$i];
    }
    $self->{slices} = \@slices;
}

=head2 dependence($measure, $distribution, $value, $one_in)

How far the values of a measure that lie above C<$value>, one in C<$one_in>, depend on each other: a list of two, the
factor by which their number varies more than that of independent values, and the number of independent episodes that
made them. C<$measure> is C<lateness>, C<wakeups> or C<interval>. The slices tell nothing of interval errors; these are
taken to gather as the latest of the wake-ups do, one in as many.

=cut

sub dependence {
    my ($self, $measure, $distribution, $value, $one_in) = @_;
    return ($self->spread($value), $self->episodes($value)) if $measure eq 'lateness';
    my $late = $self->{distribution};
    my ($edge) = $measure eq 'interval' ? $late->beyond($late->n / $one_in) : $value;
    my $factor = $self->spread_of_wakeups($edge // $late->max);
    return ($factor, $distribution->above($value) / $factor);
}

=head2 wakeups

How many wake-ups there were.

=cut

sub wakeups {
    my ($self) = @_;
    return $self->{samples};
}

=head2 wakeups_above($value)

How many wake-ups made periods later than this.

=cut

sub wakeups_above {
    my ($self, $value) = @_;
    my $distribution = $self->{distribution};
    my $above = $distribution->above($value);
    return $self->{period} ? $above - $distribution->above($value + $self->{period}) : $above;
}

=head2 spread($value)

By which factor the number of periods later than this varies more than that of independent ones would: 1 for these, and
as much as the mean size of a cluster, each weighted by its size.

=cut

sub spread {
    my ($self, $value) = @_;
    return $self->_by_wakeup($value) * $self->spread_of_wakeups($value);
}

=head2 spread_of_wakeups($value)

The same for the number of wake-ups that were later.

=cut

sub spread_of_wakeups {
    my ($self, $value) = @_;
    my $freedom = @{ $self->{slices} } - 1;
    return 1 if $freedom < 1;
    my $factor = $self->{factor}{$value} //= $self->_by_slice($value) / $self->_by_wakeup($value);
    return $factor * $freedom > chance_limit($freedom) ? max(1, $factor) : 1;
}

# A wake-up that makes m periods late adds m to their number, and m ** 2 to its variance.
sub _by_wakeup {
    my ($self, $value) = @_;
    my ($distribution, $period) = @$self{qw(distribution period)};
    my $above = $distribution->above($value);
    return 1 unless $period && $above;
    my ($low, $high, $count) = $distribution->columns;
    my ($i, $behind) = ($#$high, 0);
    for (; $i >= 0 && $high->[$i] > $value + $period; $i--) {
        $behind += $count->[$i] * int((($low->[$i] + $high->[$i]) / 2 - $value) / $period);
    }
    return 1 + 2 * $behind / $above;
}

# The variance of the counts above the value, from slice to slice, by their mean.
sub _by_slice {
    my ($self, $value) = @_;
    my @slices = @{ $self->{slices} };
    return 1 if @slices < 2;
    my @above = map { _above($_, $value) } @slices;
    my $share = sum0(@above) / sum0(map { $_->{periods} } @slices);
    return 1 if $share <= 0 || $share >= 1;
    my $squares = sum0(map { ($above[$_] - $slices[$_]{periods} * $share)**2 / $slices[$_]{periods} } 0 .. $#slices);
    return $squares / $share / (1 - $share) / $#slices;
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

=head2 episodes($value)

How many independent episodes made periods later than this.

=cut

sub episodes {
    my ($self, $value) = @_;
    return $self->wakeups_above($value) / $self->spread_of_wakeups($value);
}

1;
