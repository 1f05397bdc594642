# SPDX-License-Identifier: GPL-2.0-or-later
package Report;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(parse_report parse_parts column total whole_report whole_parts traced_us);
our @EXPORT_OK = qw(faults);

use List::Util qw(max min sum0);
use Test::More;

# Reads a report of realfeel, by what realfeel(5) says and nothing else.

# What a column, or two together, must add up to: the key of the header, the data set, its columns. Those of the slices, ...
my @SUMS = (
    [samples => 'slices', qw(wakeups)],
    [periods => 'slices', qw(periods)],
    [missed  => 'slices', qw(missed)],
);
# ... and of each series that was measured.
my %SUM = (
    interval => [samples => 'histogram', qw(interval early)],
    lateness => [periods => 'histogram', qw(lateness)],
    wakeup   => [periods => 'histogram', qw(wakeup)],
);

my @SUMS_OF_THREAD = ([samples => 'histogram', 'delay'], [samples => 'histogram', qw(lateness wakeup)]);

# What a lateness is made of.
my @PARTS = qw(expiry waking switch again stamp);

# Of a thread of another program there is its delay, and what of it is lateness and what wake-up latency. Without a
# schedule there is the time since a request alone; a stamp of the kernel's may have it beside the lateness.
sub series {
    my ($report) = @_;
    return grep { exists $report->{"${_}_sum_ns"} } qw(delay lateness wakeup) if exists $report->{timed};
    return exists $report->{early_wakeups} ? (qw(interval lateness), exists $report->{wakeup_sum_ns} ? 'wakeup' : ()) : 'wakeup';
}

# That of which slices tell the bins.
sub latency {
    my ($report) = @_;
    return exists $report->{early_wakeups} ? 'lateness' : exists $report->{timed} ? 'delay' : 'wakeup';
}

# What else must hold when anything was measured.
my @CHECKS = (\&wrong_moments, \&wrong_extremes, \&wrong_duration, \&wrong_slices, \&wrong_percentiles);

# Of how many lies one beyond each percentile of the header.
my %ONE_IN = (latency_p50_us => 2, latency_p99_us => 100, latency_p99_9_us => 1000);

