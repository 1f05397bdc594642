# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Events;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(events);

use List::Util qw(uniq);
use Realfeel::Events qw(tables);
use Realfeel::Page::Html qw(paragraph section table);

=head1 NAME

Realfeel::Page::Events - the worst wake-ups of each run as tables

=head1 FUNCTIONS

=head2 events(@runs)

The section, nothing where no run holds any.

=cut

sub events {
    my @runs = @_;
    return section('Worst wake-ups', uniq map { _of_run($_, @runs > 1 ? "$_->{name}: " : '') } @runs);
}

sub _of_run {
    my ($run, $lead) = @_;
    return unless $run->{measures}{lateness};
    return map { _table($lead, $_) } tables($run->{measures}{lateness}{name}, $run->{report});
}

sub _table {
    my ($lead, $events) = @_;
    return paragraph(ucfirst $events->{caption}) unless $events->{columns};
    my ($first, @columns) = @{ $events->{columns} };
    my @rows = map { my $row = $_; [map { $_->[$row] } $first, @columns] } 1 .. $#$first;
    my $caption = $lead eq '' ? ucfirst $events->{caption} : "$lead$events->{caption}";
    return (
        table($caption, [map { _heading($_->[0]) } $first, @columns], @rows),
        defined $events->{note} ? paragraph(ucfirst $events->{note}) : (),
    );
}

# A unit at the end of a heading stands in brackets, as in all tables of a page.
sub _heading {
    my ($heading) = @_;
    return $heading =~ s/ us$/ (\xc2\xb5s)/r =~ s/ s$/ (s)/r =~ s/^utc$/time of day (UTC)/r;
}

1;
