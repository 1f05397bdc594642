# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Json;
use strict;
use warnings;

use Encode qw(decode);
use Exporter 'import';
our @EXPORT_OK = qw(document run tail);

use JSON::PP ();
use Realfeel::Stats qw(summary);

use constant {
    TEXTS   => [qw(status verdict source clock schedule explain max trace load load_exit kernel_release)],
    NUMBERS => [qw(samples periods missed early_wakeups duration_s frequency_hz)],
};

=head1 NAME

Realfeel::Json - reports as one JSON document

=head1 FUNCTIONS

=head2 run($report)

A L<Realfeel::Report> as a hash. Keys end in their unit; what is not known is undef. Bytes that are not UTF-8 become
U+FFFD.

=cut

sub run {
    my ($report) = @_;
    my $events = $report->events;
    return {
        file                  => decode('UTF-8', $report->file),
        format                => 0 + $report->format,
        period_us             => $report->us('period_ns'),
        anchor_uncertainty_us => $report->us('anchor_uncertainty_ns'),
        max_us                => $report->us('max_ns'),
        break_us              => $report->us('break_ns'),
        (map { $_ => _measure($report, $_) } qw(interval lateness wakeups)),
        events                => $events ? [map { _event($_) } @$events] : undef,
        (map { $_ => _text($report->header($_)) } @{ TEXTS() }),
        (map { $_ => _number($report->header($_)) } @{ NUMBERS() }),
    };
}

=head2 tail($report, $estimate)

An estimate of L<Realfeel::Tail>, with the report's C<file>.

=cut

sub tail {
    my ($report, $estimate) = @_;
    return { file => decode('UTF-8', $report->file), %$estimate };
}

sub _measure {
    my ($report, $measure) = @_;
    my $distribution = $report->$measure or return undef;
    my $summary = summary($distribution, $report->clusters, $measure);
    $_->{percent} = 100 * $_->{count} / $summary->{count} for @{ $summary->{below} };
    return $summary;
}

sub _event {
    my ($event) = @_;
    my %numbers = map { $_ => _number($event->{$_}) } grep { $_ ne 'utc' } keys %$event;
    return { %numbers, utc => $event->{utc} };
}

sub _text {
    my ($bytes) = @_;
    return defined $bytes ? decode('UTF-8', $bytes) : undef;
}

sub _number {
    my ($text) = @_;
    return defined $text && $text ne 'unknown' ? 0 + $text : undef;
}

=head2 document(@runs)

The JSON text of an array of runs: UTF-8, keys sorted, a newline at its end.

=cut

sub document {
    return JSON::PP->new->utf8->canonical->indent->indent_length(2)->space_after->encode(\@_);
}

1;
