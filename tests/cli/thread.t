# SPDX-License-Identifier: GPL-2.0-or-later
# What only this machine's kernel shows of a waker: the records of --explain, the memory that is locked, and what a process
# that was root leaves. tests/sim/runs.t has its priority and its counts, tests/sim/endings.t how it ends.
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

my @CPUS = allowed_cpus();
my @THREAD = qw(-s thread -C 0 -f 1000);

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

subtest 'a thread with --explain' => sub {
    plan skip_all => explain_refusal() if explain_refusal();
    my ($status, $out, $err) = run(realfeel(@THREAD, qw(-n 300 --explain -o - -a), $CPUS[0]));
    my $report = whole_report($out);
    is($status, 0, 'exit status') or diag $err;
    is($report->{parts_matched} + $report->{parts_unknown}, 300, 'the parts of all wake-ups are known or not');
    is("$report->{expiry_min_ns} $report->{expiry_max_ns}", '0 0', 'no timer is to expire') if $report->{parts_matched};
    my @sentences = map { $_->{sentence} } answered($out);
    is_deeply([grep { !/^[\d.]+ [mu]s after the request: / } @sentences], [], 'sentences tell since when');
};

subtest 'the memory that is locked' => sub {
    my $run = measuring([qw(-d 1h)]);
    my ($locked) = contents("/proc/$run->{meter}/status") =~ /^VmLck:\s+(\d+)/m;
    kill INT => $run->{keeper};
    my ($report) = ended($run, 3);
    is($report->{memory_locked_kb}, $locked, 'what the meter and its waker share is reported, too');
};

# The kernel lets no process of a user signal one of root's, not even by a parent-death signal.
subtest 'kill of a meter that root was' => sub {
    plan skip_all => 'only root has something to give up: run as root' if $>;
    chmod 0777, '.';
    my $run = measuring([qw(-d 1h)], qw(env SUDO_UID=65534 SUDO_GID=65534));
    my @of = map { contents("/proc/$_/status") =~ /^Uid:\t(\d+)/m } @$run{qw(meter waker)};
    is("@of", '65534 65534', 'meter and waker run as the user');
    kill STOP => $run->{waker};
    kill KILL => $run->{meter};
    ended($run, 3);
};

done_testing;
