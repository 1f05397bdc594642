# SPDX-License-Identifier: GPL-2.0-or-later
# In words, why wake-ups were late and what can be done about it.
package Realfeel::Show::Why;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(about causes_told reason remedy sentence);

use List::Util qw(max min sum0 uniqstr);
use Realfeel::Base::Shell qw(shell_word);
use Realfeel::Base::Units qw(decimal few printable);
use Realfeel::Show::Words qw(words);

use constant { TOLD => 4, NAMED => 3, US_PER_MS => 1000, NO_RECORDS => { lost => 1, 'ring-ends' => 1 } };
use constant NAMELESS => { map { $_ => 1 } qw(idle unknown) };

# Files in the kernel's Documentation.
use constant {
    KTHREADS => 'admin-guide/kernel-per-CPU-kthreads.rst',
    IRQ      => 'core-api/irq/irq-affinity.rst',
    RT       => 'core-api/real-time/differences.rst',
    HARDWARE => 'core-api/real-time/hardware.rst',
    BOOT     => 'admin-guide/kernel-parameters.txt',
    THROTTLE => 'scheduler/sched-rt-group.rst',
    CGROUP   => 'admin-guide/cgroup-v2.rst',
    MEMORY   => 'admin-guide/mm',
};

use constant {
    MOVE      => 'echo {cpus} >/proc/irq/{irq}/smp_affinity_list',
    PARTITION => join("\n", 'cd /sys/fs/cgroup && mkdir -p measured', 'echo +cpuset >cgroup.subtree_control',
        'echo {measured} >measured/cpuset.cpus', 'echo isolated >measured/cpuset.cpus.partition',
        'echo $$ >measured/cgroup.procs'),
};

# The command or the boot parameter that does what can be done, and what says so: one of those files, or a manual page.
# What stands in braces is known of the culprit or of the run; a word in capitals is to be replaced.
use constant REMEDIES => {
    hypervisor        => [undef, HARDWARE],
    firmware          => [undef, HARDWARE],
    hwlat             => ['echo hwlat >/sys/kernel/tracing/current_tracer', 'trace/hwlat_detector.rst'],
    interrupts_rt     => [undef, RT],
    stacks            => ['realfeel --explain=stacks', 'realfeel(8)'],
    preempt_full      => ['preempt=full', BOOT],
    preempt_rt        => [undef, RT],
    timers_rt         => [undef, RT],
    softirqs_rt       => [undef, RT],
    thread_interrupts => ['threadirqs', BOOT],
    move_interrupt    => [MOVE, IRQ],
    move_softirq      => [MOVE, KTHREADS],
    rcu               => ['rcu_nocbs={measured}', KTHREADS],
    workqueue         => ['echo {mask} >/sys/devices/virtual/workqueue/cpumask', KTHREADS],
    isolate           => [PARTITION, CGROUP],
    isolate_at_boot   => ['isolcpus={measured} nohz_full={measured}', BOOT],
    wait              => [undef, KTHREADS],
    deadline          => [undef, 'scheduler/sched-deadline.rst'],
    lower             => ['chrt -f -p {below} {pid}', 'sched(7)'],
    ordinary          => ['chrt -o -p 0 {pid}', 'sched(7)'],
    real_time         => ['realfeel --policy=fifo', 'sched(7)'],
    lower_thread      => ['chrt -f -p {below} {pid}', 'sched(7)'],
    ordinary_thread   => ['chrt -o -p 0 {pid}', 'sched(7)'],
    real_time_thread  => ['chrt -f -p 50 {thread}', 'sched(7)'],
    overrun_thread    => [undef, 'scheduler/sched-deadline.rst'],
    waiter            => ['chrt -f -p {below} {waiter}', 'locking/rt-mutex.rst'],
    waiter_unknown    => [undef, 'locking/rt-mutex.rst'],
    timer_thread      => ['pgrep ktimers/ | xargs -n 1 chrt -f -p {priority}', RT],
    other_timer       => ['realfeel --source=nanosleep', RT],
    unthrottle        => ['sysctl -w kernel.sched_rt_runtime_us=-1', THROTTLE],
    fair_server       => ['echo 0 >/sys/kernel/debug/sched/fair_server/cpu{measured}/runtime', THROTTLE],
    overrun           => ['realfeel --policy=fifo', 'scheduler/sched-deadline.rst'],
    cpu_max           => ['echo max >/sys/fs/cgroup{cgroup}/cpu.max', CGROUP],
    idle_states       => ['realfeel --dma-latency=0', 'admin-guide/pm/cpuidle.rst'],
    same_pages        => ['echo 0 >/sys/kernel/mm/ksm/run', MEMORY . '/ksm.rst'],
    huge_pages        => ['echo never >/sys/kernel/mm/transparent_hugepage/enabled', MEMORY . '/transhuge.rst'],
    frequency         => ['cpupower frequency-set -g performance', 'admin-guide/pm/cpufreq.rst'],
    overran           => ['perf record -g -t {thread}', 'perf-record(1)'],
    inherit           => [undef, 'locking/pi-futex.rst'],
    holder            => [undef, 'locking/pi-futex.rst'],
    stopped           => [undef, 'signal(7)'],
    traced            => [undef, 'ptrace(2)'],
    frozen            => [undef, CGROUP],
};

