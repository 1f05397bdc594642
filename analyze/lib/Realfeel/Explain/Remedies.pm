# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Explain::Remedies;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(remedies);

use List::Util qw(first);
use Realfeel::Explain qw(worst);

# A wake-up stands out when it took so many times the median; who had such a share of what is beyond that is a culprit.
# A little of idle, interrupts and soft interrupts is in every wake-up, so there it takes more.
use constant { LATE => 2, VERY_LATE => 4, SHARE => 0.25 };

# Files in the kernel's Documentation.
my $KTHREADS = 'admin-guide/kernel-per-CPU-kthreads.rst';
my $IRQ      = 'core-api/irq/irq-affinity.rst';
my $RT       = 'core-api/real-time/differences.rst';
my $HARDWARE = 'core-api/real-time/hardware.rst';

my $MOVE     = 'echo CPUS >/proc/irq/{irq}/smp_affinity_list';
my $ISOLATE  = 'isolcpus={cpu} nohz_full={cpu}';

# What can be done about whom: of this kind, with such a name, and when something else holds (see %HOLDS), what to do,
# the command or the boot parameter that does it, and what says so: one of those files, or a manual page. The first
# that fits is the one. What stands in braces is known of the culprit or of the run.
my @TABLE = (
    [
        'task|idle', qr/./, 'throttled',
        'the kernel throttled real-time processes: allow them all of the CPU time',
        'sysctl -w kernel.sched_rt_runtime_us=-1', 'scheduler/sched-rt-group.rst',
    ],
    [
        'task', qr{^(?:migration|cpuhp)/}, 'always',
        'work that other CPUs asked for, as when one goes on or off line or code is patched: wait until that is done',
        undef, $KTHREADS,
    ],
    [
        'task', qr{^irq/\d}, 'always',
        'the thread of an interrupt: move the interrupt to CPUS that are not measured', $MOVE, $KTHREADS,
    ],
    [
        'task', qr/^rcu/, 'always',
        'RCU callbacks: let other CPUs run them, by a boot parameter', 'rcu_nocbs={cpu}', $KTHREADS,
    ],
    [
        'task', qr{^kworker/}, 'always',
        'a work queue: keep those that are not bound to a CPU on those of MASK, all but this one',
        'echo MASK >/sys/devices/virtual/workqueue/cpumask', $KTHREADS,
    ],
    [
        'task', qr{^k(?:softirqd|timers)/}, 'always',
        'soft interrupts: move the interrupts that raise them to CPUS that are not measured', $MOVE, $KTHREADS,
    ],
    [
        'task', qr/./, 'deadline',
        'a deadline task runs before all priorities: keep it on other CPUs', undef, 'scheduler/sched-deadline.rst',
    ],
    [
        'task', qr/./, 'not below',
        'a task whose priority is not below ours: if it can wait, put it there',
        'chrt -f -p {below} {pid}', 'sched(7)',
    ],
    [
        'task', qr/./, 'above the timer',
        'a task above the thread in which this timer expires: put that thread above it, or use --source=nanosleep',
        'pgrep ktimers/ | xargs -n 1 chrt -f -p {priority}', $RT,
    ],
    [
        'task', qr/./, 'lent by the timer',
        'a task that holds a lock for which the thread of this timer waits, and borrows its priority: use a '
            . 'timer that needs no thread', 'realfeel --source=nanosleep', $RT,
    ],
    [
        'task', qr/./, 'preemption can be chosen',
        'the kernel cannot be preempted everywhere: a boot parameter changes that',
        'preempt=full', 'admin-guide/kernel-parameters.txt',
    ],
    [
        'task', qr/./, 'not PREEMPT_RT',
        'the kernel could not be preempted there: a PREEMPT_RT kernel can be, almost everywhere', undef, $RT,
    ],
    [
        'task', qr/./, 'always',
        'the kernel could not be preempted there: --explain=stacks tells where that is', undef, 'realfeel(8)',
    ],
    [
        'interrupt', qr/./, 'numbered',
        'move the interrupt to CPUS that are not measured', $MOVE, $IRQ,
    ],
    [
        'interrupt', qr/^timer/, 'not PREEMPT_RT',
        'timers of others: let what sets them run on other CPUs; a PREEMPT_RT kernel expires them in a thread',
        $ISOLATE, $RT,
    ],
    [
        'interrupt', qr/./, 'always',
        'work that other CPUs or timers asked for: isolate this CPU, by boot parameters',
        $ISOLATE, 'timers/no_hz.rst',
    ],
    [
        'softirq', qr/^NET_/, 'always',
        'the network: move its interrupts to CPUS that are not measured; on a PREEMPT_RT kernel it can be preempted',
        $MOVE, $KTHREADS,
    ],
    [
        'softirq', qr/^RCU/, 'always',
        'RCU callbacks: let other CPUs run them, by a boot parameter', 'rcu_nocbs={cpu}', $KTHREADS,
    ],
    [
        'softirq', qr/^(?:HR)?TIMER|^SCHED/, 'always',
        'timers of others, or the balance of load: isolate this CPU, by boot parameters', $ISOLATE, $KTHREADS,
    ],
    [
        'softirq', qr/./, 'always',
        'move the interrupts that raise it to CPUS that are not measured', $MOVE, $KTHREADS,
    ],
    [
        'idle', qr/./, 'may sleep deeply',
        'the CPU slept: keep it out of deep idle states', 'realfeel --dma-latency=0', 'admin-guide/pm/cpuidle.rst',
    ],
    [
        'idle', qr/./, 'always',
        'the CPU was slow to wake: let it run at its full frequency',
        'cpupower frequency-set -g performance', 'admin-guide/pm/cpufreq.rst',
    ],
    [
        'unknown', qr/^no-record/, 'SMIs',
        'the firmware had the CPU: turn off monitoring and power management in its setup', undef, $HARDWARE,
    ],
    [
        'unknown', qr/^no-record/, 'virtual',
        'the hypervisor may have had the CPU: give the virtual CPU one of its own there', undef, $HARDWARE,
    ],
    [
        'unknown', qr/^no-record/, 'always',
        'the firmware may have had the CPU: a tracer can tell',
        'echo hwlat >/sys/kernel/tracing/current_tracer', 'trace/hwlat_detector.rst',
    ],
);

