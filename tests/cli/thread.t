# SPDX-License-Identifier: GPL-2.0-or-later
# The waker has a higher priority than the meter, which it asks to wake up. Each request is counted. tests/sim/endings.t
# has how it ends.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Answered qw(answered);
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use RunEnd;
use Test::More;

plan skip_all => 'no right to real-time scheduling here' if !has_rights();

my $LOCKABLE_KB = 8192;
my @CPUS = allowed_cpus();
my @THREAD = qw(-s thread -C 0 -f 1000);

# The options, and what the report says of the waker and of the meter.
my @WAKERS = (
    [[], 'fifo 96', 'fifo 95'],
    [[qw(-P rr -p 20)], 'fifo 21', 'rr 20'],
    [[qw(-p 98)], 'fifo 99', 'fifo 98'],
    [[qw(-P other)], 'fifo 96', 'other 0'],
);

# The options, and the message.
my @REFUSED = (
    [[qw(-s thread -p 99)], '--priority=99: the waker needs a higher one, and there is none; use 98 or less'],
    [[qw(-s thread --waker=x)], '--waker=x: not a CPU; give the number of one, as in --waker=1'],
    [['-s', 'thread', '--waker=0,1'], '--waker=0,1: not a CPU; give the number of one, as in --waker=1'],
    [[qw(-s nanosleep --waker=0)], '--waker=0: --source=nanosleep has no waker; use --source=thread, or leave it out'],
    [[qw(-s thread -D /dev/rtc)], '--device=/dev/rtc: --source=thread has no device; leave one of the two out'],
    [[qw(-s thread -f 100001)], '--frequency=100001: --source=thread takes 1 to 100000 Hz'],
    [[qw(-s thread --waker=1023)], qr/bind to CPU 1023: .*; name one .*/],
);

# Starts a run and waits for 50 samples. Returns it with the numbers of its processes.
sub measuring {
    my ($options, @under) = @_;
    unlink 'report';
    my $run = start(@under, realfeel(@THREAD, '-o', 'report', '-a', $CPUS[0], @$options));
    wait_until(sub { has_begun($run->{pid}) });
    my ($standby, $meter) = children($run->{pid});
    wait_until(sub { children($meter) });
    my ($waker) = children($meter);
    my $measuring = {%$run, keeper => $run->{pid}, standby => $standby, meter => $meter, waker => $waker};
    wait_for_samples($measuring, 50);
    return $measuring;
}

# Checks how a run ends. Returns its report and its messages.
sub ended {
    my ($run, $status) = @_;
    my ($got, undef, $err) = finish($run);
    is($got, $status, 'exit status') or diag $err;
    is_over($run);
    return (whole_report(contents('report')), $err);
}

workspace();

for (@WAKERS) {
    my ($options, $waker, $meter) = @$_;
    subtest "-s thread @$options" => sub {
        my ($status, $out, $err) = run(realfeel(@THREAD, qw(-n 300 -o - -a), $CPUS[0], @$options));
        my $report = whole_report($out);
        is($status, 0, 'exit status') or diag $err;
        is($report->{waker}, $waker, 'the waker');
        is("$report->{policy} $report->{priority}", $meter, 'the meter');
        is("$report->{cpu} $report->{waker_cpu}", "$CPUS[0] $CPUS[0]", 'both on one CPU');
        is("$report->{source} $report->{frequency_hz}", 'thread 1000', 'the source');
        is($report->{samples}, 300, 'samples');
        is(total($report, 'histogram', 'wakeup'), $report->{periods}, 'each request is counted');
        is_deeply([grep { /^(?:interval|lateness|schedule|anchor|early)/ } keys %$report], [], 'there is no schedule');
    };
}

subtest 'the waker on another CPU' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS < 2;
    my ($status, $out) = run(realfeel(@THREAD, qw(-n 300 -o - -a), $CPUS[0], "--waker=$CPUS[1]"));
    my $report = whole_report($out);
    is($status, 0, 'exit status');
    is("$report->{cpu} $report->{waker_cpu}", "$CPUS[0] $CPUS[1]", 'where they run');
};

