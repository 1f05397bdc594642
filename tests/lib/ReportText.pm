# SPDX-License-Identifier: GPL-2.0-or-later
package ReportText;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(report_text);

use Realfeel::Writer qw(report_pieces);

=head1 NAME

ReportText - what a report would be in a file

=cut

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