# "21.974 ms late: 'hog' (rt 97) ran 21.672 ms; the rest 0.302 ms": the four longest causes that are unusual, else the
# four longest
sub sentence ($wakeup) {
    return words($wakeup->{is_asked} ? 'why.after' : 'why.late', lapse => _lapse($wakeup, $wakeup->{late_us}),
        reason => reason($wakeup));
}

# Without how late it was
sub reason ($wakeup) {
    my @clauses = @{ $wakeup->{clauses} };
    my @unusual = grep { !$_->{is_usual} && $_->{cause} ne 'self' } @clauses;
    my @told = @unusual ? @unusual : @clauses;
    return words('why.no_records') if @clauses == 1 && NO_RECORDS->{ $clauses[0]{reason} // '' };
    @told = @told[0 .. min(TOLD, scalar @told) - 1];
    my $rest = sum0(map { $_->{us} } @clauses) - sum0(map { $_->{us} } @told);
    return join '; ', (map { _clause($wakeup, $_, _lapse($wakeup, $_->{us})) } @told),
        @told < @clauses ? words('why.rest', lapse => _lapse($wakeup, $rest)) : ();
}

# All in one unit, to compare: ms, or us below a ms of lateness
sub _lapse ($wakeup, $us) {
    return $wakeup->{late_us} >= US_PER_MS ? decimal($us / US_PER_MS, 3) . ' ms' : decimal($us, 1) . ' us';
}

sub _clause ($wakeup, $clause, $lapse) {
    my $said = words('cause.' . ($clause->{reason} // $clause->{cause}), who => _who($clause), lapse => $lapse,
        self => _self($wakeup), doubt => _doubt($wakeup, $clause),
        since => words($wakeup->{is_asked} ? 'since.asked' : 'since.due'));
    my %place = map { $_ => join ' < ', @{ $clause->{$_} // [] } } qw(in until);
    my @places = map { words("place.$_", functions => $place{$_}) } grep { $place{$_} ne '' } qw(in until);
    my $kept_off = $clause->{may_have} ? 'place.may_have_kept_off' : 'place.kept_off';
    my @kept_off = map { words($kept_off, who => _who($_)) } grep { defined } $clause->{kept_off};
    return join ', ', $said, @places, @kept_off;
}

# Whose wake-up it is
sub _self ($wakeup) {
    my $name = $wakeup->{thread_name};
    return defined $name ? words('who.task', name => printable($name)) : words('who.self');
}

sub _who ($clause) {
    my ($kind, $name, $number, $thread, $own) = @$clause{qw(kind name number thread own)};
    return defined $name ? words('who.task', name => printable($name)) : words('who.self') if $kind eq 'self';
    return words("who.$kind") if NAMELESS->{$kind};
    $name = printable($name // '-');
    return defined $number ? words('who.irq', name => $name, number => $number) : $name if $kind eq 'interrupt';
    return _task($clause, words(!defined $own ? 'who.task' : $own eq 'load' ? 'who.load' : 'who.own', name => $name,
        role => $own // '')) unless $kind eq 'softirq';
    return words('who.softirq', name => $name) unless defined $thread;
    return words('who.softirq_in', name => $name, thread => _task($clause, words('who.task', name => $thread)));
}

sub _task ($clause, $name) {
    my ($class, $number) = split /:/, $clause->{priority} // '';
    my $priority = join ' ', grep { defined } $class // words('who.no_priority'), $number;
    my $code = !$clause->{is_lent} ? 'with' : defined $clause->{lent_to} ? 'lent' : 'given_up';
    return words("who.$code", task => $name, priority => $priority);
}

# What leaves no record, or which culprit it may have been
sub _doubt ($wakeup, $clause) {
    my ($cause, $is_virtual, $smis) = ($clause->{cause}, @$wakeup{qw(is_virtual smis)});
    my $code = $cause eq 'throttled' ? $wakeup->{is_real_time} ? 'throttled' : 'cpu_max'
        : $cause eq 'interrupts_off' ? $is_virtual || $smis ? 'off_or_taken' : 'off'
        : $smis                      ? 'smis'
        : defined $smis              ? $is_virtual ? 'hypervisor' : 'no_smi'
        : $is_virtual                ? 'hypervisor_or_smi' : 'smi';
    return ' (' . words("doubt.$code", smis => $smis // 0) . ')';
}

# What explains most of $wakeups wake-ups, as [how many, text]: at most $most causes, the others together; those that do
# not stand out last
sub causes_told ($causes, $wakeups, $most = undef) {
    my $rest = $wakeups - sum0(map { $_->{wakeups} } @$causes);
    my @told = @$causes[0 .. min($most // @$causes, scalar @$causes) - 1];
    my @others = @$causes[@told .. $#$causes];
    my $others = sum0(map { $_->{wakeups} } @others);
    my $most_us = about(max(0, map { $_->{most_us} } @others));
    my $of = sub { words('causes.of', wakeups => $_[0], of => $wakeups) };
    return ((map { [$of->($_->{wakeups}) => _cause($_)] } @told),
        $others ? [$of->($others) => words('causes.others', causes => scalar @others, most => $most_us)] : (),
        $rest ? [$of->($rest) => words('causes.rest')] : ());
}

sub _cause ($cause) {
    my ($wakeups, $most_us, $unknown_us, $clause, $wakeup) = @$cause{qw(wakeups most_us unknown_us clause wakeup)};
    my $lapse = $wakeups > 1 ? words('causes.most', most => about($most_us)) : about($most_us);
    my $said = _clause($wakeup, { %$clause, in => [], until => [] }, $lapse);
    return $unknown_us ? words('causes.mostly', cause => $said, unknown => about($unknown_us)) : $said;
}

# Three digits: "7.96 ms"
sub about ($us) {
    my ($unit, $in) = $us < 1e3 ? (us => 1) : $us < 1e6 ? (ms => 1e3) : (s => 1e6);
    return sprintf '%.3g %s', $us / $in, $unit;
}

# A remedy as a hash of texts: culprit; text, what to do; command, one or more lines that do it, or boot parameters, or
# undef; source, a file in the kernel's Documentation or a manual page; and try, the command that shows whether it
# helps, or undef
sub remedy ($remedy) {
    my %remedy = %$remedy;
    my ($clause) = @{ $remedy{clauses} };
    my $code = $remedy{code};
    my ($command, $source) = @{ REMEDIES->{$code} };
    undef $command if $code eq 'cpu_max' && !defined $remedy{cgroup};
    my ($irq) = ($clause->{name} // '') =~ m{^irq/(\d+)};
    my %value = (
        %remedy{qw(below cgroup priority)}, thread => $remedy{thread} // 'THREAD',
        irq => $clause->{number} // $irq // 'NUMBER',
        cpus => $remedy{cpus} // 'CPUS', mask => $remedy{mask} // 'MASK', measured => $remedy{measured} // 'CPU',
        pid => _pid($clause->{name}), waiter => _pid($remedy{waiter}),
    );
    s/\{(\w+)\}/$value{$1}/g for grep { defined } $command;
    $source = "Documentation/$source" unless $source =~ /\)$/;
    return {
        culprit => _culprits(@{ $remedy{clauses} }), text => words("remedy.$code", %value),
        command => $command, source => $source, try => _try(@remedy{qw(experiment measured)}),
    };
}

sub _try ($experiment, $measured) {
    return undef unless defined $experiment;
    return "realfeel-try $experiment -- realfeel" . (defined $measured ? " -a $measured" : '');
}

# No more than one can remember
sub _culprits {
    my @who = uniqstr map { _culprit($_) } @_;
    my @named = few(NAMED, @who);
    return join ', ', @named, @who > @named ? words('culprits.more', more => @who - @named) : ();
}

sub _culprit ($clause) {
    return $clause->{kind} eq 'idle' ? words('culprits.idle') : _who($clause);
}

# By name, as the process may be another by now; quoted as a pattern and for the shell
sub _pid ($name) {
    return 'PID' if !defined $name || $name !~ /^[\x20-\x7e]+$/;
    my $pattern = $name =~ s/([][\\.*^\$+?(){}|])/\\$1/gr;
    return '$(pgrep -x ' . ($name =~ /^-/ ? '-- ' : '') . shell_word($pattern) . ')';
}

1;
