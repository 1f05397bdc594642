# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import::Cyclictest;
use strict;
use warnings;

use List::Util qw(max sum0);

use constant NS_PER_US => 1000;
use constant TRAILERS  => { Total => 'total', 'Min Latencies' => 'min', 'Avg Latencies' => 'mean',
    'Max Latencies' => 'max', 'Histogram Overflows' => 'beyond' };

=head1 NAME

Realfeel::Import::Cyclictest - read the histogram that C<cyclictest -h> prints

=head1 FUNCTIONS

=head2 parse($lines)

See L<Realfeel::Import>. The text does not tell its unit: it is taken to be the microsecond, which is wrong when
cyclictest ran with -N. A column of sums, as -H makes it, is left out.

=cut

sub parse {
    my ($lines) = @_;
    my ($rows, $trailer) = _read($lines);
    my $threads = @{ $trailer->{min} };
    my %parts = map { $_ => _part($lines, $rows, $trailer, $_) } 0 .. $threads - 1;
    return {
        source  => 'cyclictest',
        unit_ns => NS_PER_US,
        width   => 1,
        edge    => @$rows ? $rows->[-1][0] + 1 : 0,
        parts   => \%parts,
        part    => 'thread',
        header  => {},
        reasons => [],
    };
}

# The lines of numbers, and the lists of the lines below them.
sub _read {
    my ($lines) = @_;
    my ($inside, $number, @rows, %trailer) = (0, 0);
    for my $line (@{ $lines->lines }) {
        $number++;
        $inside ||= $line =~ /^# Histogram\s*$/;
        next unless $inside;
        if (my ($name, $values) = $line =~ /^# ([A-Z][a-z]+(?: [A-Z][a-z]+)?):((?:\s+-?\d{1,17})+)\s*$/) {
            $trailer{ TRAILERS->{$name} } = [split ' ', $values] if TRAILERS->{$name};
        }
        next if $line =~ /^\s*(?:#|$)/;
        push @rows, _row($lines, $number, $line, $rows[-1]);
    }
    $lines->fail(0, "has no line '# Histogram'; name what cyclictest -h printed") unless $inside;
    _check($lines, \@rows, \%trailer);
    return (\@rows, \%trailer);
}

sub _row {
    my ($lines, $number, $line, $before) = @_;
    my $what = 'the file is damaged, take another copy';
    $lines->fail($number, "not a time and its counts; $what") unless $line =~ /^\d{1,9}(?:\s+\d{1,17})+\s*$/;
    my @row = split ' ', $line;
    $lines->fail($number, "the times do not ascend; $what") if $before && $row[0] <= $before->[0];
    $lines->fail($number, "there are more or fewer counts than before; $what") if $before && @row != @$before;
    return [map { 0 + $_ } @row];
}

sub _check {
    my ($lines, $rows, $trailer) = @_;
    for my $name (sort keys %{ TRAILERS() }) {
        next if $trailer->{ TRAILERS->{$name} };
        $lines->fail(0, "has no line '# $name', so it is cut off or from another program; take another copy");
    }
    my $threads = @{ $trailer->{min} };
    my $columns = @$rows ? @{ $rows->[0] } - 1 : $threads;
    return unless grep { $_ < $threads } $columns, map { scalar @$_ } @$trailer{qw(total mean max beyond)};
    $lines->fail(0, 'has fewer columns than threads; the file is damaged, take another copy');
}

sub _part {
    my ($lines, $rows, $trailer, $i) = @_;
    my %bins = map { $_->[0] => $_->[$i + 1] } grep { $_->[$i + 1] } @$rows;
    my ($total, $min, $max, $mean, $beyond) = map { 0 + $trailer->{$_}[$i] } qw(total min max mean beyond);
    my $sum = sum0(values %bins);
    $lines->fail(0, "gives $total samples in thread $i, but holds $sum; the file is damaged, take another copy")
        unless $sum == $total;
    my $last = max(keys %bins);
    $lines->fail(0, "gives a maximum of $max, but reaches $last; the file is damaged, take another copy")
        if defined $last && $max < $last;
    return { bins => \%bins, total => $total + $beyond, min => $min, max => $max, mean => $mean };
}

1;
