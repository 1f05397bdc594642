# SPDX-License-Identifier: GPL-2.0-or-later
package ReportText;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(parts_text report_text);

use Realfeel::Writer qw(report_pieces);

=head1 NAME

ReportText - what a report would be in a file

=cut

# The reports of a run on several CPUs as one text; those that name no CPU are of CPU 0, 1 and so on.
sub parts_text {
    my @reports = @_;
    return join '', map {
        my ($i, $report) = ($_, $reports[$_]);
        my %header = (cpu => $i, %{ $report->{header} }, part => $i + 1 . ' of ' . @reports);
        my @keys = grep { !/^(?:part|cpu)$/ } @{ $report->{keys} };
        report_text({ %$report, header => \%header, keys => ['part', @keys, 'cpu'] });
    } 0 .. $#reports;
}

# All pieces of a report as one text.
sub report_text {
    my ($report) = @_;
    my ($next, @pieces) = report_pieces($report);
    while (defined(my $piece = $next->())) {
        push @pieces, $piece;
    }
    return join '', @pieces;
}

1;
