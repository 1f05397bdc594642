# SPDX-License-Identifier: GPL-2.0-or-later
# What can be done about a cause, for each of them: by its phase, and nothing that this machine cannot do.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use Test::More;

use Realfeel::Answer::Why qw(remedies wakeups);
use Realfeel::Show::Why qw(remedy);
use Realfeel::Try::Changes qw(names);
use Traced;

sub advice {
    my $report = traced_report(474.113, @_);
    return map { { code => $_->{code}, %{ remedy($_) } } } remedies(wakeups($report));
}

my %RT = (preemption => 'PREEMPT_RT');
my %RTC = (%RT, source => 'rtc /dev/rtc0');
my %ONE = (cpus_online => '0', cpu => 0);
my %THREAD = (thread => 99, thread_name => 'loop', thread_policy => 'fifo', thread_priority => 50);
my %GUEST = (hypervisor => 'kvm');

# What had the CPU until the stamp, in each phase.
sub timer_late    { my ($task) = @_; sub { went_to_sleep(-500, 99, $task); wake_up(450, $task) } }
sub unpreemptible { my ($task) = @_; sub { went_to_sleep(-500, 99, $task); wake_up(2, $task, 440) } }

sub outranked {
    my ($task) = @_;
    sub { sleep_and_wake_up(2, 10); preempted(10, 99, $task); preempted(460, $task, 99) }
}

