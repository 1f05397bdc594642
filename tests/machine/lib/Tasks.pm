# SPDX-License-Identifier: GPL-2.0-or-later
# What becomes of a thread of another program while it is measured: it ends, and its number is used again; it executes, forks,
# begins others, takes another name; or it lives in a namespace of its own. None of its wake-ups is counted for another.
package Tasks;
use strict;
use warnings;

use Config;
use IPC::Open2 qw(open2);
use HostKernel qw(lacking without);
use POSIX qw(_exit);
use Program;
use Report qw(faults parse_parts);
use RunCommand qw(contents file_of finish run start wait_until);
use Sleeper;
use Time::HiRes qw(sleep);
use Tries;

use constant {
    HZ      => 500,
    MORE    => 30,      # wake-ups of a thread that goes on
    TIMES   => 51,      # that a process sleeps which a thread forks or executes
    FEW     => 12,      # so often it may be woken besides, by the files that it reads as it starts
    TRIES   => 5000,
    LAST    => '/proc/sys/kernel/ns_last_pid',
    F_SETPIPE_SZ => 1031,
    PIPE    => 1 << 20, # for its stamps, which a sleeper that executes prints before they are read
};

my ($CPU) = allowed_cpus();
my @READS  = qw(-P fifo -p 90);     # or a load may keep it from reading
my @INSIDE = qw(unshare --pid --fork --mount-proc);
my @NEEDS  = qw(real-time memory perf);

# Each property with its cases: their names, what is tried, and what else it needs.
my @TASKS = (
    ['numbers of threads', ['used again', \&number_again, \&chooses_numbers],
        ['of a PID namespace', \&namespace, sub { lacking('pid-namespace') || without(program => 'unshare') }]],
    ['threads that change', ['name and child', \&changes_itself], ['execution by one of several', \&executes],
        ['execution by the only thread', \&executes_alone]],
    ['threads that begin', ['', \&begins_threads, sub { $Config{useithreads} ? '' : 'this perl has no threads' }]],
);

sub properties {
    return map {
        my ($name, @cases) = @$_;
        { name => "task: $name", cases => [map { case(@$_) } @cases] };
    } @TASKS;
}

sub case {
    my ($name, $try, $lacks) = @_;
    return { name => $name, try => $try, lacks => sub {
        lacking(@NEEDS) || lacking('switches') && lacking('programs') || without(program => 'taskset') || $lacks && $lacks->();
    } };
}

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
# the parts by the numbers of their threads, the messages, and the faults.
sub measured {
    my ($target, $happens, $to_end) = @_;
    unlink 'report';
    my $run = start(program('-s', "task:$target", @READS, qw(-d 1h -o report)));
    wait_for_sample($run, 'report');
    $happens->($run);
    kill INT => $run->{pid} if !$to_end;
    my ($status, undef, $err) = finish($run);
    my @parts = parse_parts(contents('report'));
    return (by_thread(@parts), $err, map({ faults($_) } @parts), differs('exit status', $status, $to_end ? 0 : 3));
}

sub by_thread { return {map { $_->{thread} => $_ } @_} }

# Waits until this holds of the parts of a checkpoint, by the numbers of their threads.
sub wait_for_parts {
    my ($run, $holds) = @_;
    wait_until(sub { wait_for_sample($run, 'report'); $holds->(by_thread(parse_parts(contents('report')))) });
}

sub counted { return $_[0] ? $_[0]{samples} + $_[0]{unmatched} : 0 }

# Those of which more wake-ups were counted than there were.
sub too_many {
    my ($part, $woken) = @_;
    return map { not_within("wake-ups of thread $_", counted($part->{$_}), undef, $woken->{$_}) } sort keys %$woken;
}

sub chooses_numbers { return $> ? 'only root chooses the number of a process' : without(file => LAST) }

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
    my ($part, $err, @faults) = measured($sleeper->{pid}, sub {
        my ($run) = @_;
        wait_for_parts($run, sub { my ($part) = @_; !grep { !$part->{$_} } @threads });
        order($sleeper, 'end 1');
        wait_until(sub { !-e "/proc/$sleeper->{pid}/task/$threads[1]" });
        $had = take_number($threads[1], 2 * TIMES);
        wait_for_parts($run, $goes_on);
    });
    return (
        @faults, too_many($part, ended($sleeper)),
        differs('a process has its number', $had, 1),
        differs('threads that ended', join(' ', grep { exists $part->{$_}{thread_ended_s} } @threads), $threads[1]),
        $err =~ /^thread .*; 1 ended$/m ? () : "no '1 ended': $err",
    );
}

