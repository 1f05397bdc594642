# SPDX-License-Identifier: GPL-2.0-or-later
# Measuring with a fake RTC: the report has what it counted, and its rate is put back.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use List::Util qw(max sum0);
use Program;
use Report;
use RunCommand;
use Test::More;

my $FORMER_HZ = 1024;    # as the fake RTC has it before we come

# Measures 100 samples, or as many as are asked for; returns the exit status, the report and the events.
sub measure {
    my %setting = @_;
    my $samples = delete $setting{samples} // 100;
    unlink 'log';
    my ($status, $out) = run(fake_rtc(log => 'log', %setting), realfeel(qw(-f 500 -o - -n), $samples));
    return ($status, whole_report($out), events('log'));
}

sub reads {
    return map { $_->{value} } grep { $_->{event} eq 'read' } @_;
}

sub left_alone {
    my @events = @_;
    my @changes = grep { $_->{event} ne 'read' } @events;
    is_deeply([map { $_->{event} } @changes], [qw(rate on leave off rate leave)], 'what is done, in order');
    is($changes[4]{value}, $FORMER_HZ, 'the former rate is put back');
    is_deeply([grep { $_->{policy} ne 'other' && $_->{event} =~ /rate|off|leave/ } @changes], [],
        'by a process that is not real-time: on PREEMPT_RT it could hang the machine');
}

workspace();

subtest 'nothing special' => sub {
    my ($status, $report, @events) = measure();
    is($status, 0, 'exit status');
    is($report->{source}, 'rtc /dev/rtc0', 'auto takes the RTC');
    is($report->{status}, 'complete', 'status');
    is($report->{samples}, 100, 'samples');
    is($report->{frequency_hz}, 500, 'rate');
    is($report->{period_ns}, 2000000, 'period');
    is(scalar reads(@events), 101, 'the first wake-up is no sample');
    left_alone(@events);
};

subtest 'the names of the device' => sub {
    for (['/dev/rtc', '/dev/rtc'], ['/dev/rtc:/dev/rtc0', '/dev/rtc'], ['/dev/rtc0', '/dev/rtc0'], ['', undef]) {
        my ($paths, $device) = @$_;
        my (undef, $report) = measure(paths => $paths);
        is($report->{source}, $device ? "rtc $device" : 'nanosleep', "the machine has '$paths'");
    }
};

subtest '--device' => sub {
    for my $device ('/dev/other', '/dev/' . 'x' x 100, "/dev/two\nlines") {
        my (undef, $out) = run(fake_rtc(paths => "/dev/rtc0:$device"), realfeel('-D', $device, qw(-f 512 -n 5 -o -)));
        is(whole_report($out)->{source}, 'rtc ' . $device =~ s/\n/\\x0a/r, 'is in the report');
    }
};

subtest 'interrupts that were counted before' => sub {
    my ($status, $report, @events) = measure(stale => 1000);
    my ($first) = grep { $_->{event} eq 'read' || $_->{event} eq 'on' } @events;
    is_deeply([@$first{qw(event value)}], ['read', 1000], 'are read before the schedule begins');
    is($report->{early_wakeups}, 0, 'no wake-up before its time');
    is($report->{missed}, sum0(map { $_ - 1 } (reads(@events))[2 .. 101]), 'and are not missed periods');
};

subtest 'a wake-up that comes late' => sub {
    my ($status, $report, @events) = measure(stall_every => 25, stall_periods => 20);
    cmp_ok((grep { $_ > 20 } reads(@events)), '>=', 4, 'the fake RTC stalled');
    is($report->{missed}, sum0(map { $_ - 1 } (reads(@events))[1 .. 100]), 'missed: what it counted');
    cmp_ok($report->{lateness_max_ns}, '>=', 20 * $report->{period_ns}, 'the first of the missed periods');
    my @late = grep { $_->{from_us} * 1000 >= $report->{period_ns} } @{$report->{sets}{histogram}};
    cmp_ok(sum0(map { $_->{lateness} } @late), '>=', $report->{missed}, 'each missed period is late by a period or more');
    my $longer_ns = $report->{period_ns} + $report->{anchor_uncertainty_ns};
    my @later = grep { $_->{from_us} * 1000 >= $longer_ns } @late;
    cmp_ok(sum0(map { $_->{lateness} } @later), '<', $report->{missed} + 25, 'and those that follow are not');
    cmp_ok(sum0(map { $_->{interval} } @late), '>=', 4, 'each wake-up is one interval');
    left_alone(@events);
};

for (['INT', 2], ['TERM', 15], ['HUP', 1]) {
    my ($name, $signal) = @$_;
    for my $options ([qw(-n 100 -o report)], [qw(--check -o report)]) {
        subtest "$name as soon as the rate is set, @$options" => sub {
            unlink 'log';
            my ($status, undef, $err) = run(fake_rtc(log => 'log', set_signal => $signal), realfeel(qw(-f 500), @$options));
            is_deeply([map { "$_->{event} $_->{value}" } events('log')], ['rate 500', 'off 500', "rate $FORMER_HZ", "leave $FORMER_HZ"],
                'the former rate is put back');
            return if $options->[0] eq '--check';
            is($status, 1, 'exit status');
            is(said($err), "realfeel: interrupted before the first wake-up; no report is written\n", 'what it says');
            ok(!-e 'report', 'no report');
        };
    }
}

subtest 'an alarm interrupt was counted, too' => sub {
    my ($status, $report) = measure(low_byte => 0xE0);
    like($report->{verdict}, qr/101 wake-ups also counted an alarm or update interrupt/, 'verdict');
    like($report->{verdict}, has_rights() ? qr/^suspect: / : qr/^invalid: /, 'grade');
    is($status, 0, 'exit status');
};

subtest 'the device goes away' => sub {
    my ($status, $report, @events) = measure(fail_after => 50);
    is($status, 3, 'exit status');
    is($report->{status}, 'interrupted', 'status');
    is($report->{samples}, 49, 'what was measured until then');
    like($report->{verdict}, qr{the wait failed: Input/output error}, 'verdict');
    left_alone(@events);
};

subtest 'the interrupts stop' => sub {
    my ($status, $report, @events) = measure(silent_after => 50);
    is($status, 3, 'exit status');
    is($report->{samples}, 49, 'what was measured until then');
    like($report->{verdict}, qr{the source stopped waking the process}, 'verdict');
    left_alone(@events);
};

subtest 'the wait does not wait' => sub {
    my ($status, $report, @events) = measure(rush_after => 10, samples => 100_000);
    is($status, 3, 'exit status');
    my $due = 2 * 500 * $report->{duration_s};    # at twice the rate
    cmp_ok($report->{samples}, '>', $due, 'wake-ups came more than twice as often as asked for');
    cmp_ok($report->{samples}, '<=', max(100, 1 + $due), 'and that was seen at once');
    like($report->{verdict}, qr{the wait returned without waiting}, 'verdict');
    left_alone(@events);
};

subtest 'the device goes away before the first wake-up' => sub {
    my ($status, $report, @events) = measure(fail_after => 0);
    is($status, has_rights() ? 1 : 3, 'exit status');
    is($report->{samples}, 0, 'samples');
    like($report->{verdict}, qr/^invalid: .*nothing was measured/, 'verdict');
    left_alone(@events);
};

done_testing;
