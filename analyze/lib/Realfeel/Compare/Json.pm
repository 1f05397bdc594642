# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Json;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(comparison);

use Realfeel::Compare::Conclusion qw(conclusion);
use Realfeel::Json qw(identity);

=head1 NAME

Realfeel::Compare::Json - a comparison as a part of a JSON document

=head1 FUNCTIONS

=head2 comparison($comparison)

A L<Realfeel::Compare> as a hash for C<document> of L<Realfeel::Json>. Keys end in their unit; what is not known is
undef.

=cut

sub comparison {
    my ($comparison) = @_;
    return {
        (map { $_ => $comparison->{$_} } qw(measure interval_errors seed identical doubts maxima)),
        conclusion  => conclusion($comparison),
        (map { $_ => _side($comparison, $_) } qw(base file)),
        percentiles => [map { _percentile($_) } @{ $comparison->{percentiles} }],
        limit       => $comparison->{limit},
        environment_differences => $comparison->{environment_known} ? _differences($comparison) : undef,
    };
}

sub _differences {
    my ($comparison) = @_;
    return { map { $_->[0] => { base => $_->[1], file => $_->[2] } } @{ $comparison->{environment} } };
}

sub _side {
    my ($comparison, $which) = @_;
    my %side = %{ $comparison->{$which} };
    my $report = delete $side{report};
    return { %{ identity($report) }, %side, name => $comparison->{names}[$which eq 'file'] };
}

sub _percentile {
    my ($row) = @_;
    my %ratio = map { $_ => _rounded($row->{$_}) } qw(ratio low high);
    return { (map { $_ => $row->{$_} } qw(percentile base_us file_us differs reason)), %ratio };
}

# The same digits on every machine, and more than bins have.
sub _rounded {
    my ($number) = @_;
    return defined $number ? sprintf '%.8g', $number : undef;
}

1;
