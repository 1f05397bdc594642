# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Random;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(generator);

=head1 NAME

Realfeel::Random - random numbers that a seed repeats, whatever other modules draw

=head1 FUNCTIONS

=head2 generator($seed)

A function that returns random numbers between 0 and 1, both excluded: the combined generator of L'Ecuyer (1988), the
same numbers for the same seed everywhere.

=cut

sub generator {
    my ($seed) = @_;
    my ($one, $other) = (1 + $seed % 2147483562, 1 + $seed % 2147483398);
    return sub {
        $one   = 40014 * $one % 2147483563;
        $other = 40692 * $other % 2147483399;
        my $difference = ($one - $other) % 2147483562;
        return ($difference || 2147483562) / 2147483563;
    };
}

1;
