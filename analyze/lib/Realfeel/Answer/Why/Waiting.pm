# SPDX-License-Identifier: GPL-2.0-or-later
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

=head1 NAME

Realfeel::Answer::Why::Waiting - what the meter was waiting for, from one record to the next

=head1 DESCRIPTION

The meter waits for C<timer>, the timer's interrupt; C<timer_late>, the same while other interrupts came; C<waking>, to
be woken: that interrupt has come, or none is to, for a thread wakes it; C<ready>, the CPU; C<taken>, the CPU, which it
had had already; C<passed_over>, the CPU, which was given to somebody whom it goes before; C<blocked>, to be woken once
more; C<awaited>, to be woken by a task that the segment has as its C<waker>; C<stopped> or C<traced>, a signal or a
debugger that lets it go on; C<running>, nothing; or that is C<unknown>.

A record may tell that it was another thing than it seemed: then C<wait> of the segments up to there changes, too.

=head1 METHODS

=head2 new(segments => \@segments, meter => $task, wait => $wait, usual_ns => $ns)

C<@segments> is where segments will be added, see L<Realfeel::Answer::Why::Segments>; C<$task> is what is known of the
meter at first. A timer that is late by C<usual_ns> is nothing unusual.

=head2 wait

What it waits for now.

=head2 meter

What is known of the meter.

=head2 is_at_work

Whether the meter has been at work since before it was due: counting what it missed, it has not waited since. It is so,
too, as long as no record tells.

=head2 arrival

The first switch to the meter after it was due, or undef.

=cut

sub new ($class, %waiting) {
    return bless {%waiting}, $class;
}

sub wait ($self)    { return $self->{wait} }
sub meter ($self)   { return $self->{meter} }
sub arrival ($self) { return $self->{arrival} }

sub is_at_work ($self) { return $self->{is_at_work} // 1 }

# Until now, and since it began to wait for any of these, it was waiting for something else than it seemed.
sub _was ($self, $any, $wait, @waker) {
    return unless $any->{ $self->{wait} };
    my $segments = $self->{segments};
    for (my $i = $#$segments; $i >= 0 && $any->{ $segments->[$i]{wait} }; $i--) {
        @{ $segments->[$i] }{qw(wait waker)} = ($wait, @waker);
    }
    $self->{wait} = $wait;
}

=head2 segment($segment)

The segment was added, the last. A task that runs on after other interrupts were taken is not what keeps the timer's
away.

=cut

sub segment ($self, $segment) {
    $self->_was(TIMER, 'timer_late') if $self->{others_came} && $segment->{kind} eq 'task'
        && $segment->{to} - $segment->{from} >= $self->{usual_ns};
}

=head2 interrupt($record, $at)

An interrupt or a timer, at that time since due, or one that began before and ends then.

=cut

sub interrupt ($self, $record, $at) {
    return if $at < 0 || !TIMER->{ $self->{wait} };
    if ($record->{kind} eq 'expire' || ($record->{name} // '') =~ /timer/) { $self->{wait} = 'waking' }
    else                                                                   { $self->{others_came} = 1 }
}

=head2 waking($record, $is_in_interrupt, $waker)

The meter is woken, by that task if it is known to be none that serves a timer. One who is woken by a thread did not
wait for an interrupt: while that thread has timers to serve, as on PREEMPT_RT, or is kept from it, the kernel asks for
none.

=cut

sub waking ($self, $record, $is_in_interrupt, $waker) {
    @$self{qw(meter is_woken)} = ($record->{next}, 1);
    if    ($waker)            { $self->_was(AWAITED, 'awaited', $waker) }
    elsif (!$is_in_interrupt) { $self->_was(WAKING, 'waking') }
    $self->{wait} = $self->{is_throttled} ? 'passed_over' : 'ready'
        unless $self->{wait} eq 'running' || CPU->{ $self->{wait} };
}

=head2 switch($record, $at)

=cut

sub switch ($self, $record, $at) {
    my $meter = $self->{meter}{id};
    $self->_note_throttling($record);
    if    ($record->{prev}{id} == $meter) { $self->_leave($record, $at) }
    elsif ($record->{next}{id} == $meter) { $self->_enter($record, $at) }
    elsif (CPU->{ $self->{wait} })        { $self->_pass_over($record->{next}) }
}

# A real-time task that could run made way for one whom it goes before: real-time tasks get no CPU until one has it.
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

# A scheduler that gives the CPU to one whom the meter goes before could have given it to the meter: none was in its
# way.
sub _pass_over ($self, $next) {
    if (goes_first($self->{meter}, $next)) {
        $self->_was(GRANTED, 'passed_over') if $self->{wait} eq 'ready';
        $self->{wait} = 'passed_over';
    }
    elsif ($self->{wait} eq 'passed_over') { $self->{wait} = 'ready' }
}

=head2 loss

Records are missing here.

=cut

sub loss ($self) {
    $self->end;
    @$self{qw(wait is_woken is_throttled)} = ('unknown', 1, 0);
}

=head2 end

Nothing more comes, or nothing that tells who woke the meter: that was on another CPU, or before, or is lost.

=cut

sub end ($self) { $self->_was(WAKING, 'unknown') }

=head1 FUNCTIONS

=head2 goes_first($meter, $task)

Whether the scheduler is to prefer the meter. Among tasks that are not real-time there is no order that could be told;
before the idle task goes everybody.

=cut

sub goes_first ($meter, $task) {
    my ($ours, $theirs) = ($meter->{rank}, $task->{rank});
    return 1 if !$task->{id};
    return defined $ours && $ours < 100 && defined $theirs && $theirs > $ours;
}

1;
