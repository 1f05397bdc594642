# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Why;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(causes culprits wakeups);

use List::Util qw(first max min sum0);
use Realfeel::Answer::Why::Clauses qw(LEAST WHO clauses usual_us);
use Realfeel::Answer::Why::Segments qw(segments);
use Realfeel::Answer::Why::Waiting qw(goes_first);
use Realfeel::Base::Typed qw(number truth);
use Realfeel::Model::Explain qw(expires_in_thread is_blamed parts worst);
use Realfeel::Model::Records qw(nanoseconds own_processes records scheduling task);

use constant {
    LATE      => 2,             # times the median: a wake-up that took this long stands out
    STALL_US  => 1000,          # an idle CPU wakes sooner
    # What cannot be anybody's fault, by the reason that it is unknown.
    UNKNOWN   => { map { $_ => 1 } qw(ring-ends lost) },
    CAUSE_OF_WAIT => {
        timer => 'interrupts_off', timer_late => 'timer_late', waking => 'before_waking', unknown => 'ran',
        running => 'ran', map { $_ => $_ } qw(awaited taken blocked stopped traced),
    },
};

=head1 NAME

Realfeel::Answer::Why - why the worst wake-ups were late

=head1 FUNCTIONS

=head2 wakeups($report, $most)

Of the C<$most> worst wake-ups of a L<Realfeel::Model::Report>, or of all, those that have records: hashes of

=over

=item C<report>, C<number>, C<late_us>, C<is_asked>, C<smis>, C<is_virtual>, C<is_real_time>

the report, of several threads the one that was late; the line of C<events>; how late it was, or how long after the
request, with C<is_asked>; how many system management interrupts there were, undef where that is not known; whether
there is a hypervisor, or may be one; and whether the meter was real-time, as far as known

=item C<beyond_us>

how much later than the median, undef where it does not stand out: it was less than twice as late

=item C<segments>

who had the CPU, from due to the stamp: hashes of C<from_us>, C<to_us>, C<kind>, C<name>, C<priority>, C<detail>
(C<pid:12>, C<irq:9>, or why it is C<unknown>), C<wait>, what the meter waited for, C<cause>, C<is_lent> and C<own>

=item C<clauses>

the same by cause and who, the longest first: hashes of C<cause>, C<kind>, C<name>, C<priority>, C<us>, C<reason>,
C<number> of an interrupt, C<thread> of a softirq, C<is_lent>, C<lent_to>, C<own>, where in the kernel it was, C<in>,
and at last made way, C<until>, arrays of functions; and C<is_usual>. Of what happened to the meter, as that it was
C<stopped>, the C<kind> is C<self>, whoever had the CPU

=item C<main>, C<unknown_us>, C<stacks>

the clause that explains most, the time that no record tells of, and the kernel's stacks as they are written

=back

A cause is C<interrupts_off>, the timer was late because interrupts were, or the CPU was taken away; C<timer_late>,
though others came; C<interrupt> and C<softirq>; C<before_waking>, a task had the CPU before the meter was woken;
C<unpreemptible>, the meter went before the task; C<outranked>, not so; C<taken>, the CPU was, once more; C<throttled>,
the CPU went to others, or nobody, though the meter was ready; C<blocked>, again; C<stopped>, C<traced> and C<frozen>;
C<awaited>, to be woken by that task; C<idle>, the way out of it; C<stalled>, it idled for longer than that, and why is
not known; C<ran>, a task did, and it is not known what the meter was waiting for; C<at_work>, the meter was,
since before it was due; C<overran>, so was a thread of another program; C<self>, its own way to the stamp; or
C<unknown>.

=cut

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

# As the records have it where the header is of several.
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

# Whether the task kept off the CPU the one that was to wake the meter: "is"; "may", if no record says how that left it.
sub _keeps_off ($segment) {
    my ($waker, $task) = @$segment{qw(waker task)};
    my $could_go_on = $segment->{preempted}{ $waker->{id} };
    return $could_go_on ? 'is' : undef if defined $could_go_on;
    return $task->{id} == $waker->{id} || goes_first($waker, $task) ? undef : 'may';
}

# What it is of the measuring program, if anything. A number may be that of another process in another run.
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

# What is unusual and not our own; else what is not known; else what took most.
sub _main ($late_us, @clauses) {
    my @known = grep { !UNKNOWN->{ $_->{reason} // '' } } @clauses;
    my @others = grep { $_->{cause} ne 'self' } @known;
    return (first { !$_->{is_usual} && $_->{us} >= LEAST * $late_us } @others)
        // (first { UNKNOWN->{ $_->{reason} // '' } } @clauses) // $others[0] // $clauses[0];
}

=head2 causes(@wakeups)

What explains most of those that stand out, the worst first: hashes of C<wakeups>, of how many; C<most_us>, for
how long at most; C<unknown_us>, as much or more that is unknown beside it, at most, or 0; C<clause>, the longest, and
C<wakeup>, of which it is.

=cut

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

=head2 culprits(@wakeups)

Who had the CPU in them, but for the meter: hashes of C<kind>, C<name>, C<wakeups>, in how many of them, and C<us>, for
how long, the longest first. The name of what is unknown is the reason.

=cut

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
