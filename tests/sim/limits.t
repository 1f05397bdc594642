# SPDX-License-Identifier: GPL-2.0-or-later
# Pass or fail: a lateness above --max or --break is reported, and is the exit status.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(sum);
use Report;
use RunCommand qw(contents);
use Sim;
use Test::More;

# Of 500 wake-ups two come 300 periods late.
my @STALLS  = map { "meter0:read:$_ late 0.3" } 200, 400;
my @KEYS    = qw(limit max_ns max break_ns trace);
my $TRACING = '/sys/kernel/tracing';

# A run of these options, on a kernel that throttles no real-time process; what stands in the header, where it does; and
# what is said of the limit and of the end.
sub comes_to {
    my ($options, $script, $outcome, $header, @said) = @_;
    my $run = simulate([qw(-f 1000 -o report), @$options], script => ['set rtc /dev/rtc0', @$script],
        files => { '/proc/sys/kernel/sched_rt_runtime_us' => -1 });
    my ($report) = ends_so("@$options: @$script", $run, @$outcome);
    is_deeply({ map { $_ => $report->{$_} } grep { exists $report->{$_} } @KEYS }, $header, "@$options: header");
    is_deeply([map { s/ +/ /gr } $run->{err} =~ /^((?:limit|break|run) .*)$/mg], \@said, "@$options: what it says");
    return $report;
}

sub later {
    my ($report, $us) = @_;
    return sum(map { $_->{lateness} } grep { $_->{from_us} >= $us } @{ $report->{sets}{histogram} });
}

comes_to([qw(-n 500 --max=1h)], [], ['exit 0', 'complete 500, valid'],
    { limit => '3600s', max_ns => 3600000000000, max => 'kept' },
    'limit kept: counted 0 of 500 periods later than 3600 s', 'run valid');
my $report = comes_to([qw(-n 500 -m 250ms)], \@STALLS, ['exit 2', 'complete 500 + 600 missed, valid'],
    { limit => '250ms', max_ns => 250000000, max => 'exceeded' },
    'limit exceeded: counted 102 of 1100 periods later than 250 ms', 'run valid');
is(later($report, 250_000), 102, 'the bins have the periods above 250 ms');
comes_to([qw(-n 500)], \@STALLS, ['exit 0', 'complete 500 + 600 missed, valid'], {}, 'run valid');
comes_to([qw(-n 500 -b 1h)], [], ['exit 0', 'complete 500, valid'], { break_ns => 3600000000000 }, 'run valid');
comes_to([qw(-n 100000 -m 250ms)], [$STALLS[0], '2 INT keeper'], ['exit 2', 'interrupted 1698 + 300 missed, valid'],
    { limit => '250ms', max_ns => 250000000, max => 'exceeded' },
    'limit exceeded: counted 51 of 1998 periods later than 250 ms', 'run valid interrupted after 2.0 s');
comes_to([qw(-P other --best-effort -n 20 --max=1ns)], ['any:mlockall:1+ EPERM'],
    ['exit 2', 'complete 20, invalid: not real-time: lock memory: Operation not permitted'],
    { limit => '1ns', max_ns => 1, max => 'exceeded' },
    'limit exceeded: counted 20 of 20 periods later than 1 ns',
    'run INVALID: not real-time: lock memory: Operation not permitted');

# Of a share of the periods.
for ([1, 600, 60, 2, 440, 'exceeded'], [250, 102, 90, 0, 110, 'kept']) {
    my ($ms, $late, $percent, $status, $allowed, $max) = @$_;
    $report = comes_to(['-n', 500, "--max=${ms}ms\@$percent"], \@STALLS, ["exit $status", 'complete 500 + 600 missed, valid'],
        { limit => "${ms}ms\@$percent", max_ns => $ms * 1000000, max => $max },
        "limit $max: counted $late of 1100 periods later than $ms ms; $percent % allow $allowed", 'run valid');
    is(later($report, $ms * 1000), $late, "the bins have the periods above $ms ms");
}

# The first that is later than --break is the last sample, and the first of the events.
my $NONE = 'not stopped: /sys/kernel/debug/tracing/tracing_on: No such file or directory';
$report = comes_to([qw(-n 500 --break=250ms)], [$STALLS[0]], ['exit 2', 'break 199 + 300 missed, valid'],
    { break_ns => 250000000, trace => $NONE },
    "break ended at the first delay above 250 ms trace: $NONE", 'run valid ended by --break after 0.5 s');
is_deeply([$report->{sets}{events}[0]{lateness_us}, $report->{lateness_max_ns}], ['300003.781', 300003781],
    'the wake-up that ends the run is the greatest');

# What tracing_on has before and after, and what is reported of the trace.
for ([1, 0, "$TRACING/trace"], [0, 0, "not stopped: it was off; switch it on before the run: echo 1 > $TRACING/tracing_on"]) {
    my ($before, $after, $trace) = @$_;
    my $run = simulate([qw(-s nanosleep -f 1000 -n 500 -b 250ms -o report)], script => ['meter0:clock_nanosleep:200 late 0.3'],
        files => { '/proc/sys/kernel/sched_rt_runtime_us' => -1, "$TRACING/tracing_on" => $before, "$TRACING/trace_marker" => '' });
    ($report) = ends_so("tracing_on is $before", $run, 'exit 2', 'break 199 + 300 missed, valid');
    is($report->{trace}, $trace, "tracing_on was $before: the report says where the trace is");
    is(contents("$run->{root}$TRACING/tracing_on"), "$after\n", "tracing_on was $before: it is off");
    is(contents("$run->{root}$TRACING/trace_marker"), "realfeel: 300003.781 us late\n", "tracing_on was $before: the trace has a mark");
}

done_testing;
