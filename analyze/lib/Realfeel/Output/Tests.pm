# SPDX-License-Identifier: GPL-2.0-or-later
# A run as tests for test harnesses. Each report has three tests: the run ended normally, it can be believed, which
# excludes suspect runs, and it passes the limit of --max by Answer::Judgement, skipped without one and failed by NOT
# YET; after --break, also whether it kept that. Beside them stand the figures of all CPUs together.
package Realfeel::Output::Tests;
use Realfeel::Base::Modern;

use POSIX qw(ceil);
use Realfeel::Answer::Judgement qw(of_run);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Answer::Stats qw(known);
use Realfeel::Base::Units qw(epoch printable short);
use Realfeel::Model::Cpus qw(cpu_name few totals);

use constant ESCAPES => { '&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;' };

# Version 13
sub tap (@reports) {
    return _tap([_tests(@reports)], _figures(@reports));
}

sub _tap ($tests, @figures) {
    my @lines = map { _tap_lines($_ + 1, $tests->[$_]) } 0 .. $#$tests;
    my @comments = map { "# $_->[0]: $_->[1] $_->[2]\n" =~ s/ +$//mr } @figures;
    return join '', "TAP version 13\n", '1..' . @$tests . "\n", @lines, @comments;
}

# Whether each variant is not worse, skipped while undecided, with a sentence each
sub tap_of_trial ($trial, @sentences) {
    my @variants = @{ $trial->{variants} };
    my @tests = map { _trial_test($variants[$_], $sentences[$_]) } 0 .. $#variants;
    return _tap(\@tests, map { _effect_figures($_) } @variants);
}

sub _trial_test ($variant, $sentence) {
    my $differs = $variant->{effect}{differs} // '';
    return {
        name => "$variant->{name}: $variant->{effect}{statistic} is not higher", ok => $differs ne 'higher' ? 1 : 0,
        note => $sentence, detail => $sentence, skip => $differs ? undef : $sentence,
    };
}

sub _effect_figures ($variant) {
    my $effect = $variant->{effect};
    my @known = grep { defined $effect->{$_} } 'ratio', defined $effect->{high} ? qw(low high) : ();
    my @ratio = map { [$_, sprintf '%.4g', $effect->{$_}] } @known;
    return map { ["$variant->{name} $effect->{statistic} $_->[0]", $_->[1], ''] } @ratio, ['pairs', $effect->{pairs}];
}

sub _tap_lines ($number, $test) {
    my $name = $test->{name} =~ s/([\\#])/\\$1/gr;
    return "ok $number - $name # SKIP $test->{skip}\n" if defined $test->{skip};
    return ("ok $number - $name\n", $test->{note} ? "# $test->{note}\n" : ()) if $test->{ok};
    return ("not ok $number - $name\n", "  ---\n", "  message: '" . ($test->{detail} =~ s/'/''/gr) . "'\n", "  ...\n");
}

# XML, a test suite
sub junit (@reports) {
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

# lava-test-case commands for the shell of a LAVA job, with figures as measurements
sub lava (@reports) {
    my $result = sub ($test) { defined $test->{skip} ? 'skip' : $test->{ok} ? 'pass' : 'fail' };
    return join '',
        (map { 'lava-test-case ' . ($_->{name} =~ s/[^\w.]+/-/gr) . ' --result ' . $result->($_) . "\n" }
            _tests(@reports)),
        (map { "lava-test-case $_->[0] --result pass --measurement $_->[1]" . ($_->[2] && " --units $_->[2]") . "\n" }
            _figures(@reports));
}

sub _tests (@reports) {
    my %is_few = map { $_ => 1 } few({ reports => \@reports });
    return map { _tests_of($_, $is_few{$_}) } @reports;
}

sub _tests_of ($report, $is_few) {
    my ($status, $verdict) = map { printable($report->header($_) // '') } qw(status verdict);
    my $break_us = $report->us('break_ns');
    my $of = $report->part ? printable(cpu_name($report)) . ': ' : '';
    my $test = sub ($name, $ok, @more) { +{ name => $of . $name, ok => $ok ? 1 : 0, @more } };
    my $judgement = $is_few ? undef : of_run({ reports => [$report] });
    my $unjudged = $is_few ? 'fewer than ten wake-ups' : 'no limit was set';
    return (
        $test->('measured to the end', scalar($status =~ /^(?:complete|break|unknown)$/), detail => "status: $status",
            skip => $status eq 'unknown' ? 'the imported file does not tell' : undef),
        $test->('can be believed', ($report->verdict // '') !~ /^(?:suspect|invalid)$/, detail => $verdict),
        $judgement
            ? $test->('within --max', $judgement->{answer} eq 'pass',
                map { $_ => _decides($judgement) } qw(note detail))
            : $test->('within --max', 1, skip => $unjudged),
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
    my @percentiles = grep { defined $_->{value_us} } percentiles($latency, undef, $report->latency_name);
    my $missed = $report->header('missed') // '';
    my @times = map { ["p$_->{percentile}", $_->{value_us}] } @percentiles;
    push @times, ['max', $latency->max] if $latency->n;
    return ((map { [$_->[0], sprintf('%.9g', $_->[1]), 'us'] } @times),
        $missed =~ /^\d+$/ ? ['missed', $missed, ''] : ());
}

1;
