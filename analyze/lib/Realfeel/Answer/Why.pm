# SPDX-License-Identifier: GPL-2.0-or-later
# Why the worst wake-ups were late.
package Realfeel::Answer::Why;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(causes culprits wakeups);

use List::Util qw(first max min sum0);
use Realfeel::Answer::Why::Clauses qw(LEAST WHO clauses usual_us);
use Realfeel::Answer::Why::Segments qw(segments);
use Realfeel::Answer::Why::Waiting qw(goes_first);
use Realfeel::Base::Typed qw(number truth);
use Realfeel::Model::Explain qw(expires_in_thread is_blamed nanoseconds own_processes parts records scheduling task
    worst);

use constant {
    LATE      => 2,             # times the median: a wake-up that took this long stands out
    STALL_US  => 1000,          # an idle CPU wakes sooner
    # Reasons for which it is unknown and which cannot be anybody's fault
    UNKNOWN   => { map { $_ => 1 } qw(ring-ends lost) },
    CAUSE_OF_WAIT => {
        timer => 'interrupts_off', timer_late => 'timer_late', waking => 'before_waking', unknown => 'ran',
        running => 'ran', map { $_ => $_ } qw(awaited taken blocked stopped traced),
    },
};

# Explains the $most worst wake-ups that have records, or all. Returns hashes:
#
#   report, number, late_us        of several threads, the report of the late one; the row of events; since due or
#                                  request
#   is_asked                       whether it was requested, so that no timer was due
#   smis                           system management interrupts, undef if unknown
#   is_virtual, is_real_time       there is or may be a hypervisor; the meter was real-time, as far as known
#   beyond_us                      above the median; undef unless it was at least twice as late
#   segments                       who had the CPU from due to stamp: from_us, to_us, kind, name, priority, detail
#                                  (pid:12, irq:9, or why it is unknown), wait, what the meter waited for, cause,
#                                  is_lent, own
#   clauses                        the segments by cause and name, longest first: cause, kind, name, priority, us,
#                                  reason, number of an interrupt, thread of a softirq, is_lent, lent_to, own, is_usual,
#                                  and in and until, functions where it was in the kernel and where it finally yielded.
#                                  kind is self for what happened to the meter itself, such as stopped
#   main, unknown_us, stacks       the clause that explains most, time without records, and stacks as written
#
# The causes:
#
#   interrupts_off   the timer was late because interrupts were, or the CPU was taken away
#   timer_late       the timer was late although other interrupts came
#   interrupt, softirq
#   before_waking    a task had the CPU before the meter was woken
#   unpreemptible    the meter outranks the task; outranked: it does not
#   taken            the CPU was taken again
#   throttled        others or nobody had the CPU while the meter was ready
#   blocked          the meter blocked again
#   stopped, traced, frozen
#   awaited          the meter waited for that task to wake it
#   idle             the exit from idle; stalled: idle for longer than that, for unknown reasons
#   ran              a task ran, and what the meter waited for is unknown
#   at_work          the meter ran since before it was due; overran: a thread of another program did
#   self             the meter's own way to the stamp
#   unknown
sub wakeups ($report, $most = undef) {
    return unless is_blamed($report);
    my ($last, %of) = scalar(() = worst($report));
    return map {
        my ($origin, $number) = $report->origin($_);
        my $known = $of{$origin} //= _known($origin, $origin == $report ? $most : undef);
        my ($event, $records) = ($known->{events}[$number - 1], $known->{records}{$number});
        $records ? { %{ _wakeup($known->{run}, $event, $records) }, number => $_, report => $origin } : ();
    } 1 .. min($most // $last, $last);
}

sub _known ($report, $most) {
    return { run => _run($report), events => [worst($report)], records => records($report, $most) };
}

sub _run ($report) {
    my %median = map { $_->{key} => $_->{distribution}->n ? $_->{distribution}->median : 0 } parts($report);
    my ($hypervisor, $frozen, $stopped) = map { $report->header($_) // '' } qw(hypervisor frozen stopped_ms);
    my ($policy, $priority) = scheduling($report);
    return {
        medians => \%median, own => { own_processes($report) }, is_merged => defined $report->runs,
        expires_in_thread => expires_in_thread($report), is_asked => $report->latency_name eq 'wakeup',
        priority => $policy =~ /^(?:fifo|rr)$/ && $priority =~ /^\d+$/ ? "rt:$priority" : undef,
        is_real_time => scalar($policy !~ /^(?:other|batch|idle)$/), is_virtual => $hypervisor ne 'none',
        median_us => $report->latency->median, us => $report->latency_us,
        was_stopped => $stopped =~ /^[1-9]/ ? 1 : 0, is_frozen => $frozen eq 'yes',
        is_observed => defined $report->header('thread') ? 1 : 0,
        (map { my $value = $report->header($_); $_ => ($value // '') eq 'several' ? undef : $value }
            qw(thread thread_name)),
    };
}

sub _wakeup ($run, $event, $records) {
    my $late_us = $event->{ $run->{us} };
    my $found = _segments($run, $event, $records);
    $run = { %$run, _thread($run, $found->{meter}) } if $run->{is_observed};
    my $wakeup = {
        late_us => $late_us, smis => $event->{smis},
        %$run{qw(is_asked is_real_time is_virtual thread thread_name priority)},
        beyond_us => $late_us >= LATE * $run->{median_us} ? $late_us - $run->{median_us} : undef,
    };
    my @segments = map { _segment($run, $found->{meter}, $_) } @{ $found->{segments} };
    my @clauses = clauses($run, $found, @segments);
    my $unknown_us = sum0(map { $_->{us} } grep { UNKNOWN->{ $_->{reason} // '' } } @clauses);
    delete @$_{qw(id keeps_off number reason thread waker)} for @segments;
    return {
        %$wakeup, segments => \@segments, clauses => \@clauses, unknown_us => $unknown_us,
        main => _main($late_us, @clauses), stacks => _stacks($found),
    };
}

# From the records, if the header is of several
sub _thread ($run, $task) {
    my $priority = $run->{priority} // $task->{priority};
    return (thread => $run->{thread} // $task->{id}, thread_name => $run->{thread_name} // $task->{name},
        priority => $priority, is_real_time => ($priority // '') =~ /^(?:rt|deadline)/ ? 1 : 0);
}

sub _stacks ($found) {
    my %stack = map { $_->[0] => ($found->{ $_->[1] } // { line => {} })->{line}{stack} // '-' } [expiry => 'expiry'],
        [switch => 'arrival'];
    return [map { { where => $_, frames => [split /</, $stack{$_}] } } grep { $stack{$_} ne '-' } qw(expiry switch)];
}

sub _segments ($run, $event, $records) {
    my @own = grep { $run->{own}{$_} =~ /^(?:meter|member)$/ } sort { $a <=> $b } keys %{ $run->{own} };
    my @meters = $run->{is_observed} ? grep { defined } $run->{thread} : @own;
    my ($last) = map { $_->{next}{id} } grep { $_->{kind} eq 'switch' } reverse @$records;
    my $meter = (first { $_ == ($last // 0) } @meters) // $meters[0] // $last // -1;
    my $late_us = $event->{ $run->{us} };
    my $counting_us = $run->{is_observed} ? undef : $event->{counting_us};
    return segments($records, late => nanoseconds($late_us), %$run{qw(is_asked is_observed)},
        counting => defined $counting_us ? nanoseconds($counting_us) : undef,
        meter => task($meter, $run->{thread_name} // 'realfeel', $run->{priority}),
        usual_ns => nanoseconds(usual_us($run, 'timer_late')));
}

sub _segment ($run, $meter, $segment) {
    my ($kind, $task, $number, $reason) = @$segment{qw(kind task number reason)};
    my ($thread) = $kind eq 'softirq' && $task ? grep { m{^k(?:softirqd|timers)/} } $task->{name} // '' : ();
    my $is_handler = $kind =~ /^(?:interrupt|softirq)$/;
    my $id = $kind =~ /^(?:task|self)$/ && $task->{id} > 0 ? $task->{id} : undef;
    my $told = {
        from_us => _us($segment->{from}), to_us => _us($segment->{to}), kind => $kind, wait => $segment->{wait},
        name     => $is_handler ? $segment->{name} : $kind eq 'idle' ? 'idle'
            : $kind eq 'unknown' ? undef : $task->{name},
        priority => $thread || $kind =~ /^(?:task|self)$/ ? $task->{priority} : undef,
        detail   => defined $id ? "pid:$id" : defined $number ? "irq:$number" : $reason,
        is_lent  => truth($segment->{is_lent} // 0), own => $kind eq 'task' ? _own($run, $task) : undef,
        id => $id, number => $number, reason => $reason, thread => $thread, waker => $segment->{waker},
        keeps_off => $segment->{waker} && $kind eq 'task' ? _keeps_off($segment) : undef,
    };
    return { %$told, cause => _cause($run, $meter, $segment) };
}

sub _us ($ns) { return number(sprintf '%.3f', $ns / 1000) }

# Whether the task keeps the one off the CPU that was to wake the meter: "is", or "may" if no record says how that left
# the CPU
sub _keeps_off ($segment) {
    my ($waker, $task) = @$segment{qw(waker task)};
    my $could_go_on = $segment->{preempted}{ $waker->{id} };
    return $could_go_on ? 'is' : undef if defined $could_go_on;
    return $task->{id} == $waker->{id} || goes_first($waker, $task) ? undef : 'may';
}

# What the task is within the measuring program, if anything. A pid may belong to another process in another run.
sub _own ($run, $task) {
    my $is_named = ($task->{name} // '') =~ /^realfeel/;
    my $role = $run->{own}{ $task->{id} };
    return $role if defined $role && ($is_named || !$run->{is_merged});
    return %{ $run->{own} } || !$is_named ? undef : $task->{name} =~ /waker/ ? 'waker' : 'process';
}

sub _cause ($run, $meter, $segment) {
    my ($kind, $wait, $us) = (@$segment{qw(kind wait)}, ($segment->{to} - $segment->{from}) / 1000);
    return $kind if $kind =~ /^(?:unknown|interrupt|softirq)$/;
    return !$segment->{is_at_work} ? 'self' : $run->{is_observed} ? 'overran' : 'at_work' if $kind eq 'self';
    return $wait if $wait =~ /^(?:awaited|stopped|traced)$/;
    my $is_held = $wait eq 'blocked' || $kind eq 'idle' && $us >= STALL_US;
    return $run->{is_frozen} ? 'frozen' : 'stopped' if $is_held && ($run->{is_frozen} || $run->{was_stopped});
    return 'throttled' if $wait eq 'passed_over';
    return $wait eq 'blocked' ? 'blocked' : $us >= STALL_US ? 'stalled' : 'idle' if $kind eq 'idle';
    return goes_first($meter, $segment->{task}) ? 'unpreemptible' : 'outranked' if $wait eq 'ready';
    return CAUSE_OF_WAIT->{$wait};
}

# The longest clause that is unusual and not our own, else of what is unknown, else of all
sub _main ($late_us, @clauses) {
    my @known = grep { !UNKNOWN->{ $_->{reason} // '' } } @clauses;
    my @others = grep { $_->{cause} ne 'self' } @known;
    return (first { !$_->{is_usual} && $_->{us} >= LEAST * $late_us } @others)
        // (first { UNKNOWN->{ $_->{reason} // '' } } @clauses) // $others[0] // $clauses[0];
}

# The main clauses of the wake-ups that stand out, worst first: hashes of wakeups, how many; most_us; unknown_us, the
# most unknown time beside it if that is as much or more, else 0; clause, the longest; and its wakeup
sub causes {
    my @wakeups = grep { defined $_->{beyond_us} } @_;
    my (%cause, @order);
    for my $wakeup (@wakeups) {
        my $main = $wakeup->{main};
        my $key = join "\0", map { $_ // '' } @$main{ WHO() };
        push @order, $key unless $cause{$key};
        my $cause = $cause{$key} //= { wakeups => 0, most_us => -1, unknown_us => 0 };
        $cause->{wakeups}++;
        $cause->{unknown_us} = max($cause->{unknown_us}, $wakeup->{unknown_us})
            if !UNKNOWN->{ $main->{reason} // '' } && $wakeup->{unknown_us} >= $main->{us};
        @$cause{qw(most_us clause wakeup)} = ($main->{us}, $main, $wakeup) if $main->{us} > $cause->{most_us};
    }
    return sort { $b->{most_us} <=> $a->{most_us} } @cause{@order};
}

# Who else had the CPU, longest first: hashes of kind, name (the reason, if unknown), wakeups, in how many, and us
sub culprits (@wakeups) {
    my %culprit;
    for my $wakeup (@wakeups) {
        my %seen;
        for my $segment (grep { $_->{kind} ne 'self' } @{ $wakeup->{segments} }) {
            my $kind = $segment->{kind};
            my $name = $segment->{ $kind eq 'unknown' ? 'detail' : 'name' };
            my $culprit = $culprit{"$kind\0" . ($name // '')}
                //= { kind => $kind, name => $name, wakeups => 0, us => 0 };
            $culprit->{wakeups}++ unless $seen{$culprit}++;
            $culprit->{us} += $segment->{to_us} - $segment->{from_us};
        }
    }
    $_->{us} = _us(1000 * $_->{us}) for values %culprit;
    return map { $culprit{$_} } sort { $culprit{$b}{us} <=> $culprit{$a}{us} || $a cmp $b } keys %culprit;
}

1;
