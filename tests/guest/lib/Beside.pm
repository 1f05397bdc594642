# SPDX-License-Identifier: GPL-2.0-or-later
package Beside;

use strict;
use warnings;
no warnings "portable";    # of a 64-bit number in hex
use Exporter 'import';
use List::Util qw(sum0);
use Test::More;
use RawTrace qw(raw_trace wake_ups);
use Report qw(whole_report);

our @EXPORT = qw(beside_the_trace beside_timerlat);

use constant { SAMPLES => 5000, NEAR_US => 1, AFTER => 20, MIXED => 0.1 };

=head1 NAME

Beside - cases: the parts of wake-ups beside what the kernel's own tracers tell of the same

=cut

my @PARTS = qw(expiry waking switch again);
my @EVENTS = qw(timer/hrtimer_start timer/hrtimer_expire_entry sched/sched_waking sched/sched_switch raw_syscalls/sys_enter);
my %FUNCTION = (nanosleep => 'hrtimer_wakeup', rtc => 'rtc_pie_update_irq');

=head2 beside_the_trace($source)

A case: the same wake-ups, by perf and by the trace. Where two tracers hear of one event, the second of them does so later
by what the first one takes. On a CPU of a thousand million instructions a second that is less than a microsecond.

=cut

sub beside_the_trace {
    my ($source) = @_;
    my $script = <<"EOS";
tracer=/sys/kernel/tracing
echo mono >\$tracer/trace_clock
echo 16384 >\$tracer/buffer_size_kb
for event in @EVENTS; do
	cp \$tracer/events/\$event/format "format-\${event#*/}"
	echo 1 >\$tracer/events/\$event/enable
done
start -s $source -a 0 -n @{[SAMPLES]} --explain=parts
echo "\$meter" >meter
end
status=\$?
echo 0 >\$tracer/events/enable
timeout 1 cat \$tracer/per_cpu/cpu0/trace_pipe_raw >raw
grep ' $FUNCTION{$source}\$' /proc/kallsyms >symbol
(exit \$status)
EOS
    return ["trace-$source", $script, 0, \&check_trace];
}

sub check_trace {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    is($report->{parts_matched}, SAMPLES, 'every wake-up has its parts');
    my @records = raw_trace($left->{raw}, map { $left->{$_} } grep { /^format-/ } sort keys %$left);
    my %traced = map { $_->{due_ns} => $_ } wake_ups($left->{meter} + 0, hex($left->{symbol} =~ s{ .*}{}rs), @records);
    my $anchor_ns = anchor($report, \%traced);
    check_worst($report, \%traced, $anchor_ns);
    my @wake_ups = grep { defined } map { $traced{$anchor_ns + $_ * $report->{period_ns}} } 1 .. $report->{periods};
    is(scalar @wake_ups, SAMPLES, 'which are in the trace, too') or return;
    check_all($report, $_, allowed($report, $_), @wake_ups) for @PARTS;
}

# The trace has other wake-ups before and after those of the report, which has no absolute time. Where the last period of
# the report is the right one, the worst wake-ups are the same.
sub anchor {
    my ($report, $traced) = @_;
    my @late_ns = (sort { $a <=> $b } keys %$traced)[-AFTER .. -1];
    my @anchors = map { $_ - $report->{periods} * $report->{period_ns} } @late_ns;
    my %differ = map { $_ => sum0(map { abs } differences($report, $traced, $_, 'switch')) } @anchors;
    return (sort { $differ{$a} <=> $differ{$b} } @anchors)[0];
}

# How much more the report says of a part of the worst than the trace, in us.
sub differences {
    my ($report, $traced, $anchor_ns, $part) = @_;
    return map {
        my $wake_up = $traced->{$anchor_ns + $_->{period} * $report->{period_ns}};
        $_->{"${part}_us"} - ($wake_up ? $wake_up->{"${part}_ns"} : 0) / 1000;
    } @{$report->{sets}{events}};
}

# An interrupt may come between the two tracers of one event; then this event alone was earlier for the first of them.
sub check_worst {
    my ($report, $traced, $anchor_ns) = @_;
    for my $part (@PARTS) {
        my @differ_us = sort { $a <=> $b } differences($report, $traced, $anchor_ns, $part);
        note(sprintf '%s of the worst: %.3f to %.3f us more than in the trace', $part, @differ_us[0, -1]);
        my $astray = grep { abs > allowed($report, $part) } @differ_us;
        cmp_ok($astray, '<=', MIXED * @differ_us, "$part of the worst");
    }
}

# The anchor of the rtc is known with an uncertainty, and what is too late for it is with the first part.
sub allowed {
    my ($report, $part) = @_;
    return NEAR_US + ($part eq 'expiry' ? $report->{anchor_uncertainty_ns} / 1000 : 0);
}

# One by one, from the shortest on: the bins of the report and the values of the trace.
sub check_all {
    my ($report, $part, $near_us, @wake_ups) = @_;
    my @us = sort { $a <=> $b } map { $_->{"${part}_ns"} / 1000 } @wake_ups;
    my @astray;
    for my $bin (@{$report->{sets}{parts}}) {
        my @here = splice @us, 0, $bin->{$part};
        push @astray, grep { $_ < $bin->{from_us} - $near_us || $_ > $bin->{to_us} + $near_us } @here;
    }
    note("$part of all: @{[scalar @astray]} differ by more than $near_us us: @astray");
    cmp_ok(scalar @astray, '<=', SAMPLES / 1000, "$part of all");
}

=head2 beside_timerlat()

A case for PREEMPT_RT: the timer and the wake-up, as the kernel's timerlat tracer has them, and as we do, at the same rate.

=cut

sub beside_timerlat {
    my $script = <<'EOS';
tracer=/sys/kernel/tracing
echo timerlat >$tracer/current_tracer
sleep 4
cp $tracer/trace timerlat
echo nop >$tracer/current_tracer
realfeel -s nanosleep -f 1000 -a 0 -n 4000 --explain=parts -o report
EOS
    return ['timerlat', $script, 0, \&check_timerlat];
}

# What each adds to the wake-ups is part of what it tells; ours tells how much that is.
sub check_timerlat {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    my ($irq_us, $thread_us) = map { median($left->{timerlat} =~ /context\s+$_ timer_latency\s+(\d+) ns/g) / 1000 } qw(irq thread);
    my ($timer_us, $us) = (middle($report, 'parts', 'expiry'), middle($report, 'histogram', 'lateness'));
    my ($with_us, $without_us) = map { $report->{"explain_${_}_ns"} / 1000 } qw(with without);
    my $cost_us = $with_us - $without_us;
    note("median of timerlat: timer $irq_us us, thread $thread_us us; of ours: timer $timer_us us, wake-up $us us, of which "
        . "$cost_us us are the recording");
    cmp_ok(abs($timer_us - $irq_us), '<=', $cost_us, 'the timer is near, by what the recording takes');
    cmp_ok(abs($us - $cost_us - $thread_us), '<=', $cost_us, 'so is the wake-up, without it');
}

sub median {
    my @sorted = sort { $a <=> $b } @_;
    return $sorted[@sorted / 2] // 0;
}

# The upper edge of the bin that has the median.
sub middle {
    my ($report, $set, $column) = @_;
    my $left = sum0(map { $_->{$column} } @{$report->{sets}{$set}}) / 2;
    for my $bin (@{$report->{sets}{$set}}) {
        return $bin->{to_us} if ($left -= $bin->{$column}) <= 0;
    }
    return undef;
}

1;
