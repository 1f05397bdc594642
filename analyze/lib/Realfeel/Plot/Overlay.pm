# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Overlay;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(plan);

use List::Util qw(max min);
use Realfeel::Plot::Histogram qw(counts_axis scaled);
use Realfeel::Plot::Steps qw(blocks maxima);

use constant {
    PERCENT => 100,
    ONE     => 0.7,             # the axis begins below the share of one value of the longest run
    LOW     => 7,               # but not above this
    TOP     => 150,
};

=head1 NAME

Realfeel::Plot::Overlay - runs of any length over each other, both axes logarithmic

=head1 FUNCTIONS

=head2 plan(\%look, @reports)

What L<Realfeel::Plot> draws. Each run's counts are shares of that run, so that runs of different lengths compare.

=cut

sub plan {
    my ($look, @reports) = @_;
    my $drawn = scaled($look, @reports);
    my @values = @{ $drawn->{values} };
    my @share = map { $_->n ? PERCENT / $_->n : 0 } @values;
    my @steps = map { my $i = $_; [map { [$_->[0], $_->[1] * $share[$i]] } @{ $drawn->{steps}[$i] }] } 0 .. $#values;
    my @last = map { @{ $drawn->{cells}[$_] } ? $drawn->{cells}[$_][-1][2] * $share[$_] : 0 } 0 .. $#values;
    my $low = min(LOW, ONE * PERCENT / max(map { $_->n } @values));
    return {
        %$drawn,
        data    => blocks(@steps, maxima($drawn->{us}, \@values, \@last)),
        y_label => '% of the ' . counts_axis($drawn->{measure}),
        numbers => [@{ $drawn->{range} }, $low, TOP],
        axes    => { x => [@{ $drawn->{range} }, 'log'], y => [$low, TOP, 'log'] },
    };
}

1;
