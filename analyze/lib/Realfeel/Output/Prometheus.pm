# SPDX-License-Identifier: GPL-2.0-or-later
# A file for the textfile collector of Prometheus' node_exporter.
package Realfeel::Output::Prometheus;
use Realfeel::Base::Modern;

use Realfeel::Base::Units qw(epoch printable);
use Realfeel::Model::Cpus qw(place);

use constant US_PER_S => 1e6;
use constant NAMES    => {
    delay => 'realfeel_delay', lateness => 'realfeel_lateness', wakeup => 'realfeel_wakeup_latency',
};
use constant HELP     => {
    delay    => 'From when a thread was due to run, by its own timer or its waking, until it had a CPU.',
    lateness => 'From the instant when a period was due to the wake-up that served it.',
    wakeup   => 'From the request to the wake-up that served it.',
};
use constant GRADES   => { valid => 0, suspect => 1, invalid => 2 };

# Labels of a host's series stay the same from run to run; what may change is in realfeel_info
use constant LABELS   => qw(label source processes array_bytes frequency_hz);
use constant INFO     => qw(version kernel_release preemption);

# 1, 2, 5 of each decade from 1 us to 10 s, all of them edges of bins
use constant BOUNDS_US => map { my $decade = $_; map { $_ * 10**$decade } 1, 2, 5 } 0 .. 6;

# Latency as a classic histogram in seconds with buckets from 1 us to 10 s, and gauges of what that does not tell; what
# may change from run to run, such as the kernel, is only a label of realfeel_info. Buckets with a bound inside a bin
# and unknown gauges are left out; values equal to a bound count above it. CPUs of a run have the label cpu. Valid for
# Prometheus and OpenMetrics.
sub text (@reports) {
    my @labels  = map { _labels($_) } @reports;
    my @metrics = map { [_histogram($_), _gauges($_)] } @reports;
    my @lines = map { my $i = $_; _metric(\@labels, map { $_->[$i] } @metrics) } 0 .. $#{ $metrics[0] };
    return join '', @lines, "# EOF\n";
}

sub _labels ($report) {
    my %label = (place($report), map { $_ => $report->header($_) } LABELS);
    return [map { _label($_, $label{$_}) } grep { defined $label{$_} } sort keys %label];
}

sub _label ($name, $value) {
    return sprintf '%s="%s"', $name, printable($value) =~ s/([\\"])/\\$1/gr;
}

# One metric of all reports: for each its labels and [name, type, help, samples...]
sub _metric ($labels, @metrics) {
    my ($name, $type, $help) = @{ $metrics[0] };
    my @lines = map { _samples($labels->[$_], $name, @{ $metrics[$_] }[3 .. $#{ $metrics[$_] }]) } 0 .. $#metrics
        or return;
    return ("# HELP $name $help\n# TYPE $name $type\n", @lines);
}

# [suffix of the name, value, more labels]
sub _samples ($labels, $name, @samples) {
    return map {
        my ($suffix, $value, @more) = @$_;
        my $all = join ',', @$labels, @more;
        $name . $suffix . ($all ne '' ? "{$all}" : '') . " $value\n";
    } grep { defined $_->[1] } @samples;
}

sub _histogram ($report) {
    my ($name, $latency) = ($report->latency_name, $report->latency);
    my $n = $latency->n;
    my @buckets = map { [_bound($_ / US_PER_S), $n ? $latency->below($_) : 0] } BOUNDS_US, 10 * US_PER_S;
    return [NAMES->{$name} . '_seconds', histogram => HELP->{$name},
        (map { ['_bucket', $_->[1], _label(le => $_->[0])] } @buckets, ['+Inf', $n]),
        ['_sum', _sum($report)], ['_count', $n]];
}

# OpenMetrics wants a decimal point
sub _bound ($seconds) {
    return $seconds =~ /[.e]/ ? $seconds : "$seconds.0";
}

# Exact if the report has it, else from the mean
sub _sum ($report) {
    my ($sign, $digits) = ($report->header($report->latency_name . '_sum_ns') // '') =~ /^(-?)(\d+)$/;
    return $sign . sprintf('%010s', $digits) =~ s/(?=\d{9}$)/./r if defined $digits;
    my $latency = $report->latency;
    my $mean = $latency->n ? $latency->mean : 0;
    return defined $mean ? sprintf '%.9g', $mean * $latency->n / US_PER_S : undef;
}

sub _gauges ($report) {
    my ($latency, $words, $value) = ($report->latency, map { $report->latency_words($_) } qw(name value));
    my ($missed, $max) = map { $report->header($_) } qw(missed max);
    my ($verdict, $started) = ($report->verdict // '', epoch($report->header('started')));
    return (
        ['realfeel_info', gauge => 'The program and the kernel of the last run.',
            ['', 1, map { defined $report->header($_) ? _label($_, $report->header($_)) : () } INFO]],
        ['realfeel_verdict', gauge => 'Whether the run can be believed: 0 valid, 1 suspect, 2 invalid.',
            ['', GRADES->{$verdict}]],
        ['realfeel_start_time_seconds', gauge => 'When the run was started, in seconds from 1970 on.', ['', $started]],
        [NAMES->{ $report->latency_name } . '_max_seconds', gauge => "The greatest $words.",
            ['', $latency->n ? sprintf('%.9g', $latency->max / US_PER_S) : undef]],
        ['realfeel_missed_periods', gauge => "\u${value}s without a wake-up of their own.",
            ['', defined $missed && $missed =~ /^\d+$/ ? $missed : undef]],
        ['realfeel_limit_exceeded',
            gauge => "Whether more ${value}s were counted above the limit than it allows (1) or not (0).",
            ['', defined $max ? $max eq 'exceeded' ? 1 : 0 : undef]],
    );
}

1;
