# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(exported formats);

use Realfeel::Table;
use Realfeel::Units qw(printable);

# Of each format the module and the function that write it; all but the one that is here write latenesses alone.
use constant FORMATS => {
    'rt-tests' => ['Cyclictest', 'json'],
    cyclictest => ['Cyclictest', 'text'],
    osadl      => ['Osadl',      'text'],
    hlog       => ['Hdr',        'hlog'],
    hgrm       => ['Hdr',        'hgrm'],
    prometheus => ['Prometheus', 'text'],
    csv        => [],
};

=head1 NAME

Realfeel::Export - reports in the formats of other programs

=head1 DESCRIPTION

What is exported is the lateness, one value for each period: a missed period has one too. The modules in
Realfeel::Export have a function for each format, which takes a report and returns the bytes of the file.

=head1 FUNCTIONS

=head2 formats

The names of the formats, sorted.

=cut

sub formats { return sort keys %{ FORMATS() } }

=head2 exported($format, $report)

The text of a L<Realfeel::Report> in that format. Dies with one line when the report does not hold what the format
needs. C<csv> is the histogram: a line of titles, then one line for each bin, with the columns that the report has.

=cut

sub exported {
    my ($format, $report) = @_;
    my ($module, $function) = @{ FORMATS->{$format} };
    return _csv($report) unless $module;
    die printable($report->file . ": has no lateness, all that $format can hold; use --format=csv") . "\n"
        unless $report->lateness;
    require "Realfeel/Export/$module.pm";
    return "Realfeel::Export::$module"->can($function)->($report);
}

sub _csv {
    my ($report) = @_;
    my $histogram = $report->columns('histogram');
    my @titles = grep { $histogram->{$_} } qw(from_us to_us interval early lateness);
    my @columns = @$histogram{@titles};
    my @rows = map { my $row = $_; [map { $_->[$row] } @columns] } 0 .. $#{ $columns[0] };
    return Realfeel::Table->new(columns => \@titles, rows => \@rows)->csv;
}

1;
