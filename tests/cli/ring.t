# SPDX-License-Identifier: GPL-2.0-or-later
# A ring of processes: the report has a part for each cell of the table, and each part is complete.
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

subtest 'a number or size that is named twice' => sub {
    my ($parts, $err, $status) = ring(qw(-n 100), '--processes=2,3,2', '--array=1k,1024', '-a', join ',', (@CPUS) x 2);
    is($status, 0, 'exit status') or diag $err;
    my @cells = map { my $processes = $_; map { "${processes}x1024\@$_" } @CPUS } 2, 3;
    is_deeply([map { "$_->{processes}x$_->{array_bytes}\@$_->{cpu}" } @$parts], \@cells, 'is measured once');
    my ($read, undef, $why) = run("$FindBin::Bin/../../analyze/realfeel-analyze", qw(stats report));
    is($read, 0, 'and the report can be read') or diag $why;
};

subtest 'no right is asked for' => sub {
    unlink 'report';
    my ($status, $out, $err) = run(unprivileged(memlock => 0, rtprio => 0), program(qw(-s ring -n 100 -o report)));
    is($status, 0, 'exit status') or diag $err;
    is(whole_report(contents('report'))->{memory_locked_kb}, 0, 'nor is memory locked');
};

subtest 'a table' => sub {
    my ($parts, $err, $status) = ring('-n', 2000, '--processes=2,5', '--array=0,16k,100', '-a', $CPUS[-1]);
    is($status, 0, 'exit status');
    is_deeply([map { "$_->{part}: $_->{processes} x $_->{array_bytes}" } @$parts],
        ['1 of 6: 2 x 0', '2 of 6: 5 x 0', '3 of 6: 2 x 16384', '4 of 6: 5 x 16384', '5 of 6: 2 x 100', '6 of 6: 5 x 100'],
        'each number of processes with each size');
    is_deeply([map { "$_->{status} $_->{samples} on $_->{cpu}" } @$parts], [("complete 2000 on $CPUS[-1]") x 6], 'each has all');
    like($err,
        qr/^ +cell +samples .*\n(?:[> ] +\d+x\d+k? +2000 .*\n){6}missed    0 of 12000 wake-ups of ring in 6 cells\n/, 'the result');
    like($err, qr/ cells\nreport    report\nverdict   \w+.*\n\z/, 'and nothing that the cells have not in common');
    like($_->{hop_overhead_ns}, qr/^\d+\.\d \d+\.\d \d+\.\d$/, 'and its overhead, three times') for @$parts;
};

subtest 'each cell has the time' => sub {
    my $before = time;
    my ($parts, $err, $status) = ring('-d', '1s', '--processes=2,4', '-q');
    my $lasted_s = time - $before;
    is("$status $err", '0 ', 'exit status, and nothing is said');
    cmp_ok($_->{duration_s}, '<=', $lasted_s - 1, 'no cell had the time of the other') for @$parts;
};

subtest 'several CPUs at once' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS < 2;
    my ($parts, $err, $status) = ring('-n', 3000, '--processes=2,4', '-a', "$CPUS[0],$CPUS[1]");
    is($status, 0, 'exit status');
    is_deeply([map { "$_->{processes} on $_->{cpu}" } @$parts], [map { my $n = $_; map { "$n on $_" } @CPUS[0, 1] } 2, 4],
        'a part for each cell on each CPU');
    is_deeply([map { $_->{samples} } @$parts], [(3000) x 4], 'all hops');
    ok(!exists $parts->[0]{phases}, 'without a schedule there are no phases');
    like($err, qr/^[> ] +2x0\@$CPUS[0] +3000 .*\n[> ] +2x0\@$CPUS[1] .*\n[> ] +4x0\@/m, 'the result names cell and CPU');
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
    my ($parts, $err, $status) = ring(qw(-P fifo -n 20000), '--processes=2,3');
    is($status, 0, 'exit status');
    is_deeply([map { "$_->{policy} $_->{priority}" } @$parts], [('fifo 95') x 2], 'as asked for');
    for my $report (@$parts) {
        my $stalled_s = sum0(grep { $_ > 1000 } column($report, 'events', 'wakeup_us')) / 1e6;    # which is no work
        my $work_s = $report->{wakeup_sum_ns} / 1e9 - $stalled_s;
        cmp_ok($report->{duration_s} - $stalled_s, '>', 1.5 * $work_s, 'it rests about as long as it works, which is in no hop');
    }
};

subtest 'a slow hop ends all' => sub {
    my ($parts, $err, $status) = ring(qw(-b 1ns -n 1000), '--processes=2,3,4');
    is($status, 2, 'exit status') or diag $err;
    is_deeply([map { $_->{status} } @$parts], [qw(break interrupted interrupted)], 'no other cell is begun');
    like($parts->[2]{verdict}, qr/^invalid: nothing was measured; not begun: its turn did not come before the end/, 'as it says');
};

subtest 'a load' => sub {
    my ($parts, $err, $status) = ring(qw(-n 2000), '--processes=2,3', qw(-- sleep 1000));
    is($status, 0, 'exit status') or diag $err;
    is_deeply([map { "$_->{samples} $_->{load_ended_by}" } @$parts], [('2000 the run') x 2], 'lasts as long as all cells');
};

# What is refused, and the message.
my @REFUSED = (
    [['--processes=1'],                       '--processes=1: not a list of numbers'],
    [['--processes=2,'],                      '--processes=2,: not a list of numbers'],
    [['--array=16K'],                         '--array=16K: not a list of sizes'],
    [['--array=1'],                           '--array=1: not a list of sizes'],
    [['--processes=2,3'],                    '--processes, --array: the first of 2 cells would never end'],
    [['--array=0,4k'],                        '--processes, --array: the first of 2 cells would never end'],
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