sub changes_itself {
    my $sleeper = sleeper(1);
    my ($thread) = @{ $sleeper->{threads} };
    my ($part, undef, @faults) = measured($thread, sub { order($sleeper, $_) for 'name 0', 'fork 0'; sleep 0.15 });
    return (
        @faults, too_many($part, ended($sleeper)),
        differs('threads', join(' ', keys %$part), $thread),
        differs('name', $part->{$thread}{thread_name}, 'sleeper'),
    );
}

# The new program has the number of the process. The thread that executed it is the same, until the meter sees that its number
# is gone.
sub executes {
    my $sleeper = sleeper(1);
    my ($pid, $thread) = ($sleeper->{pid}, @{ $sleeper->{threads} });
    my ($part, undef, @faults) = measured($pid, sub { order($sleeper, 'exec 0') }, 'to its end');
    my $woken = ended($sleeper);
    return (
        @faults,
        not_within('wake-ups of the thread', counted($part->{$thread}), 1, $woken->{$thread} + TIMES + FEW),
        exists $part->{$thread}{thread_ended_s} ? () : 'the thread has no end',
        not_within('wake-ups of the number of the process', counted($part->{$pid}), undef, FEW),
    );
}

# A process that sleeps again and again, prints how often when its standard input ends, and then does this.
sub scripted {
    my ($script) = @_;
    my $sleeps = '$| = 1; print qq(ready\n); my $slept = 0; $slept++ until select my $ready = qq(\1), undef, undef, 0.002';
    my $pid = open2(my $out, my $in, $^X, '-e', "$sleeps; print qq(\$slept\\n); $script");
    <$out>;
    return {pid => $pid, in => $in, out => $out};
}

# Returns its part, the messages, how often it had slept before its script, and the faults.
sub measured_to_end {
    my ($process) = @_;
    my $slept;
    my ($part, $err, @faults) = measured($process->{pid}, sub {
        close $process->{in};
        $slept = readline $process->{out};
        waitpid $process->{pid}, 0;
    }, 'to its end');
    return ($part->{ $process->{pid} }, $err, $slept, @faults);
}

# Those that begin are reported, and not measured.
sub begins_threads {
    my $pause = 'use threads; sub pause { select undef, undef, undef, $_ for (0.002) x 60, 0.2 }';
    my ($part, $err, $slept, @faults) =
        measured_to_end(scripted("$pause \$_->join for map { threads->create(\\&pause) } 1, 2; pause()"));
    return (
        @faults,
        $err =~ /^thread .*; 2 began, which are not measured$/m ? () : "no '2 began': $err",
        $part->{threads_begun} =~ /^\d+ perl, \d+ perl$/ ? () : "threads that began: $part->{threads_begun}",
        not_within('wake-ups', counted($part), undef, $slept + 60 + FEW),
    );
}

# It has a single thread, which keeps its number.
sub executes_alone {
    my $sleeps = 'select undef, undef, undef, 0.001 for 1 .. ' . TIMES;
    symlink $^X, 'other';
    my ($part, undef, $slept, @faults) = measured_to_end(scripted("exec './other', '-e', '$sleeps'"));
    return (
        @faults,
        not_within('wake-ups', counted($part), TIMES, $slept + TIMES + FEW),
        $part->{thread_name} eq 'other' ? 'the name is that of the new program' : (),
    );
}

# Its numbers are others within it: from there, nothing is measured.
sub namespace {
    my $sleeper = sleeper(1, @INSIDE);
    my ($pid) = children($sleeper->{pid});
    my ($outer) = grep { $_ != $pid } map { m{(\d+)\z} } glob "/proc/$pid/task/*";
    my ($part, undef, @faults) =
        measured($outer, sub { wait_for_parts($_[0], sub { $_[0]{$outer}{samples} > 50 }) });
    my ($inner) = @{ $sleeper->{threads} };
    my $woken = ended($sleeper);
    return (
        @faults,
        $inner == $outer ? "the thread has the same number within: $inner" : (),
        too_many({$inner => $part->{$outer}}, $woken),
        map { refused_within($_) } ['task', 'task:1'], ['workqueue:global', 'workqueue', '-a', $CPU],
    );
}

sub refused_within {
    my ($name, @source) = @{ $_[0] };
    my ($status, $out, $err) = run(@INSIDE, program('-s', @source, qw(-q -n 1 -o -)));
    return "$status $out" eq '1 ' && $err =~ /^realfeel: --source=$name: in this PID namespace .*; run outside it, .*\n\z/m ? ()
        : "within it $name is measured: $status $err";
}

1;
