# SPDX-License-Identifier: GPL-2.0-or-later
package Program;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(
    program realfeel has_rights explain_refusal is_sanitized allowed_cpus cpus_of children has_begun said
    unprivileged kill_in_turn wait_for_sample workspace
);

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use FindBin;
use HostKernel qw(lacking);
use RunCommand qw(run contents wait_until);

# Commands for run() and start(): each function returns a list of words, to be put one before the other.

my $PROGRAM = abs_path($ENV{REALFEEL} // dirname(__FILE__) . '/../../realfeel');

# realfeel with these options and no other.
sub program {
    return ($PROGRAM, @_);
}

# realfeel with these options, to measure here, with real-time rights where they are to be had.
sub realfeel {
    return program(has_rights() ? () : '--best-effort', @_);
}

# Does the kernel let us have what realfeel asks for?
sub has_rights {
    return lacking(qw(real-time memory)) eq '';
}

# Why tests of --explain are to be skipped here, and '' when the kernel has what it needs.
sub explain_refusal {
    my $lacking = lacking('perf');
    return $lacking ? "no tracepoints for us here, $lacking" : '';
}

# Was it built with SAN=1?
sub is_sanitized {
    return (run('ldd', $PROGRAM))[1] =~ /libasan/;
}

# The CPUs that we may use.
sub allowed_cpus {
    return cpus_of(contents('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\S+)/m);
}

# Those of a list such as 0-3,6.
sub cpus_of {
    my ($list) = @_;
    return map { /(\d+)-(\d+)/ ? $1 .. $2 : $_ } split /,/, $list;
}

# The processes that a process has started.
sub children {
    my ($pid) = @_;
    return split ' ', contents("/proc/$pid/task/$pid/children");
}

# Has it begun to measure? Then it reads its signals from a descriptor, and has these children: the standby and the meters,
# one unless it is given. The children that it had before, to look at the machine, are gone by then.
sub has_begun {
    my ($pid, $meters) = @_;
    return (grep { (readlink // '') =~ /signalfd/ } glob "/proc/$pid/fd/*") && children($pid) > ($meters // 1);
}

# What a run said on standard error, but for the warnings of what this machine lacks.
sub said {
    my ($err) = @_;
    return $err =~ s/^realfeel: warning: .*\n//mgr;
}

# Whatever follows runs without privileges and with these limits (memlock, rtprio). It stays the same user, who can
# reach the program wherever it is.
sub unprivileged {
    my %limit = @_;
    return (
        'prlimit', (map { "--$_=$limit{$_}" } sort keys %limit),
        $> ? () : qw(setpriv --inh-caps=-all --bounding-set=-all),
    );
}

# Kills these, each when the one before has closed what it had open, and not only been killed.
sub kill_in_turn {
    for my $pid (@_) {
        kill KILL => $pid;
        wait_until(sub { open my $stat, '<', "/proc/$pid/stat" or return 1; (<$stat> // ') Z') =~ /\) Z/ });
    }
}

# Waits until a run has measured, and has saved that in its report. Dies if it ends before.
sub wait_for_sample {
    my ($run, $report) = @_;
    my $before  = (stat $report)[1] // 0;
    my $goes_on = sub { die "it has ended\n" if contents("/proc/$run->{pid}/stat") =~ /\) Z/ };
    wait_until(sub { $goes_on->(); has_begun($run->{pid}) });
    wait_until(sub { $goes_on->(); kill USR1 => $run->{pid}; ((stat $report)[1] // $before) != $before });
}

# Go to an empty directory, which is removed at the end.
sub workspace {
    chdir tempdir(CLEANUP => 1) or die "chdir: $!";
}

1;
