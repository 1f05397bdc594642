# SPDX-License-Identifier: GPL-2.0-or-later
# Why the worst wake-ups were late, and what can be done about it.
package Realfeel::Answer::Why;
use Realfeel::Base::Modern;

use List::Util qw(any first max min sum0);
use Realfeel::Answer::Segments qw(entry goes_first segments);
use Realfeel::Base::Typed qw(number truth);
use Realfeel::Model::Cpus qw(cpus_in mask ranges);
use Realfeel::Model::Explain qw(beyond expires_in_thread is_blamed level nanoseconds own_processes parts records
    scheduling task worst);
use Realfeel::Stat::Intervals qw(BEYOND);

use constant WHO => qw(cause kind name reason number priority own is_lent thread);      # tells clauses apart
use constant {
    LATE      => 2,             # times the median: a wake-up that took this long stands out
    STALL_US  => 1000,          # an idle CPU wakes sooner
    USUAL     => 2,             # times the median: what takes no longer than this is usual,
    USUAL_US  => 10,            # and where the median is unknown, this
    LEAST     => 0.05,          # of a lateness: a smaller share is not its cause
    KEPT_OFF  => 0.25,          # of the time that a task was waited for
    CULPRIT   => 0.25,          # of the known time beyond the median: a culprit has such a share
    FRAMES    => 3,             # of a stack that are shown
    PERCENTILES => { p50_us => 2, p99_us => 100, p999_us => 1000 },
    SHARES      => { share => 1, share_beyond_p99 => 100, share_beyond_p999 => 1000 },
    # Linux versions with isolated cpuset partitions, and with throttling that ignores sched_rt_runtime_us
    PARTITIONS  => 6.001,
    FAIR_SERVER => 6.012,
    # Reasons for unknown time that cannot be the fault of a task
    UNKNOWN   => { map { $_ => 1 } qw(ring-ends lost) },
    CAUSE_OF_WAIT => {
        timer => 'interrupts_off', timer_late => 'timer_late', waking => 'before_waking', unknown => 'ran',
        running => 'ran', map { $_ => $_ } qw(awaited taken blocked stopped traced),
    },
    # Causes that hold the meter itself, no matter which task has the CPU
    OF_METER  => { map { $_ => 1 } qw(throttled stopped traced frozen) },
    METER     => { kind => 'self', name => undef, number => undef, priority => undef, is_lent => 0, own => undef },
    # Parts of the lateness that consist of such a cause if there is no other delay
    PARTS_OF  => {
        interrupts_off => ['expiry'], timer_late => ['expiry'], idle => [qw(expiry switch)],
        before_waking  => [qw(expiry waking)], unpreemptible => ['switch'], outranked => ['switch'], taken => ['again'],
        blocked        => ['again'], self => [qw(again stamp)], ran => [qw(expiry waking switch)],
    },
    SCHEDULER => qr/^(?:perf_|__traceiter_|trace_|__schedule|schedule|preempt_schedule|__preempt_schedule
        |dynamic_preempt_schedule|__bpf_trace)/x,
    PROGRAM   => qr/^exit_to_user_mode/,        # the way back to it says nothing of where it began
};

