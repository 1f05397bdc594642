# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Csv;
use strict;
use warnings;

=head1 NAME

Realfeel::Export::Csv - the histogram as comma-separated values

=head1 FUNCTIONS

=head2 text($report)

A line of titles, then one line for each bin, with the columns that the report has: C<from_us>, C<to_us>, C<interval>
and C<early>, C<lateness>.

=cut

sub text {
    my ($report) = @_;
    my $histogram = $report->columns('histogram');
    my @titles = grep { $histogram->{$_} } qw(from_us to_us interval early lateness);
    my @columns = @$histogram{@titles};
    return join '', map { join(',', @$_) . "\n" } \@titles,
        map { my $row = $_; [map { $_->[$row] } @columns] } 0 .. $#{ $columns[0] };
}

1;