subtest 'two CPUs' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS < 2;
    my ($status, $out) = run(realfeel(@THREAD, qw(-n 300 -o - -a), "$CPUS[0],$CPUS[1]"));
    my @parts = whole_parts($out);
    is($status, 0, 'exit status');
    is_deeply([map { "$_->{cpu} $_->{waker_cpu} $_->{phase_ns}" } @parts],
        ["$CPUS[0] $CPUS[0] 0", "$CPUS[1] $CPUS[1] 500000"], 'each has its waker, and they take turns');
};

# The waker rests; else the meter would never have the CPU.
subtest 'a rate that is too high' => sub {
    my ($status, $out) = run(realfeel(qw(-s thread -f 100000 -n 501 -o - -a), $CPUS[0]));
    is(whole_report($out)->{samples}, 501, 'the meter wakes up');
};

for (@REFUSED) {
    my ($options, $line) = @$_;
    subtest "@$options" => sub {
        my ($status, $out, $err) = run(program(@$options, qw(-n 1 -o report -a), $CPUS[0]));
        is($status, 1, 'exit status');
        like(said($err), ref $line ? qr/\Arealfeel: $line\n\z/ : qr/\Arealfeel: \Q$line\E\n\z/, 'the reason and the remedy');
        ok(!-e 'report', 'no report');
    };
}

# The meter needs none, only the waker does.
subtest 'no right to a real-time policy' => sub {
    my @user = unprivileged(memlock => $LOCKABLE_KB * 1024, rtprio => 0);
    plan skip_all => "the machine's limit is below $LOCKABLE_KB kB: ulimit -l" if (run(@user, 'true'))[0];
    my @command = (@user, program(@THREAD, qw(-P other -n 100 -o - -a), $CPUS[0]));
    my ($status, $out, $err) = run(@command);
    is($status, 1, 'exit status');
    like(said($err), qr/\Arealfeel: take SCHED_FIFO 96: .*ulimit -r, now 0\) to 96, or use --best-effort\n\z/, 'the remedy');
    ($status, $out) = run(@command, '--best-effort');
    my $report = whole_report($out);
    is("$status $report->{waker}", '0 other 0', 'as far as it goes');
    like($report->{verdict}, qr/^invalid: not real-time: take SCHED_FIFO 96 for the waker: /, 'verdict');
};

subtest 'with --explain' => sub {
    plan skip_all => explain_refusal() if explain_refusal();
    my ($status, $out, $err) = run(realfeel(@THREAD, qw(-n 300 --explain -o - -a), $CPUS[0]));
    my $report = whole_report($out);
    is($status, 0, 'exit status') or diag $err;
    is($report->{parts_matched} + $report->{parts_unknown}, 300, 'the parts of all wake-ups are known or not');
    is("$report->{expiry_min_ns} $report->{expiry_max_ns}", '0 0', 'no timer is to expire') if $report->{parts_matched};
    my @sentences = map { $_->{sentence} } answered($out);
    is_deeply([grep { !/^[\d.]+ [mu]s after the request: / } @sentences], [], 'sentences tell since when');
    my ($other) = grep { $_ != $CPUS[0] } @CPUS;
    return if !defined $other;
    ($status, undef, $err) = run(realfeel(@THREAD, qw(-n 1 --explain -o - -a), $CPUS[0], "--waker=$other"));
    is($status, 1, 'exit status with the waker elsewhere');
    like(said($err), qr/^realfeel: --explain: the waker runs on CPU $other, and only .*; leave --waker out, .*$/, 'why');
};

subtest 'the memory that is locked' => sub {
    my $run = measuring([qw(-d 1h)]);
    my ($locked) = contents("/proc/$run->{meter}/status") =~ /^VmLck:\s+(\d+)/m;
    kill INT => $run->{keeper};
    my ($report) = ended($run, 3);
    is($report->{memory_locked_kb}, $locked, 'what the meter and its waker share is told, too');
};

# The kernel lets no process of a user signal one of root's, not even by a parent-death signal.
subtest 'kill of a meter that root was' => sub {
    plan skip_all => 'only root has something to give up: run as root' if $>;
    chmod 0777, '.';
    my $run = measuring([qw(-d 1h)], qw(env SUDO_UID=65534 SUDO_GID=65534));
    my @of = map { contents("/proc/$_/status") =~ /^Uid:\t(\d+)/m } @$run{qw(meter waker)};
    is("@of", '65534 65534', 'both are the user\'s');
    kill STOP => $run->{waker};
    kill KILL => $run->{meter};
    ended($run, 3);
};

done_testing;
