# SPDX-License-Identifier: GPL-2.0-or-later
# What had the CPU from the due time of a wake-up to its time stamp, by its records, and what the meter was waiting for
# then:
#
#   timer          the timer's interrupt; timer_late: while other interrupts came
#   waking         a waker: after that interrupt, or without one if a thread wakes it
#   ready          the CPU; taken: once more
#   passed_over    the CPU, which was given to a task that it outranks
#   blocked        to be woken once more
#   awaited        the segment's waker, a task, to wake it
#   stopped, traced     a signal or a debugger to let it continue
#   running        nothing
#   unknown
#
# If a record shows the meter waited for something else, the wait of earlier segments changes too.
package Realfeel::Answer::Segments;
use Realfeel::Base::Modern;

use List::Util qw(first max min none);

use constant {
    EVER         => -9**9**9,
    IDLE_EXIT_NS => 1_000_000,      # an idle CPU takes an interrupt sooner
    OWN_WAY_NS   => 200_000,        # a slow machine takes less from the switch to the stamp, traced
    FRAMES       => 16,             # of a stack at most, so one that is full may go on
    NORMAL       => 100,            # the highest rank that is not real-time
    ENTRY        => qr/^(?!.*_handler)(?:asm_|el0t_|el1h_64_(?:irq|fiq)|entry_|ret_from_)/,
    TIMER        => qr/^timer/,
    WAKING       => qr/^(?:timer|waking)/,
    CPU          => qr/^(?:ready|passed_over|taken)$/,
};

# @$records come from Model::Explain. %wakeup has late (in ns); meter (its task); is_asked (no timer was to expire);
# usual_ns (how late a timer may usually be); is_observed (a thread of another program, stamped as soon as it has the
# CPU); and counting (when the meter's work on the previous wake-up ended, undef if only records show it).
#
# Returns a hash of segments, which cover 0 to late without a gap: from and to in ns; kind: task, idle, interrupt,
# softirq, self (the meter) or unknown; reason for unknown: ring-ends (before the oldest record), lost (records) or
# no-record (no task left the record that each leaves when it runs); name and number of an interrupt or softirq; task
# (which had the CPU, was interrupted, or got the CPU before records were lost); is_lent (its priority is not its own);
# preempted (by pid, whether a runnable task yielded); and wait. Also meter, the task at the end; expiry and arrival,
# records, if any, of the first timer that expired after due and the first switch to the meter after that; and
# interrupted, the task that the timer found.
#
# Time without records is charged to the task that had the CPU at the last record, unless that is impossible.
sub segments ($records, %wakeup) {
    return { segments => [], meter => $wakeup{meter} } if $wakeup{late} <= 0;
    my $walk = bless { %wakeup{qw(meter usual_ns is_observed)}, at => EVER, segments => [], open => [], stretch => 1,
        stay => 1, preempted => {}, wait => $wakeup{is_asked} ? 'waking' : 'timer' }, __PACKAGE__;
    $walk->_take($_) for grep { $_->{at} <= $wakeup{late} } @$records;
    $walk->_go_on_to($wakeup{late});
    $walk->_stamp_observed if $wakeup{is_observed};
    $walk->_confirm($walk->{meter});
    $walk->_no_waker;
    $walk->_find_lent($records);
    return { %$walk{qw(meter arrival expiry interrupted)}, segments => [$walk->_concluded($wakeup{counting})] };
}

