# SPDX-License-Identifier: GPL-2.0-or-later
# Adds the slices of CPUs that were measured at the same time. Slices line up across CPUs, but each has its own time
# stamps, and a CPU that ended early may have shorter ones. So all go onto the grid of the CPU with the longest slices,
# each into the slice that holds its middle; in merged reports, run by run.
package Realfeel::Model::Cpus::Slices;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(slices);

use List::Util qw(max);
use Realfeel::Model::Sum::Header qw(added);

use constant {
    ADDED   => [qw(wakeups periods missed)],
    MAXIMA  => [qw(delay_max_us lateness_max_us interval_max_us wakeup_max_us)],
};

# The data sets slices and slice_bins as columns, if all reports have them
sub slices (@reports) {
    return if grep { !$_->has('slices') } @reports;
    my $runs = _runs(map { $_->columns('slices') } @reports);
    my ($known, $latency) = ($reports[0]->columns('slices', ''), $reports[0]->latency_name);
    my @when = ($known->{run} ? 'run' : (), qw(start_s seconds));
    my @maxima = grep { $known->{$_} } @{ MAXIMA() };
    my @smis = (grep { !$_->columns('slices', '')->{smis} } @reports) ? () : 'smis';
    my @slices = map { _in_order($runs->{$_}{slices}) } sort { $a <=> $b } keys %$runs;
    my %slices = (slices => _columns([@when, @{ ADDED() }, @maxima, @smis], @slices));
    return %slices if grep { !$_->has('slice_bins') } @reports;
    return (%slices, slice_bins => _columns([@when, qw(from_us to_us), $latency], _bins($runs, $latency, @reports)));
}

# For each run by number, 0 if not merged, the grid and the slices
sub _runs {
    my %of_run;
    for my $columns (@_) {
        my %rows;
        push @{ $rows{ $columns->{run} ? $columns->{run}[$_] : 0 } }, $_ for 0 .. $#{ $columns->{start_s} };
        for my $run (keys %rows) {
            push @{ $of_run{$run} }, { map { $_ => [@{ $columns->{$_} }[@{ $rows{$run} }]] } keys %$columns };
        }
    }
    return { map { $_ => _run(@{ $of_run{$_} }) } keys %of_run };
}

sub _run {
    my $grid = _grid(@_);
    return { grid => $grid, slices => _summed($grid, @_), bins => {} };
}

# The values of a hash, sorted by key
sub _in_order ($of) {
    return map { $of->{$_} } sort { $a <=> $b } keys %$of;
}

# Starts of one CPU's slices, the end of the last, and how long most of them are
sub _grid {
    return { starts => [], width => 0, end => 0 } unless @_;
    my ($longest) = sort { $b->{width} <=> $a->{width} || @{ $b->{starts} } <=> @{ $a->{starts} } } map {
        my ($starts, $seconds) = @$_{qw(start_s seconds)};
        my ($width) = (sort { $a <=> $b } @$seconds)[@$seconds / 2];
        { starts => $starts, width => $width // 0, end => @$starts ? $starts->[-1] + max($seconds->[-1], $width) : 0 };
    } @_;
    return $longest;
}

# The index of the grid's slice that holds the middle of this one; the grid continues beyond its end
sub _place ($grid, $start, $seconds) {
    my $middle = $start + $seconds / 2;
    my $starts = $grid->{starts};
    my $width = $grid->{width} || 1;        # of slices that the report does not list
    return @$starts + int(($middle - $grid->{end}) / $width) if $middle >= $grid->{end};
    my ($low, $high) = (0, $#$starts);
    while ($low < $high) {
        my $number = ($low + $high + 1) >> 1;
        $starts->[$number] > $middle ? $high = $number - 1 : ($low = $number);
    }
    return $low;
}

sub _summed ($grid, @of_cpus) {
    my %sums;
    for my $slices (@of_cpus) {
        for my $i (0 .. $#{ $slices->{start_s} }) {
            my %slice = map { $_ => $slices->{$_}[$i] } keys %$slices;
            my $place = _place($grid, @slice{qw(start_s seconds)});
            my $sum = $sums{$place} //= { %slice, map { $_ => 0 } @{ ADDED() }, 'smis' };
            $sum->{$_} += $slice{$_} for @{ ADDED() };
            $sum->{smis} = added($sum->{smis}, $slice{smis});
            for (grep { defined $slice{$_} } @{ MAXIMA() }) { $sum->{$_} = $slice{$_} if $slice{$_} > $sum->{$_} }
        }
    }
    return \%sums;
}

# A slice has the start and length of the first CPU in it
sub _bins ($runs, $latency, @reports) {
    my %to;
    for my $report (@reports) {
        for my $group ($report->groups('slice_bins', 'start_s')) {
            my $bins = $report->columns('slice_bins', $group);
            my %first = map { $_ => $bins->{$_}[0] } grep { $bins->{$_} } qw(run start_s seconds);
            my $run = $runs->{ $first{run} // 0 } //= _run();
            my $place = _place($run->{grid}, @first{qw(start_s seconds)});
            my $of = $run->{slices}{$place} // \%first;
            my $slice = $run->{bins}{$place} //= { of => { map { $_ => $of->{$_} } keys %first }, sum => {} };
            my ($from, $to, $count) = @$bins{qw(from_us to_us), $latency};
            $slice->{sum}{ $from->[$_] } += $count->[$_] for 0 .. $#$from;
            @to{@$from} = @$to;
        }
    }
    return map {
        my ($of, $sum) = @$_{qw(of sum)};
        map { { %$of, from_us => $_, to_us => $to{$_}, $latency => $sum->{$_} } } sort { $a <=> $b } keys %$sum;
    } map { _in_order($runs->{$_}{bins}) } sort { $a <=> $b } keys %$runs;
}

sub _columns ($names, @rows) {
    return { map { my $name = $_; $name => [map { $_->{$name} } @rows] } @$names };
}

1;
