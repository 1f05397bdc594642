# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Doubts;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(doubts);

use Realfeel::Units qw(printable);

use constant SAME => [[qw(frequency_hz frequency frequencies)], [qw(source source sources)], [qw(clock clock clocks)]];

=head1 NAME

Realfeel::Compare::Doubts - why a comparison may not be one of like with like

=head1 FUNCTIONS

=head2 doubts($measure, $base, $file)

A list of sentences without their end, empty when there is no doubt.

=cut

sub doubts {
    my ($measure, @reports) = @_;
    return ((map { _differs(@$_, @reports) } @{ SAME() }), _counted(@reports), _formats(@reports),
        map { _of_one($measure, $_) } @reports);
}

sub _differs {
    my ($key, $name, $names, @reports) = @_;
    my @values = map { printable($_->header($key) // 'unknown') } @reports;
    return if $values[0] eq $values[1];
    my ($without) = grep { $values[$_] eq 'unknown' } 0, 1;
    return "the $name of " . printable($reports[$without]->file) . ' is unknown' if defined $without;
    return "the $names differ: $values[0] and $values[1]";
}

sub _counted {
    my @reports = grep { ($_->header('lateness_of') // '') eq 'wake-ups' } @_;
    return if @reports != 1;
    return printable($reports[0]->file) . ' counts one lateness per wake-up, the other one per period';
}

sub _formats {
    my @reports = grep { $_->format eq '2002' || ($_->header('bins') // '') =~ /^of 2002/ } @_;
    return if @reports != 1;
    return printable($reports[0]->file)
        . ' is of 2002: both are compared in buckets of 100 us, early wake-ups in the first';
}

sub _of_one {
    my ($measure, $report) = @_;
    my $name = printable($report->file);
    my ($verdict, $contradiction) = (printable($report->header('verdict') // 'valid'), $report->contradiction);
    return (
        $verdict ne 'valid' ? "$name is $verdict" : (),
        $measure eq 'lateness' && defined $contradiction
            ? "the lateness of $name is unreliable, as its schedule is contradicted ("
              . printable($contradiction) . '); use --measure=interval' : (),
        ($report->header('status') // '') eq 'break' ? "$name ended at its first lateness above --break" : (),
    );
}

1;
