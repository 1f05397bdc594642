# SPDX-License-Identifier: GPL-2.0-or-later
package Starving;

use strict;
use warnings;
use Exporter 'import';
use List::Util qw(first max sum0);
use Test::More;
use Report qw(column whole_report);

our @EXPORT = qw(starving);

=head1 NAME

Starving - cases: others take the CPU from the measurement, and the measurement does not take it from others

=cut

# A device that is broken: name, setting of the fake RTC, in how many seconds a run with it ends, and why.
my @BROKEN = (
    ['runaway', 'RUSH_AFTER',   1,  qr/the wait returned without waiting/],
    ['silence', 'SILENT_AFTER', 10, qr/the source stopped waking the process/],
);

sub starving {
    return (
        ['stall',   stalled('rtc'),            3, \&check_stalls],
        (map { broken(@$_) } @BROKEN),
        throttled('1-by-lower',  40, \&gaps),
        throttled('2-by-higher', 60, \&one_stall),
    );
}

# A process of higher priority takes the only CPU away ten times, and tells when.
sub stalled {
    my ($source) = @_;
    return "start --source=$source -d 30s -p 50; hog 60 10 >stalls; kill -INT \$keeper; end";
}

# What a run with stalls left: the report, the wake-ups that ended a stall, and how long each stall was, in ns. On
# PREEMPT_RT the end of one stall may take two wake-ups, for the thread that expires the RTC's timer was stalled, too.
sub stall_events {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    my @stalls = map { my ($from, $to) = split; $to - $from } split /\n/, $left->{stalls};
    my @events = grep { $_->{lateness_us} > 15_000 } @{$report->{sets}{events}};
    is(scalar @stalls, 10, 'ten stalls');
    cmp_ok(scalar @events, '>=', 10, 'and a wake-up that ended each of them');
    return ($report, \@events, \@stalls);
}

# The first and the last period of a stall may be served by others; those of the hog's own start and end are stalled. Of
# the wake-ups that end one stall only the worst is listed.
sub check_stalls {
    my ($report, $events, $stalls) = stall_events(@_);
    my ($period_ns, $late) = ($report->{period_ns}, $report->{missed} + @$events);
    my $stalled = sum0(@$stalls) / $period_ns;
    cmp_ok($late, '>=', $stalled - @$stalls, 'periods that the stalls made late');
    cmp_ok($late, '<=', $stalled + 6 * @$stalls, 'and no more');
    my $last = max(map { $_->{period} } @$events);
    my @end = grep { $_->{periods} > 1 && $_->{period} > $last } @{$report->{sets}{events}};
    cmp_ok(scalar @end, '<=', 1, 'when the hog ended, after its last stall, periods may have been missed once');
    cmp_ok($report->{missed}, '>=', sum0(map { $_->{periods} - 1 } @$events, @end), 'those of the listed wake-ups are among them');
    for my $event (@$events) {
        my @ns = map { nanoseconds($event->{lateness_us}) - $_ * $period_ns } 0 .. $event->{periods} - 1;
        cmp_ok($ns[-1], '>', 0, "periods from $event->{period} on: none was served before it was due");
        is((grep { !in_a_bin($report, $_) } @ns), 0, 'and each has its own lateness');
    }
}

sub in_a_bin {
    my ($report, $ns) = @_;
    return first { nanoseconds($_->{from_us}) <= $ns && $ns < nanoseconds($_->{to_us}) && $_->{lateness} }
        @{$report->{sets}{histogram}};
}

# A whole number, lest an edge be missed by a rounding.
sub nanoseconds {
    my ($us) = @_;
    return sprintf '%.0f', 1000 * $us;
}

# A device that breaks after ten reads, and what measures with it has the highest priority on the only CPU.
sub broken {
    my ($name, $setting, $seconds, $why) = @_;
    my $fake = "env LD_PRELOAD=/lib/fake_rtc.so FAKE_RTC_PATHS=/dev/rtc0 FAKE_RTC_$setting=10";
    my $script = "uptime_s >from; $fake realfeel -s rtc -p 99 -d 1h -o report; s=\$?; uptime_s >to; (exit \$s)";
    return [$name, $script, 3, sub {
        my ($left) = @_;
        my $report = whole_report($left->{report} // '');
        is($report->{status}, 'interrupted', 'status of the report');
        like($report->{verdict}, $why, 'verdict');
        cmp_ok($left->{to} - $left->{from}, '<', $seconds, 'seconds until it ended');
    }];
}

# A real-time process of lower or of higher priority uses up the CPU. The kernel's guard takes it from all that are
# real-time for the last 50 ms of each second, and does not tell them.
sub throttled {
    my ($name, $priority, $check) = @_;
    my $script = "start -s nanosleep -d 1h -p 50; hog $priority 1 3500; dmesg >dmesg; kill -INT \$keeper; end";
    return ["throttled-$name", $script, 3, sub {
        my ($left) = @_;
        like($left->{dmesg}, qr/sched: RT throttling activated/, 'the guard struck');
        my $report = whole_report($left->{report} // '');
        is($report->{status}, 'interrupted', 'status of the report');
        is($report->{rt_throttled}, 'unknown', 'what is known of the guard');
        $check->($report, grep { $_ > 20_000 } column($report, 'events', 'lateness_us'));
    }];
}

# A hog of lower priority is not felt itself.
sub gaps {
    my ($report, @late_us) = @_;
    like($report->{verdict}, qr/late: the kernel may have throttled real-time processes/, 'verdict');
    cmp_ok(scalar @late_us, '>=', 2, 'a gap in each whole second');
    cmp_ok(max(@late_us), '<', 100_000, 'and none is longer than the guard makes it');
}

# One of higher priority leaves nothing to the measurement, whatever the guard does.
sub one_stall {
    my ($report, @late_us) = @_;
    unlike($report->{verdict}, qr/throttled/, 'no guard throttles for so long');
    cmp_ok(max(@late_us), '>', 3_400_000, 'one stall, as long as the other ran');
}

1;