# Returns a hash of the header's values, "format" (its version), "end" (the count in the last line, undef when there is
# no such line), and "sets": for each data set its rows, as hashes by the names of the columns.
sub parse_report {
    my ($text) = @_;
    my $end = $text =~ s/^# end samples=(\d+)\n\z//m ? $1 : undef;
    my ($header, @sets) = split /\n\n\n/, $text;
    my ($format) = ($header // '') =~ /\A# realfeel (\d+)$/m;
    my %values = ($header // '') =~ /^# (\w+): (.*)$/mg;
    return {%values, format => $format, end => $end, sets => {map { parse_set($_) } @sets}};
}

sub parse_set {
    my ($name, $columns, @rows) = split /\n/, $_[0];
    $name =~ s/^# //;
    $columns =~ s/^# //;
    my @names = split ' ', $columns;
    return $name => [map { my %row; @row{@names} = split ' ', $_, @names; \%row } @rows];
}

# The values of one column.
sub column {
    my ($report, $set, $name) = @_;
    return map { $_->{$name} } @{$report->{sets}{$set}};
}

# Their sum.
sub total {
    return sum0(column(@_));
}

# How long a process had the CPU between the due time of the worst wake-up and its stamp, interrupts and all, by the
# records of the switches.
sub traced_us {
    my ($report, $name) = @_;
    my ($us, $from_us) = (0, 0);
    for my $left (grep { $_->{event} == 1 && $_->{kind} eq 'switch_out' } @{ $report->{sets}{records} }) {
        next if $left->{at_us} < 0;
        $us += $left->{at_us} - $from_us if $left->{name} eq $name;
        $from_us = $left->{at_us};
    }
    return $us;
}

# One test: the text is a whole report in which everything adds up. Returns it parsed.
sub whole_report {
    my ($text, $name) = @_;
    my $report = parse_report($text);
    is_deeply([faults($report)], [], $name // 'a whole report');
    return $report;
}

sub texts_of_parts {
    return split /^(?=# realfeel )/m, $_[0];
}

# The parts of a run on several CPUs, parsed.
sub parse_parts {
    return map { parse_report($_) } texts_of_parts($_[0]);
}

# The same, where each is to be whole.
sub whole_parts {
    my @texts = texts_of_parts($_[0]);
    return map { whole_report($texts[$_], 'part ' . ($_ + 1)) } 0 .. $#texts;
}

sub faults {
    my ($report) = @_;
    return 'no format 1' if ($report->{format} // '') ne '1';
    return 'no end' if !defined $report->{end};
    return 'the end is of another report' if $report->{end} != $report->{samples};
    return (
        $report->{periods} == $report->{samples} + $report->{missed} ? () : 'periods are not samples + missed',
        (map { wrong_sum($report, @$_) } @SUMS, exists $report->{timed} ? @SUMS_OF_THREAD : map { $SUM{$_} } series($report)),
        exists $report->{timed} && total($report, 'histogram', 'lateness') != $report->{timed} ? 'timed is not lateness' : (),
        wrong_sum($report, 'periods', 'slice_bins', latency($report)),
        $report->{samples} ? (map { $_->($report) } @CHECKS) : (),
        defined $report->{parts_matched} ? wrong_parts($report) : (),
    );
}

sub wrong_sum {
    my ($report, $key, $set, @columns) = @_;
    my $sum = sum0(map { total($report, $set, $_) } @columns);
    return $sum == $report->{$key} ? () : "$set: @columns add up to $sum, $key is $report->{$key}";
}

# The exact sums must be possible with the counts in the bins: a wake-up before its time stands in the first one.
sub wrong_moments {
    my ($report) = @_;
    my $bins = $report->{sets}{histogram};
    return map { "the sum of $_ does not fit its bins" } grep {
        my $name = $_;
        my $sum_us = $report->{"${name}_sum_ns"} / 1000;
        my $early = $name eq 'interval' ? 'early' : '';
        my $least = sum0(map { $_->{$name} * $_->{from_us} - ($_->{$early} // 0) * $_->{to_us} } @$bins);
        my $most = sum0(map { $_->{$name} * $_->{to_us} - ($_->{$early} // 0) * $_->{from_us} } @$bins);
        my $open = $name eq 'lateness' && $report->{early_wakeups};
        $sum_us > $most + 0.001 || !$open && $sum_us < $least - 0.001;
    } series($report);
}

# Of each wake-up the parts are known or unknown, and those that are known add up.
sub wrong_parts {
    my ($report) = @_;
    my $matched = $report->{parts_matched};
    my $sum_ns = $matched && sum0(map { $report->{"${_}_sum_ns"} } @PARTS);
    return (
        $matched + $report->{parts_unknown} == $report->{samples} ? () : 'parts are neither known nor unknown',
        $sum_ns == $report->{parts_lateness_sum_ns} ? () : 'the parts do not add up to the lateness',
        (map { wrong_sum($report, 'parts_matched', 'parts', $_) } @PARTS),
        wrong_sum($report, 'parts_matched', 'parts_by_lateness', 'wakeups'),
        (map { "a $_ before what precedes it" } grep { ($report->{"${_}_min_ns"} // 0) < 0 } @PARTS[1 .. $#PARTS]),
        (map { wrong_event($_) } @{ $report->{sets}{events} }),
    );
}

sub wrong_event {
    my ($event) = @_;
    my @parts = map { $event->{"${_}_us"} } @PARTS;
    my $unknown = grep { $_ eq 'unknown' } @parts;
    return if $unknown == @parts;
    return 'a part of an event is unknown' if $unknown;
    my $late_us = $event->{delay_us} // $event->{lateness_us} // $event->{wakeup_us};
    return abs(sum0(@parts) - $late_us) < 0.0005 ? () : 'the parts of an event do not add up';
}

sub wrong_extremes {
    my ($report) = @_;
    return map { "the maximum of $_ is not that of its slices" } grep {
        abs(max(column($report, 'slices', "${_}_max_us")) * 1000 - $report->{"${_}_max_ns"}) > 1
    } exists $report->{timed} ? 'delay' : series($report);
}

# Intervals follow each other without a gap, so together they are the run; duration_s is rounded to a microsecond.
sub wrong_duration {
    my ($report) = @_;
    return if !exists $report->{interval_sum_ns};
    my $errors_ns = $report->{duration_s} * 1e9 - $report->{samples} * $report->{period_ns};
    return abs($errors_ns - $report->{interval_sum_ns}) <= 1000 ? () : 'the intervals do not add up to the duration';
}

# The upper edge of the bin, or the maximum, where ten lie beyond.
sub wrong_percentiles {
    my ($report) = @_;
    my $latency = latency($report);
    my $max_us = $report->{"${latency}_max_ns"} / 1000;
    return map { "$_ is $report->{$_}" } grep {
        my $due = edge_of($report, $latency, $report->{periods} - int($report->{periods} / $ONE_IN{$_}));
        $report->{periods} / $ONE_IN{$_} < 10 || $due eq 'inf' || abs(min($due, $max_us) - $report->{$_}) > 0.00501;
    } grep { exists $report->{$_} } sort keys %ONE_IN;
}

# Where the bin ends that has the period of that rank.
sub edge_of {
    my ($report, $latency, $rank) = @_;
    for my $bin (@{ $report->{sets}{histogram} }) {
        $rank -= $bin->{$latency};
        return $bin->{to_us} if $rank <= 0;
    }
    return 'inf';
}

# Each slice begins where the one before ends; both times are rounded to a microsecond.
sub wrong_slices {
    my ($report) = @_;
    my $end = 0;
    for my $slice (@{$report->{sets}{slices}}) {
        return 'a gap between slices' if abs($slice->{start_s} - $end) > 0.000002;
        $end = $slice->{start_s} + $slice->{seconds};
    }
    return;
}

1;
