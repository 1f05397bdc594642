# SPDX-License-Identifier: GPL-2.0-or-later
package Subject;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(tool hog pinned command report_file preloaded cyclictest_period_ns while_running threads status);

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Program;
use RunCommand qw(start finish wait_until);
use Time::HiRes qw(sleep);

# What is compared: cyclictest, bare (a loop that waits and nothing else), and realfeel with the clocks monotonic and tsc.

use constant { FIFO => 1, SETTLE_S => 0.3, WAITS => 20 };

my $ROOT  = abs_path(dirname(__FILE__) . '/../../..');
my $BUILD = "$ROOT/" . ($ENV{BUILD} // 'build');

# A helper's path.
sub tool {
    return "$BUILD/bench/$_[0]";
}

# To be put before a command: a real-time priority, and a CPU of its own.
sub pinned {
    my ($cpu, $priority) = @_;
    return ('chrt', '-f', $priority // 95, 'taskset', '-c', $cpu);
}

# What takes the CPU away: see tests/lib/hog.c.
sub hog {
    return "$BUILD/hog";
}

# The command that measures hz times a second on a CPU: so many samples, or until it is interrupted. With stepped, its
# bins are wide enough for samples that are late because it is single-stepped.
sub command {
    my ($subject, %run) = @_;
    my $samples = $run{samples} // 1_000_000_000;
    return cyclictest(%run, samples => $samples) if $subject eq 'cyclictest';
    return (pinned($run{cpu}), tool('bare'), $run{hz}) if $subject eq 'bare';
    my @usual = (qw(-q -s nanosleep -F -o), report_file(), -c => $subject);
    my @more  = split ' ', $ENV{BENCH_OPTIONS} // '';
    my ($program, @options) = program(@usual, -f => $run{hz}, -n => $samples, -a => $run{cpu}, @more);
    return ($run{stepped} ? "$BUILD/stepped/realfeel" : $program, @options);
}

# Where realfeel leaves its report, for one that goes to a file is saved during the run, too.
sub report_file {
    return tool('report.hist');
}

sub cyclictest {
    my (%run) = @_;
    my $interval_us = cyclictest_period_ns($run{hz}) / 1000;
    return (qw(cyclictest -q -m -p 95 -t 1 -h 1000), -i => $interval_us, -l => $run{samples}, -a => $run{cpu});
}

# It takes whole microseconds.
sub cyclictest_period_ns {
    my ($hz) = @_;
    return 1000 * int(1_000_000 / $hz);
}

# The command with a wait that returns at once.
sub preloaded {
    return ('env', 'LD_PRELOAD=' . tool('stub.so'), @_);
}

# Starts the command, calls the function with the ids of the process and of its thread that measures, and interrupts the
# command. Returns what the function returned and what the command has printed. The thread is in its loop by then: it is
# given time for what it does before, and goes on waiting.
sub while_running {
    my ($function, @command) = @_;
    my ($run, $thread) = start(@command);
    wait_until(sub { $thread = measuring_thread($run->{pid}) });
    sleep SETTLE_S;
    my $waits = waits($thread);
    wait_until(sub { waits($thread) >= $waits + WAITS });
    my $result = eval { $function->($run->{pid}, $thread) };
    my $error  = $@;
    kill INT => $run->{pid};
    my (undef, $out) = finish($run);
    die $error if $error;
    return ($result, $out);
}

# Directories in /proc of all threads of a process and of its children.
sub threads {
    my ($pid) = @_;
    my @children = map { split } map { lines($_) } glob "/proc/$pid/task/*/children";
    return map { glob "/proc/$_/task/*" } $pid, @children;
}

# Of what a subject consists of, it is the only real-time thread.
sub measuring_thread {
    my ($pid) = @_;
    my ($path) = grep { (status($_)->{policy} // 0) == FIFO } threads($pid);
    return $path && ($path =~ m{(\d+)\z})[0];
}

sub waits {
    my ($thread) = @_;
    return status("/proc/$thread")->{voluntary_ctxt_switches} // 0;
}

# A thread's figures, by its directory in /proc; none of one that has ended.
sub status {
    my ($path) = @_;
    my ($stat) = map { s/.*\) //sr } lines("$path/stat");
    return {} if !$stat;
    my %status;
    @status{qw(minor_faults major_faults policy)} = (split ' ', $stat)[7, 9, 38];
    return {%status, map { /^(\w+):\s+(\d+)/ ? ($1 => $2) : () } lines("$path/status")};
}

sub lines {
    my ($path) = @_;
    open my $file, '<', $path or return;
    return <$file>;
}

1;
