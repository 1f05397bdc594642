# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Run;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(measure_of runs);

use File::Basename qw(basename);
use List::Util qw(all first);
use Realfeel::Listing qw(measures);

=head1 NAME

Realfeel::Page::Run - what a page needs to know of each run

=head1 FUNCTIONS

=head2 runs(@reports)

For each L<Realfeel::Report> a hash of C<report>; C<name>, which no other of them has: that of the file, with its
folders or a number where it takes them; and C<measures>, a hash from the key to what L<Realfeel::Listing> knows of
each.

=cut

sub runs {
    my @reports = @_;
    my @names = _names(map { $_->file } @reports);
    return map { {
        report   => $reports[$_],
        name     => $names[$_],
        measures => { map { $_->{key} => $_ } measures($reports[$_]) },
    } } 0 .. $#reports;
}

sub _names {
    my @files = @_;
    my @short = map { basename($_) } @files;
    @short = @files unless _all_differ(@short);
    return @short if _all_differ(@short);
    return map { "$short[$_] (" . ($_ + 1) . ')' } 0 .. $#short;
}

sub _all_differ {
    my %seen;
    return !grep { $seen{$_}++ } @_;
}

=head2 measure_of(@runs)

The measure that all of them have, lateness rather than interval; undef when there is none.

=cut

sub measure_of {
    my @runs = @_;
    return first { my $key = $_; all { $_->{measures}{$key} } @runs } qw(lateness interval);
}

1;
