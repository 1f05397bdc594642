# SPDX-License-Identifier: GPL-2.0-or-later
# What is done to the meter, its children or the thread that it measures, and undone before the end, is in the verdict.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use IPC::Open2 qw(open2);
use POSIX qw(WNOHANG);
use Program;
use Report;
use RunCommand qw(contents finish run start wait_until);
use RunEnd;
use Sleeper;
use Test::More;

# A process that traces another until it is killed, and says so: PTRACE_SEIZE of x86-64, which does not stop it.
my $TRACER = '$| = 1; print syscall(101, 0x4206, 0 + $ARGV[0], 0, 0), "\n"; sleep';

plan skip_all => 'no right to real-time scheduling here' if !has_rights();
plan skip_all => 'needs chrt: apt-get install util-linux' if (run('which', 'chrt'))[0];

my $CPU  = (allowed_cpus())[0];
my $IDLE = "/sys/devices/system/cpu/cpu$CPU/power/pm_qos_resume_latency_us";

# Waits until a look has found it: a checkpoint says so.
sub wait_for_reason {
    my ($run, $reason) = @_;
    wait_until(sub { kill USR1 => $run->{pid}; -e 'report' && contents('report') =~ /^# verdict: suspect: .*$reason/m });
}

sub verdict_of {
    my ($run) = @_;
    kill INT => $run->{pid};
    finish($run);
    return whole_report(contents('report'))->{verdict};
}

sub measuring {
    my @command = @_;
    unlink 'report';
    my $run = start(@command);
    wait_until(sub { has_begun($run->{pid}) || waitpid $run->{pid}, WNOHANG });
    die "it has not begun\n" if !kill 0 => $run->{pid};
    wait_for_samples($run, 1);
    my (undef, $meter) = children($run->{pid});
    return {%$run, meter => $meter};
}

workspace();

subtest 'the meter' => sub {
    my $root = 'machine';
    my $run = measuring(no_rtc(), fake_root(root => $root, $IDLE => 0), program(qw(-s nanosleep -f 500 -C 0 -o report -a), $CPU));
    my $tracer = start($^X, '-e', `uname -m` =~ /x86_64/ ? $TRACER : 'print "no\n"; sleep', $run->{meter});
    wait_until(sub { contents($tracer->{out}) });
    my $traced = contents($tracer->{out}) eq "0\n";
    run(qw(chrt -o -p 0), $run->{meter});
    put("$root$IDLE", 20);
    wait_for_reason($run, $_) for 'policy changed: fifo 95 -> other 0', $traced ? 'traced the measuring process' : ();
    wait_for_reason($run, 'idle_latency_us had another value');
    kill KILL => $tracer->{pid};
    finish($tracer);
    run(qw(chrt -f -p 95), $run->{meter});
    put("$root$IDLE", 0);
    my $verdict = verdict_of($run);
    like($verdict, qr/the measuring process had another policy, priority or CPU for about \d+\.\d s/, 'was ordinary for a second');
    like($verdict, qr/idle_latency_us had another value for about/, 'had another limit of idle states');
    unlike($verdict, qr/changed/, 'and is as it was');
    SKIP: {
        skip 'ptrace(2) is refused here', 1 if !$traced;
        like($verdict, qr/another process traced the measuring process for about/, 'was traced');
    }
};

subtest 'its children, and its share of the CPU' => sub {
    my $root = 'group';
    my $run = measuring(fake_root(root => $root, '/proc/self/mounts' => 'none /limited cgroup2 rw 0 0',
        '/limited/cpu.stat' => "nr_throttled 3\nthrottled_usec 5000000"), program(qw(-s ring -C 0 -o report)));
    my ($child) = children($run->{meter});
    unlike(contents('report'), qr/^# verdict: .*throttled/m, 'what was before the run does not count');
    run(qw(chrt -f -p 1), $child);
    put("$root/limited/cpu.stat", "nr_throttled 4\nthrottled_usec 5300000");
    wait_for_reason($run, $_) for 'a process of the ring: policy changed', 'throttled';
    run(qw(chrt -o -p 0), $child);
    my $verdict = verdict_of($run);
    like($verdict, qr/a process of the source had another policy, priority or CPU for about/, 'one had another policy');
    like($verdict, qr/throttled: the control group of the measuring process was out of CPU quota for 0\.300 s/, 'and all too few');
};

subtest 'a thread of another program' => sub {
    plan skip_all => explain_refusal() if explain_refusal();
    symlink $SLEEPER, 'watched';
    my $pid = open2(my $out, my $in, './watched', qw(nanosleep other 100 1));
    my ($thread) = split ' ', <$out> // '';
    my $run = measuring(program('-s', "task:$thread", qw(-C 0 -o report)));
    run(qw(chrt -f -p 1), $thread);
    wait_for_reason($run, 'the thread had another policy');
    run(qw(chrt -o -p 0), $thread);
    kill STOP => $pid;
    wait_for_reason($run, 'the thread was stopped');
    kill CONT => $pid;
    my $verdict = verdict_of($run);
    like($verdict, qr/the thread was stopped for about \d+\.\d s/, 'was stopped');
    like($verdict, qr/the thread had another policy, priority or CPUs for about/, 'had another policy');
    kill KILL => $pid;
};

done_testing;
