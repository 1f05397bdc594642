# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Cyclictest;
use strict;
use warnings;

use List::Util qw(sum0);
use POSIX qw(floor);
use Realfeel::Export::Buckets qw(rows);
use Realfeel::Units qw(printable);

=head1 NAME

Realfeel::Export::Cyclictest - the text that C<cyclictest -h> prints

=head1 FUNCTIONS

=head2 text($report)

One line for each microsecond from 0 to the maximum, at most 100,000: the microsecond and the count of latenesses from
there to the next. Those beyond count as overflows, whose cycle numbers are not known. Dies when there is no lateness
at all, for then there is no way to say so.

=cut

sub text {
    my ($report) = @_;
    my $lateness = $report->lateness;
    die printable($report->file . ': holds no samples, which the format cannot express; export a run that does') . "\n"
        unless $lateness->n;
    my ($row, $beyond) = rows($lateness);
    my $mean = $lateness->mean;
    return join '', "# Histogram\n",
        (map { sprintf "%06d %06d\n", $_, $row->[$_] } 0 .. $#$row),
        sprintf("# Total: %09d\n", sum0(@$row)),
        sprintf("# Min Latencies: %05d\n", floor($lateness->min)),
        defined $mean ? sprintf("# Avg Latencies: %05d\n", floor($mean)) : (),
        sprintf("# Max Latencies: %05d\n", floor($lateness->max)),
        sprintf("# Histogram Overflows: %05d\n", $beyond),
        "# Histogram Overflow at cycle number:\n",
        '# Thread 0:' . ($beyond ? sprintf ' # %05d others', $beyond : '') . "\n";
}

1;
