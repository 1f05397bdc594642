#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What becomes of a thread of another program while it is measured: it begins others, forks, executes, takes another name,
# ends, and its number is used again; or it lives in a namespace of its own. None of its wake-ups is another's.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(abs_path);
use IPC::Open2 qw(open2);
use Program;
use Report;
use RunCommand qw(contents finish run start wait_until);
use Test::More;
use Time::HiRes qw(sleep);

use constant HZ => 200;
use constant LAST_PID => '/proc/sys/kernel/ns_last_pid';

my $BUILD = $ENV{BUILD} // 'build';
system(qw(make -s), "$BUILD/sleeper") == 0 or die "make $BUILD/sleeper failed\n";
my $SLEEPER = abs_path("$BUILD/sleeper");

sub sleeper {
    my @before = @_;
    my %sleeper = (pid => open2(my $out, my $in, @before, $SLEEPER, qw(nanosleep other), HZ));
    my ($thread) = split ' ', <$out> // '';
    return {%sleeper, in => $in, out => $out, thread => $thread};
}

# Returns how often its thread woke up.
sub ended {
    my ($sleeper) = @_;
    close $sleeper->{in};
    my $out = $sleeper->{out};
    my @woken = <$out>;
    waitpid $sleeper->{pid}, 0;
    return scalar @woken;
}

sub counted { return $_[0]{samples} + $_[0]{unmatched} }

# A process that runs these lines of Perl when its standard input ends, where pause(COUNT) sleeps so often for 5 ms.
sub scripted {
    my ($script) = @_;
    my $before = 'use threads; use Time::HiRes; sub pause { Time::HiRes::sleep(0.005) for 1 .. $_[0] } $| = 1; print "ready\n"; <STDIN>;';
    my $pid = open2(my $out, my $in, $^X, '-e', "$before $script");
    <$out>;
    return {pid => $pid, in => $in, out => $out};
}

# Measures all that the process does. Returns what was told, what the process has said, and the parts.
sub measured {
    my ($script) = @_;
    my $process = scripted($script);
    my $run = start(program('-s', "task:$process->{pid}", qw(-d 1h -o report --force)));
    wait_until(sub { has_begun($run->{pid}) });
    sleep 0.2;
    close $process->{in};
    my $out = $process->{out};
    my @said = <$out>;
    waitpid $process->{pid}, 0;
    my ($status, undef, $err) = finish($run);
    is($status, 0, 'it is measured to its end');
    return ($err, "@said", whole_parts(contents('report')));
}

sub begins_threads {
    my ($err, undef, $part) = measured('$_->join for map { threads->create(sub { pause(20) }) } 1, 2; pause(20)');
    like($err, qr/^thread .*; 2 began, which are not measured$/m, 'threads that begin are told');
    like($part->{threads_begun}, qr/^\d+ perl, \d+ perl$/, 'with their numbers and names');
    cmp_ok(counted($part), '<=', 20 + 5, 'what they do is not counted for it');
}

sub forks {
    my ($err, undef, $part) = measured('my $pid = fork; pause($pid ? 20 : 60); waitpid $pid, 0 if $pid');
    unlike($err, qr/began/, 'a process that it forks is no thread of it');
    cmp_ok(counted($part), '<=', 20 + 3, 'nor are its wake-ups');
}

sub executes {
    my (undef, $said, $part) = measured('pause(20); exec $^X, "-e", q{select undef, undef, undef, 0.005 for 1 .. 30; print "done"}');
    is($said, 'done', 'it becomes another program');
    cmp_ok(counted($part), '>=', 40, 'and is the same thread');
}

sub renames {
    my (undef, undef, $part) = measured('pause(20); $0 = "other"; pause(20)');
    is($part->{thread_name}, 'perl', 'the report has the name that it had');
    cmp_ok(counted($part), '>=', 35, 'under another it is the same thread');
}

# Starts a sleeper whose thread gets this number, if nobody else starts meanwhile.
sub sleeper_with {
    my ($thread) = @_;
    open my $last, '>', LAST_PID or return;
    syswrite $last, $thread - 2;
    close $last;
    return sleeper();
}

sub reuses {
    my ($err, $woken, $part);
    for (1 .. 20) {
        my $sleeper = sleeper();
        my $run = start(program('-s', "task:$sleeper->{thread}", qw(-d 1h -o report --force)));
        wait_until(sub { has_begun($run->{pid}) });
        sleep 0.2;
        $woken = ended($sleeper);
        my $other = sleeper_with($sleeper->{thread});
        (undef, undef, $err) = finish($run);
        my $again = $other && $other->{thread} eq $sleeper->{thread};
        ended($other) if $other;
        next unless $again;
        $part = whole_report(contents('report'));
        last;
    }
    plan skip_all => 'no number can be used again here: ' . LAST_PID unless $part;
    like($err, qr/; ended after \d/, 'its end is told');
    cmp_ok(counted($part), '<=', $woken, 'the wake-ups of another thread with its number are not counted');
    cmp_ok(counted($part), '>', 0, 'but its own');
}

sub lives_elsewhere {
    my @unshare = qw(unshare --pid --fork --mount-proc);
    plan skip_all => 'no namespace can be had here' if (run(@unshare, 'true'))[0];
    my ($status, undef, $refusal) = run(@unshare, program('-s', 'task:1', qw(-q -n 1 -o -)));
    is($status, 1, 'from within, where numbers are others than the kernel records');
    like($refusal, qr/\Arealfeel: --source=task: [^\n]*namespace[^\n]*; [^\n]*\n\z/, 'it is refused in one line, with the remedy');
    my $sleeper = sleeper(@unshare);
    wait_until(sub { (run(qw(pgrep -x sleeper)))[1] });
    my ($number) = map { /^NSpid:\s+(\d+)\s+1$/m ? $1 : () } map { contents("/proc/$_/status") } split ' ', (run(qw(pgrep -x sleeper)))[1];
    my (undef, $out) = run(program('-s', "task:$number", qw(-q -d 500ms -o -)));
    my $woken = ended($sleeper);
    my ($part) = grep { $_->{samples} } whole_parts($out);
    cmp_ok(counted($part), '>', 0.2 * HZ, 'from outside it is measured');
    cmp_ok(counted($part), '<=', $woken, 'each wake-up once');
}

workspace();
my (undef, undef, $refusal) = run(program('-s', "task:$$", qw(-q -d 10ms -o -)));
SKIP: {
    skip "--source=task is refused here: $1" if $refusal =~ /\Arealfeel: --source=task: (.*)/;
    subtest 'it begins threads'      => \&begins_threads;
    subtest 'it forks'               => \&forks;
    subtest 'it executes'            => \&executes;
    subtest 'it takes another name'  => \&renames;
    subtest 'its number is used again' => \&reuses;
    subtest 'a namespace of its own' => \&lives_elsewhere;
}

done_testing;
