# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import::Rtla;
use strict;
use warnings;

use List::Util qw(max sum0);

use constant UNIT_NS => { nanoseconds => 1, microseconds => 1000 };
use constant SUMMARY => { over => 'beyond', count => 'total', min => 'min', avg => 'mean', max => 'max' };
use constant DAMAGED => 'the file is damaged, take another copy';

=head1 NAME

Realfeel::Import::Rtla - read the text that C<rtla timerlat hist> prints

=head1 FUNCTIONS

=head2 parse($lines)

See L<Realfeel::Import>. Of each CPU the latency of the return to user space is taken where there is one, else that of
the thread. The text leaves out empty buckets and does not tell their width, which is taken to be the largest number
that divides all their indices.

=cut

sub parse {
    my ($lines) = @_;
    my ($unit) = map { /^# Time unit is (\w+)/ } @{ $lines->lines };
    $lines->fail(0, "has no line '# Time unit is'; name what rtla timerlat hist printed")
        unless UNIT_NS->{ $unit // '' };
    my ($columns, $rows, $summary) = _read($lines);
    my $chosen = _columns($lines, @$columns);
    my $width = _width(map { $_->[0] } @$rows);
    return {
        source  => 'rtla timerlat',
        unit_ns => UNIT_NS->{$unit},
        width   => $width,
        edge    => @$rows ? $rows->[-1][0] + $width : 0,
        parts   => { map { $_ => _part($lines, $rows, $summary, $chosen->{$_}) } keys %$chosen },
        part    => 'cpu',
        header  => {},
        reasons => [$width > 1 ? "the width of the buckets, $width $unit, is derived from their indices" : ()],
    };
}

# The names of the columns, the rows, and the summary below them.
sub _read {
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
            else    { push @rows, _row($lines, $number, $rows[-1], $first, @rest) }
        }
    }
    _check($lines, \@columns, \%summary);
    return (\@columns, \@rows, \%summary);
}

sub _check {
    my ($lines, $columns, $summary) = @_;
    $lines->fail(0, "has no line 'Index'; run rtla without --no-header and --no-index") unless @$columns;
    my ($missing) = grep { !$summary->{ SUMMARY->{$_} } } sort keys %{ SUMMARY() };
    $lines->fail(0, "has no line '$missing:', so it is cut off; take another copy, of a run without --no-summary")
        if defined $missing;
}

sub _row {
    my ($lines, $number, $before, @row) = @_;
    $lines->fail($number, "the buckets do not ascend; @{[DAMAGED]}") if $before && $row[0] <= $before->[0];
    return _numbers($lines, $number, '\d{1,17}', @row);
}

sub _numbers {
    my ($lines, $number, $pattern, @fields) = @_;
    my ($bad) = grep { !/^(?:$pattern)$/ } @fields;
    $lines->fail($number, "'$bad' is not a number; @{[DAMAGED]}") if defined $bad;
    return [map { $_ eq '-' ? undef : 0 + $_ } @fields];
}

# A hash from the CPU to the place of its column.
sub _columns {
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

sub _part {
    my ($lines, $rows, $summary, $i) = @_;
    my %bins = map { $_->[0] => $_->[$i + 1] } grep { $_->[$i + 1] } @$rows;
    my %part = map { $_ => $summary->{$_}[$i] } qw(min max mean);
    my ($total, $beyond) = map { $summary->{$_}[$i] // 0 } qw(total beyond);
    my $sum = sum0(values %bins);
    $lines->fail(0, "counts $total samples, but holds $sum and $beyond over; @{[DAMAGED]}")
        unless $sum + $beyond == $total;
    my $last = max(keys %bins);
    $lines->fail(0, "gives a maximum of $part{max}, but reaches $last; @{[DAMAGED]}")
        if defined $last && defined $part{max} && $part{max} < $last;
    return { bins => \%bins, total => $total, %part };
}

1;