# Of a row of blame, the wake-up, and the run.
my %HOLDS = (
    'always'                   => sub { 1 },
    'throttled'                => sub { ($_[1]{sentence} // '') =~ /throttled/ && !_is_not_below(@_) },
    'deadline'                 => sub { ($_[0]{priority} // '') eq 'deadline' },
    'not below'                => \&_is_not_below,
    'above the timer'          => sub { $_[2]{timer_thread} && _rt($_[0]) > 1 },
    'lent by the timer'        => sub { $_[2]{timer_thread} && _rt($_[0]) == 1 },
    'preemption can be chosen' => sub { $_[2]{preemption} =~ /^(?:none|voluntary)\b.*DYNAMIC/ },
    'not PREEMPT_RT'           => sub { !$_[2]{is_rt} },
    'numbered'                 => sub { ($_[0]{detail} // '') =~ /^irq:\d/ },
    'may sleep deeply'         => sub { $_[2]{dma_latency_us} ne '0' },
    'SMIs'                     => sub { ($_[1]{smis} // 0) > 0 },
    'virtual'                  => sub { $_[2]{hypervisor} !~ /^(?:none|unknown|)$/ },
);

=head1 NAME

Realfeel::Explain::Remedies - what can be done about who made wake-ups late

=head1 FUNCTIONS

=head2 remedies($report)

A list of hashes, for who took most time first: C<culprit>, in words; C<text>, what to do about it; C<command>, which
does it, or the boot parameters, or undef; and C<source>, where more is to be read: a file in the kernel's
F<Documentation>, or a manual page. Only those of culprits that were seen, so none where no wake-up stood out.

=cut

sub remedies {
    my ($report) = @_;
    my $run = _run($report);
    my (%remedy, %us);
    for my $event (_late($report)) {
        my %took = _took($event);
        for my $row (@{ $event->{blame} }) {
            next if $took{ _who($row) } < SHARE * $event->{beyond_us};
            next if $row->{kind} =~ /^(?:idle|interrupt|softirq)$/ && !$event->{is_very_late};
            my $entry = first { _fits($_, $row, $event, $run) } @TABLE or next;
            my $key = "$entry->[3] " . _who($row);
            $us{$key} += $row->{to_us} - $row->{from_us};
            $remedy{$key} //= _remedy($entry, $row, $run);
        }
    }
    return _together(map { $remedy{$_} } sort { $us{$b} <=> $us{$a} || $a cmp $b } keys %us);
}

# What helps against several is said once.
sub _together {
    my (%first, @together);
    for my $remedy (@_) {
        my $same = $first{ join "\n", $remedy->{text}, $remedy->{command} // '' } //= $remedy;
        if ($same == $remedy) { push @together, $remedy }
        else { $same->{culprit} .= ", $remedy->{culprit}" }
    }
    return @together;
}

sub _run {
    my ($report) = @_;
    my @keys = qw(cpu dma_latency_us hypervisor policy preemption priority source);
    my %run = map { $_ => $report->header($_) // '' } @keys;
    $run{priority} = 0 unless $run{policy} =~ /^(?:fifo|rr)$/ && $run{priority} =~ /^\d+$/;
    $run{below} = $run{priority} > 1 ? $run{priority} - 1 : 1;
    $run{cpu} = 'CPU' unless $run{cpu} =~ /^\d+$/;
    $run{is_rt} = $run{preemption} =~ /^PREEMPT_RT/ ? 1 : 0;
    $run{timer_thread} = $run{is_rt} && $run{source} =~ /^(?:rtc|timerfd|alsa)\b/;
    return \%run;
}

# The worst that stand out, each with how far it does.
sub _late {
    my ($report) = @_;
    my @events = grep { @{ $_->{blame} } } worst($report) or return;
    my ($median, $us) = ($report->latency->median, $report->latency_us);
    my @late = grep { $_->{$us} >= LATE * $median } @events;
    return map {
        { %$_, beyond_us => $_->{$us} - $median, is_very_late => $_->{$us} >= VERY_LATE * $median }
    } @late;
}

# How long each had the CPU.
sub _took {
    my ($event) = @_;
    my %us;
    $us{ _who($_) } += $_->{to_us} - $_->{from_us} for @{ $event->{blame} };
    return %us;
}

sub _fits {
    my ($entry, $row, $event, $run) = @_;
    my ($kind, $name, $condition) = @$entry;
    return $row->{kind} =~ /^(?:$kind)$/ && _name($row) =~ $name && $HOLDS{$condition}->($row, $event, $run);
}

sub _name { my ($row) = @_; return ($row->{kind} eq 'unknown' ? $row->{detail} : $row->{name}) // '-' }

# As a sentence calls it.
sub _who {
    my ($row) = @_;
    my ($kind, $name) = ($row->{kind}, _name($row));
    return "'$name' (" . ($row->{priority} // 'unknown') =~ tr/:/ /r . ')' if $kind eq 'task';
    return $name =~ /^(?:timer|reschedule|call)\b/ ? $name : "interrupt '$name'" if $kind eq 'interrupt';
    return $kind eq 'softirq' ? "softirq $name" : $kind eq 'unknown' ? 'time without any record' : $kind;
}

sub _remedy {
    my ($entry, $row, $run) = @_;
    my (undef, undef, undef, $text, $command, $source) = @$entry;
    my %number = ($row->{detail} // '') =~ /^(pid|irq):(\d+)$/;
    ($number{irq}) = _name($row) =~ m{^irq/(\d+)} if $row->{kind} eq 'task';
    my %value = (%$run, pid => $number{pid} // 'PID', irq => $number{irq} // 'NUMBER');
    return {
        culprit => _who($row),
        text    => $text,
        command => defined $command ? $command =~ s/\{(\w+)\}/$value{$1}/gr : undef,
        source  => $source =~ /\)$/ ? $source : "Documentation/$source",
    };
}

sub _rt { my ($row) = @_; return ($row->{priority} // '') =~ /^rt:(\d+)$/ ? $1 : 0 }

sub _is_not_below {
    my ($row, undef, $run) = @_;
    return _rt($row) && _rt($row) >= $run->{priority};
}

1;
