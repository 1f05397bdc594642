# SPDX-License-Identifier: GPL-2.0-or-later
# Reports in the formats of other programs: CSV, Prometheus, test harnesses; those of cyclictest are in
# Output::Cyclictest. The latency is exported with one value for each period, missed ones included; for tests, the
# program's verdict on the run. Each function takes the reports of a run, one for each CPU, and returns the bytes of a
# file.
package Realfeel::Output::Export;
use Realfeel::Base::Modern;

use POSIX qw(ceil);
use Realfeel::Answer::Judgement qw(of_run);
use Realfeel::Answer::Stats qw(known percentiles);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(epoch printable short);
use Realfeel::Model::Cpus qw(cpu_name few place totals);

use constant FORMATS => {
    csv => \&_csv, prometheus => \&_prometheus, tap => \&tap, junit => \&_junit,
    'rt-tests' => 'json', cyclictest => 'text',
};
use constant HISTOGRAM => qw(from_us to_us interval early delay lateness wakeup);
use constant ESCAPES   => { '&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;' };

use constant US_PER_S => 1e6;
use constant NAMES    => {
    delay => 'realfeel_delay', lateness => 'realfeel_lateness', wakeup => 'realfeel_wakeup_latency',
};
use constant HELP     => {
    delay    => 'From when a thread was due to run, by its own timer or its waking, until it had a CPU.',
    lateness => 'From the instant at which a wake-up was due until it came.',
    wakeup   => 'From the request until the wake-up.',
};
use constant GRADES   => { valid => 0, suspect => 1, invalid => 2 };
# Labels of a host's series stay the same from run to run; what may change is in realfeel_info
use constant LABELS   => qw(label source processes array_bytes frequency_hz);
use constant INFO     => qw(version kernel_release preemption);
# 1, 2, 5 of each decade from 1 us to 10 s, all of them edges of bins
use constant BOUNDS_US => (map { my $decade = $_; map { $_ * 10**$decade } 1, 2, 5 } 0 .. 6), 10 * US_PER_S;

sub formats { return sort keys %{ FORMATS() } }

# Dies with one line if the reports lack what the format needs; all but csv need a latency
sub exported ($format, @reports) {
    for ($format eq 'csv' ? () : grep { !$_->latency } @reports) {
        my $lacking = 'has no ' . $_->latency_words;
        die printable($_->{file} . ": $lacking, all that $format can hold; use --format=csv") . "\n";
    }
    my $function = FORMATS->{$format};
    return $function->(@reports) if ref $function;
    require Realfeel::Output::Cyclictest;
    return Realfeel::Output::Cyclictest->can($function)->(@reports);
}

