# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Json;
use strict;
use warnings;

use Encode qw(decode encode);
use Exporter 'import';
our @EXPORT_OK = qw(document);

use JSON::PP ();
use Realfeel::Compare::Conclusion qw(conclusion);

=head1 NAME

Realfeel::Compare::Json - comparisons as one JSON document

=head1 FUNCTIONS

=head2 document(@comparisons)

The JSON text of an array of L<Realfeel::Compare>s: UTF-8, keys sorted, a newline at its end. Keys end in their unit;
what is not known is null. Bytes that are not UTF-8 become U+FFFD.

=cut

# All that JSON adds is ASCII, so the text is decoded as a whole.
sub document {
    my $writer = JSON::PP->new->canonical->indent->indent_length(2)->space_after;
    return encode('UTF-8', decode('UTF-8', $writer->encode([map { _comparison($_) } @_])));
}

sub _comparison {
    my ($comparison) = @_;
    return {
        (map { $_ => $comparison->{$_} } qw(measure doubts)),
        seed        => 0 + $comparison->{seed},
        conclusion  => conclusion($comparison),
        (map { $_ => _side($comparison, $_) } qw(base file)),
        percentiles => [map { _percentile($_) } @{ $comparison->{percentiles} }],
        effect      => _effect($comparison->{effect}),
        maxima      => _truth('differ', $comparison->{maxima}),
        environment => $comparison->{environment_known} ? _environment($comparison) : undef,
        limit       => $comparison->{limit} && _truth('above', $comparison->{limit}),
    };
}

sub _environment {
    my ($comparison) = @_;
    return [map { { key => $_->[0], base => $_->[1], file => $_->[2] } } @{ $comparison->{environment} }];
}

sub _side {
    my ($comparison, $which) = @_;
    my $side = $comparison->{$which};
    my $name = $comparison->{names}[$which eq 'file'];
    return { %{ _truth('widened', $side) }, max_us => 0 + $side->{max_us}, name => $name };
}

sub _percentile {
    my ($row) = @_;
    my %numbers = map { $_ => defined $row->{$_} ? 0 + $row->{$_} : undef } qw(percentile base_us file_us);
    my %ratio = map { $_ => _rounded($row->{$_}) } qw(ratio low high);
    return { %numbers, %ratio, differs => $row->{differs}, reason => $row->{reason} };
}

sub _effect {
    my ($effect) = @_;
    return { %$effect, map { $_ => _rounded($effect->{$_}) } qw(a12 distance) };
}

# The same digits on every machine, and more than bins have.
sub _rounded {
    my ($number) = @_;
    return defined $number ? 0 + sprintf '%.8g', $number : undef;
}

sub _truth {
    my ($key, $hash) = @_;
    my $value = $hash->{$key};
    return { %$hash, $key => defined $value ? ($value ? JSON::PP::true : JSON::PP::false) : undef };
}

1;