# Remedies by cause: each gets the clause, the run and the wake-up, and returns codes
use constant OF_CAUSE => {
    interrupts_off => \&_of_interrupts_off, interrupt => \&_of_interrupt,
    softirq => \&_of_softirq, unpreemptible => \&_of_kernel, throttled => \&_of_throttling,
    # In a guest, the host puts the CPU to sleep
    idle => sub { $_[1]{sleeps_deeply} ? _of($_[1], 'idle_states') : $_[1]{is_virtual} ? 'hypervisor' : 'frequency' },
    timer_late => sub { $_[1]{is_virtual} ? 'hypervisor' : () },
    awaited => sub { $_[0]{kept_off} ? 'inherit' : 'holder' },
    blocked => sub { $_[1]{expires_in_thread} ? 'other_timer' : () },
    (map { $_ => \&_of_task } qw(before_waking outranked taken ran)),
    overran => sub { ('overran', $_[1]{is_virtual} ? 'hypervisor' : ()) },
    (map { my $cause = $_; $cause => sub { $cause } } qw(stopped traced frozen)),
    unknown => sub ($clause, $run, $wakeup) {
        return unless ($clause->{reason} // '') eq 'no-record';
        return ($wakeup->{smis} // 0) > 0 ? 'firmware' : $run->{is_virtual} ? 'hypervisor' : 'hwlat';
    },
};

# Kernel threads whose work can be turned off
use constant OF_THREAD => { ksmd => 'same_pages', khugepaged => 'huge_pages' };

# Ready-made experiments of Try::Changes
use constant EXPERIMENT => {
    fair_server => 'fair-server', frequency => 'governor', huge_pages => 'huge-pages', idle_states => 'idle-states',
    move_interrupt => 'irq-affinity', move_softirq => 'irq-affinity', preempt_full => 'preempt-full',
    same_pages => 'same-page-merging', unthrottle => 'rt-throttling', workqueue => 'workqueue-cpus',
};

# Explains the worst $most wake-ups that have records, or all. Returns hashes:
#
#   report, number, late_us        of several threads, the report of the late one; the row of events; since due or
#                                  request
#   is_asked                       whether it was requested, so that no timer was due
#   smis                           system management interrupts, undef if unknown
#   is_virtual, is_real_time       there is or may be a hypervisor; the meter was real-time, if known
#   beyond_us                      above the median; undef unless it stands out
#   segments                       what had the CPU from due to stamp: from_us, to_us, kind, name, priority, detail
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
#   interrupts_off   the timer was late because interrupts were off or the CPU was taken away
#   timer_late       the timer was late although other interrupts came
#   interrupt, softirq
#   before_waking    a task had the CPU before the meter was woken
#   unpreemptible    the meter outranks the task; outranked: it does not
#   taken            the CPU was taken again
#   throttled        others or none had the CPU while the meter was ready
#   blocked          the meter blocked again
#   stopped, traced, frozen
#   awaited          the meter waited for that task to wake it
#   idle             the exit from idle; stalled: idle for longer than that, for unknown reasons
#   ran              a task ran, and what the meter waited for is unknown
#   at_work          the meter had run since before due; overran: a thread of another program did
#   self             the meter's own way to the stamp
#   unknown
sub wakeups ($report, $most = undef) {
    return unless is_blamed($report);
    my ($last, %of) = scalar(() = worst($report));
    return map {
        my ($origin, $number) = $report->origin($_);
        my $known = $of{$origin} //= { run => _run($origin), events => [worst($origin)],
            records => records($origin, $origin == $report ? $most : undef) };
        my ($event, $records) = ($known->{events}[$number - 1], $known->{records}{$number});
        $records ? { %{ _wakeup($known->{run}, $event, $records) }, number => $_, report => $origin } : ();
    } 1 .. min($most // $last, $last);
}

sub _run ($report) {
    my %median = map { $_->{key} => $_->{distribution}->n ? $_->{distribution}->median : 0 } parts($report);
    my ($hypervisor, $frozen, $stopped) = map { $report->header($_) // '' } qw(hypervisor frozen stopped_ms);
    my ($policy, $priority) = scheduling($report);
    return {
        medians => \%median, own => { own_processes($report) }, is_merged => defined $report->runs,
        expires_in_thread => expires_in_thread($report), is_asked => $report->{latency_name} eq 'wakeup',
        priority => $policy =~ /^(?:fifo|rr)$/ && $priority =~ /^\d+$/ ? "rt:$priority" : undef,
        is_real_time => scalar($policy !~ /^(?:other|batch|idle)$/), is_virtual => $hypervisor ne 'none',
        median_us => $report->latency->median, least_us => _least_us($report), us => "$report->{latency_name}_us",
        was_stopped => $stopped =~ /^[1-9]/ ? 1 : 0, is_frozen => $frozen eq 'yes',
        is_observed => defined $report->header('thread') ? 1 : 0,
        (map { my $value = $report->header($_); $_ => ($value // '') eq 'several' ? undef : $value }
            qw(thread thread_name)),
    };
}

# A wake-up as late as this stands out: twice as late as the median, above --break or --max, or by half a period
sub _least_us ($report) {
    my ($break, $max, @periods) = map { $report->us("${_}_ns") } qw(break max period inferred_period);
    return min(LATE * $report->latency->median, grep { defined && $_ > 0 } $break, $max, map { $_ && $_ / 2 } @periods);
}

sub _wakeup ($run, $event, $records) {
    my $late_us = $event->{ $run->{us} };
    my $found = _segments($run, $event, $records);
    $run = { %$run, _thread($run, $found->{meter}) } if $run->{is_observed};
    my $wakeup = {
        late_us => $late_us, smis => $event->{smis},
        %$run{qw(is_asked is_real_time is_virtual thread thread_name priority)},
        beyond_us => $late_us >= $run->{least_us} ? max($late_us - $run->{median_us}, $late_us / LATE) : undef,
    };
    my @segments = map { _segment($run, $found->{meter}, $_) } @{ $found->{segments} };
    my @clauses = _clauses($run, $found, @segments);
    my $unknown_us = sum0(map { $_->{us} } grep { UNKNOWN->{ $_->{reason} // '' } } @clauses);
    delete @$_{qw(id keeps_off number reason thread waker)} for @segments;
    return {
        %$wakeup, segments => \@segments, clauses => \@clauses, unknown_us => $unknown_us,
        main => _main($late_us, @clauses), stacks => [map {
            my ($where, $of) = @$_;
            my $stack = $found->{$of} ? $found->{$of}{line}{stack} // '-' : '-';
            $stack eq '-' ? () : { where => $where, frames => [split /</, $stack] };
        } [expiry => 'expiry'], [switch => 'arrival']],
    };
}

# From the records, if the header covers several threads
sub _thread ($run, $task) {
    my $priority = $run->{priority} // $task->{priority};
    return (thread => $run->{thread} // $task->{id}, thread_name => $run->{thread_name} // $task->{name},
        priority => $priority, is_real_time => ($priority // '') =~ /^(?:rt|deadline)/ ? 1 : 0);
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
        usual_ns => nanoseconds(_usual_us($run, 'timer_late')));
}

sub _segment ($run, $meter, $segment) {
    my ($kind, $task, $number, $reason) = @$segment{qw(kind task number reason)};
    my ($thread) = $kind eq 'softirq' && $task ? grep { m{^k(?:softirqd|timers)/} } $task->{name} // '' : ();
    my $is_handler = $kind =~ /^(?:interrupt|softirq)$/;
    my $id = $kind =~ /^(?:task|self)$/ && $task->{id} > 0 ? $task->{id} : undef;
    my $told = {
        from_us => _us($segment->{from}), to_us => _us($segment->{to}), kind => $kind, wait => $segment->{wait},
        name     => $is_handler ? $segment->{name} : $kind eq 'idle' ? 'idle'
            : $task->{name},
        priority => $thread || $kind =~ /^(?:task|self|unknown)$/ ? $task->{priority} : undef,
        detail   => defined $id ? "pid:$id" : defined $number ? "irq:$number" : $reason,
        is_lent  => truth($segment->{is_lent} // 0), own => $kind eq 'task' ? _own($run, $task) : undef,
        id => $id, number => $number, reason => $reason, thread => $thread, waker => $segment->{waker},
        keeps_off => $segment->{waker} && $kind eq 'task' ? _keeps_off($segment) : undef,
    };
    return { %$told, cause => _cause($run, $meter, $segment) };
}

sub _us ($ns) { return number(sprintf '%.3f', $ns / 1000) }

# Whether the task kept the meter's waker off the CPU: "is", or "may" if no record shows how the waker left
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

# The longest clause that is unusual: not our own, else an unknown one, else our own; if none is unusual, the longest
# that is not our own
sub _main ($late_us, @clauses) {
    my @known = grep { !UNKNOWN->{ $_->{reason} // '' } } @clauses;
    my @others = grep { $_->{cause} ne 'self' } @known;
    my $stands_out = sub (@among) { first { !$_->{is_usual} && $_->{us} >= LEAST * $late_us } @among };
    return $stands_out->(@others) // (first { UNKNOWN->{ $_->{reason} // '' } } @clauses)
        // $stands_out->(@known) // $others[0] // $clauses[0];
}

# The main clauses of the wake-ups that stand out, the worst first, then the most frequent. Hashes of wakeups, how many;
# most_us; unknown_us, the most unknown time beside it if at least as long, else 0; clause, the longest; and its wakeup.
sub causes {
    my @wakeups = grep { defined $_->{beyond_us} } @_;
    my (%cause, @order);
    for my $wakeup (@wakeups) {
        my $main = $wakeup->{main};
        my $key = join("\0", map { $_ // '' } @$main{ WHO() }) =~ s/\Aoutranked\b/ran/r;     # they read alike
        push @order, $key unless $cause{$key};
        my $cause = $cause{$key} //= { wakeups => 0, most_us => -1, unknown_us => 0 };
        $cause->{wakeups}++;
        $cause->{unknown_us} = max($cause->{unknown_us}, $wakeup->{unknown_us})
            if !UNKNOWN->{ $main->{reason} // '' } && $wakeup->{unknown_us} >= $main->{us};
        @$cause{qw(most_us clause wakeup)} = ($main->{us}, $main, $wakeup) if $main->{us} > $cause->{most_us};
    }
    my ($worst, @others) = sort { $b->{most_us} <=> $a->{most_us} } @cause{@order};
    return ($worst // (), sort { $b->{wakeups} <=> $a->{wakeups} } @others);
}

# What else had the CPU, longest first: hashes of kind; name (the reason, if unknown); wakeups, in how many; and us, in
# all
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

# What interrupted a thread that never slept: a hash of seconds, the time that the records cover; times, the number of
# interruptions; us, their sum; most_us, the longest; and culprits, longest first: hashes of kind, name, times, us and
# most_us. Time that was not recorded is a culprit of kind unknown, named by the reason, and in no sum. undef if the
# thread slept or nothing was recorded.
sub interruptions ($report) {
    my $end = nanoseconds(1e6 * ($report->header('sleepless_s') // return undef));
    my ($id, @records) = ($report->header('thread'), @{ records($report)->{0} // return undef });
    my $last = first { $_->{kind} eq 'switch' && $_->{prev}{id} == $id && $_->{state} =~ /[XZ]/ } @records;
    my $from = max(0, $records[0]{at});
    my $ns = ($last ? $last->{at} : $end) - $from;
    my $found = segments([map { { %$_, at => $_->{at} - $from } } @records], late => $ns, is_asked => 1,
        counting => $ns, usual_ns => $ns, meter => task($id, undef, undef));
    my ($i, %culprit, @ns) = (0);
    for my $segment (@{ $found->{segments} }) {
        my ($kind, $name, $task, $reason) = @$segment{qw(kind name task reason)};
        $i++ if $kind =~ /^(?:self|unknown)$/;
        next if $kind eq 'self';
        $name = $kind eq 'unknown' ? $reason : $kind eq 'task' ? $task->{name} : $name // $kind;
        my $turns = ($culprit{"$kind\0$name"} //= { kind => $kind, name => $name })->{turns} //= {};
        $_ += $segment->{to} - $segment->{from}
            for $kind eq 'unknown' ? () : $ns[$i], $turns->{ $segment->{turn} // $segment->{from} };
    }
    return { seconds => $ns / 1e9, _turns(grep { $_ } @ns), culprits => [
        sort { $b->{us} <=> $a->{us} || $a->{name} cmp $b->{name} }
        map { { kind => $_->{kind}, name => $_->{name}, _turns(values %{ $_->{turns} }) } } values %culprit] };
}

sub _turns (@ns) { return (times => scalar @ns, us => _us(sum0(@ns)), most_us => _us(max(0, @ns))) }

# The parts of the latency in order of time: hashes of part and name; min_us, mean_us, sd_us, max_us and percentiles
# (p999_us); and share, share_beyond_p99 and share_beyond_p999, in all lateness and in the lateness of wake-ups beyond
# (0 to 1). undef if the data do not suffice.
sub part_figures ($report) {
    my %beyond = map { $_ => beyond($report, SHARES->{$_}) } keys %{ SHARES() };
    return map {
        my ($key, $values) = @$_{qw(key distribution)};
        my $at = sub ($one_in) { $values->n >= BEYOND * $one_in ? scalar $values->quantile($one_in) : undef };
        +{
            part => $key, name => $_->{name}, (map { ("${_}_us" => $values->$_) } qw(min mean sd max)),
            (map { $_ => $at->(PERCENTILES->{$_}) } keys %{ PERCENTILES() }),
            map { $_ => $beyond{$_} && $beyond{$_}{share}{$key} } keys %beyond,
        };
    } grep { $_->{distribution}->n } parts($report);
}

# The clauses of a wake-up, longest first; $found is what segments() found
sub _clauses ($run, $found, @segments) {
    my (%clause, @order);
    for my $segment (map { _of_meter($run, $_) } @segments) {
        my $key = join "\0", map { $_ // '' } @$segment{ WHO() };
        my $clause = $clause{$key} //= do {
            push @order, $key;
            +{ us => 0, lent_to => _lent_to($segment, @segments), _kept_off($segment->{waker}, @segments),
                _places($found, $segment), %$segment{ WHO() } };
        };
        $clause->{us} = _us(1000 * ($clause->{us} + $segment->{to_us} - $segment->{from_us}));
        $clause->{ids}{ $segment->{id} } = 1 if defined $segment->{id};
    }
    my @clauses = sort { $b->{us} <=> $a->{us} } @clause{@order};
    my $late_us = sum0(map { $_->{us} } @clauses);
    for (@clauses) {
        my ($cause, $name, $us) = @$_{qw(cause name us)};
        $_->{is_usual} = $cause eq 'overran' && $us < LEAST * $late_us
            || $cause ne 'unknown' && !OF_METER->{$cause} && $us <= _usual_us($run, $cause, $name) ? 1 : 0;
    }
    return @clauses;
}

# How long the cause usually lasts
sub _usual_us ($run, $cause, $name = undef) {
    my $handler = $cause eq 'interrupt' && ($name // '') =~ /^timer/ ? [qw(waking switch)]
        : $cause eq 'softirq' && $run->{expires_in_thread} ? [qw(expiry waking again)] : [];
    my @medians = map { $run->{medians}{$_} // 0 } @{ PARTS_OF->{$cause} // $handler };
    return max(USUAL_US, USUAL * sum0(@medians));
}

# What the late thread did, or what happened to it, names it only if it belongs to another program
sub _of_meter ($run, $segment) {
    my $waker = $segment->{waker};
    return { %$segment, %{ +METER }, kind => 'task', %$waker{qw(name priority)} } if $segment->{cause} eq 'awaited';
    my %who = OF_METER->{ $segment->{cause} } ? %{ +METER } : ();
    return $segment unless %who || $segment->{kind} eq 'self';
    return { %$segment, %who, name => $run->{thread_name} };
}

# What kept this task, which was to wake the meter, off the CPU longest, if for much of the time; and whether that is
# only a possibility
sub _kept_off ($waker, @segments) {
    my @waits = grep { $waker && $_->{waker} && $_->{waker}{id} == $waker->{id} } @segments;
    my %us;
    $us{ $_->{name} } += $_->{to_us} - $_->{from_us} for grep { $_->{keeps_off} } @waits;
    my ($most) = sort { $us{$b} <=> $us{$a} || $a cmp $b } keys %us or return;
    return if $us{$most} < KEPT_OFF * sum0(map { $_->{to_us} - $_->{from_us} } @waits);
    my @by = grep { $_->{keeps_off} && $_->{name} eq $most } @waits;
    return (kept_off => $by[0], may_have => (any { $_->{keeps_off} eq 'may' } @by) ? 1 : 0);
}

# The task that lent its priority because it waits for what the holder has, if seen
sub _lent_to ($segment, @segments) {
    return undef unless $segment->{is_lent};
    my $waiter = first {
        $_->{kind} eq 'task' && !$_->{is_lent} && ($_->{priority} // '') eq $segment->{priority}
    } @segments;
    return $waiter && [@$waiter{qw(name id)}];
}

# Where in the kernel it was, and where it finally yielded
sub _places ($found, $segment) {
    my ($cause, $id) = @$segment{qw(cause id)};
    my ($expiry, $arrival, $interrupted) = @$found{qw(expiry arrival interrupted)};
    return unless defined $id && $cause =~ /^(?:interrupts_off|unpreemptible)$/;
    my @in = $expiry && $interrupted && $interrupted->{id} == $id ? @{ $expiry->{stack} } : ();
    my $entry = entry(@in);
    @in = defined $entry ? @in[$entry + 1 .. $#in] : ();
    my @until = $cause eq 'unpreemptible' && $arrival && $arrival->{prev} && $arrival->{prev}{id} == $id
        ? @{ $arrival->{stack} } : ();
    shift @until while @until && $until[0] =~ SCHEDULER;
    return (in => [_shown(@in)], until => [_shown(@until)]);
}

sub _shown {
    my @shown;
    for my $frame (@_) {
        last if @shown == FRAMES || defined entry($frame) || @shown && $shown[-1] =~ PROGRAM;
        push @shown, $frame eq 'unknown' ? '?' : $frame;
    }
    return @shown;
}

# Hashes, the greatest culprit first: code (what to do); clauses (about what); and its parameters, if the report has
# them: priority of the meter and one below; thread, its number in another program; cpus, those not measured, and mask,
# the same in hexadecimal; measured ones; ids of the task; waiter, its name and id; cgroup, a folder; experiment, which
# shows whether it helps, undef if none is ready. Advises nothing that the machine cannot do, and nothing if no wake-up
# stood out.
sub remedies (@wakeups) {
    my (%run, %remedy, %us, @order);
    for my $wakeup (grep { defined $_->{beyond_us} } @wakeups) {
        my $run = _of_thread($wakeup, $run{ $wakeup->{report} } //= _machine($wakeup->{report}));
        my $known_us = $wakeup->{beyond_us} - $wakeup->{unknown_us};
        for my $clause (@{ $wakeup->{clauses} }) {
            next if $clause->{is_usual} || $clause != $wakeup->{main} && $clause->{us} < CULPRIT * $known_us;
            my $of = OF_CAUSE->{ $clause->{cause} } or next;
            # Of the measurement's own processes, only the load shows what the kernel does
            next if $clause->{own} && ($clause->{own} ne 'load' || $clause->{cause} ne 'unpreemptible');
            for my $code ($of->($clause, $run, $wakeup)) {
                my $key = join "\0", $code, map { $_ // '' } $run->{thread}, @$clause{qw(kind name number priority)};
                push @order, $key unless $remedy{$key};
                $us{$key} += $clause->{us};
                $remedy{$key} //= { %$run, code => $code, clauses => [$clause], waiter => $clause->{lent_to},
                    experiment => defined $run->{thread} ? undef : EXPERIMENT->{$code} };
                push @{ $remedy{$key}{ids} }, keys %{ $clause->{ids} // {} };
            }
        }
    }
    return _together(map { $remedy{$_} } sort { $us{$b} <=> $us{$a} } @order);
}

# A remedy for several culprits is given once, unless it names them
sub _together {
    my (%first, @together);
    for my $remedy (@_) {
        my $code = $remedy->{code};
        my $is_of_one = $code =~ /^(?:lower|ordinary|waiter|move_interrupt)(?:_thread|_unknown)?$/;
        my $key = join "\0", $code, $is_of_one ? $remedy->{clauses}[0]{name} : (),
            $code =~ /_thread$|^overran$/ ? $remedy->{thread} // '' : ();
        if (!$first{$key}) { push @together, $first{$key} = $remedy }
        else               { push @{ $first{$key}{$_} }, @{ $remedy->{$_} } for qw(clauses ids) }
    }
    return @together;
}

sub _machine ($report) {
    my $is_thread = defined $report->header('thread');
    my %header = map { $_ => $report->header($_) // '' }
        qw(cgroup cpus_online dma_latency_us hypervisor kernel_release preemption rt_runtime_us);
    my ($policy, $priority) = scheduling($report);
    $priority = 0 unless $policy =~ /^(?:fifo|rr)$/ && $priority =~ /^\d+$/;
    my $linux = $header{kernel_release} =~ /^(\d+)\.(\d+)/ ? $1 + $2 / 1000 : PARTITIONS;
    my $is_rt = $header{preemption} =~ /^PREEMPT_RT/;
    my ($cgroup) = $header{cgroup} =~ m{0::(/[\w./\@:-]*)(?:$|[\s;,])};
    my $is_virtual = $header{hypervisor} !~ /^(?:none|unknown|)$/;
    my $can_choose = $header{preemption} =~ /^(?:none|voluntary|lazy)\b.*DYNAMIC/;
    return {
        _cpus($report->header($is_thread ? 'thread_cpus' : 'cpu') // '', $header{cpus_online}),
        priority => $priority, below => $priority - 1, cgroup => $cgroup,
        is_ordinary => scalar($policy =~ /^(?:other|batch|idle)$/), has_runtime => $is_thread && $policy eq 'deadline',
        thread => $report->header('thread'),
        is_rt => $is_rt, can_choose => $can_choose, has_fair_server => $linux >= FAIR_SERVER,
        isolate => $linux >= PARTITIONS && !$is_thread ? 'isolate' : 'isolate_at_boot',
        expires_in_thread => expires_in_thread($report),
        is_virtual => $is_virtual, level => level($report) // '',
        sleeps_deeply => $header{dma_latency_us} ne '0',
        is_unthrottled => $header{rt_runtime_us} eq '-1',
    };
}

# If the report covers several, the thread that was late
sub _of_thread ($wakeup, $run) {
    return $run unless ($run->{thread} // '') eq 'several';
    my ($class, $number) = split /:/, $wakeup->{priority} // '';
    my $priority = ($class // '') eq 'rt' ? $number : 0;
    return { %$run, thread => $wakeup->{thread}, priority => $priority, below => $priority - 1,
        is_ordinary => ($class // '') eq 'nice', has_runtime => ($class // '') eq 'deadline' };
}

# Online CPUs that are not measured; undef if either is unknown
sub _cpus ($measured, $online) {
    my @measured = cpus_in($measured) or return has_others => 1;
    my @online = cpus_in($online) or return (measured => $measured, has_others => 1);
    my %is_measured = map { $_ => 1 } @measured;
    my @others = grep { !$is_measured{$_} } @online;
    return (measured => $measured, has_others => scalar @others, cpus => ranges(@others), mask => mask(@others));
}

sub _of_interrupts_off ($clause, $run, $wakeup) {
    return (
        $run->{is_virtual} ? 'hypervisor' : ($wakeup->{smis} // 0) > 0 ? 'firmware' : (),
        !$run->{is_rt} ? 'interrupts_rt' : $run->{level} ne 'stacks' ? 'stacks' : (),
    );
}

sub _of_interrupt ($clause, $run, @) {
    return $run->{has_others} ? 'move_interrupt' : $run->{is_rt} ? () : 'thread_interrupts'
        if defined $clause->{number};
    return ($run->{is_virtual} ? 'hypervisor' : (), $run->{has_others} ? $run->{isolate} : (),
        $clause->{name} =~ /^timer/ && !$run->{is_rt} ? 'timers_rt' : ());
}

sub _of_softirq ($clause, $run, @) {
    my ($name) = $clause->{name} =~ /^(RCU|(?:HR)?TIMER|SCHED)/;
    my $elsewhere = !defined $name ? 'move_softirq' : $name eq 'RCU' ? 'rcu' : $run->{isolate};
    return ($run->{has_others} ? $elsewhere : (), $run->{is_rt} ? () : 'softirqs_rt');
}

sub _of_kernel ($clause, $run, @) {
    return (
        $run->{can_choose} ? 'preempt_full' : !$run->{is_rt} ? 'preempt_rt' : $run->{level} ne 'stacks' ? 'stacks' : (),
        $run->{has_others} && $clause->{name} =~ m{^kworker/} ? 'workqueue' : OF_THREAD->{ $clause->{name} } // (),
    );
}

sub _of_throttling ($clause, $run, @) {
    return $run->{is_ordinary} ? 'cpu_max' : $run->{has_runtime} ? 'overrun_thread'
        : $run->{has_fair_server} ? 'fair_server'
        : $run->{is_unthrottled} ? () : 'unthrottle';
}

# A task that has the CPU for a reason other than an unpreemptible kernel
sub _of_task ($clause, $run, @) {
    my ($name, $priority) = ($clause->{name} // '', $clause->{priority} // '');
    my $can_move = $run->{has_others};
    return 'wait'                                            if $name =~ m{^(?:migration|cpuhp)/};
    return 'move_interrupt'                                  if $name =~ m{^irq/\d} && $can_move;
    return 'rcu'                                             if $name =~ /^rcu/ && $can_move;
    return 'workqueue'                                       if $name =~ m{^kworker/} && $can_move;
    return $can_move ? 'move_softirq' : ()                   if $name =~ m{^k(?:softirqd|timers)/};
    return $can_move ? 'deadline' : ()                       if $priority eq 'deadline';
    return $run->{expires_in_thread} && $priority eq 'rt:1' ? 'other_timer'
        : defined $clause->{lent_to} ? 'waiter' : 'waiter_unknown' if $clause->{is_lent};
    return $run->{is_ordinary} ? _of($run, 'real_time') : () unless $priority =~ /^rt:(\d+)/;
    # A meter with the lowest real-time priority, or none, has none below it
    my @codes = $1 >= $run->{priority} ? _of($run, $run->{below} > 0 ? 'lower' : 'ordinary') : ();
    return @codes unless $run->{expires_in_thread} && $clause->{cause} eq 'before_waking';
    return (@codes, $1 > 1 ? 'timer_thread' : 'other_timer');
}

# Threads of other programs do not have our options
sub _of ($run, $code) { return defined $run->{thread} ? "${code}_thread" : $code }

1;
