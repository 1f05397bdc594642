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
    return map { _html($lead, $_) } tables($run->{measures}{lateness}{name}, $run->{report});
}

sub _html {
    my ($lead, $table) = @_;
    return paragraph(ucfirst $table->caption) unless $table->columns;
    my $note = $table->note;
    return table(
        caption => $lead eq '' ? ucfirst $table->caption : $lead . $table->caption,
        note    => defined $note ? ucfirst $note : undef,
        columns => [$table->columns],
        rows    => [$table->rows],
    );
}

1;
