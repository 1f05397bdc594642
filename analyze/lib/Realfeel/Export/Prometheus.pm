# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Prometheus;
use strict;
use warnings;

use Encode qw(decode encode);

use constant US_PER_S => 1e6;
use constant LABELS   => qw(source frequency_hz kernel_release preemption);

# 1, 2, 5 of each decade from 1 us to 10 s: all of them are edges of a report's bins.
use constant BOUNDS_US => map { my $decade = $_; map { $_ * 10**$decade } 1, 2, 5 } 0 .. 6;

=head1 NAME

Realfeel::Export::Prometheus - a file for the textfile collector of Prometheus' node_exporter

=head1 FUNCTIONS

=head2 text($report)

The lateness as a classic histogram in seconds, with buckets from 1 us to 10 s, and gauges of what a histogram does not
tell. A bucket is left out where its bound lies inside a bin, a gauge where its value is not known. A lateness of
exactly a bound counts above it. The text is that of Prometheus, and of OpenMetrics too.

=cut

sub text {
    my ($report) = @_;
    my %label = map { $_ => $report->header($_) } LABELS;
    $label{verdict} = $report->verdict;
    my @known = grep { defined $label{$_} } sort keys %label;
    my $labels = join ',', map { sprintf '%s="%s"', $_, _escaped($label{$_}) } @known;
    return join '', _histogram($report, $labels), (map { _gauge($labels, @$_) } _gauges($report)), "# EOF\n";
}

sub _escaped {
    my ($value) = @_;
    my %escape = ("\\" => "\\\\", '"' => '\"', "\n" => '\n');
    return encode('UTF-8', decode('UTF-8', $value) =~ s/([\\"\n])/$escape{$1}/gr);
}

sub _histogram {
    my ($report, $labels) = @_;
    my $lateness = $report->lateness;
    my $name = 'realfeel_lateness_seconds';
    my @buckets = map { [$_ / US_PER_S, $lateness->n ? $lateness->below($_) : 0] } BOUNDS_US, 10 * US_PER_S;
    return (
        _head($name, histogram => 'From the instant when a period was due to the wake-up that served it.'),
        (map { sprintf "%s_bucket{%s} %d\n", $name, _with_bound($labels, _bound($_->[0])), $_->[1] }
            grep { defined $_->[1] } @buckets),
        sprintf("%s_bucket{%s} %d\n", $name, _with_bound($labels, '+Inf'), $lateness->n),
        (map { _sample("${name}_sum", $labels, $_) } grep { defined } _sum($report)),
        _sample("${name}_count", $labels, $lateness->n),
    );
}

sub _head {
    my ($name, $type, $help) = @_;
    return "# HELP $name $help\n# TYPE $name $type\n";
}

sub _with_bound {
    my ($labels, $bound) = @_;
    return join ',', $labels ne '' ? $labels : (), qq(le="$bound");
}

# A number that keeps its point, as OpenMetrics wants it.
sub _bound {
    my ($seconds) = @_;
    return $seconds =~ /[.e]/ ? $seconds : "$seconds.0";
}

sub _sample {
    my ($name, $labels, $value) = @_;
    return $name . ($labels ne '' ? "{$labels}" : '') . " $value\n";
}

# The exact sum where the report has it, else as much of it as the mean gives.
sub _sum {
    my ($report) = @_;
    my $sum_ns = $report->header('lateness_sum_ns');
    return sprintf '%s%s.%s', $1, $2, $3 if defined $sum_ns && _padded($sum_ns) =~ /^(-?)(\d+)(\d{9})$/;
    my $lateness = $report->lateness;
    my $mean = $lateness->n ? $lateness->mean : 0;
    return defined $mean ? sprintf '%.9g', $mean * $lateness->n / US_PER_S : undef;
}

sub _padded {
    my ($digits) = @_;
    return $digits =~ s/^(-?)(\d{1,9})$/$1 . '0' x (10 - length $2) . $2/er;
}

sub _gauges {
    my ($report) = @_;
    my $lateness = $report->lateness;
    my ($missed, $max) = map { $report->header($_) } qw(missed max);
    return (
        ['realfeel_lateness_max_seconds', 'The greatest lateness.',
            $lateness->n ? sprintf('%.9g', $lateness->max / US_PER_S) : undef],
        ['realfeel_missed_periods', 'Periods without a wake-up of their own.',
            defined $missed && $missed =~ /^\d+$/ ? $missed : undef],
        ['realfeel_limit_exceeded', 'Whether a lateness was above the limit that was set (1) or not (0).',
            defined $max ? $max eq 'exceeded' ? 1 : 0 : undef],
    );
}

sub _gauge {
    my ($labels, $name, $help, $value) = @_;
    return defined $value ? (_head($name, gauge => $help), _sample($name, $labels, $value)) : ();
}

1;
