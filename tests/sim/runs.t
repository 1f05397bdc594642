# SPDX-License-Identifier: GPL-2.0-or-later
# Runs that end by themselves, and what the RTC does meanwhile: what is in the report.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(sum0);
use Report;
use Sim;
use Test::More;

my @RTC = ('set rtc /dev/rtc0');

# A kernel that throttles no real-time process, so that a late wake-up leaves no doubt.
my @UNGUARDED = (files => { '/proc/sys/kernel/sched_rt_runtime_us' => -1 });

# Runs of these options. Each row is a script, what the report's header has, and the outcome.
sub reports {
    my ($options, @rows) = @_;
    for (@rows) {
        my ($script, $header, @outcome) = @$_;
        my $run = simulate([@$options, qw(-o report)], script => [split /; /, $script], @UNGUARDED);
        my ($report) = ends_so("@$options: $script", $run, @outcome);
        is_deeply({ map { $_ => $report->{$_} } keys %$header }, $header, "@$options: $script: header");
    }
}

sub header { my ($options, $header, $outcome) = @_; reports($options, [$RTC[0], $header, 'exit 0', $outcome // 'complete 20, valid']) }

header([qw(-n 20 -s rtc -f 256)], { source => 'rtc /dev/rtc0', frequency_hz => 256, period_ns => 3906250 });
header([qw(-n 20 -s nanosleep -f 3000)], { source => 'nanosleep', frequency_hz => 3000, period_ns => 333333 });
header([qw(-n 20 -s timerfd)], { source => 'timerfd', frequency_hz => 2048, period_ns => 488281 });
header([qw(-n 20 -s timerfd -c monotonic)], { source => 'timerfd', clock => 'monotonic', anchor_uncertainty_ns => 0 });
header([qw(-n 20 -c auto)], { source => 'rtc /dev/rtc0', clock => 'monotonic' });
header([qw(-n 20)], { policy => 'fifo', priority => 95, timer_slack_ns => 0, cpu => 'any (0,1,2,3)' });
header([qw(-n 20 -p 7)], { policy => 'fifo', priority => 7 });
header([qw(-n 20 -P rr)], { policy => 'rr', priority => 95 });
header([qw(-n 20 -P rr -p 1)], { policy => 'rr', priority => 1 });
header([qw(-n 20 --best-effort)], { policy => 'fifo', priority => 95 });
header([qw(-n 20 -a 2)], { cpu => 2 });
for (['--dma-latency=off', 'off'], ['--dma-latency=0', 0]) {
    my ($option, $us) = @$_;
    header([qw(-n 20 -P other), $option], { policy => 'other', priority => 0, dma_latency_us => $us },
        'complete 20, suspect: not real-time: the policy is other, as requested');
}

# The waker has the next higher priority, on the meter's CPU or on another. There is no schedule.
for (['', 'fifo 96', 'fifo 95', 0], ['-P rr -p 20', 'fifo 21', 'rr 20', 0], ['-p 98', 'fifo 99', 'fifo 98', 0],
    ['--waker=2', 'fifo 96', 'fifo 95', 2]) {
    my ($options, $waker, $meter, $cpu) = @$_;
    my ($policy, $priority) = split ' ', $meter;
    header([qw(-n 20 -s thread -f 1000 -a 0), split ' ', $options], { source => 'thread', frequency_hz => 1000, waker => $waker,
        waker_cpu => $cpu, policy => $policy, priority => $priority, cpu => 0,
        map { $_ => undef } qw(schedule anchor_uncertainty_ns early_wakeups interval_max_ns lateness_max_ns) });
}
header([qw(-n 20 -s thread -f 1000 --waker=2)], { waker_cpu => 2, cpu => 'any (0,1,2,3)' });
header([qw(-n 20 -s thread -f 1000 -P other)], { waker => 'fifo 96', policy => 'other', priority => 0 },
    'complete 20, suspect: not real-time: the policy is other, as requested');
my ($first, $second) = ends_so('two wakers', simulate([qw(-n 20 -s thread -f 1000 -o report -a), '0,1']),
    'exit 0', ('complete 20, valid') x 2);
is_deeply([map { "$_->{cpu} $_->{waker_cpu} $_->{phase_ns}" } $first, $second], ['0 0 0', '1 1 500000'], 'two wakers take turns');

# A waker for which the rate is too high rests; else the meter would never have the CPU.
reports([qw(-s thread -f 100000 -n 501)], ['' => { samples => 501, missed => 2505 }, 'exit 0',
    'warning: throttling: it is off, and measuring at 100000 Hz alone takes about 500000 of each 1000000 us, so other processes may get no '
    . 'CPU time; lower --frequency', 'complete 501 + 2505 missed, valid']);

# The first limit ends the run. A single sample has a mean, and no deviation.
header([qw(-n 50 -d 1h)], {}, 'complete 50, valid');
header([qw(-n 1000000 -d 2s)], { duration_s => '1.999023' }, 'complete 4094, valid');
header([qw(-n 1)], { interval_mean_ns => '1096.000', interval_sd_ns => undef }, 'complete 1, valid');
my $run = simulate([qw(-d 4s -o report)], script => \@RTC);
my ($report) = ends_so('a duration alone', $run, 'exit 0', 'complete 8190, valid');
is_deeply([map { $_->{wakeups} } @{ $report->{sets}{slices} }], [2050, 2050, 2050, 2040], 'a slice for each second');
like($run->{report}, qr/\A(?:.*\n){3}# latency_p50_us: [\d.]+\n# latency_p99_us: [\d.]+\n/, 'the first lines answer');
reports([qw(-s nanosleep -f 1 -d 50ms)], ['' => { samples => 0 }, 'exit 1', 'complete 0, invalid: nothing was measured']);

# As many open files as --check asks for are enough: refusals.t.
for (['-s ring --processes=65', 194, 1], ['-s ring --processes=4 -a 0-15', 144, 16], ['-s nanosleep -a 0-15', 144, 16],
    ['-s thread -f 1000 -a 0-15', 144, 16]) {
    my ($options, $files, $parts) = @$_;
    ends_so("$options with $files open files", simulate([qw(-n 100 -o report), split ' ', $options], script => ['set cpus 16'],
        under => ["files=$files"]), 'exit 0', ('complete 100, valid') x $parts);
}

# The names of the device.
reports([qw(-f 512 -n 5)], map { [$_->[0], { source => $_->[1] }, 'exit 0', 'complete 5, valid'] }
    ['set rtc /dev/rtc' => 'rtc /dev/rtc'], ['set rtc /dev/rtc:/dev/rtc0' => 'rtc /dev/rtc'], ['set rtc /dev/rtc0' => 'rtc /dev/rtc0'],
    ['' => 'nanosleep']);
for my $device ('/dev/other', '/dev/' . 'x' x 100, "/dev/with\ttab") {
    my %source = (source => 'rtc ' . $device =~ s/\t/\\x09/r);
    reports(['-D', $device, qw(-f 512 -n 5)], ["set rtc /dev/rtc0:$device" => \%source, 'exit 0', 'complete 5, valid']);
}

# What the RTC does.
my $LATE = join '; ', map { "meter0:read:$_ late 0.04" } 26, 51, 76, 77;
my $FAILED = 'suspect: the wait failed: Input/output error';
my $RUSHED = 'suspect: the wait returned without waiting; the schedule is contradicted: lateness is unreliable';
reports([qw(-f 500 -n 100)], map { $_->[0] = "$RTC[0]; $_->[0]"; $_ }
    ['set rtc_stale 1000' => { early_wakeups => 0, lateness_max_ns => 4055 }, 'exit 0', 'complete 100, valid'],
    [$LATE => { lateness_max_ns => 40003644 }, 'exit 0', 'complete 100 + 80 missed, valid'],
    ['set rtc_low_byte 0xe0' => {}, 'exit 0', 'complete 100, suspect: 101 wake-ups also counted an alarm or update interrupt'],
    ['meter0:read:51+ EIO' => {}, 'exit 3', "interrupted 49, $FAILED"],
    ['meter0:read:1+ EIO' => {}, 'exit 1', 'interrupted 0, invalid: nothing was measured; the wait failed: Input/output error'],
    ['0.1 silence' => {}, 'exit 3', 'interrupted 49, suspect: the source stopped waking the process'],
);
reports([qw(-f 500 -n 100000)], map { $_->[0] = "$RTC[0]; $_->[0]"; $_ }
    ['0.021 rush' => { duration_s => '0.020001', early_wakeups => 90 }, 'exit 3', "interrupted 100, $RUSHED"],
    ['0.701 rush' => { duration_s => '0.700000', early_wakeups => 351 }, 'exit 3', "interrupted 701, $RUSHED"],
);

# Each period that is missed is late by a period or more, and none of those that follow; a wake-up is one interval.
$run = simulate([qw(-f 500 -n 100 -o report)], script => [@RTC, split /; /, $LATE], @UNGUARDED);
($report) = parse_parts($run->{report});
my @late = grep { $_->{from_us} >= 2000 } @{ $report->{sets}{histogram} };
is_deeply([map { my $of = $_; sum0(map { $_->{$of} } @late) } qw(lateness interval)], [80, 4],
    'late periods and intervals are in their bins');

# A real-time process that does more than switch it on can hang a PREEMPT_RT kernel: faults_of() looks for that in each run.
is_deeply([$run->{log} =~ / rtc (\w+ \d+, \S+)$/mg], ['rate 500, ordinary', 'on 500, real-time', 'leave 500, ordinary',
    'off 500, ordinary', 'rate 1024, ordinary', 'leave 1024, ordinary'], 'the rate is put back, in order');

# What was counted before is read before the schedule begins.
$run = simulate([qw(-f 500 -n 100 -o report)], script => [@RTC, 'set rtc_stale 1000', 'set trace meter0']);
like($run->{log}, qr/^\S+ meter0 calls \d+ read\n(?:.*\n)*?\S+ meter0 rtc on/m, 'the RTC is read before its interrupt is on');

done_testing;
