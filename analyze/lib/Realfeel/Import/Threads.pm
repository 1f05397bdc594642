# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import::Threads;
use strict;
use warnings;

use Encode qw(encode);
use Exporter 'import';
our @EXPORT_OK = qw(bytes threads);

use List::Util qw(max sum0);

use constant {
    COUNT  => qr/^\d{1,17}$/,
    BUCKET => qr/^\d{1,12}$/,
    NUMBER => qr/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/,
};

=head1 NAME

Realfeel::Import::Threads - the histograms that a JSON document holds for each thread or CPU

=head1 FUNCTIONS

=head2 threads($lines, $threads, $part, $total)

The C<parts> of L<Realfeel::Import>. C<$threads> is a hash from a number to a hash with C<histogram>, C<min>, C<max>,
C<avg> and the count of all samples, whose key is C<$total>. Dies with one line at the first thing that is not so.

=cut

sub threads {
    my ($lines, $threads, $part, $total) = @_;
    $lines->fail(0, "holds no histograms by $part; take another copy") unless ref $threads eq 'HASH';
    my %parts;
    for my $name (sort keys %$threads) {
        my $thread = $threads->{$name};
        my $fail = sub { $lines->fail(0, "$part '$name': $_[0]; the file is damaged, take another copy") };
        $fail->('this is no number') unless $name =~ /^\d{1,6}$/;
        $fail->('there is no histogram') unless ref $thread eq 'HASH' && ref $thread->{histogram} eq 'HASH';
        $parts{$name} = _part($thread, $total, $fail);
    }
    return \%parts;
}

sub _part {
    my ($thread, $total, $fail) = @_;
    my ($bins, $n) = @$thread{'histogram', $total};
    $fail->("$total is no count") unless _is($n, COUNT);
    for my $bucket (keys %$bins) {
        $fail->("the histogram's '$bucket' is no time") unless $bucket =~ BUCKET;
        $fail->("the histogram's count at $bucket is no count") unless _is($bins->{$bucket}, COUNT);
    }
    $_ += 0 for $n, values %$bins;      # sums of strings are not exact
    my $sum = sum0(values %$bins);
    $fail->("$total is $n, but the histogram holds $sum") if $sum > $n;
    my ($min, $max, $mean) = map { _is($_, NUMBER) ? $_ : undef } @$thread{qw(min max avg)};
    my $last = max(grep { $bins->{$_} } keys %$bins);
    $fail->("max is $max, but the histogram goes to $last") if defined $max && defined $last && $max < $last;
    return { bins => $bins, total => $n, min => $min, max => $max, mean => $mean };
}

sub _is {
    my ($value, $pattern) = @_;
    return defined $value && !ref $value && $value =~ $pattern;
}

=head2 bytes($text)

A string of a JSON document as the bytes of a report's header, undef when it is none.

=cut

sub bytes {
    my ($text) = @_;
    return defined $text && !ref $text ? encode('UTF-8', $text) : undef;
}

1;
