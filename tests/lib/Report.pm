# SPDX-License-Identifier: GPL-2.0-or-later
package Report;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(parse_report parse_parts column total whole_report whole_parts traced_us);

use List::Util qw(max sum0);
use Test::More;

# Reads a report of realfeel, by what realfeel(5) says and nothing else.

# What a column, or two together, must add up to: the key of the header, the data set, its columns.
my @SUMS = (
    [samples => 'histogram',  qw(interval early)],
    [periods => 'histogram',  qw(lateness)],
    [samples => 'slices',     qw(wakeups)],
    [periods => 'slices',     qw(periods)],
    [missed  => 'slices',     qw(missed)],
    [periods => 'slice_bins', qw(lateness)],
);

# What a lateness is made of.
my @PARTS = qw(expiry waking switch again stamp);

# What else must hold when anything was measured.
my @CHECKS = (\&wrong_moments, \&wrong_extremes, \&wrong_duration, \&wrong_slices);

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

# How long a process had the CPU between the due time of the wake-up that --break ended the run for and its stamp, by the
# data set trace.
sub traced_us {
    my ($report, $name) = @_;
    my ($us, $from_us) = (0, 0);
    my ($late_us) = column($report, 'events', 'lateness_us');
    for my $record (grep { $_->{event} eq 'sched_switch' } @{ $report->{sets}{trace} }) {
        next if $record->{at_us} < 0 || $record->{at_us} > $late_us;
        $us += $record->{at_us} - $from_us if $record->{text} =~ /^\Q$name\E:\d+ /;
        $from_us = $record->{at_us};
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
        (map { wrong_sum($report, @$_) } @SUMS),
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
    my %least = (
        interval => sum0(map { $_->{interval} * $_->{from_us} - $_->{early} * $_->{to_us} } @$bins),
        lateness => $report->{early_wakeups} ? '-inf' : sum0(map { $_->{lateness} * $_->{from_us} } @$bins),
    );
    my %most = (
        interval => sum0(map { $_->{interval} * $_->{to_us} - $_->{early} * $_->{from_us} } @$bins),
        lateness => sum0(map { $_->{lateness} * $_->{to_us} } @$bins),
    );
    return map { "the sum of $_ does not fit its bins" } grep {
        my $sum_us = $report->{"${_}_sum_ns"} / 1000;
        $sum_us < $least{$_} - 0.001 || $sum_us > $most{$_} + 0.001;
    } qw(interval lateness);
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
    return abs(sum0(@parts) - $event->{lateness_us}) < 0.0005 ? () : 'the parts of an event do not add up';
}

sub wrong_extremes {
    my ($report) = @_;
    return map { "the maximum of $_ is not that of its slices" } grep {
        abs(max(column($report, 'slices', "${_}_max_us")) * 1000 - $report->{"${_}_max_ns"}) > 1
    } qw(interval lateness);
}

# Intervals follow each other without a gap, so together they are the run; duration_s is rounded to a microsecond.
sub wrong_duration {
    my ($report) = @_;
    my $errors_ns = $report->{duration_s} * 1e9 - $report->{samples} * $report->{period_ns};
    return abs($errors_ns - $report->{interval_sum_ns}) <= 1000 ? () : 'the intervals do not add up to the duration';
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
