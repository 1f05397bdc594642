# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Format2002;
use strict;
use warnings;

use List::Util qw(sum0);
use Realfeel::Bins qw(COUNT_MAX);

use constant {
    BUCKET_US => 100,
    # Most files have one blank in a row, which is faster to test. So many rows, for Perl counts in 16 bits.
    PLAIN     => qr/(?:\d{1,12}+\.\d \d{1,18}+\n){1,5000}+/,
    ROWS      => qr/(?:\d{1,12}+\.\d[ \t]++\d{1,18}+[ \t]*+\n){1,5000}+/,
    ROW       => qr/\A\d{1,12}(?:\.\d)?[ \t]+\d{1,18}[ \t]*\z/,
};

=head1 NAME

Realfeel::Format2002 - read the file of 2002

=head1 METHODS

=head2 parse($lines)

Turns a L<Realfeel::Lines> of C<MS COUNT>, buckets 0.1 ms wide, into a hash: C<format> (2002), C<header> and C<sets>,
both empty, and C<bins>, a L<Realfeel::Bins> with the columns C<from_us>, C<to_us> and C<interval>; an early wake-up
counts as 0 there. Dies with one line at the first bad one.

=cut

# Many lines are looked at together, because a file may have a million of them.
sub parse {
    my ($class, $lines) = @_;
    my ($last, $samples, $bins) = (-1, 0, Realfeel::Bins->new(qw(from_us to_us interval)));
    while (defined $lines->line) {
        my $number = $lines->number;
        my $text = $lines->take(PLAIN) || $lines->take(ROWS) || _row($lines);
        my $numbers = pack 'q*', split ' ', $text =~ tr/.//dr;
        my @tenths = unpack '(q x8)*', $numbers;
        $last = _check_order($lines, $number, $last, \@tenths);
        $_ *= BUCKET_US for @tenths;
        my $from = pack 'd*', @tenths;
        $_ += BUCKET_US for @tenths;
        my @count = unpack '(x8 q)*', $numbers;
        $samples += sum0(@count);
        $bins->append({ from_us => $from, to_us => pack('d*', @tenths), interval => pack 'q*', @count });
    }
    $lines->fail(0, "holds $samples samples, more than can be; the file is damaged, take another copy")
        if $samples > COUNT_MAX;
    return { format => 2002, header => {}, sets => {}, bins => $bins };
}

# A line that is right in another way: whole milliseconds, or empty.
sub _row {
    my ($lines) = @_;
    my $line = $lines->line;
    $lines->fail($lines->number, _complaint($line)) unless $line eq '' || $line =~ ROW;
    $lines->pass;
    return $line =~ s/^(\d+)(?!\d|\.)/$1.0/r;
}

sub _check_order {
    my ($lines, $number, $last, $tenths) = @_;
    for (@$tenths) {
        $lines->fail($number, 'this bucket is there a second time; the file is damaged, take another copy')
            if $_ == $last;
        $lines->fail($number, 'the buckets do not ascend; sort the file by its first column') if $_ < $last;
        $last = $_;
        $number++;
    }
    return $last;
}

sub _complaint {
    my ($line) = @_;
    my ($ms, $count, @more) = split ' ', $line;
    return "this is not a line 'MS COUNT' of 2002; the file is damaged, take another copy" if @more || !defined $count;
    return "bucket '$ms' is not a time in steps of 0.1 ms; the file is damaged, take another copy"
        unless $ms =~ /^\d{1,12}(?:\.\d)?$/;
    return "count '$count' is not a whole number of 0 or more; the file is damaged, take another copy";
}

1;
