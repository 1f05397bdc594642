# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(exported formats);

use Realfeel::Units qw(printable);

# Of each format the module that writes it, and whether it writes latenesses and nothing else.
use constant FORMATS => {
    'rt-tests' => ['RtTests',    1],
    cyclictest => ['Cyclictest', 1],
    osadl      => ['Osadl',      1],
    hlog       => ['Hlog',       1],
    hgrm       => ['Hgrm',       1],
    prometheus => ['Prometheus', 1],
    csv        => ['Csv',        0],
};

=head1 NAME

Realfeel::Export - reports in the formats of other programs

=head1 DESCRIPTION

What is exported is the lateness, one value for each period: a missed period has one too. Each format is a module in
Realfeel::Export with a function C<text($report)>, which returns the bytes of the file.

=head1 FUNCTIONS

=head2 formats

The names of the formats, sorted.

=cut

sub formats { return sort keys %{ FORMATS() } }

=head2 exported($format, $report)

The text of a L<Realfeel::Report> in that format. Dies with one line when the report does not hold what the format
needs.

=cut

sub exported {
    my ($format, $report) = @_;
    my ($module, $needs_lateness) = @{ FORMATS->{$format} };
    die printable($report->file . ": has no lateness, all that $format can hold; use --format=csv")
        . "\n" if $needs_lateness && !$report->lateness;
    require "Realfeel/Export/$module.pm";
    return "Realfeel::Export::$module"->can('text')->($report);
}

1;
