# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import::Hdr;
use strict;
use warnings;

use List::Util qw(max min uniq);
use POSIX qw(strftime);

use constant {
    COOKIE            => 0x1c849303,
    COMPRESSED_COOKIE => 0x1c849304,
    WORD_SIZE         => 0xf0,          # the bits of a cookie that tell it
    DIGITS_MAX        => 5,
    SHIFT_MAX         => 36,
    NS_MAX            => 1e15,
    COUNT_MAX         => 1e17,
    LAST_BYTE         => 8,
    OURS              => qr/^#\[(?:Lateness|(Wake-up latency)) in ns, one value for each /,
    # Tag, where there is one, start, length, maximum and histogram: the tag, the length and the histogram are taken.
    INTERVAL => qr{^(?:Tag=([^,\s]+)[,\s]\s*)?[\d.]+[,\s]\s*(\d{1,9}(?:\.\d+)?)[,\s]\s*[\d.]+[,\s]\s*([\w+/]+=*)\s*$}a,
    DAMAGED           => 'the file is damaged, take another copy',
};

=head1 NAME

Realfeel::Import::Hdr - read a log of HdrHistograms

=head1 FUNCTIONS

=head2 hlog($lines)

The log of HdrHistogram, see L<Realfeel::Import>, whose values are taken to be nanoseconds. The lines of each tag are
added together; tags are C<CPU3> and the like, C<PART1> where the CPU is not known, or there are none. Minimum, maximum
and mean are those that HdrHistogram prints: the outer ends and the middles of its cells. In the report these are as
wide as the bins of realfeel, or wider.

=cut

