# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Buckets;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(buckets rows whole);

use List::Util qw(max min);
use POSIX qw(floor);

use constant RANGE_US => 100_000;

=head1 NAME

Realfeel::Export::Buckets - a distribution in whole microseconds, as cyclictest counts it

=head1 FUNCTIONS

=head2 buckets($distribution)

All values of a L<Realfeel::Distribution>: a hash from a whole microsecond to the count of values from there to the
next. A bin that is wider counts where it begins. Of the values in an open last bin no more is known than their
maximum, and there they count.

=cut

sub buckets {
    my ($distribution) = @_;
    my $open = $distribution->open_from;
    my %count;
    for my $cell ($distribution->cells) {
        my ($low, undef, $count) = @$cell;
        $count{ whole(defined $open && $low == $open ? max($low, $distribution->max) : $low) } += $count;
    }
    return \%count;
}

=head2 rows($distribution)

A row of counts, one for each microsecond from 0 to the last that is needed, at most 100,000, and the count of the
values that are beyond the row: a list of two.

=cut

sub rows {
    my ($distribution) = @_;
    my $open = $distribution->open_from;
    my ($beyond, @row) = (0);
    for my $cell ($distribution->cells) {
        my ($low, undef, $count) = @$cell;
        if   ($low >= min(RANGE_US, $open // RANGE_US)) { $beyond += $count }
        else                                            { $row[whole($low)] += $count }
    }
    $#row = max($#row, whole(min(RANGE_US, $open)) - 1) if defined $open;
    return ([map { $_ // 0 } @row], $beyond);
}

=head2 whole($us)

The microsecond that a value lies in; a negative one counts in the first.

=cut

sub whole {
    my ($us) = @_;
    return max(0, floor($us));
}

1;
