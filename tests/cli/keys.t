# SPDX-License-Identifier: GPL-2.0-or-later
# realfeel(5) has each key of a report's header, and a report has each key of realfeel(5).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use RunCommand;
use Test::More;

# Those of a run with a TSC that is to be trusted, of one that --break has ended, of one that tells who had the CPU, of one
# on several CPUs, of sources that need more than a clock, of a deadline task, and of long ones, which not every run can be.
my %ELSEWHERE = map { $_ => 1 } qw(remarks tsc_hz tsc_error_ppm tsc_drift_ppm trace own_processes part phases phase_ns
    thread thread_name threads_asleep threads_begun thread_siblings thread_policy thread_priority thread_cpus thread_ended_s stamp
    inferred_period_ns inferred_missed slack_mean_ns preempted preempted_max_ns
    timed matched unmatched unasked waker waker_cpu processes array_bytes hop_overhead_ns
    deadline_runtime_ns deadline_ns deadline_period_ns
    latency_p99_us latency_p99_9_us),
    map { figures("${_}_min_ns", "${_}_sumsq_ns2") } qw(delay wakeup stamp_interval);

workspace();
my ($page) = contents("$FindBin::Bin/../../man/realfeel.5") =~ /^\.Ss Header\n(.*?)^\.Ss/ms;
my @documented;
for (grep { /^\.It Cm / } split /\n/, $page) {
    my @keys = /\b([a-z]\w+)\b/g;
    push @documented, / No \.\.\. / ? figures(@keys) : @keys;
}

# From the first key to the last, which is of the same series or of the last of the parts.
sub figures {
    my ($first, $last) = map { /^([a-z_]+)_(?:min|sumsq)_/ } @_;
    my @series = $first eq $last ? $first : qw(expiry waking switch again stamp);
    return map { my $series = $_; map { "${series}_$_" } qw(min_ns max_ns mean_ns sd_ns sum_ns sumsq_ns2) } @series;
}

$ELSEWHERE{$_} = 1 for grep { /^(?:wakeup|stamp_interval|latency_p99)_/ } @documented;

# Nothing is explained where nobody may trace, and no part is known where too little is traced.
my @options = (qw(-s nanosleep -n 200 --max=1h --break=1h --label=x --explain=parts --best-effort -o - -a), (allowed_cpus())[0]);
my (undef, $out) = run(no_rtc(), program(@options, qw(-- sleep 0)));
if ($out !~ /^# parts_matched: [1-9]\d/m) {
    $ELSEWHERE{$_} = 1 for grep { /^(?:(?:explain|parts|trace|expiry|waking|switch|again|stamp)_)/ } @documented;
}
# Where one wake-up was late for that many periods, less than ten lie beyond the median.
$ELSEWHERE{latency_p50_us} = 1 if $out =~ /^# missed: (\d+)$/m && $1 >= 180;
my @told = map { /^# (\w+): / ? $1 : () } split /\n/, $out;

my %documented = map { $_ => 1 } @documented;
my %told = map { $_ => 1 } @told;
cmp_ok(scalar @told, '>', 60, 'there are keys');
is_deeply([grep { !$documented{$_} && !$documented{s/_after$//r} } @told], [], 'each key is documented');
is_deeply([grep { !$told{$_} && !$ELSEWHERE{$_} } @documented], [], 'each documented key is there');
is_deeply([grep { $documented{$_} } @told], [grep { $told{$_} } @documented], 'in this order');
is(scalar @documented, scalar keys %documented, 'none is documented twice');
is(scalar @told, scalar keys %told, 'or told twice');

done_testing;