# The histogram: a line of titles, then one for each bin, preceded by the CPU if there are several
sub _csv (@reports) {
    my ($titles) = my @histograms = map { $_->columns('histogram') } @reports;
    my @titles = grep { $titles->{$_} } HISTOGRAM;
    my ($of) = map { place($_) } @reports;
    my @rows = map {
        my (undef, $number) = place($reports[$_]);
        my @columns = @{ $histograms[$_] }{@titles};
        map { my $row = $_; [$number // (), map { $_->[$row] } @columns] } 0 .. $#{ $columns[0] };
    } 0 .. $#reports;
    return Realfeel::Base::Table->new(columns => [$of // (), @titles], rows => \@rows)->csv;
}

# For the textfile collector of node_exporter: latency as a classic histogram in seconds with buckets from 1 us to 10 s,
# and gauges of what that does not show; what may change from run to run, such as the kernel, is only a label of
# realfeel_info. Buckets with a bound inside a bin and unknown gauges are left out; values equal to a bound count above
# it. CPUs of a run have the label cpu. Valid for Prometheus and OpenMetrics.
sub _prometheus (@reports) {
    my @labels = map {
        my ($report, @place) = ($_, place($_));
        my %label = (@place, map { $_ => $report->header($_) } LABELS);
        [map { _label($_, $label{$_}) } grep { defined $label{$_} } sort keys %label];
    } @reports;
    my @metrics = map { [_histogram($_), _gauges($_)] } @reports;
    my @lines = map { my $i = $_; _metric(\@labels, map { $_->[$i] } @metrics) } 0 .. $#{ $metrics[0] };
    return join '', @lines, "# EOF\n";
}

sub _label ($name, $value) {
    return sprintf '%s="%s"', $name, printable($value) =~ s/([\\"])/\\$1/gr;
}

# One metric of all reports: for each its labels and [name, type, help, samples: [suffix of the name, value, labels]]
sub _metric ($labels, @metrics) {
    my ($name, $type, $help) = @{ $metrics[0] };
    my @lines;
    for my $i (0 .. $#metrics) {
        my (undef, undef, undef, @samples) = @{ $metrics[$i] };
        for (grep { defined $_->[1] } @samples) {
            my ($suffix, $value, @more) = @$_;
            my $all = join ',', @{ $labels->[$i] }, @more;
            push @lines, $name . $suffix . ($all ne '' ? "{$all}" : '') . " $value\n";
        }
    }
    return @lines ? ("# HELP $name $help\n# TYPE $name $type\n", @lines) : ();
}

sub _histogram ($report) {
    my ($name, $latency) = ($report->{latency_name}, $report->latency);
    my $n = $latency->n;
    my @buckets = map {
        my $bound = $_ / US_PER_S;
        [$bound =~ /[.e]/ ? $bound : "$bound.0", $n ? $latency->below($_) : 0];       # OpenMetrics wants a point
    } BOUNDS_US;
    return [NAMES->{$name} . '_seconds', histogram => HELP->{$name},
        (map { ['_bucket', $_->[1], _label(le => $_->[0])] } @buckets, ['+Inf', $n]),
        ['_sum', _sum($report)], ['_count', $n]];
}

# Exact if the report has it, else from the mean
sub _sum ($report) {
    my ($sign, $digits) = ($report->header($report->{latency_name} . '_sum_ns') // '') =~ /^(-?)(\d+)$/;
    return $sign . sprintf('%010s', $digits) =~ s/(?=\d{9}$)/./r if defined $digits;
    my $latency = $report->latency;
    my $mean = $latency->n ? $latency->mean : 0;
    return defined $mean ? sprintf '%.9g', $mean * $latency->n / US_PER_S : undef;
}

sub _gauges ($report) {
    my ($latency, $words, $value) = ($report->latency, map { $report->latency_words($_) } qw(name value));
    my ($missed, $max) = map { known($report, $_) } qw(missed max);
    my @info = map { defined $report->header($_) ? _label($_, $report->header($_)) : () } INFO;
    return (
        ['realfeel_info', gauge => 'The program and the kernel of the last run.', ['', 1, @info]],
        ['realfeel_verdict', gauge => 'Whether the run can be believed: 0 valid, 1 suspect, 2 invalid.',
            ['', GRADES->{ $report->{verdict} // '' }]],
        ['realfeel_start_time_seconds', gauge => 'When the run was started, in seconds since 1970.',
            ['', epoch($report->header('started'))]],
        [NAMES->{ $report->{latency_name} } . '_max_seconds', gauge => "The greatest $words.",
            ['', $latency->n ? sprintf('%.9g', $latency->max / US_PER_S) : undef]],
        ['realfeel_missed_periods', gauge => "\u${value}s without a wake-up of their own.",
            ['', defined $missed && $missed =~ /^\d+$/ ? $missed : undef]],
        ['realfeel_limit_exceeded',
            gauge => "Whether more ${value}s were counted above the limit than it allows (1) or not (0).",
            ['', defined $max ? $max eq 'exceeded' ? 1 : 0 : undef]],
    );
}

# Version 13
sub tap (@reports) {
    return _tap([_tests(@reports)], _figures(@reports));
}

sub _tap ($tests, @figures) {
    my @lines = map { _tap_lines($_ + 1, $tests->[$_]) } 0 .. $#$tests;
    my @comments = map { "# $_->[0]: $_->[1] $_->[2]\n" =~ s/ +$//mr } @figures;
    return join '', "TAP version 13\n", '1..' . @$tests . "\n", @lines, @comments;
}

sub _tap_lines ($number, $test) {
    my $name = $test->{name} =~ s/([\\#])/\\$1/gr;
    return "ok $number - $name # SKIP $test->{skip}\n" if defined $test->{skip};
    return ("ok $number - $name\n", $test->{note} ? "# $test->{note}\n" : ()) if $test->{ok};
    return ("not ok $number - $name\n", "  ---\n", "  message: '" . ($test->{detail} =~ s/'/''/gr) . "'\n", "  ...\n");
}

# As TAP: for each variant, a test that it is no worse, skipped if undecided, and a sentence
sub tap_of_trial ($trial) {
    require Realfeel::Show::Compare;
    my @sentences = Realfeel::Show::Compare::trial_sentences($trial);
    my (@tests, @figures);
    for my $variant (@{ $trial->{variants} }) {
        my ($effect, $sentence) = ($variant->{effect}, shift @sentences);
        my ($name, $differs) = ("$variant->{name}: $effect->{statistic}", $effect->{differs} // '');
        push @tests, { name => "$name is not higher", ok => $differs ne 'higher' ? 1 : 0, note => $sentence,
            detail => $sentence, skip => $differs ? undef : $sentence };
        my @known = grep { defined $effect->{$_} } 'ratio', defined $effect->{high} ? qw(low high) : ();
        push @figures, map { ["$variant->{name} $effect->{statistic} $_->[0]", $_->[1], ''] }
            (map { [$_, sprintf '%.4g', $effect->{$_}] } @known), ['pairs', $effect->{pairs}];
    }
    return _tap(\@tests, @figures);
}

# XML, a test suite
sub _junit (@reports) {
    my @tests = _tests(@reports);
    my ($host, $started, $seconds) = map { known($reports[0], $_) } qw(hostname started duration_s);
    my $suite = _tag('testsuite',
        name => 'realfeel', tests => scalar @tests, failures => scalar(grep { !$_->{ok} } @tests), errors => 0,
        skipped => scalar(grep { defined $_->{skip} } @tests),
        time => defined $seconds ? sprintf('%.3f', $seconds) : undef,       # Jenkins takes no more decimals
        hostname => defined $host ? printable($host) : undef,
        timestamp => defined epoch($started) ? $started =~ s/Z$//r : undef);
    my @properties = map { my ($name, $value, $unit) = @$_;
        _tag('property', name => $name . ($unit && "_$unit"), value => $value) } _figures(@reports);
    return join '', qq(<?xml version="1.0" encoding="UTF-8"?>\n), "$suite>\n", "  <properties>\n",
        (map { "    $_/>\n" } @properties), "  </properties>\n", (map { _testcase($_) } @tests), "</testsuite>\n";
}

sub _testcase ($test) {
    my $case = '  ' . _tag('testcase', classname => 'realfeel', name => $test->{name});
    my $result = defined $test->{skip} ? _tag('skipped', message => $test->{skip}) . '/>'
        : !$test->{ok} ? _tag('failure', message => $test->{detail}) . '/>'
        : $test->{note} ? '<system-out>' . _escaped($test->{note}) . '</system-out>'
        : return "$case/>\n";
    return "$case>\n    $result\n  </testcase>\n";
}

# Without its end; undef attributes are left out
sub _tag ($name, @attributes) {
    my $tag = "<$name";
    while (my ($key, $value) = splice @attributes, 0, 2) {
        $tag .= qq( $key=") . _escaped($value) . '"' if defined $value;
    }
    return $tag;
}

sub _escaped ($text) { return $text =~ s/([&<>"])/ESCAPES->{$1}/ger }

# Each report has three tests: the run ended normally; it can be believed, which excludes suspect runs; and it passes
# the --max limit according to Answer::Judgement, skipped without a limit and failed by NOT YET. After --break there is
# a fourth: it kept that limit. The figures for all CPUs together are given beside them.
sub _tests (@reports) {
    my %is_few = map { $_ => 1 } few({ reports => \@reports });
    return map { _tests_of($_, $is_few{$_}) } @reports;
}

sub _tests_of ($report, $is_few) {
    my ($status, $verdict) = map { printable($report->header($_) // '') } qw(status verdict);
    my $break_us = $report->us('break_ns');
    my $of = @{ $report->{part} } ? printable(cpu_name($report)) . ': ' : '';
    my $test = sub ($name, $ok, @more) { +{ name => $of . $name, ok => $ok ? 1 : 0, @more } };
    my $judgement = $is_few ? undef : of_run({ reports => [$report] });
    my $decides = $judgement && _decides($judgement);
    return (
        $test->('measured to the end', scalar($status =~ /^(?:complete|break|unknown)$/), detail => "status: $status",
            skip => $status eq 'unknown' ? 'the imported file does not say' : undef),
        $test->('can be believed', ($report->{verdict} // '') !~ /^(?:suspect|invalid)$/, detail => $verdict),
        $judgement
            ? $test->('within --max', $judgement->{answer} eq 'pass', note => $decides, detail => $decides)
            : $test->('within --max', 1, skip => $is_few ? 'fewer than ten wake-ups' : 'no limit was set'),
        defined $break_us
            ? $test->('within --break', $status ne 'break', detail => "a latency was above $break_us us") : (),
    );
}

# The answer, what it rests on, and what it takes to have one
sub _decides ($judgement) {
    my ($value, $low, $high, $needed_s) = @$judgement{qw(value_us low_us high_us needed_s)};
    my $word = { pass => 'pass', fail => 'FAIL', not_yet => "NOT YET ($judgement->{code})" }->{ $judgement->{answer} };
    my $rests_on = !defined $low || $judgement->{code} eq 'short'
        ? "$judgement->{above_most} of $judgement->{count} above $judgement->{limit_us} us"
        : sprintf 'p%s is %s (%s to %s), limit %s us', $judgement->{percentile}, short($value), short($low),
            defined $high ? short($high) : 'more', $judgement->{limit_us};
    return "$word: " . join '; ', $rests_on, defined $needed_s ? 'measure ' . ceil($needed_s) . ' s' : ();
}

# [name, value, unit]
sub _figures (@reports) {
    my $report = totals({ reports => \@reports });
    my $latency = $report->latency;
    my @percentiles = grep { defined $_->{value_us} } percentiles($latency, undef, $report->{latency_name});
    my $missed = known($report, 'missed') // '';
    my @times = map { ["p$_->{percentile}", $_->{value_us}] } @percentiles;
    push @times, ['max', $latency->max] if $latency->n;
    return ((map { [$_->[0], sprintf('%.9g', $_->[1]), 'us'] } @times),
        $missed =~ /^\d+$/ ? ['missed', $missed, ''] : ());
}

1;
