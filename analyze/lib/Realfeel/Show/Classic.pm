# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Classic;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(buckets table);

use Realfeel::Base::Units qw(printable);

use constant {
    LADDER_MS => [0.1, 0.2, 0.5, 0.7, 1, 5, 10, 50, 100, 500, 1000, 5000, 10000],
    BUCKET_US => 100,
    PER_MS    => 10,
};

=head1 NAME

Realfeel::Show::Classic - the table of 2002

=head1 FUNCTIONS

=head2 buckets($report)

The interval errors of a L<Realfeel::Model::Report> as a L<Realfeel::Stat::Distribution> in milliseconds, in buckets of
0.1 ms. A bin belongs to the bucket that holds its lower edge; an early wake-up counts as 0.

=cut

sub buckets {
    my ($report) = @_;
    my $interval = $report->interval
        or die printable($report->file . ': has no interval errors, which the table of 2002 needs; leave it out')
        . "\n";
    return $interval->regroup(\&_bucket);
}

sub _bucket {
    my ($us) = @_;
    my $index = $us < 0 ? 0 : int($us / BUCKET_US);
    return ($index / PER_MS, ($index + 1) / PER_MS);
}

=head2 table($report)

The text that the program of 2002 printed: each sample counts as the middle of its bucket, the maximum is the lower edge
of the last bucket. Lines that need more samples than there are, are left out.

=cut

sub table {
    my ($report) = @_;
    my $buckets = buckets($report);
    my ($name, $bins, $samples) = (printable($report->file), $buckets->bins, $buckets->n);
    my @lines = ("$name had $bins buckets containing $samples samples");
    push @lines, '', _moments($buckets), _ladder($buckets) if $buckets->n;
    return join '', map { "$_\n" } @lines;
}

sub _moments {
    my ($buckets) = @_;
    my @cells = $buckets->cells;
    my $variance = $buckets->variance;
    my @lines = (
        _line('minimum latency: < %.15gms', $cells[0][1]),
        _line('maximum latency: %.15gms',   $cells[-1][0]),
        _line('Mean: %.15gms',              $buckets->mean),
        _line('Median: %.15gms',            $buckets->median),
        _line('Mode: %.15gms (occurred %d times)', $buckets->mode),
    );
    return @lines unless defined $variance;
    return (@lines, _line('Variance: %.15g', $variance), _line('Standard Deviation: %.15g', sqrt $variance));
}

sub _ladder {
    my ($buckets) = @_;
    my $top = $buckets->max;
    return map { _line('%.5f%% of samples < %.15gms', 100 * $buckets->below($_) / $buckets->n, $_) }
        (grep { $_ < $top } @{ LADDER_MS() }), $top;
}

sub _line {
    my ($format, @values) = @_;
    return sprintf "    $format", @values;
}

1;
