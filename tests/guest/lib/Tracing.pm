# SPDX-License-Identifier: GPL-2.0-or-later
package Tracing;

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Report qw(traced_us whole_report);

our @EXPORT = qw(tracing);

my $TIME = qr/ (\d+\.\d+): /;    # in seconds

=head1 NAME

Tracing - cases: a wake-up that is too late stops the kernel's tracer, or what records for --explain, and the trace names
the culprit

=cut

sub tracing {
    return (stopped_tracer(), map { explained($_) } 0 .. 7);
}

sub stopped_tracer {
    my $script = <<'EOS';
tracer=/sys/kernel/tracing
echo sched >$tracer/set_event
echo 1 >$tracer/tracing_on
start -s nanosleep -b 15ms -d 1h -p 50
hog 60 1 >stall
end
status=$?
cp $tracer/tracing_on .
grep -v '^#' $tracer/trace | tail -n 400 >trace
echo >$tracer/set_event
(exit $status)
EOS
    return ['break', $script, 2, \&check_trace];
}

# Nothing is set up for it. Each stall begins at that eighth of a ms; the first may come before we measure.
sub explained {
    my ($phase) = @_;
    my $script = "start -s nanosleep -f 1000 -b 15ms -d 1h -p 50 --explain=stacks; hog 60 50 20 @{[125 * $phase]} >/dev/null; end";
    return ["break-explained-$phase", $script, 2, \&check_explained];
}

# In virtual time nothing else disturbs the stall.
sub check_explained {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    is("$report->{status} $report->{trace}", 'break in this report', 'the trace is in the report');
    like($left->{stderr}, qr/^break     ended at the first delay above 15 ms   trace: in this report$/m, 'which a row says');
    my $late_us = $report->{lateness_max_ns} / 1000;
    cmp_ok($late_us, '>', 15_000, 'it was late');
    cmp_ok(traced_us($report, 'hog'), '>', 0.95 * $late_us, 'and the hog had the CPU meanwhile');
    my @records = grep { $_->{event} == 1 } @{ $report->{sets}{records} };
    cmp_ok(-$records[0]{at_us}, '>', 50_000, 'the records begin long before');
    is((grep { $records[$_]{at_us} < $records[ $_ - 1 ]{at_us} } 1 .. $#records), 0, 'and are in order');
    my ($meter) = $report->{own_processes} =~ /\bmeter:(\d+)/;    # which may lend its priority to the keeper
    my @ours = grep { "@{$records[$_]}{qw(kind id priority)}" eq "switch_in $meter rt:50" } 1 .. $#records;
    my @stacks = grep { /schedule/ } map { $records[ $_ - 1 ]{stack} } @ours;
    ok(@stacks > 50 && @stacks == @ours, 'who made way for us has a stack, each time');
}

sub check_trace {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    is($report->{status}, 'break', 'status of the report');
    is($report->{trace}, '/sys/kernel/tracing/trace', 'where to read');
    is($left->{tracing_on}, "0\n", 'the tracer is off');
    my ($before, $mark, $after) = $left->{trace} =~ /\A(.*\n)(.*: tracing_mark_write: .*\n)(.*)\z/s;
    my $late_us = sprintf '%.3f', $report->{lateness_max_ns} / 1000;
    like($mark, qr/: realfeel: \Q$late_us\E us late$/, 'the mark tells how late');
    my ($marked_s) = ($mark // '') =~ $TIME or return;
    my $hog_us = had_cpu_us('hog', $marked_s - $late_us / 1e6, split /\n/, $before // '');
    cmp_ok($hog_us, '>', 0.8 * $late_us, 'and before it, what had the CPU until then');
    cmp_ok(scalar(split /\n/, $after // ''), '<', 10, 'with nothing after it that would take its room');
}

# How long the lines of a trace say that a process had the CPU, from that second on until the last switch.
sub had_cpu_us {
    my ($name, $from_s, @lines) = @_;
    my $us = 0;
    for my $switch (grep { /: sched_switch: / } @lines) {
        my ($to_s) = $switch =~ $TIME;
        next if $to_s < $from_s;
        $us += 1e6 * ($to_s - $from_s) if $switch =~ /prev_comm=\Q$name\E /;
        $from_s = $to_s;
    }
    return $us;
}

1;
