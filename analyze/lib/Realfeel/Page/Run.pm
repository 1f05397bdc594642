# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Run;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(measure_of runs);

use List::Util qw(all first);
use Realfeel::Facts qw(measures);
use Realfeel::Names qw(names);

=head1 NAME

Realfeel::Page::Run - what a page needs to know of each run

=head1 FUNCTIONS

=head2 runs(@reports)

For each L<Realfeel::Report> a hash of C<report>; C<name>, which no other of them has, by L<Realfeel::Names>; and
C<measures>, a hash from the key to what L<Realfeel::Facts> knows of each.

=cut

sub runs {
    my @reports = @_;
    my @names = names(@reports);
    return map { {
        report   => $reports[$_],
        name     => $names[$_],
        measures => { map { $_->{key} => $_ } measures($reports[$_]) },
    } } 0 .. $#reports;
}

=head2 measure_of(@runs)

The measure that all of them have, lateness rather than interval; undef when there is none.

=cut

sub measure_of {
    my @runs = @_;
    return first { my $key = $_; all { $_->{measures}{$key} } @runs } qw(lateness interval);
}

1;
