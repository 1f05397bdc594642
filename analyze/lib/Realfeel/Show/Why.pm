# SPDX-License-Identifier: GPL-2.0-or-later
# Why wake-ups were late and what can be done about it: realfeel-analyze explain, and that section of a page.
package Realfeel::Show::Why;
use Realfeel::Base::Modern;

use List::Util qw(max min sum0 uniqstr);
use Realfeel::Answer::Why qw(causes culprits interruptions part_figures remedies wakeups);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(counted decimal few printable shell_word short us);
use Realfeel::Model::Cpus qw(cpu_name pooled threads);
use Realfeel::Model::Explain qw(cost counts findings is_blamed level policy records unexplained);
use Realfeel::Show::Blocks qw(as_text);
use Realfeel::Show::Figures qw(delay finding_words);

use constant {
    CLAUSES     => 4,           # of a sentence
    NAMED       => 3,           # culprits of a remedy, no more than one can remember
    CAUSES      => 5,           # and remedies: what is read at a glance
    REMEDIES    => 3,
    RECORDS     => 20,          # of a trace
    PERCENTILES => [[p50 => 'p50_us'], [p99 => 'p99_us'], ['p99.9' => 'p999_us']],
    SHARES      => [[share => 'share'], ['> p99' => 'share_beyond_p99'], ['> p99.9' => 'share_beyond_p999']],
    US_PER_MS   => 1000,
};

use constant UNEXPLAINED => {
    earlier   => 'was explained by an earlier realfeel, which recorded no parts; measure again',
    merged    => 'was merged from runs with --explain and others; explain those by themselves',
    refused   => 'has no records to explain: {reason}; measure again where --explain works (it needs root)',
    thread    => 'is of a thread that was measured without --explain; run realfeel -s task again with it',
    imported  => 'is from another program, which records no causes; measure with realfeel --explain',
    not_asked => 'was measured without realfeel --explain; measure again with it',
};

# By cause, or by the reason why it is unknown
use constant CAUSE => {
    interrupts_off => 'the timer interrupt was {lapse} late while {who} ran{doubt}',
    timer_late     => 'the timer was {lapse} late while {who} ran, though other interrupts came',
    before_waking  => '{who} ran for {lapse} before {self} was woken',
    unpreemptible  => '{who} was not preempted for {lapse}',
    (map { $_ => '{who} ran for {lapse}' } qw(outranked ran)),
    taken     => '{who} took the CPU away for {lapse}',
    throttled => 'the CPU went to others, or idle, for {lapse} although {self} was ready{doubt}',
    blocked   => '{who} ran for {lapse} while {self} was blocked again',
    awaited   => '{self} waited {lapse} to be woken by {who}',
    stopped   => '{self} was stopped for {lapse} by a signal (SIGSTOP, ^Z)',
    traced    => '{self} was stopped for {lapse} by a debugger',
    frozen    => '{self} was frozen for {lapse} with its control group',
    idle      => 'woke from idle, {lapse}',
    stalled   => 'the CPU was idle for {lapse} for an unknown reason',
    (map { $_ => '{who} {lapse}' } qw(interrupt softirq)),
    at_work   => '{self} itself was still at work for {lapse}',
    overran   => '{self} itself ran for {lapse} after it was due: its own work overran the period{doubt}',
    self      => '{self} itself ran for {lapse}',
    lost      => '{lapse} not recorded{after}',
    'no-record' => '{lapse} without any record{doubt}',
    'ring-ends' => 'the records begin {lapse} after {since}',
};

# Files in the kernel's Documentation, and commands
use constant {
    KTHREADS => 'admin-guide/kernel-per-CPU-kthreads.rst',
    IRQ      => 'core-api/irq/irq-affinity.rst',
    RT       => 'core-api/real-time/differences.rst',
    HARDWARE => 'core-api/real-time/hardware.rst',
    BOOT     => 'admin-guide/kernel-parameters.txt',
    THROTTLE => 'scheduler/sched-rt-group.rst',
    CGROUP   => 'admin-guide/cgroup-v2.rst',
    MEMORY   => 'admin-guide/mm',
    LOWER     => 'chrt -f -p {below} {tasks}',
    MOVE      => 'echo {cpus} >/proc/irq/{irq}/smp_affinity_list',
    PARTITION => join("\n", 'cd /sys/fs/cgroup && mkdir -p measured', 'echo +cpuset >cgroup.subtree_control',
        'echo {measured} >measured/cpuset.cpus', 'echo isolated >measured/cpuset.cpus.partition',
        'echo $$ >measured/cgroup.procs'),
};

