# SPDX-License-Identifier: GPL-2.0-or-later
package LabTable;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use Realfeel::Report;
use Realfeel::Stats qw(summary);

our @EXPORT_OK = qw(statistics table);

=head1 NAME

LabTable - the results of the laboratory in one table

=cut

my @PERCENTILES = ([p50 => 2], ['p99' => 100], ['p99.9' => 1000], ['p99.99' => 10_000]);
my @TIMES = ((map { $_->[0] } @PERCENTILES), 'max');
my $COLUMNS = ' %-6s %-9s %7s %6s' . ' %7s' x @TIMES . " %s\n";

=head2 statistics($file)

What the table says of a report: a hash with C<samples>, C<missed>, C<p50>, C<p99>, C<p99.9>, C<p99.99> and C<max>, which
are of the lateness, in us; C<supported>, a hash with those percentiles that the run supports; C<verdict>,
C<kernel_release> and C<preemption>.

=cut

sub statistics {
    my ($file) = @_;
    my $report = Realfeel::Report->read($file);
    my $lateness = $report->lateness;
    return {
        (map { $_ => $report->header($_) } qw(samples missed kernel_release preemption)),
        (map { $_->[0] => $lateness->quantile($_->[1]) } @PERCENTILES),
        max => $lateness->max, verdict => $report->verdict, supported => supported($report),
    };
}

sub supported {
    my ($report) = @_;
    my $summary = summary($report->lateness, $report->clusters, 'lateness');
    return {map { ("p$_->{percentile}" => $_->{value_us}) } grep { defined $_->{value_us} } @{$summary->{percentiles}}};
}

=head2 table(@rows)

The table as text; what a run does not support is C<->. A row is a hash: C<kernel>, C<load> and C<source>, with C<file>,
the report, or C<failure>, why there is none.

=cut

sub table {
    my @rows = @_;
    my $text = sprintf $COLUMNS, '', '', qw(samples missed), @TIMES, 'verdict';
    my $kernel = '';
    for my $row (@rows) {
        my $statistics = $row->{failure} eq '' ? statistics($row->{file}) : {};
        $text .= heading($row->{kernel}, $statistics) if $row->{kernel} ne $kernel;
        $kernel = $row->{kernel};
        $text .= line($row, $statistics);
    }
    return $text;
}

sub heading {
    my ($kernel, $statistics) = @_;
    my ($release, $preemption) = @$statistics{qw(kernel_release preemption)};
    return "$kernel: " . (defined $release ? "Linux $release, preemption $preemption" : 'not measured') . "\n";
}

sub line {
    my ($row, $statistics) = @_;
    return sprintf " %-6s %-9s not measured: %s\n", @$row{qw(load source)}, $row->{failure} =~ s/[;:]?\n.*//sr
        if $row->{failure} ne '';
    my %us = (%{$statistics->{supported}}, max => $statistics->{max});
    return sprintf $COLUMNS, @$row{qw(load source)}, @$statistics{qw(samples missed)},
        (map { defined $_ ? sprintf '%.1f', $_ : '-' } @us{@TIMES}), $statistics->{verdict};
}

1;
