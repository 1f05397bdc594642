# SPDX-License-Identifier: GPL-2.0-or-later
# A ring of processes: each hop is in the report, on several CPUs in a part for each.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(sum0);
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use RunEnd;
use Test::More;
use Time::HiRes qw(sleep time);

my @CPUS = allowed_cpus();

# Runs a ring. Returns the parts of its report, its messages, and the exit status.
sub ring {
    unlink 'report';
    my ($status, $out, $err) = run(program(qw(-s ring -o report), @_));
    my @parts = -e 'report' ? whole_parts(contents('report')) : ();
    return (\@parts, $err, $status);
}

workspace();

subtest 'one ring' => sub {
    my ($parts, $err, $status) = ring(qw(-n 3000));
    my ($report) = @$parts;
    is($status, 0, 'exit status');
    unlike($report->{verdict}, qr/real-time|policy/, 'an ordinary process is what was asked for');
    is("$report->{policy} $report->{samples} $report->{missed}", 'other 3000 0', 'a sample is a hop');
    is("$report->{source} $report->{processes} $report->{array_bytes}", 'ring 2 0', 'two processes without an array');
    is($report->{cpu}, $CPUS[0], 'on one CPU');
    ok(!exists $report->{$_}, "no $_") for qw(part frequency_hz period_ns schedule phases);
    like($err, qr/^wake-up   p50 .*\n.*\nmissed    0 of 3000 wake-ups of ring\n/m, 'the result');
};

subtest 'no right is asked for' => sub {
    unlink 'report';
    my ($status, $out, $err) = run(unprivileged(memlock => 0, rtprio => 0), program(qw(-s ring -n 100 -o report)));
    is($status, 0, 'exit status') or diag $err;
    is(whole_report(contents('report'))->{memory_locked_kb}, 0, 'nor is memory locked');
};

subtest 'a ring of others, with arrays' => sub {
    my ($parts, $err, $status) = ring(qw(-n 2000 --processes=5 --array=16k -a), $CPUS[-1]);
    my ($report) = @$parts;
    is($status, 0, 'exit status');
    is("$report->{processes} $report->{array_bytes} $report->{status} $report->{samples} on $report->{cpu}",
        "5 16384 complete 2000 on $CPUS[-1]", 'is the one that was asked for');
    like($report->{hop_overhead_ns}, qr/^\d+\.\d \d+\.\d \d+\.\d$/, 'and its overhead, three times');
    is((ring('-n', 10, "--array=$_"))[0][0]{array_bytes}, 4, "$_ bytes") for qw(4 004);
};

subtest 'several CPUs at once' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS < 2;
    my ($parts, $err, $status) = ring('-n', 3000, '--processes=4', '-a', join ',', (@CPUS[0, 1]) x 2);
    is($status, 0, 'exit status');
    is_deeply([map { "$_->{processes} on $_->{cpu}: $_->{samples}" } @$parts], [map { "4 on $_: 3000" } @CPUS[0, 1]],
        'a part for each, with all hops');
    ok(!exists $parts->[0]{phases}, 'without a schedule there are no phases');
    like($err, qr/^[> ] +$CPUS[0] +3000 .*\n[> ] +$CPUS[1] +3000 .*\nwake-up   p50 /m, 'the result');
    like($err, qr/^missed    0 of 6000 wake-ups of ring on 2 CPUs$/m, 'of both');
    is((run("$FindBin::Bin/../../analyze/realfeel-analyze", qw(stats report)))[0], 0, 'the report can be read');
};

# How long a process has used a CPU.
sub cpu_s {
    return (split ' ', contents("/proc/$_[0]/schedstat"))[0] / 1e9;
}

