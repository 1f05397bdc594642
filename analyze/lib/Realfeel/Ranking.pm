# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Ranking;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(ranking);

use Realfeel::Cpus qw(pooled);
use Realfeel::Facts qw(known short);
use Realfeel::Stats qw(percentiles);
use Realfeel::Table;
use Realfeel::Units qw(decimal);

use constant {
    GIVEN    => [50, 99, 99.9],
    INFINITY => 9**9**9,
};

=head1 NAME

Realfeel::Ranking - the CPUs of a run, the latest first

=head1 FUNCTIONS

=head2 ranking($run)

A L<Realfeel::Table> with a row for each CPU of a run of L<Realfeel::Cpus>, those on which nothing was measured first
and the others by their maximum, and one for all CPUs together. C<~> marks a percentile whose bursts are too few, and a
dash takes the place of what the data do not support.

=cut

sub ranking {
    my ($run) = @_;
    my ($all, @reports) = (pooled($run), @{ $run->{reports} });
    my $measure = $all->lateness ? 'lateness' : 'magnitude';
    my %max = map { $_ => $_->$measure->max // INFINITY } @reports;
    my @ranked = sort { $max{$b} <=> $max{$a} } @reports;
    my $is_judged = grep { ($_->verdict // '') ne 'valid' } @reports;
    return Realfeel::Table->new(
        caption => ($measure eq 'lateness' ? 'lateness' : 'interval error') . ' in us of each CPU, the latest first',
        columns => ['CPU', 'samples', (map { "p$_" } @{ GIVEN() }), 'max', 'missed',
            $is_judged ? { head => 'verdict', align => 'left' } : ()],
        rows    => [map { [_row($measure, @$_), $is_judged ? $_->[1]->verdict // 'none' : ()] }
            (map { [$_->cpu // 'part ' . ($_->part)[0], $_] } @ranked), ['all', $all]],
    );
}

sub _row {
    my ($measure, $name, $report) = @_;
    my $distribution = $report->$measure;
    my %percentile = map { $_->{percentile} => $_ }
        percentiles($distribution, $report->dependence, $measure eq 'lateness' ? $measure : 'interval');
    my $max = $distribution->max;
    return ($name, $report->header('samples'), (map { _cell($percentile{$_}) } @{ GIVEN() }),
        defined $max ? decimal($max, 3) : '-', known($report, 'missed') // '-');
}

sub _cell {
    my ($percentile) = @_;
    return defined $percentile->{value_us} ? short($percentile->{value_us})
        : defined $percentile->{roughly_us} ? '~' . short($percentile->{roughly_us}) : '-';
}

1;
