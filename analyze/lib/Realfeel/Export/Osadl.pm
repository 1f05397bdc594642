# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Osadl;
use strict;
use warnings;

use Encode qw(decode);
use JSON::PP ();
use List::Util qw(max);
use POSIX qw(floor strftime);
use Realfeel::Export::Cyclictest qw(rows);

use constant NS_PER_US => 1000;

=head1 NAME

Realfeel::Export::Osadl - the "RT Dataset" 1.0 that OSADL defines for the exchange of latency data

=head1 FUNCTIONS

=head2 text(@reports)

A core for each report, with the latenesses in classes of a microsecond, at most 100,000, after which one last class
holds all that lie beyond. C<cycles> is the number of periods, and the sum of the classes; where the cores differ, that
of the core that has most. Programs that read the format put strings together, so what is not known is C<unknown> where
a string is due. The kernel's patches and configuration are left out, for a report does not hold them. The format knows
four words for the load, among which a report cannot choose: C<load> is null.

=cut

sub text {
    my @reports = @_;
    my $document = _document(@reports);
    return JSON::PP->new->utf8->canonical->indent->indent_length(4)->space_after->encode($document);
}

sub _document {
    my @reports = @_;
    my $report = $reports[0];
    my @latenesses = map { $_->lateness } @reports;
    return {
        format     => { name => 'RT Dataset', version => '1.0' },
        timestamps => {
            origin  => _string($report, 'started'),
            dataset => strftime('%Y-%m-%dT%H:%M:%SZ', gmtime),
        },
        system    => { hostname => _string($report, 'hostname') },
        processor => _processor($report),
        kernel    => {
            version => _string($report, 'kernel_release'),
            cmdline => _string($report, 'kernel_command_line'),
        },
        condition => {
            load       => undef,
            cycles     => max(map { $_->n } @latenesses),
            interval   => _interval($report),
            cyclictest => _string($report, 'command'),
        },
        latency => _latency(@latenesses),
    };
}

sub _string {
    my ($report, $key) = @_;
    return decode('UTF-8', $report->header($key) // 'unknown');
}

sub _processor {
    my ($report) = @_;
    my ($vendor, $type) = split ' ', _string($report, 'cpu_model'), 2;
    return { family => _string($report, 'machine'), vendor => $vendor // 'unknown', type => $type // 'unknown' };
}

sub _interval {
    my ($report) = @_;
    my $period_ns = $report->header('period_ns');
    return defined $period_ns ? $period_ns / NS_PER_US : undef;
}

sub _latency {
    my @latenesses = @_;
    my ($rows, $beyond) = rows(@latenesses);
    if (max(@$beyond)) { push @{ $rows->[$_] }, $beyond->[$_] for 0 .. $#$rows }
    return {
        granularity => 'microseconds',
        maxima      => [map { $_->n ? floor($_->max) : @latenesses > 1 ? undef : () } @latenesses],
        cores       => [[0 .. $#{ $rows->[0] }], @$rows],
    };
}

1;
