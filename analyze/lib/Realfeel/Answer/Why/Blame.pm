# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Why::Blame;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(blamed);

use List::Util qw(first max min);
use Realfeel::Answer::Why::Waiting qw(goes_first);
use Realfeel::Model::Records qw(frames nanoseconds task);

# The parts of a lateness, and what the meter waits for in them.
use constant STAGES => [expiry => 'timer'], [waking => 'waking'], [switch => 'ready'], [again => 'taken'],
    [stamp => 'running'];

=head1 NAME

Realfeel::Answer::Why::Blame - who had the CPU, in the reports of realfeel 0.1 and 0.2, which have no records

=head1 FUNCTIONS

=head2 blamed($event, %run)

The same hash as C<segments> of L<Realfeel::Answer::Why::Segments> makes of records, for an event of
L<Realfeel::Model::Explain>. The report says who had the CPU; what the meter was waiting for follows from the parts of
the lateness, as far as these are known, and from the run: C<is_rt>, whether the kernel is PREEMPT_RT, where the meter
may block on a lock, and C<expires_in_thread>, whether a thread serves the timer.

=cut

sub blamed {
    my ($event, %run) = @_;
    my @rows = map { _segment($_) } @{ $event->{blame} };
    my $own = first { $_->{kind} eq 'self' } @rows;
    my $meter = $own ? $own->{task} : task(-1, 'realfeel', undef);
    my @stages = _stages($event);
    $stages[0]{wait} = 'waking' if $run{expires_in_thread} && @stages > 1;
    my @segments = map { _split($_, @stages) } @rows;
    _say_who_passed($meter, $run{is_rt}, @segments);
    my %stack = map { $_->{where} => [map { frames($_) } @{ $_->{frames} }] } @{ $event->{stacks} };
    return {
        segments => \@segments, meter => $meter,
        _found(expiry => $stack{expiry}), interrupted => _last($stages[0]{to}, @segments),
        _found(arrival => $stack{switch}, prev => _last(($stages[2] // {})->{to}, @segments)),
    };
}

sub _found {
    my ($what, $stack, %more) = @_;
    return $what => $stack ? { stack => $stack, %more } : undef;
}

sub _segment {
    my ($row) = @_;
    my ($kind, $name, $detail) = @$row{qw(kind name detail)};
    my ($id) = ($detail // '') =~ /^pid:(\d+)/;
    my ($number) = ($detail // '') =~ /^irq:(\d+)/;
    my $is_handler = $kind =~ /^(?:interrupt|softirq)$/;
    my $has_task = $kind =~ /^(?:task|self)$/ || defined $row->{priority};
    my $task = $kind eq 'idle' ? task(0, 'idle', undef)
        : $has_task ? task($id // -1, $is_handler ? undef : $name, $row->{priority}) : undef;
    return {
        from => nanoseconds($row->{from_us}), to => nanoseconds($row->{to_us}), kind => $kind, task => $task,
        $kind eq 'unknown' ? (reason => $detail) : $is_handler ? (name => $name, number => $number) : (),
    };
}

# Where each part of the lateness ends; all of it is one that is unknown where these are.
sub _stages {
    my ($event) = @_;
    my $end = 0;
    return { wait => 'unknown', to => 9**9**9 } unless defined $event->{expiry_us};
    my @stages = map { { wait => $_->[1], to => $end += nanoseconds($event->{"$_->[0]_us"}) } } STAGES;
    $stages[-1]{to} = 9**9**9;
    return @stages;
}

sub _split {
    my ($segment, @stages) = @_;
    my ($from, @split) = ($segment->{from});
    for my $stage (@stages) {
        my $to = min($segment->{to}, max($from, $stage->{to}));
        my $wait = $segment->{kind} eq 'unknown' ? 'unknown' : $stage->{wait};
        push @split, { %$segment, from => $from, to => $to, wait => $wait } if $to > $from;
        $from = $to;
    }
    return @split;
}

# A CPU that goes to one whom the meter goes before could have gone to the meter, unless that waited for a lock.
sub _say_who_passed {
    my ($meter, $is_rt, @segments) = @_;
    my $had;
    for my $segment (grep { $_->{kind} =~ /^(?:task|idle)$/ } @segments) {
        my ($wait, $task) = @$segment{qw(wait task)};
        my $is_other = $had && $had->{id} != $task->{id};
        $segment->{wait} = $is_rt && $task->{id} ? 'blocked' : 'passed_over'
            if goes_first($meter, $task) && ($wait eq 'taken' || $wait eq 'ready' && $is_other);
        $had = $wait eq 'ready' ? $task : undef;
    }
}

# The task that has the CPU at the end of that stage.
sub _last {
    my ($to, @segments) = @_;
    my $last = first { $_->{kind} eq 'task' && $_->{from} < ($to // 0) } reverse @segments;
    return $last && $last->{task};
}

1;
