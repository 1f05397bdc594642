# SPDX-License-Identifier: GPL-2.0-or-later
# Pass or fail: a lateness above --max or --break is told, and is the exit status.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use List::Util qw(sum);
use Program;
use Report;
use RunCommand qw(run start finish contents);
use Test::More;

# Of 500 reads two come 300 periods, which is 300 ms, late; nothing else is that late on any machine that is alive.
my @STALLS = (stall_every => 200, stall_periods => 300);

sub measure {
    my ($setting, @options) = @_;
    unlink 'report';
    my ($status, undef, $err) = run(fake_rtc(@$setting), realfeel(qw(-f 1000 -n 500 -o report), @options));
    return ($status, whole_report(contents('report')), $err);
}

workspace();

subtest 'within --max' => sub {
    my ($status, $report, $err) = measure([], '--max=1h');
    is($status, 0, 'exit status');
    is("$report->{limit} $report->{max_ns} $report->{max}", '3600s 3600000000000 kept', 'header');
    like($err, qr/^limit     pass: counted 0 of $report->{periods} periods later than 3600 s$/m, 'what it says');
};

subtest 'above --max' => sub {
    my ($status, $report, $err) = measure(\@STALLS, '-m', '250ms');
    is($status, 2, 'exit status');
    is("$report->{max_ns} $report->{max} $report->{status}", '250000000 exceeded complete', 'header');
    is($report->{samples}, 500, 'the run goes to its end');
    my $late = sum(map { $_->{lateness} } grep { $_->{from_us} >= 250_000 } @{ $report->{sets}{histogram} });
    like($err, qr/^limit     FAIL: counted $late of $report->{periods} periods later than 250 ms$/m, 'what it says');
};

subtest 'no limit, no word of it' => sub {
    my ($status, $report, $err) = measure(\@STALLS);
    is($status, 0, 'exit status');
    is_deeply([grep { exists $report->{$_} } qw(limit max max_ns break_ns trace)], [], 'header');
    unlike($err, qr/pass|FAIL|^break/m, 'what it says');
};

