# SPDX-License-Identifier: GPL-2.0-or-later
package LabTable;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use List::Util qw(max min uniq);
use Realfeel::Model::Report;

our @EXPORT_OK = qw(digits median range statistics table);

use constant BEYOND_MIN => 10;    # samples beyond a percentile, in each run

=head1 NAME

LabTable - the results of the laboratory in one table

=cut

my @PERCENTILES = ([p50 => 2], ['p99' => 100], ['p99.9' => 1000]);
my $COLUMNS = ' %-6s %-9s %9s' . ' %14s' x @PERCENTILES . " %7s%s\n";

=head2 statistics(@files)

What the table says of runs with the same kernel, load and source. A hash of lists with a value for each run: C<samples>,
C<missed>, C<p50>, C<p99>, C<p99.9> and C<max>, which are of the lateness, in us, and C<verdict>. The list of a percentile
is empty when a run is too short for it. C<kernel_release> and C<preemption> are strings.

=cut

sub statistics {
    my @reports = map { Realfeel::Model::Report->read($_) } @_;
    my @lateness = map { $_->latency('lateness') } @reports;
    my $least = min(map { $_->header('samples') } @reports);
    my %statistics = map { my $name = $_; $name => [map { $_->header($name) } @reports] } qw(samples missed);
    for (@PERCENTILES) {
        my ($name, $one_in) = @$_;
        $statistics{$name} = [map { $_->quantile($one_in) } $least < BEYOND_MIN * $one_in ? () : @lateness];
    }
    return {
        %statistics, max => [map { $_->max } @lateness], verdict => [map { $_->{verdict} } @reports],
        map { $_ => $reports[0]->header($_) } qw(kernel_release preemption),
    };
}

=head2 median(@values)

The middle one, or the mean of the two in the middle.

=cut

sub median {
    my @sorted = sort { $a <=> $b } @_;
    return ($sorted[$#sorted / 2] + $sorted[@sorted / 2]) / 2;
}

=head2 range($format, @values)

The least and the greatest, as text: C<3-8>, or C<0> when both read the same.

=cut

sub range {
    my ($format, @values) = @_;
    return join '-', uniq map { sprintf $format, $_ } min(@values), max(@values);
}

=head2 table(@rows)

The table as text: of each percentile the median of the runs, and their range. A row is a hash: C<kernel>, C<load> and
C<source>, with C<statistics>, of its runs, or C<failure>, why there are none.

=cut

sub table {
    my @rows = @_;
    my $text = sprintf $COLUMNS, '', '', 'missed', (map { $_->[0] } @PERCENTILES), 'max', '';
    my $kernel = '';
    for my $row (@rows) {
        $text .= heading($row) if $row->{kernel} ne $kernel;
        $kernel = $row->{kernel};
        $text .= $row->{failure} eq '' ? line($row) : not_measured($row);
    }
    return $text;
}

sub heading {
    my ($row) = @_;
    my ($release, $preemption) = @{$row->{statistics} // {}}{qw(kernel_release preemption)};
    return "$row->{kernel}: " . (defined $release ? "Linux $release, preemption $preemption" : 'not measured') . "\n";
}

sub not_measured {
    my ($row) = @_;
    return sprintf " %-6s %-9s not measured: %s\n", @$row{qw(load source)}, $row->{failure} =~ s/[;:]?\n.*//sr;
}

sub line {
    my ($row) = @_;
    my $statistics = $row->{statistics};
    return sprintf $COLUMNS, @$row{qw(load source)}, range('%d', @{$statistics->{missed}}),
        (map { cell(@{$statistics->{$_->[0]}}) } @PERCENTILES), digits(max(@{$statistics->{max}})),
        unreliable(@{$statistics->{verdict}});
}

sub cell {
    my @values = @_;
    return @values ? join ' ', digits(median(@values)), join '-', map { digits($_) } min(@values), max(@values) : '-';
}

=head2 digits($us)

A time as the table has it: three digits and more.

=cut

sub digits {
    my ($us) = @_;
    return sprintf $us < 100 ? '%.1f' : '%.0f', $us;
}

sub unreliable {
    my @verdicts = @_;
    my @not_valid = grep { $_ ne 'valid' } @verdicts;
    return @not_valid ? sprintf ' %d of %d runs: %s', scalar @not_valid, scalar @verdicts, join '; ', uniq @not_valid : '';
}

1;
