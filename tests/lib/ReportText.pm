# SPDX-License-Identifier: GPL-2.0-or-later
package ReportText;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(parts_text report_text);

use Realfeel::Output::Writer qw(run_pieces);

# The reports of a run on several CPUs as one text; those that name no CPU are of CPU 0, 1 and so on.
sub parts_text {
    my @reports = @_;
    return report_text(map {
        my $report = $reports[$_];
        +{ %$report, header => { cpu => $_, %{ $report->{header} } }, keys => [(grep { $_ ne 'cpu' } @{ $report->{keys} }), 'cpu'] };
    } 0 .. $#reports);
}

# All pieces of a report, or of those of a run, as one text.
sub report_text {
    my ($next, @pieces) = run_pieces(@_);
    while (defined(my $piece = $next->())) {
        push @pieces, $piece;
    }
    return join '', @pieces;
}

1;