# The thread, if it has the CPU, is stamped in the interrupt that wakes it, else at the switch, which is recorded twice:
# the time between the two records is not work
sub _stamp_observed ($self) {
    my ($first, @more) = @{ $self->{segments} }[$self->{stay} .. $#{ $self->{segments} }];
    my $is_woken_at_work = $self->_innermost && $first && $self->{at} - $first->{from} >= OWN_WAY_NS;
    $self->{open} = [];
    return if !$first || !$self->{arrival} || $is_woken_at_work;
    $_->{is_at_work} = 0 for $first, @more;
}

# From the last record to this time. A task that continues after other interrupts is not what holds off the timer's.
sub _go_on_to ($self, $at) {
    my $context = $self->_innermost;
    my $is_at_work = $self->{is_at_work} // 1;      # not waiting but catching up, until a record tells
    my $reason = $self->{at} == EVER ? 'ring-ends' : $self->{is_lost} ? 'lost' : undef;
    my $segment = {
        from => $self->{at}, to => max($at, $self->{at}), kind => 'task', %$self{qw(wait task preempted)},
        is_at_work => $self->{is_observed} || $is_at_work, $context ? _label($context->{entry}) : (),
        turn => $context ? $context->{entry} : $self->{preempted},
        defined $reason ? (kind => 'unknown', reason => $reason) : (),
    };
    push @{ $self->{segments} }, $segment;
    $self->_was(TIMER, 'timer_late') if $self->{others_came} && $segment->{kind} eq 'task'
        && $segment->{to} - $segment->{from} >= $self->{usual_ns};
    $self->{at} = $segment->{to};
}

# The end of a handler is recorded without a name
sub _label ($record) {
    my ($kind) = $record->{kind} =~ /^(irq|softirq|vector)/;
    return (kind => 'softirq', name => $record->{name}) if $kind eq 'softirq';
    my $number = $kind eq 'irq' ? $record->{id} : undef;
    return (kind => 'interrupt', name => $record->{name} // "irq $record->{id}", number => $number);
}

# The innermost of what is nested in the task. A softirq stays with its task, which may be preempted on PREEMPT_RT.
sub _innermost ($self) {
    return first { _is_interrupt($_) || _same($_->{task}, $self->{task}) } reverse @{ $self->{open} };
}

sub _is_interrupt ($open) { return $open->{entry}{kind} ne 'softirq_entry' }

sub _same ($one, $other) {
    return defined $one ? defined $other && $one->{id} == $other->{id} : !defined $other;
}

sub _take ($self, $record) {
    my ($was_lost, $kind) = ($self->{is_lost}, $record->{kind});
    $self->{is_lost} ||= $kind eq 'lost';
    $self->_go_on_to($record->{at});
    $self->{is_lost} = $kind eq 'lost';
    $self->_begin_stretch if $was_lost && !$self->{is_lost};
    if    ($kind eq 'switch')   { $self->_take_switch($record) }
    elsif ($kind eq 'waking')   { $self->_take_waking($record) }
    elsif ($kind eq 'expire')   { $self->_take_expiry($record) }
    elsif ($kind eq 'lost') {       # what was known no longer holds
        $self->_no_waker;
        @$self{qw(wait is_woken is_throttled task)} = ('unknown', 1, 0, undef);
        $self->_begin_stretch;
    }
    elsif ($kind =~ /_entry$/)  { $self->_take_entry($record) }
    else                        { $self->_take_exit($record) }
}

# No record is missing from here on
sub _begin_stretch ($self) {
    $self->{stretch} = $self->{stay} = @{ $self->{segments} };
    $self->{open} = [];
}

# Records are missing from this segment on: what seemed to have the CPU then may not have had it
sub _lose ($self, $from, $task = $self->{task}) {
    @$_{qw(kind reason task)} = (qw(unknown lost), $task) for @{ $self->{segments} }[$from .. $#{ $self->{segments} }];
    $self->_begin_stretch;
}

# Since the meter began to wait for any of these, it really waited for something else
sub _was ($self, $any, $wait, @waker) {
    return unless $self->{wait} =~ $any;
    my $segments = $self->{segments};
    for (my $i = $#$segments; $i >= 0 && $segments->[$i]{wait} =~ $any; $i--) {
        @{ $segments->[$i] }{qw(wait waker)} = ($wait, @waker);
    }
    $self->{wait} = $wait;
}

# No more records come, or none that show what woke the meter: on another CPU, too early, or lost
sub _no_waker ($self) { $self->_was(WAKING, 'unknown') }

sub _take_switch ($self, $record) {
    my ($prev, $next) = @$record{qw(prev next)};
    $self->_confirm($prev);
    $self->_note_throttling($record);
    my $meter = $self->{meter}{id};
    if    ($prev->{id} == $meter)  { $self->_leave($record) }
    elsif ($next->{id} == $meter)  { $self->_enter($record) }
    elsif ($self->{wait} =~ CPU)   { $self->_pass_over($next) }
    $self->{task} = $next;
    $self->{preempted} = { %{ $self->{preempted} }, $prev->{id} => $record->{state} =~ /R/ ? 1 : 0 };
    $self->{stay} = @{ $self->{segments} };
}

# A runnable real-time task yielded to one it outranks, so real-time tasks get no CPU until one runs again
sub _note_throttling ($self, $record) {
    my ($prev, $next) = map { $_->{id} && defined $_->{rank} && $_->{rank} < NORMAL } @$record{qw(prev next)};
    if    ($next)                              { $self->{is_throttled} = 0 }
    elsif ($prev && $record->{state} =~ /R/) { $self->{is_throttled} = 1 }
}

sub _leave ($self, $record) {
    my $state = $record->{state};
    $self->{meter} = $record->{prev};
    if ($state =~ /R/) {
        $self->{is_at_work} //= 1;
        return $self->{wait} = goes_first($self->{meter}, $record->{next}) ? 'passed_over' : 'taken';
    }
    $self->{is_at_work} = 0;
    $self->{is_woken} &&= $self->{at} >= 0;
    $self->{wait} = $state =~ /T/ ? 'stopped' : $state =~ /t/ ? 'traced' : $self->{is_woken} ? 'blocked' : 'timer';
}

sub _enter ($self, $record) {
    $self->_no_waker;
    @$self{qw(meter wait)} = ($record->{next}, 'running');
    return $self->{is_at_work} = 1 if $self->{at} < 0;
    $self->{is_at_work} //= 0;
    $self->{arrival} //= $record;
}

# A scheduler that gives the CPU to a task that the meter outranks could have given it to the meter
sub _pass_over ($self, $next) {
    if (goes_first($self->{meter}, $next)) {
        $self->_was(qr/^(?:ready|passed_over)$/, 'passed_over') if $self->{wait} eq 'ready';
        $self->{wait} = 'passed_over';
    }
    elsif ($self->{wait} eq 'passed_over') { $self->{wait} = 'ready' }
}

# Whether the scheduler should prefer the meter. Tasks that are not real-time have no known order; all outrank the idle
# task.
sub goes_first ($meter, $task) {
    my ($ours, $theirs) = ($meter->{rank}, $task->{rank});
    return 1 if !$task->{id};
    return defined $ours && $ours < NORMAL && defined $theirs && $theirs > $ours;
}

# The task is recorded as having had the CPU until now. No task leaves the CPU within an interrupt.
sub _confirm ($self, $task) {
    my $known = $self->{task};
    $self->_resolve($task) unless $known;
    my $context = $self->_innermost;
    if    (!_same($self->{task}, $task))         { $self->_lose($self->{stay}) }
    elsif ($context && _is_interrupt($context)) { $self->_lose($context->{first}, $known) }
    else                                         { $self->_settle($task) }
}

# The first switch shows which task had the CPU before
sub _resolve ($self, $task) {
    my $segments = $self->{segments};
    $_->{task} = $task for @$segments[$self->{stretch} .. $#$segments];
    $_->{task} //= $task for @{ $self->{open} };
    $self->{task} = $task;
}

# The last record names the task, which may have executed another program meanwhile. Priority lent or given back in
# between counts for the whole stay.
sub _settle ($self, $task) {
    my $segments = $self->{segments};
    my $had = $self->{task};
    my $first = !defined $task->{rank} || defined $had->{rank} && $had->{rank} < $task->{rank} ? $had : $task;
    my $settled = { %$first, name => $task->{name} };
    $_->{task} = $settled for @$segments[$self->{stay} .. $#$segments];
}

# The meter is woken. If a thread wakes it, it was not waiting for an interrupt: while that thread has timers to serve,
# as on PREEMPT_RT, or is kept from serving them, the kernel requests none. A thread that only serves timers stands in
# for the timer.
sub _take_waking ($self, $record) {
    my ($context, $task) = ($self->_innermost, $self->{task});
    return unless $record->{next}{id} == $self->{meter}{id};
    @$self{qw(meter is_woken)} = ($record->{next}, 1);
    if ($self->{is_observed} && !$context && $task && $task->{id} && $task->{name} !~ m{^k(?:softirqd|timers)/}) {
        $self->_was(qr/^(?:timer|waking|blocked)/, 'awaited', $task);
    }
    elsif (!$context || !_is_interrupt($context)) { $self->_was(WAKING, 'waking') }
    $self->{wait} = $self->{is_throttled} ? 'passed_over' : 'ready' unless $self->{wait} =~ /^running$|${\CPU}/;
}

sub _take_expiry ($self, $record) {
    $self->_interrupt($record);
    @$self{qw(expiry interrupted)} = ($record, $self->{task}) if $self->{at} >= 0 && !$self->{expiry};
}

# An interrupt or timer that began after the wake-up was due, or one that began before and ends now
sub _interrupt ($self, $record) {
    return if $self->{at} < 0 || $self->{wait} !~ TIMER;
    if ($record->{kind} eq 'expire' || ($record->{name} // '') =~ /timer/) { $self->{wait} = 'waking' }
    else                                                                   { $self->{others_came} = 1 }
}

sub _take_entry ($self, $record) {
    push @{ $self->{open} }, { entry => $record, task => $self->{task}, first => scalar @{ $self->{segments} } };
    $self->_interrupt($record) if $record->{kind} ne 'softirq_entry';
}

sub _take_exit ($self, $record) {
    my $context = $self->_innermost or return $self->_take_lone_exit($record);
    return $self->_lose($context->{first}) unless _is_exit_of($record, $context->{entry});
    $self->_interrupt($context->{entry}) if _is_interrupt($context);
    $self->{open} = [grep { $_ != $context } @{ $self->{open} }];
}

sub _is_exit_of ($exit, $entry) {
    my ($what) = $exit->{kind} =~ /(.+)_exit$/;
    return "${what}_entry" eq $entry->{kind} && $exit->{id} eq $entry->{id}
        && ($what ne 'vector' || ($exit->{name} // '') eq ($entry->{name} // ''));
}

# The end of what began before this time, unless others began or ended in it
sub _take_lone_exit ($self, $record) {
    my $segments = $self->{segments};
    my @since = @$segments[$self->{stretch} .. $#$segments];
    my $is_known = $record->{kind} eq 'softirq_exit'
        ? none { _same($_->{task}, $self->{task}) && $_->{kind} eq 'softirq' } @since
        : none { !_same($_->{task}, $self->{task}) || $_->{kind} ne 'task' } @since;
    return $self->_lose($self->{stay}) unless $is_known;
    %$_ = (%$_, _label($record)) for grep { $_->{kind} eq 'task' && _same($_->{task}, $self->{task}) } @since;
}

# A priority that is lower later on was lent
sub _find_lent ($self, $records) {
    my ($i, %lowest) = ($#$records);
    for my $segment (reverse grep { $_->{kind} eq 'task' && $_->{task} } @{ $self->{segments} }) {
        for (; $i >= 0 && $records->[$i]{at} >= $segment->{to}; $i--) {
            $lowest{ $_->{id} } = max($_->{rank}, $lowest{ $_->{id} } // $_->{rank})
                for grep { $_ && defined $_->{rank} } @{ $records->[$i] }{qw(prev next)};
        }
        my ($id, $rank) = @{ $segment->{task} }{qw(id rank)};
        $segment->{is_lent} = defined $rank && $rank < NORMAL && ($lowest{$id} // $rank) > $rank;
    }
}

# From due on, with equal neighbours joined
sub _concluded ($self, $counting) {
    my $meter = $self->{meter}{id};
    my @segments = map { { %$_, from => max(0, $_->{from}) } } @{ $self->{segments} };
    my @joined;
    for my $segment (grep { $_->{to} > $_->{from} } map { _split_work($_, $meter, $counting) } @segments) {
        my $known = _known($segment, $meter);
        if (@joined && _described($joined[-1]) eq _described($known)) { $joined[-1]{to} = $known->{to} }
        else                                                          { push @joined, $known }
    }
    $self->_doubt_program(@joined);
    return @joined;
}

# The meter's work before this time, and after it
sub _split_work ($segment, $meter, $counting) {
    my ($from, $to, $task) = @$segment{qw(from to task)};
    return $segment unless defined $counting && $task && $task->{id} == $meter;
    my $at = min($to, max($from, $counting));
    return ({ %$segment, to => $at, is_at_work => 1 }, { %$segment, from => $at, is_at_work => 0 });
}

# Without a program of its own, a segment is idle or ours. Nothing else is known about unknown time.
sub _known ($segment, $meter) {
    my %known = %$segment;
    if ($known{kind} eq 'task') {
        if    (!$known{task})              { @known{qw(kind reason)} = qw(unknown lost) }
        elsif (!$known{task}{id})          { $known{kind} = 'idle' }
        elsif ($known{task}{id} == $meter) { $known{kind} = 'self' }
    }
    @known{qw(kind reason)} = qw(unknown no-record) if _cannot_have_run(\%known);
    return \%known if $known{kind} ne 'unknown';
    my ($is_lost, $id) = ($known{reason} eq 'lost', $known{task} && $known{task}{id});
    return { %known{qw(from to kind reason)}, wait => $known{reason} eq 'no-record' ? $known{wait} : 'unknown',
        task => $is_lost && $id && $id != $meter ? $known{task} : undef };
}

# Our own path from the switch to the time stamp is short, unless we were at work before. So is the path from idle to an
# expired timer or to us: nothing holds interrupts off, so one would have come.
sub _cannot_have_run ($segment) {
    my ($kind, $wait, $ns) = (@$segment{qw(kind wait)}, $segment->{to} - $segment->{from});
    return $kind eq 'self' ? !$segment->{is_at_work} && $ns >= OWN_WAY_NS
        : $kind eq 'idle' && $wait =~ /^(?:timer|ready)$/ && $ns >= IDLE_EXIT_NS;
}

sub _described ($segment) {
    my $task = ($segment->{kind} ne 'unknown' ? $segment->{task} : undef) // {};
    return join "\0", map { $_ // '' } @$segment{qw(kind reason wait name is_lent)}, @$task{qw(id name priority)},
        $segment->{kind} eq 'self' ? $segment->{is_at_work} : ();
}

# If the stack at the expiry shows that a program was interrupted, and not the kernel, interrupts were on, so a late
# timer means that there was no CPU.
sub _doubt_program ($self, @segments) {
    my @frames = @{ ($self->{expiry} // {})->{stack} // [] };
    return unless @frames && @frames < FRAMES && (entry(@frames) // -1) == $#frames;
    my $last = first { $_->{wait} eq 'timer' && $_->{kind} eq 'task' } reverse @segments;
    @$last{qw(kind reason task)} = qw(unknown no-record) if $last && $last->{to} - $last->{from} >= $self->{usual_ns};
}

# The index of the frame that entered the kernel; below it is what was interrupted. undef if there is none.
sub entry (@frames) {
    return first { $frames[$_] =~ ENTRY } 0 .. $#frames;
}

1;