subtest 'a checkpoint of a ring that is held up' => sub {
    unlink 'report';
    my $run = start(program(qw(-s ring -d 1h -C 0 -o report)));
    wait_until(sub { has_begun($run->{pid}) });
    my (undef, $meter) = children($run->{pid});
    wait_for_samples($run, 1);
    kill STOP => $meter;
    my ($before_s, $begun_s) = (cpu_s($run->{pid}), time);
    for (1 .. 20) { kill USR1 => $run->{pid}; sleep 0.1 }
    cmp_ok(cpu_s($run->{pid}) - $before_s, '<', 0.15 * (time - $begun_s), 'is waited for without taking the CPU');
    kill CONT => $meter;
    kill INT => $run->{pid};
    is((finish($run))[0], 3, 'exit status');
    is_over($run);
};

subtest 'with a real-time policy' => sub {
    plan skip_all => 'no right to real-time scheduling: run as root' if !has_rights();
    my ($parts, $err, $status) = ring(qw(-P fifo -n 20000 --processes=3));
    is($status, 0, 'exit status');
    is_deeply([map { "$_->{policy} $_->{priority}" } @$parts], ['fifo 95'], 'as asked for');
    for my $report (@$parts) {
        my $stalled_s = sum0(grep { $_ > 1000 } column($report, 'events', 'wakeup_us')) / 1e6;    # which is no work
        my $work_s = $report->{wakeup_sum_ns} / 1e9 - $stalled_s;
        cmp_ok($report->{duration_s} - $stalled_s, '>', 1.5 * $work_s, 'it rests about as long as it works, which is in no hop');
    }
};

subtest 'a slow hop' => sub {
    my ($parts, $err, $status) = ring(qw(-b 1ns -n 1000));
    is($status, 2, 'exit status') or diag $err;
    is($parts->[0]{status}, 'break', 'ends the run');
};

subtest 'a load' => sub {
    my ($parts, $err, $status) = ring(qw(-n 2000 -- sleep 1000));
    is($status, 0, 'exit status') or diag $err;
    is("$parts->[0]{samples} $parts->[0]{load_ended_by}", '2000 the run', 'lasts as long as the ring');
};

# What is refused, and the message.
my @REFUSED = (
    (map { [["--processes=$_"],               "--processes=$_: (?:out of range|not a whole number)"] } qw(1 257 2k -2)),
    (map { [["--array=$_"],                   "--array=$_: not a size(?=; give a multiple of 4 up to 16384k\n)"] }
        '', qw(k 16K 16m 1kk 2 -4 16385k 16777220 18446744073709551616 18014398509481984k)),
    [['--processes=2,8'],                     '--processes=2,8: a list, but a run measures one ring(?=; run once for each\n)'],
    [['--array=0,16k'],                       '--array=0,16k: a list, but a run measures one ring(?=; run once for each\n)'],
    [[qw(-n 1 -f 100)],                       '--frequency=100: --source=ring has no rate'],
    [['--aligned', '-a', $CPUS[0]],           '--aligned: --source=ring has no schedule'],
    [[qw(-n 1 --explain)],                    '--explain: --source=ring measures several processes'],
    [[qw(-n 1 -D /dev/null)],                 '--device=/dev/null: --source=ring has no device'],
    [[qw(-n 1 -c tsc)],                       '--clock=tsc: --source=ring stamps with CLOCK_MONOTONIC|--clock=tsc: '],
    [[qw(-n 1 -p 5)],                         '--priority=5: --policy=other has none'],
    [[qw(-n 1 -s nanosleep --processes=2)],   '--processes: --source=nanosleep is not a ring'],
    [[qw(-n 1 -s auto --array=0)],            '--array: --source=auto is not a ring'],
);
subtest 'bad input' => sub {
    for (@REFUSED) {
        my ($options, $says) = @$_;
        my ($parts, $err, $status) = ring(@$options);
        is($status, 1, "@$options: exit status");
        like($err, qr/^realfeel: (?:$says).*; .*\n/, 'the reason, with the remedy');
        ok(!@$parts, 'nothing is measured');
    }
};

done_testing;
