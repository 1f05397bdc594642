# SPDX-License-Identifier: GPL-2.0-or-later
# What is done to a thread that is measured, and undone before the end, is in the verdict. tests/sim/watched.t has the processes
# of a run.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IPC::Open2 qw(open2);
use POSIX qw(WNOHANG);
use Program;
use Report;
use RunCommand qw(contents finish run start wait_until);
use RunEnd;
use Sleeper;
use Test::More;

plan skip_all => 'no right to real-time scheduling here' if !has_rights();
plan skip_all => 'needs chrt: apt-get install util-linux' if (run('which', 'chrt'))[0];

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
    like($verdict, qr/the thread was stopped for about \d+\.\d s/, 'the verdict says that the thread was stopped');
    like($verdict, qr/the thread had another policy, priority or CPUs for about/, 'the verdict says that the thread had another policy');
    kill KILL => $pid;
};

done_testing;
