# SPDX-License-Identifier: GPL-2.0-or-later
# The load of ten real-time threads: they take what the kernel's throttling leaves to them, and none outlives the run.
package Loads;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use HostKernel qw(lacking without);
use Program;
use Report qw(faults parse_report);
use RunCommand qw(contents finish start wait_until);
use Time::HiRes qw(sleep);
use Tries;

use constant {
    RT_PRIORITY => 37,      # what follows the name in /proc/PID/stat: the state is 0
    POLICY      => 38,
    SCHED_RR    => 2,
    WARMED_UP_S => 1.1,     # more than a second, of which throttling takes a part
    TIMEOUT_S   => 10,      # after which they end by themselves, whichever process was killed
};

my @CPUS = allowed_cpus();
my $JOB = abs_path(dirname(__FILE__) . '/../../../packaging/rr.job');

sub properties {
    return { name => 'a load of real-time threads', cases => [{ name => '', lacks => \&lacks, try => \&loaded }] };
}

sub lacks {
    my ($runtime_us, $period_us) = map { eval { contents("/proc/sys/kernel/sched_rt_${_}_us") } // -1 } qw(runtime period);
    return "sched_rt_runtime_us: $runtime_us" =~ s/\n//r if $runtime_us < 0 || $runtime_us >= $period_us;
    return lacking('real-time', 'memory') || without(program => 'stress-ng');
}

# A process and all that it has started, and so on.
sub family {
    my ($pid) = @_;
    return ($pid, map { family($_) } eval { children($pid) });
}

sub is_busy {
    my ($pid) = @_;
    my ($name, @fields) = (eval { contents("/proc/$pid/stat") } // '') =~ /\((.*)\) (.*)/ ? ($1, split ' ', $2) : ('', 'X');
    return $name =~ /^stress-ng-cpu/ && $fields[0] eq 'R' && $fields[POLICY] == SCHED_RR && $fields[RT_PRIORITY] == 1;
}

# One CPU is enough, so that the machine keeps the others.
sub loaded {
    unlink 'report';
    my @load = ('--', 'stress-ng', '--taskset', $CPUS[-1], '--timeout', TIMEOUT_S, '--job', $JOB);
    my $run = start(program(qw(-s nanosleep -f 100 -d 1h -C 0 -o report -a), $CPUS[-1], @load));
    my @busy;
    wait_until(sub { @busy = grep { is_busy($_) } family($run->{pid}); @busy >= 10 || -e 'report' });
    sleep WARMED_UP_S;
    my @started = grep { $_ != $run->{pid} } family($run->{pid});
    kill INT => $run->{pid};
    my ($status) = finish($run);
    my $report = parse_report(contents('report'));
    return (
        faults($report),
        differs('busy threads, SCHED_RR 1', scalar @busy, 10),
        differs('exit status', $status, 3),
        differs('the load was ended by', $report->{load_ended_by}, 'the run'),
        differs('processes left', scalar(grep { -e "/proc/$_" } @started), 0),
    );
}

1;