# What to do; what says so (one of those files or a manual page); and the command or the boot parameter that does it.
# What is in braces is filled in from the culprit or the run; a word in capitals is to be replaced.
use constant REMEDY => {
    hypervisor => ['the hypervisor may have had the CPU: give the virtual CPU one of its own on the host', HARDWARE],
    firmware => ['the firmware had the CPU (SMI): turn off monitoring and power management in its setup', HARDWARE],
    hwlat => ['the firmware may have had the CPU (SMI): a tracer can tell',
        'trace/hwlat_detector.rst', 'echo hwlat >/sys/kernel/tracing/current_tracer'],
    interrupts_rt => ['interrupts were off: a PREEMPT_RT kernel rarely turns them off', RT],
    stacks => ['--explain=stacks shows where in the kernel that is', 'realfeel(8)', 'realfeel --explain=stacks'],
    preempt_full => ['let the kernel be preempted, by a boot parameter', BOOT, 'preempt=full'],
    preempt_rt => ['if the kernel could not be preempted there: a PREEMPT_RT kernel can be, almost everywhere', RT],
    timers_rt => ['timers of others: a PREEMPT_RT kernel expires them in a thread', RT],
    softirqs_rt => ['soft interrupts cannot be preempted: on a PREEMPT_RT kernel they can', RT],
    thread_interrupts => ['let interrupts be handled in threads, which real-time processes outrank: a boot '
        . 'parameter', BOOT, 'threadirqs'],
    move_interrupt => ['move the interrupt to CPUs that are not measured', IRQ, MOVE],
    move_softirq => ['soft interrupts: move the interrupts that raise them (/proc/interrupts) to CPUs that are not '
        . 'measured', KTHREADS, MOVE],
    rcu => ['RCU callbacks: let other CPUs run them, by a boot parameter', KTHREADS, 'rcu_nocbs={measured}'],
    workqueue => ['a work queue: keep those that are not bound to a CPU on the CPUs that are not measured',
        KTHREADS, 'echo {mask} >/sys/devices/virtual/workqueue/cpumask'],
    isolate => ['work that other CPUs or timers asked for: isolate the CPU in a cpuset partition, measure from the '
        . 'same shell, and boot with nohz_full={measured} (the kernel leaves out the CPU that it boots on)',
        CGROUP, PARTITION],
    isolate_at_boot => ['work that other CPUs or timers asked for: isolate the CPU, by boot parameters; nohz_full '
        . 'leaves out the CPU that the kernel boots on', BOOT, 'isolcpus={measured} nohz_full={measured}'],
    wait => ['work that other CPUs asked for, as when one goes on or off line or code is patched: wait until that is '
        . 'done', KTHREADS],
    deadline => ['a deadline task runs before all priorities: keep it on other CPUs', 'scheduler/sched-deadline.rst'],
    lower => ['its priority is not below ours; lower it if the task can wait', 'sched(7)', LOWER],
    ordinary => ['it is real-time, and no real-time priority is below ours; if it can wait, make it an ordinary '
        . 'process, or measure with a higher --priority', 'sched(7)', 'chrt -o -p 0 {tasks}'],
    real_time => ['realfeel was not real-time: let it run before ordinary processes',
        'sched(7)', 'realfeel --policy=fifo'],
    lower_thread => ['its priority is not below the thread\'s; lower it if the task can wait',
        'sched(7)', LOWER],
    ordinary_thread => ['it is real-time, and no real-time priority is below the thread\'s; if it can wait, make '
        . 'it an ordinary process, or give the thread a higher priority', 'sched(7)', 'chrt -o -p 0 {tasks}'],
    real_time_thread => ['the thread is not real-time: let it run before ordinary processes',
        'sched(7)', 'chrt -f -p 50 {thread}'],
    overrun_thread => ['the thread may have used up its runtime as a deadline task, to which interrupts may be '
        . 'charged, too: give it more', 'scheduler/sched-deadline.rst'],
    waiter => ['its priority is lent by a task that waits for its lock; lowering its own does not help: lower the '
        . 'priority of the task that waits, or keep that task from sharing the lock',
        'locking/rt-mutex.rst', 'chrt -f -p {below} {waiters}'],
    waiter_unknown => ['a task that waits for its lock lent it this priority, or it lowered its own meanwhile: lower '
        . 'the priority of the task that waits, or the one that it starts with', 'locking/rt-mutex.rst'],
    timer_thread => ['it runs before the thread in which this timer expires: put that thread above it, or measure '
        . 'with --source=nanosleep', RT, 'pgrep ktimers/ | xargs -n 1 chrt -f -p {priority}'],
    other_timer => ['this timer expires in a thread, which may wait for locks: use a timer that needs no thread',
        RT, 'realfeel --source=nanosleep'],
    unthrottle => ['the kernel may have throttled real-time processes: allow them all of the CPU time; then one that '
        . 'never sleeps hangs its CPU', THROTTLE, 'sysctl -w kernel.sched_rt_runtime_us=-1'],
    fair_server => ['the kernel may have given the CPU to ordinary processes, 50 ms of each second: turn that off; '
        . 'then a real-time process that never sleeps hangs its CPU',
        THROTTLE, 'echo 0 | tee /sys/kernel/debug/sched/fair_server/cpu*/runtime'],
    cpu_max => ['its control group may have used up its CPU time: allow it more',
        CGROUP, 'echo max >/sys/fs/cgroup{cgroup}/cpu.max'],
    idle_states => ['the CPU slept: keep it out of deep idle states',
        'admin-guide/pm/cpuidle.rst', 'realfeel --dma-latency=0'],
    idle_states_thread => ['the CPU slept: keep it out of deep idle states',
        'admin-guide/pm/cpuidle.rst', 'cpupower idle-set -D 10'],
    same_pages => ['the kernel was searching for duplicate pages (KSM): turn it off',
        MEMORY . '/ksm.rst', 'echo 0 >/sys/kernel/mm/ksm/run'],
    huge_pages => ['the kernel was making huge pages: turn it off',
        MEMORY . '/transhuge.rst', 'echo never >/sys/kernel/mm/transparent_hugepage/enabled'],
    frequency => ['the CPU was slow to wake: let it run at its full frequency',
        'admin-guide/pm/cpufreq.rst', 'cpupower frequency-set -g performance'],
    overran => ['its own work took longer than its period: find out what takes the time; do less, or do it less often',
        'perf-record(1)', 'perf record -g -t {thread}'],
    inherit => ['if the thread waited for its lock: use a mutex with priority inheritance (PTHREAD_PRIO_INHERIT), so '
        . 'that no task of a priority between the two keeps it off the CPU', 'locking/pi-futex.rst'],
    holder => ['the thread waited for it, as for a lock: shorten what it does meanwhile, or decouple the two',
        'locking/pi-futex.rst'],
    stopped => ['a signal stopped it, as ^Z or kill -STOP does: let nothing do that during a run', 'signal(7)'],
    traced => ['a debugger or tracer held it: let none be attached during a run', 'ptrace(2)'],
    frozen => ['its control group was frozen, as containers and suspend do: let nothing do that during a run', CGROUP],
};