sub before_waking {
    my ($task, $own) = @_;
    sub {
        preempted(-9000, 20, $task);
        timer_interrupt(2, 5);
        preempted(400, $own // $task, 15);
        waking(410);
        preempted(412, 15, 99);
    };
}

sub interrupted {
    my ($kind, $id, $name) = @_;
    sub {
        went_to_sleep(-500, 99, 10);
        timer_interrupt(2, 5);
        waking(6);
        entry(8, "${kind}_entry", $id, $name);
        entry(450, "${kind}_exit", $id, $kind eq 'irq' ? '' : $name);
        preempted(460, 10, 99);
    };
}

sub overran { sub { preempted(-950, 10, 99); timer_interrupt(2, 5) } }

sub awaited {
    my ($state) = @_;
    sub {
        went_to_sleep(-500, 99, 10);
        leaves(10, 10, 21, $state);
        preempted(400, 21, 10);
        waking(450);
        preempted(451, 10, 99);
    };
}

sub idle { went_to_sleep(-500, 99, 0); wake_up(450, 0) }

sub stopped {
    my ($state) = @_;
    sub { sleep_and_wake_up(2, 10); leaves(10, 99, 0, $state); waking(450); preempted(455, 0, 99) }
}

sub throttled {
    my ($meter) = @_;
    sub {
        went_to_sleep(-500, $meter, 10);
        timer_interrupt(2, 4);
        waking(5, $meter);
        went_to_sleep(10, 10, 0);
        preempted(460, 0, $meter);
    };
}

my $dd = 10;
my $low = [50, 'low', 'rt:50'];
# For the task with that number, if it still has the name
sub if_named {
    my ($name, $number, $command) = @_;
    return "grep -qxF $name /proc/$number/comm && $command $number";
}

my $hog = [50, 'hog', 'rt:97'];
my $ordinary = [99, 'realfeel', 'nice:0'];
my $PARTITION = qr{^echo isolated >measured/cpuset\.cpus\.partition$}m;

# Each with the header, and the codes that are due with a command, where there is one.
my @CASES = (
    ['interrupts off', timer_late($dd), {}, ['interrupts_rt']],
    ['the same in a guest', timer_late($dd), \%GUEST, ['hypervisor'], ['interrupts_rt']],
    ['where the kernel can be chosen', timer_late($dd), { preemption => 'none (PREEMPT_DYNAMIC)' }, ['interrupts_rt']],
    ['on PREEMPT_RT', timer_late($dd), { %RT, explain => 'blame' }, ['stacks', 'realfeel --explain=stacks']],
    ['on PREEMPT_RT, with stacks', timer_late($dd), \%RT],
    ['not preemptible', unpreemptible($dd), { preemption => 'voluntary (PREEMPT_DYNAMIC)' }, ['preempt_full', 'preempt=full']],
    ['though it can be', unpreemptible($dd), { preemption => 'full (PREEMPT_DYNAMIC)' }, ['preempt_rt']],
    ['by PREEMPT_RT, too', unpreemptible($dd), { %RT, explain => 'blame' }, ['stacks', 'realfeel --explain=stacks']],
    ['not preemptible in a guest', unpreemptible($dd), { %GUEST, preemption => 'none (PREEMPT_DYNAMIC)' },
        ['preempt_full', 'preempt=full']],
    ['a work queue', unpreemptible([50, 'kworker/1:2', 'nice:-20']), {}, ['preempt_full', 'preempt=full'],
        ['workqueue', 'echo d >/sys/devices/virtual/workqueue/cpumask']],
    ['a search of the kernel', unpreemptible([50, 'ksmd', 'nice:5']), {}, ['preempt_full', 'preempt=full'],
        ['same_pages', 'echo 0 >/sys/kernel/mm/ksm/run']],
    ['its huge pages', unpreemptible([50, 'khugepaged', 'nice:19']), { preemption => 'voluntary' }, ['preempt_rt'],
        ['huge_pages', 'echo never >/sys/kernel/mm/transparent_hugepage/enabled']],
    ['a task above', outranked($hog), {}, ['lower', if_named('hog', 50, 'chrt -f -p 94')]],
    ['as high as we', outranked([50, 'hog', 'rt:95']), {}, ['lower', if_named('hog', 50, 'chrt -f -p 94')]],
    ['a name for the shell', outranked([50, q(it's\x20[a]*), 'rt:97']), {},
        ['lower', if_named(q('it'\''s [a]*'), 50, 'chrt -f -p 94')]],
    ['a name like an option', outranked([50, '-f', 'rt:97']), {}, ['lower', if_named('-- -f', 50, 'chrt -f -p 94')]],
    ['none below', outranked([50, 'hog', 'rt:95']), { priority => 1 }, ['ordinary', if_named('hog', 50, 'chrt -o -p 0')]],
    ['an ordinary meter', outranked($hog), { policy => 'other', priority => 0 }, ['ordinary', if_named('hog', 50, 'chrt -o -p 0')]],
    ['a deadline task', outranked([50, 'hog', 'deadline']), {}, ['deadline']],
    ['a deadline task on the only CPU', outranked([50, 'hog', 'deadline']), \%ONE],
    ['an irq thread', outranked([50, 'irq/9-eth0', 'rt:97']), {}, ['move_interrupt', 'echo 0,2-3 >/proc/irq/9/smp_affinity_list']],
    ['an irq thread on the only CPU', outranked([50, 'irq/9-eth0', 'rt:97']), \%ONE,
        ['lower', if_named('irq/9-eth0', 50, 'chrt -f -p 94')]],
    ['RCU', outranked([50, 'rcuc/1', 'rt:97']), {}, ['rcu', 'rcu_nocbs=1']],
    ['migration', outranked([50, 'migration/1', 'rt:99']), {}, ['wait']],
    ['before the thread of the timer', before_waking($low), \%RTC, ['timer_thread', 'pgrep ktimers/ | xargs -n 1 chrt -f -p 95']],
    ['before it and us', before_waking($hog), \%RTC, ['lower', if_named('hog', 50, 'chrt -f -p 94')],
        ['timer_thread', 'pgrep ktimers/ | xargs -n 1 chrt -f -p 95']],
    ['lent by the timer', before_waking([50, 'sh', 'rt:1'], [50, 'sh', 'nice:0']), \%RTC, ['other_timer', 'realfeel --source=nanosleep']],
    ['an interrupt', interrupted(irq => 9, 'eth0'), {}, ['move_interrupt', 'echo 0,2-3 >/proc/irq/9/smp_affinity_list']],
    ['an interrupt on the only CPU', interrupted(irq => 9, 'eth0'), \%ONE, ['thread_interrupts', 'threadirqs']],
    ['the same where all CPUs are measured', interrupted(irq => 9, 'eth0'), { cpu => '0-3' }, ['thread_interrupts', 'threadirqs']],
    ['where CPUs are not known', interrupted(irq => 9, 'eth0'), { cpus_online => 'unknown' },
        ['move_interrupt', 'echo CPUS >/proc/irq/9/smp_affinity_list']],
    ['the timer interrupt', interrupted(vector => 236, 'timer interrupt'), {}, ['isolate', $PARTITION], ['timers_rt']],
    ['in a guest', interrupted(vector => 236, 'timer interrupt'), { %GUEST, %ONE }, ['hypervisor'], ['timers_rt']],
    ['another CPU', interrupted(vector => 253, 'reschedule IPI'), {}, ['isolate', $PARTITION]],
    ['an older kernel', interrupted(vector => 253, 'reschedule IPI'), { kernel_release => '5.10.0-8-amd64' },
        ['isolate_at_boot', 'isolcpus=1 nohz_full=1']],
    ['another on the only CPU', interrupted(vector => 253, 'reschedule IPI'), \%ONE],
    ['the network', interrupted(softirq => 3, 'NET_RX'), {}, ['move_softirq', 'echo 0,2-3 >/proc/irq/NUMBER/smp_affinity_list'],
        ['softirqs_rt']],
    ['the network on the only CPU', interrupted(softirq => 3, 'NET_RX'), \%ONE, ['softirqs_rt']],
    ['RCU in a softirq', interrupted(softirq => 9, 'RCU'), \%RT, ['rcu', 'rcu_nocbs=1']],
    ['timers of others', interrupted(softirq => 1, 'TIMER'), \%RT, ['isolate', $PARTITION]],
    ['idle', \&idle, { dma_latency_us => 'off' }, ['idle_states', 'realfeel --dma-latency=0']],
    ['idle though held', \&idle, { dma_latency_us => 0 }, ['frequency', 'cpupower frequency-set -g performance']],
    ['idle in a guest', \&idle, { %GUEST, dma_latency_us => 0 }, ['hypervisor']],
    ['own work', overran(), \%THREAD, ['overran', 'perf record -g -t 99']],
    ['own work in a guest', overran(), { %THREAD, %GUEST }, ['overran', 'perf record -g -t 99'], ['hypervisor']],
    ['the idle state of a thread', \&idle, \%THREAD, ['idle_states_thread', 'cpupower idle-set -D 10']],
    ['a lock', awaited('R'), \%THREAD, ['inherit']],
    ['a lock whose holder sleeps', awaited('S'), \%THREAD, ['holder']],
    ['stopped', stopped('T'), {}, ['stopped']],
    ['traced', stopped('t'), {}, ['traced']],
    ['frozen', stopped('S'), { frozen => 'yes' }, ['frozen']],
    ['throttled', throttled(99), {}, ['unthrottle', 'sysctl -w kernel.sched_rt_runtime_us=-1']],
    ['throttled by a later kernel', throttled(99), { kernel_release => '6.12.1' },
        ['fair_server', 'echo 0 | tee /sys/kernel/debug/sched/fair_server/cpu*/runtime']],
    ['a deadline thread', throttled([99, 'loop', 'deadline']), { %THREAD, thread_policy => 'deadline', thread_priority => 0 },
        ['overrun_thread']],
    ['not throttled', throttled(99), { rt_runtime_us => -1 }],
    ['by a control group', throttled($ordinary), { policy => 'other', priority => 0, cgroup => '0::/user.slice/x' },
        ['cpu_max', 'echo max >/sys/fs/cgroup/user.slice/x/cpu.max']],
    ['by one of a user', throttled($ordinary), { policy => 'other', priority => 0, cgroup => '0::/u.slice/user@1000.service' },
        ['cpu_max', 'echo max >/sys/fs/cgroup/u.slice/user@1000.service/cpu.max']],
    ['by one with an odd name', throttled($ordinary), { policy => 'other', priority => 0, cgroup => '0::/$(reboot)' },
        ['cpu_max', undef]],
    ['a realfeel keeper', unpreemptible([97, 'realfeel', 'nice:0']), {}],
    ['a load above', outranked([96, 'stress-ng', 'rt:97']), {}],
    ['a load that is not preemptible', unpreemptible([96, 'stress-ng', 'nice:0']), {}, ['preempt_full', 'preempt=full']],
    ['not recorded', sub { wake_up(400, 10, 50) }, {}],
);

my %is_ready = map { $_ => 1 } names();
my %tried;
for (@CASES) {
    my ($name, $make, $header, @due) = @$_;
    $make->();
    my @advice = advice(%$header);
    is_deeply([map { $_->{code} } @advice], [map { $_->[0] } @due], $name) or next;
    for my $i (0 .. $#due) {
        my ($command, $due) = ($advice[$i]{command}, $due[$i][1]);
        ref $due ? like($command, $due, "$name: its command") : is($command, $due, "$name: its command");
        unlike(join('', grep { defined } values %{ $advice[$i] }), qr/[{}]/, 'everything is filled in');
        my ($experiment) = ($advice[$i]{try} // '') =~ /^realfeel-try ([\w-]+) -- realfeel -a \d+(?:-\d+)?$/;
        is(defined $experiment, defined $advice[$i]{try}, 'each piece of advice is tried by one command or none');
        $tried{ $advice[$i]{code} } = $experiment;
        like($advice[$i]{source}, qr{^(?:Documentation/.+|[\w-]+\(\d\))$}, 'what says so');
    }
}

subtest 'tasks by number' => sub {
    my $of = sub {
        my ($name, @ids) = @_;
        return Realfeel::Show::Why::_for_tasks({ clauses => [{ name => $name }], ids => \@ids }, 'chrt {tasks}');
    };
    is($of->('hog', 52, 7, 52), 'for t in 7 52; do grep -qxF hog /proc/$t/comm && chrt $t; done',
        'each of several tasks with one name is lowered');
    is($of->(@$_), 'chrt NUMBER', 'a task without a number or name is to be looked up') for ['hog'], ["caf\xc3", 7], ['task 7', 7];
    is(system('sh', '-c', $of->("sh", $$) =~ s/chrt.*/true/r) != 0, 1, 'a number that has another name is left alone');
};

subtest 'what stands out' => sub {
    my $stands = sub {
        my ($us, %header) = @_;
        went_to_sleep(-500, 99, 10);
        wake_up(2, 10, $us - 12);
        return scalar grep { defined $_->{beyond_us} } wakeups(traced_report($us, %header));
    };
    is($stands->(474), 1, 'a wake-up twice as late as the median stands out');
    is($stands->(20), 0, 'a usual wake-up does not stand out');
    is($stands->(20, break_ns => 15_000), 1, 'a wake-up above --break stands out');
    is($stands->(20, max_ns => 15_000), 1, 'a wake-up above --max stands out');
};

subtest 'what can be tried at once' => sub {
    is_deeply([grep { !$is_ready{$_} } grep { defined } values %tried], [], 'each change that is advised is a ready experiment');
    my %due = (idle_states => 'idle-states', frequency => 'governor', preempt_full => 'preempt-full', workqueue => 'workqueue-cpus',
        move_interrupt => 'irq-affinity', unthrottle => 'rt-throttling', fair_server => 'fair-server', same_pages => 'same-page-merging');
    is($tried{$_}, $due{$_}, "$_: $due{$_}") for sort keys %due;
    is($tried{$_}, undef, "$_: none") for qw(lower isolate preempt_rt hypervisor);
};

subtest 'a priority that is lent' => sub {
    my $holder = [50, 'holder', 'rt:98'];
    my $lent = sub {
        my ($own, $waiter) = @_;
        went_to_sleep(-500, 99, $holder);
        wake_up(2, $holder, 0);
        preempted(10, 99, $holder);
        preempted(430, [50, 'holder', $own], $waiter // 99);
        preempted(440, $waiter, 99) if $waiter;
    };
    $lent->('nice:0', [51, 'waiter', 'rt:98']);
    my ($advice) = advice();
    is_deeply([@$advice{qw(code culprit command)}], ['waiter', "'holder' (rt 98, lent)", if_named('waiter', 51, 'chrt -f -p 94')],
        'the task that lends its priority is lowered, and the holder with it');
    $lent->('rt:10');
    ($advice) = advice();
    is_deeply([@$advice{qw(code culprit command)}], ['waiter_unknown', "'holder' (rt 98, lent or given up)", undef],
        'a holder that no task is seen to lend to may have given its priority up');
};

subtest 'system management interrupts' => sub {
    timer_late($dd)->();
    my $report = traced_report(474.113);
    my @wakeups = wakeups($report);
    $wakeups[0]{smis} = 2;
    is_deeply([map { $_->{code} } remedies($report, @wakeups)], [qw(firmware interrupts_rt)], 'the firmware comes before interrupts');
};

subtest 'advice of several wake-ups is joined' => sub {
    unpreemptible([50, 'one', 'nice:0'])->();
    my $report = traced_report(474.113);
    my @wakeups = wakeups($report);
    unpreemptible([51, 'another', 'nice:0'])->();
    my $other = traced_report(474.113);
    my @advice = map { remedy($_) } remedies($report, @wakeups, wakeups($other));
    is_deeply([map { $_->{culprit} } @advice], ["'one' (nice 0), 'another' (nice 0)"], 'what helps against several is said once');
};

subtest 'the mask of many CPUs' => sub {
    unpreemptible([50, 'kworker/1:2', 'nice:-20'])->();
    my (undef, $advice) = advice(cpus_online => '0-33,65');
    is($advice->{command}, 'echo 2,00000003,fffffffd >/sys/devices/virtual/workqueue/cpumask', 'the mask of CPUs has groups of 32');
};

done_testing;
