#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What becomes of a thread of another program while it is measured: it ends, and its number is used again; it executes, forks,
# begins others, takes another name; or it lives in a namespace of its own. None of its wake-ups is another's.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Config;
use IPC::Open2 qw(open2);
use POSIX qw(_exit);
use Program;
use Report;
use RunCommand qw(contents file_of finish run start wait_until);
use Sleeper;
use Test::More;
use Time::HiRes qw(sleep);

use constant {
    HZ      => 500,
    WHILE_S => 0.5,
    MORE    => 60,      # wake-ups of a thread that goes on
    TIMES   => 201,     # that a process sleeps which a thread forks or executes
    FEW     => 12,      # so often it may be woken besides, by the files that it reads as it starts
    TRIES   => 5000,
    LAST    => '/proc/sys/kernel/ns_last_pid',
    F_SETPIPE_SZ => 1031,
    PIPE    => 1 << 20, # for its stamps of half a minute, which a sleeper that executes prints before they are read
};

plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];
my @READS = qw(-P fifo -p 90);     # or a load may keep it from reading

# Before other ordinary threads, as on an idle machine, in whatever these words start.
sub sleeper {
    my ($threads, @within) = @_;
    my %sleeper = (pid => open2(my $out, my $in, qw(nice -n -15), @within, $SLEEPER, 'nanosleep', 'other', HZ, $threads));
    fcntl $out, F_SETPIPE_SZ, PIPE or die "F_SETPIPE_SZ: $!\n";
    return {%sleeper, in => $in, out => $out, threads => [split ' ', <$out> // '']};
}

sub ended {
    my ($sleeper) = @_;
    close $sleeper->{in};
    my $out = $sleeper->{out};
    my ($most) = woken(<$out>);
    waitpid $sleeper->{pid}, 0;
    return $most;
}

sub order {
    my ($sleeper, $order) = @_;
    syswrite $sleeper->{in}, "$order\n";
    sleep 0.02;
}

# What is measured of a process while this happens to it, which knows the run: to its end, or until it has happened. Returns
# the parts by the numbers of their threads, and the messages.
sub measured {
    my ($target, $happens, $to_end) = @_;
    my $run = start(program('-s', "task:$target", qw(-d 1h -o report)));
    wait_for_sample($run, 'report');
    $happens->($run);
    kill INT => $run->{pid} if !$to_end;
    my ($status, undef, $err) = finish($run);
    is($status, $to_end ? 0 : 3, 'it is measured');
    return (by_thread(report()), $err);
}

sub by_thread { return {map { $_->{thread} => $_ } @_} }

# Waits until this holds of the parts of a checkpoint, by the numbers of their threads.
sub wait_for_parts {
    my ($run, $holds) = @_;
    wait_until(sub { wait_for_sample($run, 'report'); $holds->(by_thread(parse_parts(contents('report')))) });
}

sub report {
    my @parts = whole_parts(contents('report'));
    unlink 'report';
    return @parts;
}

sub counted { return $_[0] ? $_[0]{samples} + $_[0]{unmatched} : 0 }

# Those of which more wake-ups were counted than there were.
sub too_many {
    my ($part, $woken) = @_;
    return map { counted($part->{$_}) . " of $woken->{$_} of $_" }
        grep { counted($part->{$_}) > $woken->{$_} } sort keys %$woken;
}

# The next process gets this number, if nobody else takes it. It sleeps that often. Returns false if it was not to be had.
sub take_number {
    my ($number, $times) = @_;
    for (1 .. TRIES) {
        file_of(LAST, $number - 1);
        my $pid = fork // die "fork: $!";
        if (!$pid) {
            select undef, undef, undef, 0.001 for 1 .. ($$ == $number ? $times : 0);
            _exit(0);
        }
        waitpid $pid, 0;
        return 1 if $pid == $number;
    }
    return 0;
}

sub number_again {
    my $sleeper = sleeper(3);
    my @threads = @{ $sleeper->{threads} };
    my $had;
    my $goes_on = sub { my ($part) = @_; !grep { counted($part->{$_}) <= counted($part->{ $threads[1] }) + MORE } @threads[0, 2] };
    my ($part, $err) = measured($sleeper->{pid}, sub {
        my ($run) = @_;
        wait_for_parts($run, sub { my ($part) = @_; !grep { !$part->{$_} } @threads });
        order($sleeper, 'end 1');
        wait_until(sub { !-e "/proc/$sleeper->{pid}/task/$threads[1]" });
        $had = take_number($threads[1], TIMES);
        wait_for_parts($run, $goes_on);
    });
    my $woken = ended($sleeper);
    ok($had, 'a process has the number of a thread that ended');
    is_deeply([too_many($part, $woken)], [], 'none of its wake-ups is counted');
    is(join(' ', grep { exists $part->{$_}{thread_ended_s} } @threads), $threads[1], 'that thread has ended');
    like($err, qr/^thread .*; 1 ended$/m, 'as is told');
    ok($goes_on->($part), 'the others go on');
}

# Two children of the command have the same number, one after the other. Any process of the machine may get that number
# in between, and keep it: then two others are to have one.
my $TWICE = <<'END';
sub child {
    my ($number, $times) = @_;
    my $pid = fork;
    if (!$pid) {
        select undef, undef, undef, 0.001 for 1 .. (!$number || $$ == $number ? $times : 0);
        exit;
    }
    waitpid $pid, 0;
    return $pid;
}
sub again {
    my ($pid) = @_;
    open my $last, '>', '/proc/sys/kernel/ns_last_pid';
    print {$last} $pid - 1;
    close $last;
    return child($pid, 150) == $pid;
}
my $done;
for (1 .. 20) {
    my $pid = child(0, 60);
    for (1, 2) { last if $done = again($pid) }
    last if $done;
}
END

sub number_again_in_command {
    my ($status, $out) = run(program(qw(-s task -q -o report), @READS, '--', 'perl', '-e', "$TWICE; select undef, undef, undef, 0.1"));
    is($status, 0, 'it is measured');
    my %parts;
    push @{ $parts{ $_->{thread} } }, $_ for report();
    my ($twice) = grep { @$_ > 1 } values %parts;
    is(scalar @{ $twice // [] }, 2, 'each has a part') or return;
    my @counts = map { counted($_) } @$twice;
    is_deeply([grep { $counts[$_] > (60, 150)[$_] + FEW } 0, 1], [], 'with no wake-up of the other');
    is_deeply([grep { $counts[$_] < (55, 140)[$_] } 0, 1], [], 'and with its own');
}

sub changes_itself {
    my $sleeper = sleeper(1);
    my ($thread) = @{ $sleeper->{threads} };
    my ($part) = measured($thread, sub { order($sleeper, $_) for 'name 0', 'fork 0'; sleep WHILE_S });
    my $woken = ended($sleeper);
    is(join(' ', keys %$part), $thread, 'the child that it forks is not measured');
    is_deeply([too_many($part, $woken)], [], 'nor are its wake-ups counted');
    is($part->{$thread}{thread_name}, 'sleeper', 'its name is the one from before');
}

# On the first CPU, whose idle task kernels trace that do not trace all of them. Returns the parts in their order, the number of
# the sleeper's thread, and how often it woke up.
sub command_measured {
    my ($orders) = @_;
    my $cpu = (allowed_cpus())[0];
    my ($status, undef, $err) = run(program(qw(-s task -q -o report), @READS, '--', 'sh', '-c',
        "(until [ -s stamps ]; do sleep 0.2; done; $orders) | nice -n -15 taskset -c $cpu $SLEEPER nanosleep other " . HZ . ' 1 >stamps'));
    is("$status $err", '0 ', 'it is measured');
    my @lines = split /\n/, contents('stamps');
    unlink 'stamps';
    return ([report()], $lines[0], woken(@lines));
}

# All that it counted are wake-ups of this thread, but for so many that have no stamp, and hardly any is missing.
sub has_its_own {
    my ($part, $most, $least, $unstamped) = @_;
    cmp_ok(counted($part), '<=', $most + ($unstamped // 3), 'the thread has its own wake-ups');
    cmp_ok(counted($part), '>=', $least - 3, 'and all of them');
}

sub changes_in_command {
    my ($parts, $thread, $most, $least) = command_measured('sleep 0.1; echo name 0; echo fork 0; sleep 0.6');
    my ($own) = grep { $_->{thread} == $thread } @$parts;
    has_its_own($own, $most->{$thread}, $least->{$thread});
    is($own->{thread_name}, 'renamed', 'and its last name');
    my ($child) = grep { $_->{thread} != $thread && $_->{thread_name} eq 'renamed' } @$parts;
    ok($child, 'its child has a part, by the name that it was given') or return;
    has_its_own($child, TIMES, TIMES);
}

# The new program has the number of the process. The thread that executed it is the same, until the meter sees that its number
# is gone.
sub executes {
    my $sleeper = sleeper(1);
    my ($pid, $thread) = ($sleeper->{pid}, @{ $sleeper->{threads} });
    my ($part) = measured($pid, sub { order($sleeper, 'exec 0') }, 'to its end');
    my $woken = ended($sleeper);
    cmp_ok(counted($part->{$thread}), '<=', $woken->{$thread} + TIMES + FEW, 'only its own wake-ups are counted');
    ok(exists $part->{$thread}{thread_ended_s}, 'and its end, which ends the run');
    cmp_ok(counted($part->{$pid}), '<=', FEW, 'what has the number of the process is another thread');
}

sub executes_in_command {
    my ($parts, $thread, $most, $least) = command_measured('sleep 0.1; echo exec 0; sleep 0.25');
    my ($own) = grep { $_->{thread} == $thread } @$parts;
    my ($new) = grep { $_->{thread_name} eq 'perl' } @$parts;
    has_its_own($own, $most->{$thread}, $least->{$thread}, FEW);
    cmp_ok(counted($new), '>=', TIMES - 3, 'the process goes on with its number, and the name of the new program');
    cmp_ok(counted($new), '<=', TIMES + FEW, 'and with the wake-ups of that');
}

# A process that sleeps again and again, tells how often when its standard input ends, and then does this.
sub scripted {
    my ($script) = @_;
    my $sleeps = '$| = 1; print qq(ready\n); my $slept = 0; $slept++ until select my $ready = qq(\1), undef, undef, 0.002';
    my $pid = open2(my $out, my $in, $^X, '-e', "$sleeps; print qq(\$slept\\n); $script");
    <$out>;
    return {pid => $pid, in => $in, out => $out};
}

# Returns what was told, its report, and how often it had slept before its script.
sub measured_to_end {
    my ($process) = @_;
    my $run = start(program('-s', "task:$process->{pid}", qw(-d 1h -o report)));
    wait_for_sample($run, 'report');
    close $process->{in};
    my $slept = readline $process->{out};
    waitpid $process->{pid}, 0;
    my ($status, undef, $err) = finish($run);
    is($status, 0, 'it is measured to its end');
    return ($err, report(), $slept);
}

# Those that begin are told.
sub begins_threads {
    plan skip_all => 'this perl has no threads' if !$Config{useithreads};
    my $pause = 'use threads; sub pause { select undef, undef, undef, $_ for (0.002) x 150, 0.5 }';
    my ($err, $report, $slept) = measured_to_end(scripted("$pause \$_->join for map { threads->create(\\&pause) } 1, 2; pause()"));
    like($err, qr/^thread .*; 2 began, which are not measured$/m, 'threads that begin are told');
    like($report->{threads_begun}, qr/^\d+ perl, \d+ perl$/, 'with their numbers and names');
    cmp_ok(counted($report), '<=', $slept + 150 + FEW, 'what they do is not counted for it');
}

# It has a single thread, which keeps its number.
sub executes_alone {
    my $sleeps = 'select undef, undef, undef, 0.001 for 1 .. ' . TIMES;
    symlink $^X, 'other' or die "other: $!\n";
    my (undef, $report, $slept) = measured_to_end(scripted("exec './other', '-e', '$sleeps'"));
    cmp_ok(counted($report), '>=', 0.9 * TIMES, 'a thread that executes another program goes on');
    cmp_ok(counted($report), '<=', $slept + TIMES + FEW, 'with its own wake-ups');
    isnt($report->{thread_name}, 'other', 'and with the name from before');
}

my @INSIDE = qw(unshare --pid --fork --mount-proc);

sub namespace {
    plan skip_all => 'no right to a PID namespace: run as root' if (run(@INSIDE, 'true'))[0];
    my $sleeper = sleeper(1, @INSIDE);
    my ($pid) = children($sleeper->{pid});
    my ($outer) = grep { $_ != $pid } map { m{(\d+)\z} } glob "/proc/$pid/task/*";
    my ($part) = measured($outer, sub { wait_for_parts($_[0], sub { $_[0]{$outer}{samples} > 100 }) });
    my ($inner) = @{ $sleeper->{threads} };
    my $woken = ended($sleeper);
    isnt($inner, $outer, 'within it, the thread has another number');
    is_deeply([too_many({$inner => $part->{$outer}}, $woken)], [], 'its wake-ups are counted');
    cmp_ok($part->{$outer}{samples}, '>', 100, 'nearly all of them');
    my ($status, $out, $err) = run(@INSIDE, program('-s', 'task:1', qw(-q -n 1 -o -)));
    is("$status $out", '1 ', 'from within nothing is measured');
    like($err, qr/\Arealfeel: --source=task: in this PID namespace .*; run outside it, .*\n\z/, 'it is said why');
}

workspace();
my (undef, undef, $refusal) = run(program('-s', "task:$$", qw(-q -d 10ms -o -)));
SKIP: {
    skip "--source=task is refused here: $1" if $refusal =~ /\Arealfeel: --source=task: (.*)/;
    SKIP: {
        my $chosen = -e LAST && open my $last, '>', LAST;
        skip 'only root can choose the number of a process, and where the kernel has ns_last_pid: run as root' if !$chosen;
        subtest 'a number that is used again' => \&number_again;
        subtest 'and in a command' => \&number_again_in_command;
    }
    subtest 'another name, and a child' => \&changes_itself;
    subtest 'the same in a command' => \&changes_in_command;
    subtest 'a thread that executes' => \&executes;
    subtest 'the same in a command' => \&executes_in_command;
    subtest 'the only one of its process' => \&executes_alone;
    subtest 'threads that begin' => \&begins_threads;
    subtest 'a PID namespace' => \&namespace;
}

done_testing;