# Causes of the worst wake-ups of a run, remedies, and the parts of the latency; several threads one by one. Dies with
# one line if it was measured without --explain.
sub text ($run)    { return as_text(_run($run, 0)) }
# Also what had the CPU, a sentence for each of the worst, and the last records before a break
sub verbose ($run) { return as_text(_run($run, 1)) }

sub _run ($run, $is_verbose) {
    my $report = pooled($run);
    my ($level, $unexplained) = (level($report), unexplained($report));
    die printable($report->{file} . ': ' . _filled(UNEXPLAINED->{ $unexplained->{code} }, %$unexplained)) . "\n"
        unless defined $level;
    my @parts = map { [$_, cpu_name($_) . ', ' . policy($_) . ': ' . _about($_->latency->max // 0) . ' late at worst'] }
        threads($run);
    return (
        [head => $report->{file} . ": $level, " . ($report->{verdict} // 'no verdict')],
        [list => map { finding_words($_) } findings($report)],
        (map {
            my ($of, $heading, @wakeups) = (@$_, wakeups($_->[0]));
            (_answer($is_verbose, $heading // _heading($of, @wakeups), @wakeups), !$is_verbose ? ()
                : (sentences(@wakeups), [table => _culprits($of, @wakeups)], [table => _trace($of)]),
                _interruptions($of));
        } @parts ? @parts : [$report, undef]),
        [table => _parts($report)],
        [facts => _grounds($report)],
        [text => !$report->header('samples') ? $report->header('verdict')
            : $is_verbose || !is_blamed($report) ? () : 'more with -v'],
    );
}

# Several runs, and threads, follow one after the other. Sentences are next to the worst wake-ups.
sub of_page (@runs) {
    return map {
        my ($report, $name) = @$_{qw(report called)};
        my @wakeups = wakeups($report);
        ([head => $name], [list => map { finding_words($_) } findings($report)], [facts => _grounds($report)],
            _answer(1, _heading($report, @wakeups), @wakeups), [table => _parts($report)],
            [table => _culprits($report, @wakeups)], _interruptions($report));
    } grep { defined level($_->{report}) } map { _threads($_) } @runs;
}

sub _threads ($run) {
    my $name = defined $run->{called} ? "run $run->{called}" : undef;
    my @threads = threads($run->{run}) or return { report => $run->{report}, called => $name };
    return map { { report => $_, called => join ': ', $name // (), cpu_name($_) } } @threads;
}

sub _heading ($report, @wakeups) {
    my $of = 'of ' . counted($report->header('samples'), 'wake-up');
    return @wakeups == 1 ? "why the worst $of was late" : 'why the worst ' . @wakeups . " $of were late";
}

sub _answer ($is_verbose, $heading, @wakeups) {
    return unless @wakeups;
    my @causes = causes(@wakeups);
    my @told = causes_told(\@causes, scalar @wakeups, $is_verbose ? () : CAUSES);
    return ([head => $heading], @causes ? [facts => @told]
        : [text => 'none of the worst wake-ups was twice as late as the median, or more'],
        _remedies($is_verbose, map { remedy($_) } remedies(@wakeups)));
}

sub _remedies ($is_verbose, @remedies) {
    my @shown = @remedies[0 .. min($is_verbose ? @remedies : REMEDIES, scalar @remedies) - 1] or return;
    my $more = @remedies - @shown;
    my (undef, @later) = $is_verbose ? () : grep { defined $_->{try} } @shown;
    $_->{try} = undef for @later;                   # one at a time
    return ([head => 'what can be done about it'], [list => (map {
        my ($command, $try) = @$_{qw(command try)};
        ["$_->{culprit}: $_->{text}", defined $command ? \$command : (),
            "see $_->{source}" . (defined $try ? '; try it:' : ''), defined $try ? \$try : ()];
    } @shown), $more ? "and $more more with -v" : ()]);
}

# What the explanation rests on: [label, text]
sub _grounds ($report) {
    my ($count, $cost) = (counts($report), cost($report));
    my ($matched, $lost, $traced, $counted) = @$count{qw(matched lost traced counted)};
    my $incomplete = defined $report->header('thread') ? $report->header('unmatched') // 0 : 0;
    my $wakeups = "$matched of " . counted($report->header('samples') + $incomplete, 'wake-up');
    my $records = $lost ? counted($lost, 'record') : 'no records';
    my ($with, $without) = map { us($_) } @$cost{qw(with_us without_us)} if $cost;
    return (
        [matched => "$wakeups with what the kernel traced; "
            . ($incomplete ? "$incomplete left out, as their records are incomplete" : "$records lost")],
        defined $traced ? ['self-test' => "$traced of $counted context switches traced"] : (),
        $cost ? [cost => 'with --explain each wake-up is ' . delay($cost)
            . ": the median was $with with it, $without without"] : (),
    );
}

# For each part of the lateness: percentiles with ten values beyond, the maximum, and its share of all lateness and of
# the lateness of wake-ups beyond a percentile
sub _parts ($report) {
    my @rows = part_figures($report) or return;
    my @times = grep { defined $rows[0]{ $_->[1] } } @{ PERCENTILES() };
    my @shares = grep { defined $rows[0]{ $_->[1] } } @{ SHARES() };
    return Realfeel::Base::Table->new(
        caption => 'the parts of the ' . $report->latency_words . ' in us, and their share'
            . (@shares > 1 ? ', also beyond percentiles' : ''),
        columns => [{ head => '', width => 16 }, (map { $_->[0] } @times), 'max', map { $_->[0] } @shares],
        rows    => [map {
            my $row = $_;
            [$row->{name}, (map { short($row->{ $_->[1] }) } @times), short($row->{max_us}),
                map { _share($row->{ $_->[1] }) } @shares];
        } @rows],
    );
}

sub _share ($share) { return decimal(100 * $share, 1) . ' %' }

# What had the CPU during these wake-ups, for how long, and its share in their lateness
sub _culprits ($report, @wakeups) {
    my @culprits = culprits(@wakeups) or return;
    my $late = sum0(map { $_->{late_us} } @wakeups) || 1;
    my $worst = @{ $report->events };
    my $of = (@wakeups < $worst ? @wakeups . ' of ' : '') . 'the '
        . ($worst == 1 ? 'worst wake-up' : "$worst worst wake-ups");
    return Realfeel::Base::Table->new(
        caption => "what had the CPU while $of " . (@wakeups == 1 ? 'was late' : 'were late'),
        columns => [(map { { head => $_, align => 'left' } } qw(kind name)), 'wake-ups',
            { head => 'us', title => "\xc2\xb5s" }, 'share'],
        rows    => [map {
            [$_->{kind}, printable($_->{name} // '-'), $_->{wakeups}, decimal($_->{us}, 3), _share($_->{us} / $late)]
        } @culprits],
    );
}

# What interrupted a thread that never slept, how often and for how long
sub _interruptions ($report) {
    my $found = interruptions($report) or return;
    my ($seconds, $times) = @$found{qw(seconds times)};
    my $name = printable($report->header('thread_name') // $report->header('thread'));
    my $last = 'in the last ' . _about(1e6 * $seconds) . ' of the run';
    my $share = sub ($us) { _share($us / $seconds / 1e6) };
    return [text => "nothing interrupted '$name' $last"] unless $times;
    my $sum = counted($times, 'time') . ', for ' . _about($found->{most_us}) . ' at most, ' . $share->($found->{us});
    my $table = Realfeel::Base::Table->new(
        columns => [(map { { head => $_, align => 'left' } } qw(kind name)), 'times', 'a second',
            { head => 'longest us', title => "longest \xc2\xb5s" }, 'share'],
        rows    => [map {
            [$_->{kind}, $_->{kind} eq 'unknown' ? 'not recorded' : printable($_->{name}), $_->{times},
                short($_->{times} / $seconds), decimal($_->{most_us}, 3), $share->($_->{us})]
        } @{ $found->{culprits} }],
    );
    return ([head => "what interrupted '$name' $last"], [text => "$sum of the time"], [table => $table]);
}

# Blocks: a sentence for each of these wake-ups
sub sentences (@wakeups) {
    return unless @wakeups;
    return ([head => 'why the worst wake-ups were late, as the kernel traced it'],
        [facts => map { [$_->{number}, sentence($_)] } @wakeups]);
}

# The end of what was recorded before --break ended the run
sub _trace ($report) {
    return unless ($report->header('status') // '') eq 'break';
    my @trace = @{ records($report, 1)->{1} // [] } or return;
    my @last = @trace[-min(RECORDS, scalar @trace) .. -1];
    return Realfeel::Base::Table->new(
        caption => 'the last ' . @last . ' of ' . @trace . ' records before the break; us since the wake-up was due',
        columns => ['at us', map { { head => $_, align => 'left' } } qw(event text)],
        rows    => [map { [decimal($_->{line}{at_us}, 3), map { printable($_) } $_->{kind}, _recorded($_)] } @last],
    );
}

sub _recorded ($record) {
    my ($id, @more) = grep { $_ ne '-' } @{ $record->{line} }{qw(id priority detail)};
    return join ' ', join(':', grep { defined } $record->{name}, $id), @more unless $record->{kind} eq 'switch';
    my ($prev, $next) = map { join ' ', ($_->{name} // '-') . ($_->{id} < 0 ? '' : ":$_->{id}"), $_->{priority} // () }
        @$record{qw(prev next)};
    return "$prev $record->{state} ==> $next";
}

# "21.974 ms late: 'hog' (rt 97) ran for 21.672 ms; the rest 0.302 ms": the four longest causes that are unusual, else
# the four longest
sub sentence ($wakeup) {
    my $after = $wakeup->{is_asked} ? 'after the request' : 'late';
    return _lapse($wakeup, $wakeup->{late_us}) . " $after: " . reason($wakeup);
}

# Without the lateness
sub reason ($wakeup) {
    my @clauses = @{ $wakeup->{clauses} };
    my @unusual = grep { !$_->{is_usual} && $_->{cause} ne 'self' } @clauses;
    my @told = @unusual ? @unusual : @clauses;
    @told = @told[0 .. min(CLAUSES, scalar @told) - 1];
    my $rest = sum0(map { $_->{us} } @clauses) - sum0(map { $_->{us} } @told);
    return join '; ', (map { _clause($wakeup, $_, _lapse($wakeup, $_->{us})) } @told),
        @told < @clauses ? 'the rest ' . _lapse($wakeup, $rest) : ();
}

# All in one unit, to compare: ms, or us below a ms of lateness
sub _lapse ($wakeup, $us) {
    return $wakeup->{late_us} >= US_PER_MS ? decimal($us / US_PER_MS, 3) . ' ms' : decimal($us, 1) . ' us';
}

sub _clause ($wakeup, $clause, $lapse) {
    my $said = _filled(CAUSE->{ $clause->{reason} // $clause->{cause} }, who => _who($clause), lapse => $lapse,
        self => _meter($wakeup->{thread_name}), doubt => _doubt($wakeup, $clause),
        since => $wakeup->{is_asked} ? 'the request' : 'due', after => !defined $clause->{name} ? ''
            : ', after ' . _task($clause, "'" . printable($clause->{name}) . "'") . ' got the CPU');
    my @places = map { my @functions = @{ $clause->{$_} // [] }; @functions ? "$_ " . join ' < ', @functions : () }
        qw(in until);
    my $kept = $clause->{may_have} ? 'may have kept' : 'kept';
    return join ', ', $said, @places, map { 'which ' . _who($_) . " $kept off the CPU" } $clause->{kept_off} // ();
}

sub _filled ($text, %value) { return $text =~ s/\{(\w+)\}/$value{$1} \/\/ $&/ger }

# Whose wake-up it is
sub _meter ($name) { return defined $name ? "'" . printable($name) . "'" : 'realfeel' }

sub _who ($clause) {
    my ($kind, $number, $thread, $own) = @$clause{qw(kind number thread own)};
    return _meter($clause->{name}) if $kind eq 'self';
    return 'the idle task' if $kind eq 'idle';
    return 'time without any record' if $kind eq 'unknown';
    my $name = printable($clause->{name} // '-');
    return defined $number ? "interrupt '$name' (irq $number)" : $name if $kind eq 'interrupt';
    return "softirq $name" . (defined $thread ? ' in ' . _task($clause, "'$thread'") : '') if $kind eq 'softirq';
    return _task($clause, !defined $own ? "'$name'" : $own eq 'load' ? "the load's '$name'" : "realfeel's own $own");
}

sub _task ($clause, $task) {
    my $priority = ($clause->{priority} // 'priority unknown') =~ tr/:/ /r;
    my $lent = !$clause->{is_lent} ? '' : defined $clause->{lent_to} ? ', lent' : ', lent or given up';
    return "$task ($priority$lent)";
}

# The culprit that a cause without a record may have been
sub _doubt ($wakeup, $clause) {
    my ($cause, $is_virtual, $smis) = ($clause->{cause}, @$wakeup{qw(is_virtual smis)});
    return $is_virtual || $smis ? ', or the CPU was taken away' : '' if $cause eq 'overran';
    my $may_be = $cause eq 'throttled' ? $wakeup->{is_real_time} ? 'throttled?' : 'cpu.max?'
        : $cause eq 'interrupts_off' ? 'interrupts off' . ($is_virtual || $smis ? ', or the CPU taken away' : '')
        : $smis                      ? counted($smis, 'SMI')
        : defined $smis              ? $is_virtual ? 'hypervisor?' : 'and no SMI'
        : $is_virtual                ? 'hypervisor or SMI?' : 'SMI?';
    return " ($may_be)";
}

# What explains most of $wakeups wake-ups, as [how many, text]: at most $most causes, the others together; those that do
# not stand out last
sub causes_told ($causes, $wakeups, $most = @$causes) {
    my $rest = $wakeups - sum0(map { $_->{wakeups} } @$causes);
    my @told = @$causes[0 .. min($most, scalar @$causes) - 1];
    my @others = @$causes[@told .. $#$causes];
    my $others = sum0(map { $_->{wakeups} } @others);
    my $most_us = _about(max(0, map { $_->{most_us} } @others));
    return ((map {
        my ($longest, $unknown) = map { _about($_) } @$_{qw(most_us unknown_us)};
        my $said = _clause($_->{wakeup}, { %{ $_->{clause} }, in => [], until => [] },
            $_->{wakeups} > 1 ? "up to $longest" : $longest);
        ["$_->{wakeups} of $wakeups" => $_->{unknown_us} ? "$said, most of what is known; $unknown is unknown" : $said];
    } @told),
        $others ? ["$others of $wakeups" => counted(scalar @others, 'other cause') . ", up to $most_us"] : (),
        $rest ? ["$rest of $wakeups" => 'less than twice as late as the median'] : ());
}

# Three digits: "7.96 ms"
sub _about ($us) {
    my ($unit, $in) = $us < 1e3 ? (us => 1) : $us < 1e6 ? (ms => 1e3) : (s => 1e6);
    return sprintf '%.3g %s', $us / $in, $unit;
}

# A remedy as a hash of texts: culprit; text (what to do); command (one or more lines that do it, or boot parameters, or
# undef); source (a file in the kernel's Documentation or a manual page); and try (the command that shows whether it
# helps, or undef)
sub remedy ($remedy) {
    my %remedy = %$remedy;
    my ($clause) = @{ $remedy{clauses} };
    my ($text, $source, $command) = @{ REMEDY->{ $remedy{code} } };
    undef $command if $remedy{code} eq 'cpu_max' && !defined $remedy{cgroup};
    my ($irq) = ($clause->{name} // '') =~ m{^irq/(\d+)};
    my %value = (
        %remedy{qw(below cgroup priority)}, thread => $remedy{thread} // 'THREAD',
        irq => $clause->{number} // $irq // 'NUMBER',
        cpus => $remedy{cpus} // 'CPUS', mask => $remedy{mask} // 'MASK', measured => $remedy{measured} // 'CPU',
    );
    my @who = uniqstr map { $_->{kind} eq 'idle' ? 'idle' : _who($_) } @{ $remedy{clauses} };
    my @named = few(NAMED, @who);
    my $on = defined $remedy{measured} ? " -a $remedy{measured}" : '';
    return {
        culprit => join(', ', @named, @who > @named ? 'and ' . (@who - @named) . ' more' : ()),
        text    => _filled($text, %value),
        command => defined $command ? _for_tasks(\%remedy, _filled($command, %value)) : undef,
        source  => $source =~ /\)$/ ? $source : "Documentation/$source",
        try     => defined $remedy{experiment} ? "realfeel-try $remedy{experiment} -- realfeel$on" : undef,
    };
}

# A command for the tasks that were seen, or for the one that waited, by number, if they still have the name
sub _for_tasks ($remedy, $command) {
    my $whose = $command =~ s/ \{(tasks|waiters)\}\z// ? $1 : return $command;
    my ($name, @ids) = $whose eq 'waiters' ? @{ $remedy->{waiter} // [] }
        : ($remedy->{clauses}[0]{name}, uniqstr sort { $a <=> $b } @{ $remedy->{ids} });
    return "$command NUMBER" if !@ids || !defined $name || printable($name) ne $name || $name =~ /^task \d+\z/;
    my $is_named = 'grep -qxF ' . ($name =~ /^-/ ? '-- ' : '') . shell_word($name) . ' /proc/';
    return @ids == 1 ? "$is_named$ids[0]/comm && $command $ids[0]"
        : "for t in @ids; do $is_named\$t/comm && $command \$t; done";
}

1;
