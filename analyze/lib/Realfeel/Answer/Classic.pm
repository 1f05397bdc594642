# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Classic;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(buckets classic);

use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(printable);

use constant {
    LADDER_MS => [0.1, 0.2, 0.5, 0.7, 1, 5, 10, 50, 100, 500, 1000, 5000, 10000],
    BUCKET_US => 100,
    PER_MS    => 10,
};

=head1 NAME

Realfeel::Answer::Classic - the figures of 2002

=head1 FUNCTIONS

=head2 buckets($report)

The interval errors of a L<Realfeel::Model::Report> as a L<Realfeel::Stat::Distribution> in milliseconds, in buckets of
0.1 ms. A bin belongs to the bucket that holds its lower edge; an early wake-up counts as 0.

=cut

sub buckets ($report) {
    my $interval = $report->interval
        or die printable($report->file . ': has no interval errors, which the table of 2002 needs; leave it out')
        . "\n";
    return $interval->regroup(sub {
        my $index = $_[0] < 0 ? 0 : int($_[0] / BUCKET_US);
        return ($index / PER_MS, ($index + 1) / PER_MS);
    });
}

=head2 classic($report)

Where each sample counts as the middle of its bucket, a hash: C<file>, how many C<buckets> and C<samples>; and, where
there are any, C<minimum_ms>, the upper edge of the first bucket, C<maximum_ms>, the lower edge of the last, C<mean_ms>,
C<median_ms>, C<mode_ms> and C<occurred>, how often, C<variance> and C<sd_ms>, undef of one sample; and C<below>, an
array of hashes C<threshold_ms> and C<percent>.

=cut

sub classic ($report) {
    my $buckets = buckets($report);
    my %counts = (file => text($report->file), buckets => number($buckets->bins), samples => number($buckets->n));
    return \%counts unless $buckets->n;
    my @cells = $buckets->cells;
    my ($mode, $occurred) = $buckets->mode;
    my ($variance, $top) = ($buckets->variance, $buckets->max);
    my %figures = (
        minimum_ms => $cells[0][1], maximum_ms => $cells[-1][0], mean_ms => $buckets->mean,
        median_ms => $buckets->median, mode_ms => $mode, occurred => $occurred,
        variance => $variance, sd_ms => defined $variance ? sqrt $variance : undef,
    );
    my @thresholds = ((grep { $_ < $top } @{ LADDER_MS() }), $top);
    return {
        %counts, (map { $_ => number($figures{$_}) } keys %figures),
        below => [map { { threshold_ms => $_, percent => 100 * $buckets->below($_) / $buckets->n } } @thresholds],
    };
}

1;
