# SPDX-License-Identifier: GPL-2.0-or-later
# Runs that end by themselves: with each source and clock, and at the first limit that is reached.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use Program;
use Report;
use RunCommand;
use Test::More;

# A kernel that throttles no real-time process, so that a late wake-up leaves no doubt.
my %UNGUARDED = ('/proc/sys/kernel/sched_rt_runtime_us' => -1, release => '6.1.0');

sub measure {
    my ($status, $out, $err) = run(fake_rtc(), calm(%UNGUARDED), realfeel('-o', '-', @_));
    is($status, 0, "exit status of @_") or diag $err;
    return whole_report($out);
}

# Options, and what the header says.
my @HEADERS = (
    [[qw(-s rtc -f 256)],             {source => 'rtc /dev/rtc0', frequency_hz => 256, period_ns => 3906250}],
    [[qw(-s nanosleep -f 3000)],      {source => 'nanosleep', frequency_hz => 3000, period_ns => 333333}],
    [[qw(-s timerfd)],                {source => 'timerfd', frequency_hz => 2048, period_ns => 488281}],
    [[qw(-s timerfd -c monotonic)],   {source => 'timerfd', clock => 'monotonic', anchor_uncertainty_ns => 0}],
    [[qw(-c auto)],                   {source => 'rtc /dev/rtc0', clock => 'monotonic'}],
    [[qw(-P other)],                  {policy => 'other', priority => 0}],
    [[qw(-P other --dma-latency=off)], {dma_latency_us => 'off'}],
);

# The same, for rights that must be had.
my @RIGHTS = (
    [[],                 {policy => 'fifo', priority => 95, timer_slack_ns => 0, verdict => 'valid'}],
    [[qw(-p 7)],         {policy => 'fifo', priority => 7}],
    [[qw(-P rr)],        {policy => 'rr', priority => 95, verdict => 'valid'}],
    [[qw(-P rr -p 1)],   {policy => 'rr', priority => 1}],
    [[qw(--best-effort)], {policy => 'fifo', priority => 95, verdict => 'valid'}],
);

sub header_is {
    my ($options, $expected) = @_;
    my $report = measure(qw(-n 20), @$options);
    my %got = map { $_ => $report->{$_} } keys %$expected;
    is_deeply(\%got, $expected, 'header');
    is($report->{samples}, 20, 'samples');
    is($report->{status}, 'complete', 'status');
}

workspace();
subtest "@{$_->[0]}" => \&header_is, @$_ for @HEADERS;

SKIP: {
    skip 'no right to real-time scheduling: run as root, or raise the limits (ulimit -r, ulimit -l)', 1 if !has_rights();
    subtest "granted: @{$_->[0]}" => \&header_is, @$_ for @RIGHTS;
}

# Most periods are those of wake-ups, or there would be no median.
my $text;
for (1 .. 10) {
    $text = (run(realfeel(qw(-q -s nanosleep -n 1200 -o -))))[1];
    last if parse_report($text)->{missed} < 1200;
}
my ($first) = $text =~ /\A((?:.*\n){7})/;
like($first, qr/^# latency_p50_us: [\d.]+\n(?:# latency_p99_us: [\d.]+\n)?# latency_max_us: [\d.]+\n/m, 'the first lines answer');

subtest '--cpu' => sub {
    my ($cpu, @others) = allowed_cpus();
    like(measure(qw(-n 1))->{cpu}, @others ? qr/^any \($cpu\b/ : qr/^$cpu$/, 'none');
    header_is(['-a', $cpu], {cpu => $cpu});
};

subtest 'the first limit ends the run' => sub {
    is(measure(qw(-n 50 -d 1h))->{samples}, 50, 'samples come first');
    cmp_ok(measure(qw(-n 1000000000 -d 2s))->{samples}, '<', 1000000000, 'the duration comes first');
    my $report = measure(qw(-d 4s));
    is($report->{status}, 'complete', 'a duration alone');
    cmp_ok(scalar @{$report->{sets}{slices}}, '>', 1, 'which is longer than a slice');
};

subtest 'a single sample has no deviation' => sub {
    my $report = measure(qw(-n 1));
    is($report->{samples}, 1, 'samples');
    ok(exists $report->{interval_mean_ns}, 'a mean');
    ok(!exists $report->{interval_sd_ns}, 'no deviation');
};

subtest 'the run is over before the first period' => sub {
    my ($status, $out) = run(no_rtc(), realfeel(qw(-s nanosleep -f 1 -d 50ms -o -)));
    my $report = whole_report($out);
    is($report->{samples}, 0, 'samples');
    like($report->{verdict}, qr/^invalid: .*nothing was measured/, 'verdict');
    is($status, has_rights() ? 1 : 0, 'exit status');
};

subtest '--clock=tsc' => sub {
    my ($status, $out, $err) = run(no_rtc(), realfeel(qw(-c tsc -d 1500ms -o -)));
    if ($status) {
        is($status, 1, 'exit status');
        return like(said($err), qr/\Arealfeel: --clock=tsc: .*; use --clock=monotonic\n\z/, 'not to be trusted here, and why');
    }
    my $report = whole_report($out);
    is($report->{clock}, 'tsc', 'clock');
    like($report->{tsc_hz}, qr/^\d{8,}\.\d$/, 'rate of the counter');
    like($report->{tsc_error_ppm}, qr/^\d+\.\d{4}$/, 'error of the rate');
};

done_testing;
