# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Input::Hgrm;
use strict;
use warnings;

use Realfeel::Input::Cells qw(EDGE_NS NS_MAX bin);

use constant NUMBER => qr/\d{1,17}(?:\.\d{1,9})?/;
use constant {
    TITLE   => qr/^\s*Value\s+Percentile\s+TotalCount\b/,
    ROW     => qr{^\s*(${\NUMBER})\s+([01]\.\d+)\s+(\d{1,17})(?:\s+(?:\d[\d.]*|inf\w*))?\s*$}i,
    FIGURE  => qr/^\s*#\[(Mean|Max)\s*=\s*(${\NUMBER}), \s*(StdDeviation|Total count)\s*=\s*(${\NUMBER})\]/,
    NAME    => { Mean => 'mean', Max => 'max', StdDeviation => 'sd', 'Total count' => 'total' },
    DAMAGED => 'the file is damaged, take another copy',
};

=head1 NAME

Realfeel::Input::Hgrm - read the table of percentiles that HdrHistogram prints

=head1 DESCRIPTION

Each row tells how many values are no greater than its own, so between two rows lies the difference of their counts: a
histogram of few, wide bins. What the unit is, the table does not tell.

=head1 FUNCTIONS

=head2 recognises($head)

Whether a file of this format begins so.

=head2 runs($lines, $unit_ns)

See L<Realfeel::Input::Import>.

=cut

sub recognises { return $_[0] =~ /\A(?:\s*\n)*${\TITLE}/ }

sub runs {
    my ($lines, $unit_ns) = @_;
    my ($has_title, $share, %figure, @cells) = (0, 0);
    while (defined(my $line = $lines->line)) {
        if    ($line =~ ROW)                        { $share = $2; _add($lines, \@cells, $1, $unit_ns, $3) }
        elsif ($line =~ FIGURE)                     { @figure{ NAME->{$1}, NAME->{$3} } = ($2, $4) }
        elsif ($line =~ TITLE)                      { $has_title = 1 }
        elsif ($line !~ /^\s*(?:#\[Buckets\b.*)?$/) { $lines->fail($lines->number, "not of the table; @{[DAMAGED]}") }
        $lines->pass;
    }
    my $below = @cells ? $cells[-1]{below} : 0;
    $lines->fail(0, 'does not begin with Value, Percentile, TotalCount; name a table that HdrHistogram printed')
        unless $has_title;
    $lines->fail(0, 'has neither a total count nor a row of 100 %, so it is cut off; take another copy')
        unless defined $figure{total} || $share == 1;
    $figure{total} //= $below;
    $lines->fail(0, "the total count is $figure{total}, but the rows hold $below; @{[DAMAGED]}")
        unless $figure{total} == $below;
    my @held = grep { $_->[2] } map { [@$_{qw(from to count)}] } @cells;
    return { source => 'HdrHistogram', parts => { 0 => { cells => \@held, %figure } }, part => 'table' };
}

# A cell from the row before to this one; no longer one where a report could not tell the two apart.
sub _add {
    my ($lines, $cells, $value, $unit_ns, $below) = @_;
    my $last = $cells->[-1];
    my ($ns, $count) = ($value * $unit_ns, $below - ($last ? $last->{below} : 0));
    my $to = EDGE_NS * (1 + int($ns / EDGE_NS));
    $lines->fail($lines->number, "gives a latency of $value; @{[DAMAGED]}") if $ns >= NS_MAX;
    $lines->fail($lines->number, "values and counts do not ascend; @{[DAMAGED]}")
        if $count < 0 || $last && $to < $last->{to};
    my $from = $last ? $last->{to} : (bin(int $ns))[0];
    if ($from < $to) { push @$cells, { from => $from, to => $to, count => $count, below => $below } }
    else             { $last->{count} += $count; $last->{below} = $below }
}

1;
