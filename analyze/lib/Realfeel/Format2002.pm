# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Format2002;
use strict;
use warnings;

use constant {
    BUCKET_US => 100,
    LINE      => qr/^(\d{1,12})(?:\.(\d))?[ \t]+(\d{1,18})[ \t]*$/,
};

=head1 NAME

Realfeel::Format2002 - read the file of 2002

=head1 METHODS

=head2 parse($lines)

Turns a L<Realfeel::Lines> of C<MS COUNT>, buckets 0.1 ms wide, into a hash: C<format> (2002), C<header> (empty) and
C<histogram>, with the columns C<from_us>, C<to_us>, C<interval> and C<early>, which is 0. Dies with one line at the
first bad one.

=cut

sub parse {
    my ($class, $lines) = @_;
    my (@from, @count);
    my $number = 0;
    for my $line (@{ $lines->lines }) {
        $number++;
        next if $line eq '';
        my ($whole, $tenth, $count) = $line =~ LINE or $lines->fail($number, _complaint($line));
        my $from = BUCKET_US * ($whole . ($tenth // 0));
        $lines->fail($number, 'the buckets do not ascend; sort the file by its first column')
            if @from && $from <= $from[-1];
        push @from,  $from;
        push @count, $count;
    }
    return {
        format    => 2002,
        header    => {},
        histogram => {
            from_us  => \@from,
            to_us    => [map { $_ + BUCKET_US } @from],
            interval => \@count,
            early    => [(0) x @count],
        },
    };
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