sub hlog {
    my ($lines) = @_;
    my ($number, %parts) = (0);
    for my $line (@{ $lines->lines }) {
        $number++;
        next if $line =~ /^(?:#|"?StartTimestamp|\s*$)/;
        my ($tag, $seconds, $text) = $line =~ INTERVAL;
        $lines->fail($number, 'not a line of a histogram log; name one that HdrHistogram wrote') unless defined $text;
        my ($kind, $of) = ($tag // '') =~ /^(CPU|PART)(\d{1,6})$/;
        $lines->fail($number, "the tag '$tag' names no CPU; keep the lines of one tag, without it")
            if defined $tag && !defined $kind;
        my $name = defined $kind ? $kind . (0 + $of) : '';
        my $part = $parts{$name} //= { cells => {}, total => 0, sum => 0, duration_s => 0 };
        $part->{duration_s} += $seconds;
        _each_cell(sub { $lines->fail($number, "$_[0]; @{[DAMAGED]}") }, $text, sub { _add($part, @_) });
    }
    return _run($lines, \%parts);
}

sub _run {
    my ($lines, $parts) = @_;
    my ($kind, @others) = uniq map { /^(\D*)/ } keys %$parts;
    $lines->fail(0, 'some lines have a tag and others another kind or none; keep those of one kind') if @others;
    my %number = map { $_ => /(\d+)/ ? 0 + $1 : 0 } keys %$parts;
    if (($kind // '') eq 'CPU') { $parts->{$_}{cpu} = $number{$_} for keys %$parts }
    my ($start) = map { /^#\[StartTime: (\d{1,11})/ ? $1 : () } @{ $lines->lines };
    my ($ours) = map { /${\OURS}/ ? $1 ? 'wakeup' : 'lateness' : () } @{ $lines->lines };
    return {
        source  => 'HdrHistogram',
        unit_ns => 1,
        parts   => { map { $number{$_} => _part($lines, $parts->{$_}) } keys %$parts },
        part    => 'CPU',
        header  => { defined $start ? (started => strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $start)) : () },
        ours    => $ours,
    };
}

sub _part {
    my ($lines, $part) = @_;
    my $cells = $part->{cells};
    my @cells = map { [$_, @{ $cells->{$_} }] } sort { $a <=> $b } keys %$cells;
    $lines->fail(0, 'holds histograms of different precision; keep those of one')
        if grep { $cells[$_ - 1][1] > $cells[$_][0] } 1 .. $#cells;
    return {
        %$part,
        cells      => \@cells,
        mean       => $part->{total} ? $part->{sum} / $part->{total} : undef,
        duration_s => sprintf('%.6f', $part->{duration_s}),
    };
}

# A narrow cell is counted in the bin of a report that holds its middle. Where cells become wider than these, a bin that
# has taken narrow ones may become longer.
sub _add {
    my ($part, $low, $width, $count) = @_;
    my $middle = $low + ($width >> 1);
    my $is_narrow = $width < _grid($middle);
    my $from = _edge($is_narrow ? $middle : $low);
    my $to = $is_narrow ? $from + _grid($middle) : _edge($low + $width);
    my $cell = $part->{cells}{$from} //= [0, 0];
    $cell->[0] = max($cell->[0], $to);
    $cell->[1] += $count;
    $part->{total} += $count;
    $part->{sum} += $count * $middle;
    $part->{min} = min($low, $part->{min} // $low);
    $part->{max} = max($low + $width - 1, $part->{max} // 0);
}

# That of the bin which holds the value.
sub _edge {
    my ($ns) = @_;
    return $ns - $ns % _grid($ns);
}

# How wide the bins of a report are there, in ns.
sub _grid {
    my ($ns) = @_;
    return 10**max(1, length($ns) - 4);
}

# Calls $take with the beginning, the width and the count of each cell that is not empty.
sub _each_cell {
    my ($fail, $text, $take) = @_;
    my ($digits, $least, $counts) = _counts($fail, $text);
    my ($unit, $half) = (0, 0);
    $unit++ while $least >> $unit + 1;
    $half++ while 1 << $half < 10**$digits;
    my $index = 0;
    for my $count (@$counts) {
        if ($count < 0) { $index -= $count; next }
        my $shift = max(0, ($index >> $half) - 1);
        $fail->('gives a latency of weeks') if $shift + $unit > SHIFT_MAX;
        my ($low, $width) = map { $_ << $shift + $unit } $index - ($shift << $half), 1;
        $fail->("gives a latency of $low ns") if $low >= NS_MAX;
        $fail->("gives a count of $count") if $count > COUNT_MAX;
        $take->($low, $width, $count) if $count;
        $index++;
    }
}

# The digits, the least value that is told from 0, and the counts of all cells; a number of empty ones is negative.
sub _counts {
    my ($fail, $text) = @_;
    require Compress::Zlib;
    require MIME::Base64;
    my ($cookie, $length, $rest) = unpack 'N2 a*', MIME::Base64::decode_base64($text) . "\0" x 8;
    $fail->('the histogram is of no version that is known, or cut off')
        if ($cookie & ~WORD_SIZE) != COMPRESSED_COOKIE || $length > length($rest) - 8;
    my $plain = Compress::Zlib::uncompress(substr $rest, 0, $length) // '';
    $fail->('the histogram cannot be decompressed') if length $plain < 40;
    my ($inner, $bytes, $offset, $digits, $least, undef, $ratio, $counts) = unpack 'N4 q> q> d> a*', $plain;
    $fail->('the histogram is of no version that is known')
        if ($inner & ~WORD_SIZE) != COOKIE || $offset || $ratio != 1;
    $fail->('the histogram contradicts itself')
        if $digits > DIGITS_MAX || $least < 1 || $least >= NS_MAX || $bytes > length $counts;
    return ($digits, $least, _numbers(substr $counts, 0, $bytes) // $fail->('the histogram is cut off'));
}

# Seven bits a byte, the least first, the sign lowest of all; a ninth byte holds eight.
sub _numbers {
    my ($bytes) = @_;
    my ($number, $place, @numbers) = (0, 0);
    for my $byte (unpack 'C*', $bytes) {
        my $is_last = $place == LAST_BYTE || !($byte & 0x80);
        $number |= ($place == LAST_BYTE ? $byte : $byte & 0x7f) << 7 * $place++;
        next unless $is_last;
        push @numbers, $number & 1 ? -1 - ($number >> 1) : $number >> 1;
        ($number, $place) = (0, 0);
    }
    return $place ? undef : \@numbers;
}

1;