subtest '--break' => sub {
    my ($status, $report, $err) = measure([@STALLS, log => 'reads'], '--break=250ms');
    my @reads = grep { $_->{event} eq 'read' } events('reads');
    my $first = $report->{sets}{events}[0];
    is($status, 2, 'exit status');
    is("$report->{status} $report->{break_ns}", 'break 250000000', 'header');
    is_deeply([grep { $reads[$_]{value} > 250 } 0 .. $#reads], [$#reads], 'the run goes on until the stall, and ends with it');
    is($report->{samples}, $#reads, 'which is its last sample');
    cmp_ok($first->{lateness_us}, '>', 250_000, 'the first of the events is what ended the run');
    is($report->{lateness_max_ns}, $first->{lateness_us} * 1000, 'which is the greatest lateness');
    like($report->{trace}, qr{^(?:/\S+/trace|not stopped: .+)$}, 'what came of the tracer');
    like($err, qr/^break     ended at the first above 250 ms   trace: \Q$report->{trace}\E$/m, 'what it says');
    like($err, qr/^run       .*; ended by --break after \d\.\d s$/m, 'and how it ended');
};

# The content of tracing_on before and after, and what the report says of the trace.
for (['1', '0', qr{^/sys/kernel/tracing/trace$}], ['0', '0', qr{^not stopped: it was off; .*echo 1 > /sys/kernel/tracing/tracing_on$}]) {
    my ($before, $after, $trace) = @$_;
    subtest "--break, tracing_on is $before" => sub {
        unlink 'report';
        my $tracer = '/sys/kernel/tracing';
        my @root = fake_root("$tracer/tracing_on" => $before, "$tracer/trace_marker" => '');
        my ($root) = map { /^FAKE_ROOT=(.*)/ } @root;
        my ($status) = run(fake_rtc(@STALLS), @root, realfeel(qw(-f 1000 -n 500 -o report -b 250ms)));
        my $report = whole_report(contents('report'));
        is($status, 2, 'exit status');
        like($report->{trace}, $trace, 'where to read it');
        is(contents("$root$tracer/tracing_on"), "$after\n", 'tracing_on');
        my $late_us = sprintf '%.3f', $report->{lateness_max_ns} / 1000;
        is(contents("$root$tracer/trace_marker"), "realfeel: $late_us us late\n", 'the mark');
    };
}

subtest '--break that is not reached' => sub {
    my ($status, $report) = measure([], '-b', '1h');
    is("$status $report->{status}", '0 complete', 'the run is as any other');
    ok(!exists $report->{trace}, 'and the tracer left alone');
};

subtest 'an interrupted run that failed has failed' => sub {
    my $run = start(fake_rtc(@STALLS, log => 'log'), realfeel(qw(-f 1000 -n 100000 -F -o report -m 250ms)));
    wait_for_reads('log', 300);
    kill INT => $run->{pid};
    is((finish($run))[0], 2, 'exit status');
    is(whole_report(contents('report'))->{status}, 'interrupted', 'status');
};

subtest 'a run that cannot be believed has not passed' => sub {
    plan skip_all => 'needs prlimit and setpriv: apt-get install util-linux' if grep { (run('which', $_))[0] } qw(prlimit setpriv);
    my @command = (no_rtc(), program(qw(-P other --best-effort -n 20 -o -)), '--max=1ns');
    my ($status, $out) = run(unprivileged(memlock => 0, rtprio => 0), @command);
    is($status, 2, 'with --best-effort, the limit counts') or diag $out;
};

for (['-m', 'max'], ['-b', 'break']) {
    my ($short, $long) = @$_;
    my ($status, undef, $err) = run(program($short, '0us'));
    is($status, 1, "--$long=0us: exit status");
    is($err, "realfeel: --$long=0us: no wake-up comes that soon; give more, as in 150us\n", "--$long=0us: what it says");
}

# Two stalls of 300 periods make more than half of the 1098 periods late, and no machine is slow enough for nearly all.
for (['60', 2, 'exceeded'], ['1', 0, 'kept']) {
    my ($percent, $wanted, $max) = @$_;
    subtest "--max for $percent % of the periods" => sub {
        my ($status, $report, $err) = measure(\@STALLS, "--max=1ms\@$percent");
        my $late = sum(map { $_->{lateness} } grep { $_->{from_us} >= 1000 } @{ $report->{sets}{histogram} });
        is($late > $report->{periods} * (100 - $percent) / 100 ? 2 : 0, $wanted, 'by the bins');
        is($status, $wanted, 'exit status') or diag $err;
        is("$report->{limit} $report->{max_ns} $report->{max}", "1ms\@$percent 1000000 $max", 'header');
        my ($word, $allowed) = ($status ? 'FAIL' : 'pass', int($report->{periods} * (100 - $percent) / 100));
        like($err, qr/^limit     $word: counted $late of $report->{periods} periods later than 1 ms; $percent % allow $allowed$/m,
            'what it says');
    };
}

my %BAD = (
    '100'           => 'needs a unit; one of ns, us, ms, s, m, h, d',
    '100us@'        => 'what follows @ is no percentage; give one, as in 100us@99.999',
    '100us@99.9%'   => 'what follows @ is no percentage; give one, as in 100us@99.999',
    '100us@100'     => 'a share is more than 0 and less than 100 %; give one, as in 100us@99.999, or leave it out',
    '100us@0'       => 'a share is more than 0 and less than 100 %; give one, as in 100us@99.999, or leave it out',
);
for my $bad (sort keys %BAD) {
    my ($status, undef, $err) = run(program("--max=$bad"));
    is("$status $err", "1 realfeel: --max=$bad: $BAD{$bad}\n", "--max=$bad");
}

done_testing;
