# SPDX-License-Identifier: GPL-2.0-or-later
# The load of ten real-time threads: they are what it says, the machine goes on while the kernel throttles them, the
# verdict tells of that, and none is left.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(abs_path);
use Program;
use Report;
use RunCommand qw(start finish contents wait_until);
use Test::More;
use Time::HiRes qw(sleep);

use constant {
    RT_PRIORITY => 37,          # what follows the name in /proc/PID/stat: the state is 0
    POLICY      => 38,
    SCHED_RR    => 2,
    WARMED_UP_S => 1.5,         # more than a second, of which throttling takes a part
    TIMEOUT_S   => 600,         # after which they end by themselves, whoever was killed
};

my ($runtime_us, $period_us) = map { eval { contents("/proc/sys/kernel/sched_rt_${_}_us") } // -1 } qw(runtime period);
my $JOB = abs_path("$FindBin::Bin/../../packaging/rr.job");
if (system 'command -v stress-ng >/dev/null 2>&1') {
    die "stress-ng is not installed, and CI needs it\n" if $ENV{CI};
    plan skip_all => 'stress-ng is not installed';
}
plan skip_all => 'no right to real-time scheduling: run as root, or raise the limits (ulimit -r, ulimit -l)' if !has_rights();
plan skip_all => "real-time processes are not throttled here: sched_rt_runtime_us is $runtime_us"
    if $runtime_us < 0 || $runtime_us >= $period_us;

# A process and all that it has started, and so on.
sub family {
    my ($pid) = @_;
    return ($pid, map { family($_) } eval { children($pid) });
}

# The name of a process, and the fields of its state that follow.
sub stat_of {
    my ($pid) = @_;
    return (eval { contents("/proc/$pid/stat") } // '') =~ /\((.*)\) (.*)/ ? ($1, split ' ', $2) : ('', 'X');
}

# The busy threads that a process has started, however far down.
sub busy_threads {
    my ($pid) = @_;
    return grep {
        my ($name, @fields) = stat_of($_);
        $name =~ /^stress-ng-cpu/ && $fields[0] eq 'R' && $fields[POLICY] == SCHED_RR && $fields[RT_PRIORITY] == 1;
    } family($pid);
}

workspace();

# One CPU is enough, so that the machine keeps the others.
my $cpu = (allowed_cpus())[-1];
my @load = ('--', 'stress-ng', '--taskset', $cpu, '--timeout', TIMEOUT_S, '--job', $JOB);
my (@started, $run);

# Nothing takes a CPU for good when this is interrupted.
END { kill KILL => map { family($_) } $run ? $run->{pid} : () }

$run = start(realfeel(qw(-s nanosleep -f 100 -d 1h -C 0 -o report -a), $cpu, @load));
my @threads;
wait_until(sub { @threads = busy_threads($run->{pid}); @threads >= 10 || -e 'report' });
is(scalar @threads, 10, 'ten busy threads, SCHED_RR 1');
sleep WARMED_UP_S;
@started = grep { $_ != $run->{pid} } family($run->{pid});
kill INT => $run->{pid};
my ($status, undef, $err) = finish($run);
undef $run;
is($status, 3, 'the run ends when it is interrupted') or diag $err;
is_deeply([grep { -e "/proc/$_" } @started], [], 'with all that it had started');

my $report = whole_report(contents('report'));
is($report->{load_ended_by}, 'the run', 'the load lasts as long as the run');
my ($late_ns, $guard_ns) = ($report->{lateness_max_ns}, 1000 * ($period_us - $runtime_us));
my $steal_ns = $report->{steal_ms} eq 'unknown' ? 0 : $report->{steal_ms} * 1e6;
my $was_late = $late_ns - $steal_ns >= $guard_ns / 2 && $late_ns - $steal_ns <= 2 * $guard_ns && $late_ns > 2 * $steal_ns;
is($report->{verdict} =~ /the kernel may have throttled real-time processes/ ? 1 : 0, $was_late ? 1 : 0,
    'the verdict tells of throttling where it shows')
    or diag "latest $report->{lateness_max_ns} ns: $report->{verdict}";

done_testing();
