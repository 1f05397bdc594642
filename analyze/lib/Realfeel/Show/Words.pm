# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Words;
use strict;
use warnings;

use Carp qw(croak);
use Exporter 'import';
our @EXPORT_OK = qw(words);

use Realfeel::Base::Units qw(counted);

=head1 NAME

Realfeel::Show::Words - every sentence of the analyzer, by its code

=head1 DESCRIPTION

An answer holds codes and values. What is said of them is here, in one table from top to bottom, in the order of the
verbs. A value stands in braces, C<{name}>; C<{wakeups:wake-up}> is a number with its noun, C<1 wake-up> or
C<12 wake-ups>.

=cut

use constant SENTENCES => {
    # explain: why a wake-up was late. {who} ran, for {lapse}; {doubt} is empty, or tells it in parentheses.
    'cause.interrupts_off' => 'the timer interrupt was {lapse} late while {who} ran{doubt}',
    'cause.timer_late' => 'the timer was {lapse} late while {who} ran, though other interrupts came',
    'cause.before_waking' => '{who} ran {lapse} before realfeel was woken',
    'cause.unpreemptible' => '{who} could not be preempted for {lapse}',
    'cause.outranked' => '{who} ran {lapse}',
    'cause.ran' => '{who} ran {lapse}',
    'cause.taken' => '{who} took the CPU away for {lapse}',
    'cause.throttled' => 'the CPU went to others, or idle, for {lapse} although realfeel was ready{doubt}',
    'cause.blocked' => '{who} ran {lapse} while realfeel was blocked again',
    'cause.stopped' => 'realfeel was stopped for {lapse} by a signal (SIGSTOP, ^Z)',
    'cause.traced' => 'realfeel was stopped for {lapse} by a debugger',
    'cause.frozen' => 'realfeel was frozen for {lapse} with its control group',
    'cause.idle' => 'woke from idle, {lapse}',
    'cause.stalled' => 'the CPU was idle for {lapse}, and why is not known',
    'cause.interrupt' => '{who} {lapse}',
    'cause.softirq' => '{who} {lapse}',
    'cause.at_work' => 'realfeel itself was still at work for {lapse}',
    'cause.self' => 'realfeel itself ran {lapse}',
    'cause.no-record' => '{lapse} without any record{doubt}',
    'cause.lost' => '{lapse} unknown: records were lost',
    'cause.ring-ends' => 'the records begin {lapse} after {since}',

    # explain: what can be done about it.
    'remedy.hypervisor' => 'the hypervisor may have had the CPU: give the virtual CPU one of its own on the host',
    'remedy.firmware' => 'the firmware had the CPU (SMI): turn off monitoring and power management in its setup',
    'remedy.hwlat' => 'the firmware may have had the CPU (SMI): a tracer can tell',
    'remedy.interrupts_rt' => 'interrupts were off: a PREEMPT_RT kernel rarely turns them off',
    'remedy.stacks' => '--explain=stacks tells where in the kernel that is',
    'remedy.preempt_full' => 'the kernel cannot be preempted everywhere: a boot parameter changes that',
    'remedy.preempt_rt' => 'the kernel could not be preempted there: a PREEMPT_RT kernel can be, almost everywhere',
    'remedy.timers_rt' => 'timers of others: a PREEMPT_RT kernel expires them in a thread',
    'remedy.softirqs_rt' => 'soft interrupts cannot be preempted: on a PREEMPT_RT kernel they can',
    'remedy.thread_interrupts' =>
        'let interrupts be handled in threads, which real-time processes go before: a boot parameter',
    'remedy.move_interrupt' => 'move the interrupt to CPUs that are not measured',
    'remedy.move_softirq' =>
        'soft interrupts: move the interrupts that raise them (/proc/interrupts) to CPUs that are not measured',
    'remedy.rcu' => 'RCU callbacks: let other CPUs run them, by a boot parameter',
    'remedy.workqueue' => 'a work queue: keep those that are not bound to a CPU on the CPUs that are not measured',
    'remedy.isolate' =>
        'work that other CPUs or timers asked for: isolate the CPU in a cpuset partition, measure from the same '
        . 'shell, and boot with nohz_full={measured} (the kernel leaves out the CPU that it boots on)',
    'remedy.isolate_at_boot' =>
        'work that other CPUs or timers asked for: isolate the CPU, by boot parameters; nohz_full leaves out the '
        . 'CPU that the kernel boots on',
    'remedy.wait' =>
        'work that other CPUs asked for, as when one goes on or off line or code is patched: wait until that is '
        . 'done',
    'remedy.deadline' => 'a deadline task runs before all priorities: keep it on other CPUs',
    'remedy.lower' => 'its priority is not below ours: if it can wait, put it there',
    'remedy.ordinary' =>
        'it is real-time, and no real-time priority is below ours: if it can wait, make it an ordinary process, '
        . 'or measure with a higher --priority',
    'remedy.real_time' => 'realfeel was not real-time: let it go before ordinary processes',
    'remedy.waiter' =>
        'its priority is lent by a task that waits for its lock; to lower its own does not help: lower that of '
        . 'the task that waits, or keep it from sharing the lock',
    'remedy.timer_thread' =>
        'it goes before the thread in which this timer expires: put that thread above it, or measure with '
        . '--source=nanosleep',
    'remedy.other_timer' =>
        'this timer expires in a thread, which may wait for locks: use a timer that needs no thread',
    'remedy.unthrottle' =>
        'the kernel may have throttled real-time processes: allow them all of the CPU time; then one that never '
        . 'sleeps hangs its CPU',
    'remedy.fair_server' =>
        'the kernel may have given the CPU to ordinary processes, 50 ms of each second: turn that off; then a '
        . 'real-time process that never sleeps hangs its CPU',
    'remedy.cpu_max' => 'its control group may have used up its CPU time: allow it more',
    'remedy.idle_states' => 'the CPU slept: keep it out of deep idle states',
    'remedy.frequency' => 'the CPU was slow to wake: let it run at its full frequency',
    'remedy.stopped' => 'a signal stopped it, as ^Z or kill -STOP does: let nothing do that during a run',
    'remedy.traced' => 'a debugger or tracer held it: let none be attached during a run',
    'remedy.frozen' => 'its control group was frozen, as containers and suspend do: let nothing do that during a run',
};

=head1 FUNCTIONS

=head2 words($code, %values)

The sentence of the code with the values in place. It dies where there is no such code, or a value is missing; values
that the sentence does not name may be there.

=cut

sub words {
    my ($code, %values) = @_;
    my $sentence = SENTENCES->{$code} // croak "no words for '$code'";
    return $sentence =~ s/\{(\w+)(?::([^{}]+))?\}/_value($code, $1, $values{$1}, $2)/ger;
}

sub _value {
    my ($code, $name, $value, $noun) = @_;
    croak "the words for '$code' lack the value of '$name'" unless defined $value;
    return defined $noun ? counted($value, $noun) : $value;
}

1;
