# SPDX-License-Identifier: GPL-2.0-or-later
# What the meter was waiting for, from one record to the next:
#
#   timer          the timer's interrupt; timer_late: while other interrupts came
#   waking         a waker: after that interrupt, or without one if a thread wakes it
#   ready          the CPU; taken: once more
#   passed_over    the CPU, which was given to someone whom it outranks
#   blocked        to be woken once more
#   awaited        the task in the segment's waker to wake it
#   stopped, traced     a signal or a debugger to let it continue
#   running        nothing
#   unknown
#
# If a record reveals that it was something else than it seemed, the wait of earlier segments changes, too.
package Realfeel::Answer::Why::Waiting;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(goes_first);

use constant {
    TIMER   => { map { $_ => 1 } qw(timer timer_late) },
    WAKING  => { map { $_ => 1 } qw(timer timer_late waking) },
    AWAITED => { map { $_ => 1 } qw(timer timer_late waking blocked) },
    CPU     => { map { $_ => 1 } qw(ready passed_over taken) },
    GRANTED => { map { $_ => 1 } qw(ready passed_over) },
};

# @$segments receives segments, see Why::Segments; $meter is what is known of the meter at first. A timer may usually be
# usual_ns late.
sub new ($class, %waiting) {
    return bless {%waiting}, $class;
}

# What it waits for now
sub wait ($self)    { return $self->{wait} }
# What is known of the meter
sub meter ($self)   { return $self->{meter} }
# The first switch to the meter after it was due; undef without one
sub arrival ($self) { return $self->{arrival} }

# Whether it has been at work since before it was due, not waiting but catching up; true also until a record tells
sub is_at_work ($self) { return $self->{is_at_work} // 1 }

# Since it began to wait for any of these, it was waiting for something else than it seemed
sub _was ($self, $any, $wait, @waker) {
    return unless $any->{ $self->{wait} };
    my $segments = $self->{segments};
    for (my $i = $#$segments; $i >= 0 && $any->{ $segments->[$i]{wait} }; $i--) {
        @{ $segments->[$i] }{qw(wait waker)} = ($wait, @waker);
    }
    $self->{wait} = $wait;
}

# Call after adding a segment. A task that continues after other interrupts is not what keeps the timer's away.
sub segment ($self, $segment) {
    $self->_was(TIMER, 'timer_late') if $self->{others_came} && $segment->{kind} eq 'task'
        && $segment->{to} - $segment->{from} >= $self->{usual_ns};
}

# An interrupt or timer at $at since due; or one that began before and ends then
sub interrupt ($self, $record, $at) {
    return if $at < 0 || !TIMER->{ $self->{wait} };
    if ($record->{kind} eq 'expire' || ($record->{name} // '') =~ /timer/) { $self->{wait} = 'waking' }
    else                                                                   { $self->{others_came} = 1 }
}

# The meter is woken, by $waker unless that serves timers. A thread that wakes it means that it did not wait for an
# interrupt: while that thread has timers to serve, as on PREEMPT_RT, or is kept from it, the kernel requests none.
sub waking ($self, $record, $is_in_interrupt, $waker) {
    @$self{qw(meter is_woken)} = ($record->{next}, 1);
    if    ($waker)            { $self->_was(AWAITED, 'awaited', $waker) }
    elsif (!$is_in_interrupt) { $self->_was(WAKING, 'waking') }
    $self->{wait} = $self->{is_throttled} ? 'passed_over' : 'ready'
        unless $self->{wait} eq 'running' || CPU->{ $self->{wait} };
}

sub switch ($self, $record, $at) {
    my $meter = $self->{meter}{id};
    $self->_note_throttling($record);
    if    ($record->{prev}{id} == $meter) { $self->_leave($record, $at) }
    elsif ($record->{next}{id} == $meter) { $self->_enter($record, $at) }
    elsif (CPU->{ $self->{wait} })        { $self->_pass_over($record->{next}) }
}

# A runnable real-time task yielded to one it outranks, so real-time tasks get no CPU until one runs again
sub _note_throttling ($self, $record) {
    my ($prev, $next) = @$record{qw(prev next)};
    if    (_is_real_time($next))                              { $self->{is_throttled} = 0 }
    elsif (_is_real_time($prev) && $record->{state} =~ /R/) { $self->{is_throttled} = 1 }
}

sub _is_real_time ($task) {
    return $task->{id} && defined $task->{rank} && $task->{rank} < 100;
}

sub _leave ($self, $record, $at) {
    my $state = $record->{state};
    $self->{meter} = $record->{prev};
    if ($state =~ /R/) {
        $self->{is_at_work} //= 1;
        return $self->{wait} = goes_first($self->{meter}, $record->{next}) ? 'passed_over' : 'taken';
    }
    $self->{is_at_work} = 0;
    $self->{is_woken} &&= $at >= 0;
    $self->{wait} = $state =~ /T/ ? 'stopped' : $state =~ /t/ ? 'traced' : $self->{is_woken} ? 'blocked' : 'timer';
}

sub _enter ($self, $record, $at) {
    $self->end;
    @$self{qw(meter wait)} = ($record->{next}, 'running');
    return $self->{is_at_work} = 1 if $at < 0;
    $self->{is_at_work} //= 0;
    $self->{arrival} //= $record;
}

# A scheduler that gives the CPU to someone whom the meter outranks could have given it to the meter
sub _pass_over ($self, $next) {
    if (goes_first($self->{meter}, $next)) {
        $self->_was(GRANTED, 'passed_over') if $self->{wait} eq 'ready';
        $self->{wait} = 'passed_over';
    }
    elsif ($self->{wait} eq 'passed_over') { $self->{wait} = 'ready' }
}

# Records are missing here
sub loss ($self) {
    $self->end;
    @$self{qw(wait is_woken is_throttled)} = ('unknown', 1, 0);
}

# No more records come, or none that show who woke the meter: another CPU, too early, or lost
sub end ($self) { $self->_was(WAKING, 'unknown') }

# Whether the scheduler should prefer the meter. Tasks that are not real-time have no known order; all outrank the idle
# task.
sub goes_first ($meter, $task) {
    my ($ours, $theirs) = ($meter->{rank}, $task->{rank});
    return 1 if !$task->{id};
    return defined $ours && $ours < 100 && defined $theirs && $theirs > $ours;
}

1;
