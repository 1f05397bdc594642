# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Cpus::Slices;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(slices);

use List::Util qw(max);

use constant {
    ADDED   => [qw(wakeups periods missed)],
    MAXIMA  => [qw(lateness_max_us interval_max_us)],
};

=head1 NAME

Realfeel::Cpus::Slices - the slices of several CPUs that were measured at the same time, added together

=head1 DESCRIPTION

Slices of CPUs line up, but each has stamps of its own, and those of a CPU that ended early may be shorter than those of
the others. So all are put on the grid of the CPU whose slices are the longest, each in that slice which holds its
middle.

=head1 FUNCTIONS

=head2 slices(@reports)

The data sets C<slices> and C<slice_bins>, as columns, as far as all of these L<Realfeel::Report>s have them.

=cut

sub slices {
    my @reports = @_;
    return if grep { !$_->has('slices') } @reports;
    my @of_cpus = map { $_->columns('slices') } @reports;
    my $grid = _grid(@of_cpus);
    my $slices = _summed($grid, @of_cpus) or return;
    my %slices = (slices => _columns([qw(start_s seconds), @{ ADDED() }, @{ MAXIMA() }], @$slices));
    return %slices if grep { !$_->has('slice_bins') } @reports;
    return (%slices, slice_bins => _bins($grid, $slices, @reports));
}

# The starts of the slices of one CPU and where the last ends, and how long most of them are.
sub _grid {
    my ($longest) = sort { $b->{width} <=> $a->{width} || @{ $b->{starts} } <=> @{ $a->{starts} } } map {
        my ($starts, $seconds) = @$_{qw(start_s seconds)};
        my ($width) = (sort { $a <=> $b } @$seconds)[@$seconds / 2];
        { starts => $starts, width => $width // 0, end => @$starts ? $starts->[-1] + max($seconds->[-1], $width) : 0 };
    } @_;
    return $longest;
}

# The number of the slice on the grid that holds the middle of this one; the grid goes on behind its end.
sub _place {
    my ($grid, $start, $seconds) = @_;
    my $middle = $start + $seconds / 2;
    my $starts = $grid->{starts};
    return @$starts + int(($middle - $grid->{end}) / $grid->{width}) if $middle >= $grid->{end};
    my ($low, $high) = (0, $#$starts);
    while ($low < $high) {
        my $number = ($low + $high + 1) >> 1;
        $starts->[$number] > $middle ? $high = $number - 1 : ($low = $number);
    }
    return $low;
}

sub _summed {
    my ($grid, @of_cpus) = @_;
    my @sums;
    for my $slices (@of_cpus) {
        for my $i (0 .. $#{ $slices->{start_s} }) {
            my %slice = map { $_ => $slices->{$_}[$i] } keys %$slices;
            my $sum = $sums[ _place($grid, @slice{qw(start_s seconds)}) ] //= { %slice, map { $_ => 0 } @{ ADDED() } };
            $sum->{$_} += $slice{$_} for @{ ADDED() };
            for (@{ MAXIMA() }) { $sum->{$_} = $slice{$_} if $slice{$_} > $sum->{$_} }
        }
    }
    return \@sums;
}

# A slice has the start and length of the first CPU that is in it.
sub _bins {
    my ($grid, $slices, @reports) = @_;
    my (@sums, @spans, %to);
    for my $report (@reports) {
        for my $group ($report->groups('slice_bins', 'start_s')) {
            my $bins = $report->columns('slice_bins', $group);
            my %span = map { $_ => $bins->{$_}[0] } qw(start_s seconds);
            my $place = _place($grid, @span{qw(start_s seconds)});
            $spans[$place] //= $slices->[$place] // \%span;
            my $sum = $sums[$place] //= {};
            my ($from, $to, $count) = @$bins{qw(from_us to_us lateness)};
            $sum->{ $from->[$_] } += $count->[$_] for 0 .. $#$from;
            @to{@$from} = @$to;
        }
    }
    return _columns([qw(start_s seconds from_us to_us lateness)], map {
        my ($span, $sum) = ($spans[$_], $sums[$_]);
        map { { %$span{qw(start_s seconds)}, from_us => $_, to_us => $to{$_}, lateness => $sum->{$_} } }
            sort { $a <=> $b } keys %$sum;
    } grep { $sums[$_] } 0 .. $#sums);
}

sub _columns {
    my ($names, @rows) = @_;
    @rows = grep { $_ } @rows;
    return { map { my $name = $_; $name => [map { $_->{$name} } @rows] } @$names };
}

1;
