# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import::Tables;
use strict;
use warnings;

use List::Util qw(max sum0);

use constant {
    NS_PER_US => 1000,
    TRAILERS  => { Total => 'total', 'Min Latencies' => 'min', 'Avg Latencies' => 'mean', 'Max Latencies' => 'max',
        'Histogram Overflows' => 'beyond' },
    UNIT_NS   => { nanoseconds => 1, microseconds => 1000 },
    SUMMARY   => { over => 'beyond', count => 'total', min => 'min', avg => 'mean', max => 'max' },
    DAMAGED   => 'the file is damaged, take another copy',
};

=head1 NAME

Realfeel::Import::Tables - read the tables that cyclictest and rtla print: a row for each time, a column for each thread

=head1 FUNCTIONS

=head2 cyclictest($lines)

What C<cyclictest -h> prints, see L<Realfeel::Import>. The text does not tell its unit: it is taken to be the
microsecond, which is wrong when cyclictest ran with -N. Nor does it tell which CPU a thread had, or that it is
wake-up latency, unless it was exported by realfeel-analyze. A column of sums, as -H makes it, is left out.

=cut

sub cyclictest {
    my ($lines) = @_;
    my ($rows, $trailer) = _read_cyclictest($lines);
    my @threads = 0 .. $#{ $trailer->{min} };
    my @cpus = map { /^# CPUs:((?: \d{1,6})+)$/ ? split ' ', $1 : () } @{ $lines->lines };
    my $is_wakeup = grep { $_ eq '# Wake-up latency' } @{ $lines->lines };
    my $columns = @$rows ? @{ $rows->[0] } - 1 : @threads;
    $lines->fail(0, "has fewer columns than threads; @{[DAMAGED]}")
        if grep { $_ < @threads } $columns, map { scalar @$_ } @$trailer{qw(total mean max beyond)};
    return {
        source  => 'cyclictest',
        unit_ns => NS_PER_US,
        width   => 1,
        edge    => @$rows ? $rows->[-1][0] + 1 : 0,
        parts   => { map { $_ => { %{ _thread($lines, $rows, $trailer, $_) }, cpu => $cpus[$_] } } @threads },
        part    => 'thread',
        ours    => $is_wakeup ? 'wakeup' : undef,
    };
}

# The rows, and the lists of the lines below them.
sub _read_cyclictest {
    my ($lines) = @_;
    my ($inside, $number, @rows, %trailer) = (0, 0);
    for my $line (@{ $lines->lines }) {
        $number++;
        $inside ||= $line =~ /^# Histogram\s*$/;
        next unless $inside;
        if (my ($name, $values) = $line =~ /^# ([A-Z][a-z]+(?: [A-Z][a-z]+)?):((?:\s+-?\d{1,17})+)\s*$/) {
            $trailer{ TRAILERS->{$name} } = [map { 0 + $_ } split ' ', $values] if TRAILERS->{$name};
        }
        next if $line =~ /^\s*(?:#|$)/;
        $lines->fail($number, "not a time and its counts; @{[DAMAGED]}")
            unless $line =~ /^\d{1,9}(?:\s+\d{1,17})+\s*$/;
        push @rows, [map { 0 + $_ } split ' ', $line];
        _check_order($lines, $number, \@rows);
        $lines->fail($number, "there are more or fewer counts than before; @{[DAMAGED]}")
            if @{ $rows[-1] } != @{ $rows[0] };
    }
    $lines->fail(0, "has no line '# Histogram'; name what cyclictest -h printed") unless $inside;
    my $missing = _missing(\%trailer, TRAILERS);
    $lines->fail(0, "has no line '# $missing', so it is cut off or from another program; take another copy")
        if defined $missing;
    return (\@rows, \%trailer);
}

sub _check_order {
    my ($lines, $number, $rows) = @_;
    $lines->fail($number, "the times do not ascend; @{[DAMAGED]}") if @$rows > 1 && $rows->[-1][0] <= $rows->[-2][0];
}

# The name of a line that is not in the summary.
sub _missing {
    my ($summary, $names) = @_;
    return (grep { !$summary->{ $names->{$_} } } sort keys %$names)[0];
}

# Samples beyond the histogram are no part of the total.
sub _thread {
    my ($lines, $rows, $trailer, $i) = @_;
    my ($part, $held, $beyond) = _part($lines, $rows, $trailer, $i);
    $lines->fail(0, "gives $part->{total} samples in thread $i, but holds $held; @{[DAMAGED]}")
        unless $held == $part->{total};
    $part->{total} += $beyond;
    return $part;
}

# What the histogram and the summary have in one column, how many samples that histogram holds, and how many lie beyond.
sub _part {
    my ($lines, $rows, $summary, $i) = @_;
    my %bins = map { $_->[0] => $_->[$i + 1] } grep { $_->[$i + 1] } @$rows;
    my ($min, $max, $mean) = map { $summary->{$_}[$i] } qw(min max mean);
    my ($total, $beyond) = map { $summary->{$_}[$i] // 0 } qw(total beyond);
    my $last = max(keys %bins);
    $lines->fail(0, "gives $beyond samples beyond the histogram; @{[DAMAGED]}") if $beyond < 0;
    $lines->fail(0, "gives a maximum of $max, but reaches $last; @{[DAMAGED]}")
        if defined $last && defined $max && $max < $last;
    my $part = { bins => \%bins, total => $total, min => $min, max => $max, mean => $mean };
    return ($part, sum0(values %bins), $beyond);
}

=head2 rtla($lines)

What C<rtla timerlat hist> prints. Of each CPU the latency of the return to user space is taken where there is one, else
that of the thread. The text leaves out empty buckets and does not tell their width, which is taken to be the largest
number that divides all their indices.

=cut

sub rtla {
    my ($lines) = @_;
    my ($unit) = map { /^# Time unit is (\w+)/ } @{ $lines->lines };
    $lines->fail(0, "has no line '# Time unit is'; name what rtla timerlat hist printed")
        unless UNIT_NS->{ $unit // '' };
    my ($columns, $rows, $summary) = _read_rtla($lines);
    my $chosen = _chosen($lines, @$columns);
    my $width = _width(map { $_->[0] } @$rows);
    return {
        source  => 'rtla timerlat',
        unit_ns => UNIT_NS->{$unit},
        width   => $width,
        edge    => @$rows ? $rows->[-1][0] + $width : 0,
        parts   => { map { $_ => { %{ _cpu($lines, $rows, $summary, $chosen->{$_}) }, cpu => $_ } } keys %$chosen },
        part    => 'cpu',
        reasons => [$width > 1 ? "the width of the buckets, $width $unit, is derived from their indices" : ()],
    };
}

# The names of the columns, the rows, and the summary below them.
sub _read_rtla {
    my ($lines) = @_;
    my (@columns, @rows, %summary);
    my $number = 0;
    for my $line (@{ $lines->lines }) {
        $number++;
        my ($first, @rest) = split ' ', $line;
        last if @columns && defined $first && $first eq 'ALL:';
        if (!@columns) { @columns = @rest if ($first // '') eq 'Index' }
        elsif (defined $first) {
            $lines->fail($number, "not a line of the histogram; @{[DAMAGED]}")
                unless @rest == @columns && $first =~ /^(?:\d{1,12}|(over|count|min|avg|max):)$/;
            if ($1) { $summary{ SUMMARY->{$1} } = _numbers($lines, $number, '-?\d{1,17}|-', @rest) }
            else {
                push @rows, _numbers($lines, $number, '\d{1,17}', $first, @rest);
                _check_order($lines, $number, \@rows);
            }
        }
    }
    $lines->fail(0, "has no line 'Index'; run rtla without --no-header and --no-index") unless @columns;
    my $missing = _missing(\%summary, SUMMARY);
    $lines->fail(0, "has no line '$missing:', so it is cut off; take another copy, of a run without --no-summary")
        if defined $missing;
    return (\@columns, \@rows, \%summary);
}

sub _numbers {
    my ($lines, $number, $pattern, @fields) = @_;
    my ($bad) = grep { !/^(?:$pattern)$/ } @fields;
    $lines->fail($number, "'$bad' is not a number; @{[DAMAGED]}") if defined $bad;
    return [map { $_ eq '-' ? undef : 0 + $_ } @fields];
}

# A hash from the CPU to the place of its column.
sub _chosen {
    my ($lines, @names) = @_;
    my %place;
    for my $kind (qw(Thr Usr)) {
        for my $i (0 .. $#names) {
            $place{ 0 + $1 } = $i if $names[$i] =~ /^$kind-(\d{1,6})$/;
        }
    }
    $lines->fail(0, 'holds no thread latency; run rtla without --no-thread') unless %place;
    return \%place;
}

sub _width {
    my $width = 0;
    for my $index (@_) {
        my ($a, $b) = ($width, $index);
        ($a, $b) = ($b, $a % $b) while $b;
        $width = $a;
    }
    return $width || 1;
}

sub _cpu {
    my ($lines, $rows, $summary, $i) = @_;
    my ($part, $held, $beyond) = _part($lines, $rows, $summary, $i);
    $lines->fail(0, "counts $part->{total} samples, but holds $held and $beyond over; @{[DAMAGED]}")
        unless $held + $beyond == $part->{total};
    return $part;
}

1;
