# SPDX-License-Identifier: GPL-2.0-or-later
# What can be done about those who made wake-ups late.
package Realfeel::Answer::Why::Remedies;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(remedies);

use Realfeel::Model::Cpus qw(cpus_in mask ranges);
use Realfeel::Model::Explain qw(expires_in_thread level scheduling);

# A culprit has such a share of the known time beyond the median
use constant SHARE => 0.25;

# Linux versions with isolated cpuset partitions, and with a throttling that ignores sched_rt_runtime_us
use constant { PARTITIONS => 6.001, FAIR_SERVER => 6.012 };

# Remedies by cause
use constant OF_CAUSE => {
    interrupts_off => \&_of_interrupts_off, interrupt => \&_of_interrupt,
    softirq => \&_of_softirq, unpreemptible => \&_of_kernel, throttled => \&_of_throttling, idle => \&_of_idle,
    timer_late => sub { $_[1]{is_virtual} ? 'hypervisor' : () },
    awaited => sub { $_[0]{kept_off} ? 'inherit' : 'holder' },
    blocked => sub { $_[1]{expires_in_thread} ? 'other_timer' : () },
    (map { $_ => \&_of_task } qw(before_waking outranked taken ran)),
    (map { my $cause = $_; $cause => sub { $cause } } qw(overran stopped traced frozen)),
    unknown => sub { ($_[0]{reason} // '') eq 'no-record' ? _of_lost_cpu(@_) : () },
};

# Kernel threads whose work can be turned off
use constant OF_THREAD => { ksmd => 'same_pages', khugepaged => 'huge_pages' };

# Ready experiments of Try::Ready
use constant EXPERIMENT => {
    fair_server => 'fair-server', frequency => 'governor', huge_pages => 'huge-pages', idle_states => 'idle-states',
    move_interrupt => 'irq-affinity', move_softirq => 'irq-affinity', preempt_full => 'preempt-full',
    same_pages => 'same-page-merging', unthrottle => 'rt-throttling', workqueue => 'workqueue-cpus',
};

# Hashes, for the greatest culprit first: code, what to do; clauses, about whom; and its parameters, as far as the
# report has them: priority of the meter and one below; thread, its number in another program; cpus, those not measured,
# and mask, the same in hexadecimal; measured ones; waiter, a task; cgroup, a folder; experiment, which shows whether it
# helps, undef if none is ready. Advises nothing that the machine cannot do, and nothing if no wake-up stood out.
sub remedies (@wakeups) {
    my (%run, %remedy, %us, @order);
    for my $wakeup (grep { defined $_->{beyond_us} } @wakeups) {
        my $run = _of_thread($wakeup, $run{ $wakeup->{report} } //= _run($wakeup->{report}));
        my $known_us = $wakeup->{beyond_us} - $wakeup->{unknown_us};
        for my $clause (@{ $wakeup->{clauses} }) {
            next if $clause->{is_usual} || $clause != $wakeup->{main} && $clause->{us} < SHARE * $known_us;
            my $of = OF_CAUSE->{ $clause->{cause} } or next;
            for my $code ($clause->{own} ? _of_own($clause, $run) : $of->($clause, $run, $wakeup)) {
                my $key = join "\0", $code, map { $_ // '' } $run->{thread}, @$clause{qw(kind name number priority)};
                push @order, $key unless $remedy{$key};
                $us{$key} += $clause->{us};
                $remedy{$key} //= { %$run, code => $code, clauses => [$clause], waiter => $clause->{lent_to},
                    experiment => EXPERIMENT->{$code} };
            }
        }
    }
    return _together(map { $remedy{$_} } sort { $us{$b} <=> $us{$a} } @order);
}

# A remedy for several is given once, unless it names them
sub _together {
    my (%first, @together);
    for my $remedy (@_) {
        my $code = $remedy->{code};
        my $is_of_one = $code =~ /^(?:lower|ordinary|waiter|move_interrupt)(?:_thread|_unknown)?$/;
        my $key = join "\0", $code, $is_of_one ? $remedy->{clauses}[0]{name} : (),
            $code =~ /_thread$|^overran$/ ? $remedy->{thread} // '' : ();
        if (!$first{$key}) { push @together, $first{$key} = $remedy }
        else               { push @{ $first{$key}{clauses} }, @{ $remedy->{clauses} } }
    }
    return @together;
}

sub _run ($report) {
    my $is_thread = defined $report->header('thread');
    my %header = map { $_ => $report->header($_) // '' }
        qw(cgroup cpus_online dma_latency_us hypervisor idle_latency_us kernel_release preemption rt_runtime_us);
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
        is_ordinary => scalar($policy =~ /^(?:other|batch|idle)$/), has_runtime => $policy eq 'deadline',
        thread => $report->header('thread'),
        is_rt => $is_rt, can_choose => $can_choose, has_fair_server => $linux >= FAIR_SERVER,
        isolate => $linux >= PARTITIONS ? 'isolate' : 'isolate_at_boot',
        expires_in_thread => expires_in_thread($report),
        is_virtual => $is_virtual, level => level($report) // '',
        sleeps_deeply => !grep({ $_ eq '0' } @header{qw(dma_latency_us idle_latency_us)}),
        is_unthrottled => $header{rt_runtime_us} eq '-1',
    };
}

# If the report is of several, the thread that was late
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

# Each of these gets the clause, the run and the wake-up, and returns codes.

sub _of_lost_cpu ($clause, $run, $wakeup) {
    return ($wakeup->{smis} // 0) > 0 ? 'firmware' : $run->{is_virtual} ? 'hypervisor' : 'hwlat';
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
    return $run->{is_ordinary} ? 'cpu_max' : $run->{has_runtime} ? _of($run, 'overrun')
        : $run->{has_fair_server} ? 'fair_server'
        : $run->{is_unthrottled} ? () : 'unthrottle';
}

# In a guest, the host puts the CPU to sleep
sub _of_idle ($clause, $run, @) {
    return $run->{sleeps_deeply} ? 'idle_states' : $run->{is_virtual} ? 'hypervisor' : 'frequency';
}

# A task that has the CPU for another reason than an unpreemptible kernel
sub _of_task ($clause, $run, @) {
    my ($name, $priority) = ($clause->{name} // '', $clause->{priority} // '');
    my $can_move = $run->{has_others};
    return 'wait'                                            if $name =~ m{^(?:migration|cpuhp)/};
    return 'move_interrupt'                                  if $name =~ m{^irq/\d} && $can_move;
    return 'rcu'                                             if $name =~ /^rcu/ && $can_move;
    return 'workqueue'                                       if $name =~ m{^kworker/} && $can_move;
    return $can_move ? 'move_softirq' : ()                   if $name =~ m{^k(?:softirqd|timers)/};
    return $can_move ? 'deadline' : ()                       if $priority eq 'deadline';
    return _of_lent($clause, $run)                           if $clause->{is_lent};
    return $run->{is_ordinary} ? _of($run, 'real_time') : () unless $priority =~ /^rt:(\d+)/;
    my @codes = $1 >= $run->{priority} ? _of_rank($run) : ();
    return @codes unless $run->{expires_in_thread} && $clause->{cause} eq 'before_waking';
    return (@codes, $1 > 1 ? 'timer_thread' : 'other_timer');
}

sub _of_lent ($clause, $run) {
    return 'other_timer' if $run->{expires_in_thread} && $clause->{priority} eq 'rt:1';
    return defined $clause->{lent_to} ? 'waiter' : 'waiter_unknown';
}

# No real-time priority is below a meter with the lowest one, or none
sub _of_rank ($run) { return _of($run, $run->{below} > 0 ? 'lower' : 'ordinary') }

# Threads of other programs do not have our options
sub _of ($run, $code) { return defined $run->{thread} ? "${code}_thread" : $code }

# Of the measurement's own, only the load shows what the kernel does
sub _of_own ($clause, $run, @) {
    return $clause->{own} eq 'load' && $clause->{cause} eq 'unpreemptible' ? _of_kernel($clause, $run) : ();
}

1;
