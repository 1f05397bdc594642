# SPDX-License-Identifier: GPL-2.0-or-later
# Why a wake-up was late: the cause as data, and the sentence for it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use Test::More;

use Realfeel::Answer::Why qw(causes culprits wakeups);
use Realfeel::Show::Why qw(causes_told sentence);
use Traced;

# Of one that was stamped then: the cause of most, and the sentence.
sub is_said {
    my ($stamp_us, $header, $cause, $expected, $name) = @_;
    my ($wakeup) = wakeups(traced_report($stamp_us, %$header));
    is($wakeup->{main}{cause}, $cause, "$name: the cause");
    is(sentence($wakeup), $expected, $name);
    return $wakeup;
}

subtest 'a phase is reported whatever its length' => sub {
    for my $us (60, 179.1, 5000) {
        sleep_and_wake_up($us, 10);
        my ($wakeup) = wakeups(traced_report($us + 21));
        is($wakeup->{main}{cause}, 'interrupts_off', "interrupts off for $us us");
        sleep_and_wake_up(2, 10, $us);
        ($wakeup) = wakeups(traced_report($us + 21));
        is($wakeup->{main}{cause}, 'unpreemptible', "a task is not preemptible for $us us");
        is_deeply([grep { $_->{cause} !~ /^(?:interrupts_off|interrupt|unpreemptible|self)$/ } @{ $wakeup->{segments} }], [],
            'no other segment has another kind of cause');
    }
    sleep_and_wake_up(179.1, [12, 'perl', 'nice:0']);
    is_said(200.9, { hypervisor => 'kvm' }, 'interrupts_off', "200.9 us late: the timer interrupt was 179.1 us late while 'perl' "
        . '(nice 0) ran (interrupts off, or the CPU taken away); the rest 21.8 us', 'in words');
};

subtest 'tasks are causes' => sub {
    preempted(-9000, 10, 20);
    wake_up(2, 20, 11_000);
    is_said(11_012, {}, 'outranked', "11.012 ms late: 'hog' (rt 97) ran for 11.001 ms; the rest 0.011 ms", 'one of higher priority');

    sleep_and_wake_up(60_000, 11);
    is_said(60_010, {}, 'interrupts_off', "60.010 ms late: the timer interrupt was 60.000 ms late while 'sh' (nice 0) ran "
        . '(interrupts off); the rest 0.010 ms', 'one that keeps interrupts off');

    sleep_and_wake_up(2, 10);
    preempted(10, 99, 20);
    preempted(3010, 20, 99);
    is_said(3015, {}, 'taken', "3.015 ms late: 'hog' (rt 97) took the CPU away for 3.000 ms; the rest 0.015 ms", 'one that takes it away');

    sleep_and_wake_up(2, 10);
    preempted(10, 99, 10);
    preempted(4000, 10, 0);
    preempted(50_000, 0, 99);
    is_said(50_005, {}, 'throttled', '50.005 ms late: the CPU went to others, or idle, for 49.990 ms although realfeel was '
        . 'ready (throttled?); the rest 0.015 ms', 'the guard of real-time processes');

    preempted(-9000, 10, [30, 'chrt', 'nice:0']);
    waking(2);
    preempted(5000, [30, 'job', 'rt:97'], 99);
    is_said(5010, {}, 'outranked', "5.010 ms late: 'job' (rt 97) ran for 4.998 ms; the rest 0.012 ms", 'one that executes a program');
};

subtest 'interrupts are causes' => sub {
    went_to_sleep(-500, 99, 14);
    entry(-100, 'softirq_entry', 3, 'NET_RX');
    timer_interrupt(2, 5);
    waking(5);
    entry(8, 'irq_entry', 9, 'eth0');
    entry(408, 'irq_exit', 9, '');
    entry(3008, 'softirq_exit', 3, 'NET_RX');
    preempted(3009, 14, 99);
    is_said(3010, {}, 'softirq', "3.010 ms late: softirq NET_RX in 'ksoftirqd/0' (nice 0) 2.605 ms; interrupt 'eth0' (irq 9) 0.400 ms; "
        . 'the rest 0.005 ms', 'a storm');

    went_to_sleep(-500, 99, 10);
    entry(1000, 'vector_entry', 253, 'reschedule IPI');
    entry(1010, 'vector_exit', 253, 'reschedule IPI');
    wake_up(5000, 10);
    is_said(5012, {}, 'timer_late', "5.012 ms late: the timer was 4.990 ms late while 'dd' (nice 0) ran, though other interrupts came; "
        . 'the rest 0.022 ms', 'a timer that is late by itself');

    sleep_and_wake_up(219, 0);
    is_said(230, {}, 'idle', '230.0 us late: woke from idle, 220.0 us; the rest 10.0 us', 'a CPU that was idle');
};

subtest 'the meter itself is a cause' => sub {
    for (['T', 'stopped', 'by a signal (SIGSTOP, ^Z)', 'was stopped'], ['t', 'traced', 'by a debugger', 'was stopped']) {
        my ($state, $cause, $how, $was) = @$_;
        leaves(-700, 99, 0, $state);
        waking(49_900);
        preempted(49_905, 0, 99);
        is_said(49_919, {}, $cause, "49.919 ms late: realfeel $was for 49.900 ms $how; the rest 0.019 ms", "state $state");
    }
    leaves(-700, 99, 10, 'T');
    went_to_sleep(20_000, 10, 11);
    waking(49_900);
    preempted(49_905, 11, 99);
    is_said(49_919, {}, 'stopped', '49.919 ms late: realfeel was stopped for 49.900 ms by a signal (SIGSTOP, ^Z); the rest 0.019 ms',
        'whoever had the CPU meanwhile');
    sleep_and_wake_up(2, 10);
    went_to_sleep(10, 99, 0);
    waking(20_000);
    preempted(20_005, 0, 99);
    is_said(20_010, { frozen => 'yes' }, 'frozen', '20.010 ms late: realfeel was frozen for 19.990 ms with its control '
        . 'group; the rest 0.020 ms', 'frozen');
    timer_interrupt(100, 110);
    preempted(49_000, 0, 99);
    is_said(49_010, {}, 'stalled', '49.010 ms late: the CPU was idle for 48.890 ms for an unknown reason; '
        . 'the records begin 0.100 ms after due; the rest 0.020 ms', 'an idle CPU that is not known to have woken');

    sleep_and_wake_up(5, 0);
    is_said(180, {}, 'self', '180.0 us late: realfeel itself ran for 169.0 us; woke from idle, 6.0 us; '
        . 'timer interrupt 5.0 us', 'that takes longest');
    preempted(-40_000, 10, 99);
    is_said(3700, { hypervisor => 'kvm', counting_us => 3690 }, 'at_work',
        '3.700 ms late: realfeel itself was still at work for 3.690 ms; the rest 0.010 ms', 'that counts what it missed is at work');
    preempted(-40_000, 10, 99);
    is_said(3700, { hypervisor => 'kvm', counting_us => 700 }, 'unknown', '3.700 ms late: 3.000 ms without any record '
        . '(hypervisor or SMI?); realfeel itself was still at work for 0.700 ms', 'and no longer than it counted');
    my $meter = [99, 'realfeel', 'nice:0'];
    went_to_sleep(-500, $meter, 0);
    timer_interrupt(2, 5);
    waking(6, $meter);
    preempted(8, 0, 10);
    went_to_sleep(50, 10, 0);
    preempted(60_000, 0, $meter);
    is_said(60_004, { hypervisor => 'kvm', policy => 'other', priority => 0 }, 'throttled',
        '60.004 ms late: the CPU went to others, or idle, for 59.994 ms although realfeel was ready (cpu.max?); '
        . 'the rest 0.010 ms', 'without real-time priority');
};

# It is stamped when it gets the CPU or, where it has that already, in the interrupt that wakes it.
subtest 'a thread of another program' => sub {
    my %thread = (thread => 99, thread_name => 'loop', thread_policy => 'fifo', thread_priority => 50, hypervisor => 'kvm');
    my $loop = [99, 'loop', 'rt:50'];
    preempted(-950, 10, $loop);
    timer_interrupt(2400, 2410);
    entry(7979, 'vector_entry', 236, 'timer interrupt');
    my $wakeup = is_said(7995, \%thread, 'overran', "7.995 ms late: 'loop' itself ran for 7.969 ms after it was due: its own work "
        . 'overran the period, or the CPU was taken away; the rest 0.026 ms', 'that works longer than its period');
    is_deeply([map { $_->{kind} } grep { $_->{kind} eq 'unknown' } @{ $wakeup->{segments} }], [], 'no record of its own work is missing');

    preempted(-50, 10, $loop);
    entry(99, 'vector_entry', 236, 'timer interrupt');
    is_said(110, { %thread, hypervisor => 'none' }, 'overran', "110.0 us late: 'loop' itself ran for 99.0 us after it was due: "
        . 'its own work overran the period; the rest 11.0 us', 'that works for less than that, where no hypervisor can take the CPU');

    preempted(-950, 10, $loop);
    preempted(300, $loop, 20);
    preempted(39_900, 20, $loop);
    entry(39_990, 'vector_entry', 236, 'timer interrupt');
    is_said(39_995, \%thread, 'taken', "39.995 ms late: 'hog' (rt 97) took the CPU away for 39.600 ms; the rest 0.395 ms",
        'but what is next to nothing is no cause');

    went_to_sleep(-950, $loop, 0);
    timer_interrupt(2, 5);
    waking(6, $loop);
    preempted(160, 0, $loop);
    is_said(195, \%thread, 'idle', "195.0 us late: woke from idle, 157.0 us; the rest 38.0 us",
        'a switch that is recorded a little before the stamp');

    went_to_sleep(-950, $loop, 0);
    timer_interrupt(2, 5);
    waking(6, $loop);
    preempted(16, 0, $loop);
    is_said(234, \%thread, 'unknown', "234.0 us late: 218.0 us without any record (hypervisor or SMI?); the rest 16.0 us",
        'a switch that is recorded long before the stamp proves no work');

    preempted(-950, 10, $loop);
    preempted(-100, $loop, 20);
    preempted(6900, 20, $loop);
    entry(7979, 'vector_entry', 236, 'timer interrupt');
    is_said(7995, \%thread, 'taken', "7.995 ms late: 'hog' (rt 97) took the CPU away for 6.900 ms; 'loop' itself ran for 1.079 ms after "
        . 'it was due: its own work overran the period, or the CPU was taken away; the rest 0.016 ms',
        'whose work is interrupted by another');
};

subtest 'a thread that waits for another' => sub {
    my %thread = (thread => 99, thread_name => 'ctl', thread_policy => 'fifo', thread_priority => 80);
    my ($ctl, $logger, $hog) = ([99, 'ctl', 'rt:80'], [30, 'logger', 'nice:0'], [20, 'hog', 'rt:60']);
    my $waits = sub {
        my ($gone_us, $state) = @_;
        went_to_sleep(-500, $ctl, $logger);
        leaves($gone_us, $logger, $hog, $state);
        went_to_sleep(3900, $hog, $logger);
        waking(4000, $ctl);
        preempted(4001, $logger, $ctl);
        entry(4050, 'vector_entry', 236, 'timer interrupt');
    };
    $waits->(100, 'R');
    my $wakeup = is_said(4060, \%thread, 'awaited', "4.060 ms late: 'ctl' waited 4.000 ms to be woken by 'logger' (nice 0), which 'hog' "
        . "(rt 60) kept off the CPU; the rest 0.060 ms", 'which is preempted');
    is_deeply([causes_told([causes($wakeup)], 1)], [['1 of 1' => "'ctl' waited 4 ms to be woken by 'logger' (nice 0), which 'hog' (rt 60) "
        . 'kept off the CPU']], 'the reason why the waker was late is kept for the cause of several');
    $waits->(100, 'S');
    is_said(4060, \%thread, 'awaited', "4.060 ms late: 'ctl' waited 4.000 ms to be woken by 'logger' (nice 0); "
        . 'the rest 0.060 ms', 'which slept');
    went_to_sleep(-40, 15, $hog);
    went_to_sleep(3900, $hog, $logger);
    waking(4000, $ctl);
    preempted(4001, $logger, $ctl);
    is_said(4060, \%thread, 'awaited', "4.060 ms late: 'ctl' waited 4.000 ms to be woken by 'logger' (nice 0), which 'hog' "
        . '(rt 60) may have kept off the CPU; the rest 0.060 ms', 'which left the CPU before the records begin');
    went_to_sleep(-40, 15, 10);
    went_to_sleep(3900, 10, [30, 'logger', 'rt:10']);
    waking(4000, $ctl);
    preempted(4001, [30, 'logger', 'rt:10'], $ctl);
    is_said(4060, \%thread, 'awaited', "4.060 ms late: 'ctl' waited 4.000 ms to be woken by 'logger' (rt 10); the rest 0.060 ms",
        'but not for a task that it goes before');
    $waits->(3850, 'R');
    is_said(4060, \%thread, 'awaited', "4.060 ms late: 'ctl' waited 4.000 ms to be woken by 'logger' (nice 0); "
        . 'the rest 0.060 ms', 'which hardly waited itself');

    went_to_sleep(-500, $ctl, 0);
    leaves(10, 0, 15, 'R');
    waking(700, $ctl);
    preempted(701, 15, $ctl);
    is_said(710, \%thread, 'before_waking', "710.0 us late: 'ktimers/0' (rt 1) ran for 690.0 us before 'ctl' was woken; the rest 20.0 us",
         'but not for the thread that expires its timer');
};

subtest 'our own processes' => sub {
    for ([97, 'keeper', "realfeel's own keeper"], [98, 'waker', "realfeel's own waker"], [96, 'load', "the load's 'x'"]) {
        my ($id, $own, $words) = @$_;
        sleep_and_wake_up(2, [$id, 'x', 'nice:0'], 700);
        my $wakeup = is_said(712, {}, 'unpreemptible',
            "712.0 us late: $words (nice 0) was not preempted for 701.0 us; the rest 11.0 us", $own);
        is($wakeup->{main}{own}, $own, "the main cause is known as $own");
    }
};

subtest 'what is not known' => sub {
    for ([{}, '(SMI?)'], [{ hypervisor => 'kvm' }, '(hypervisor or SMI?)']) {
        my ($header, $doubt) = @$_;
        sleep_and_wake_up(20_000, 0);
        is_said(20_015, $header, 'unknown', "20.015 ms late: 20.000 ms without any record $doubt; the rest 0.015 ms", $doubt);
    }
    wake_up(3000, 10);
    is_said(3010, {}, 'unknown', '3.010 ms late: the records begin 3.000 ms after due; the rest 0.010 ms', 'records that begin late');
    went_to_sleep(-500, 99, 10);
    timer_interrupt(1, 2);
    is_said(2000, {}, 'unknown', "2.000 ms late: 2.000 ms not recorded, after 'dd' (nice 0) got the CPU",
        'nothing after a task got the CPU');
    went_to_sleep(-500, 99, 0);
    timer_interrupt(1, 2);
    is_said(2000, {}, 'unknown', '2.000 ms late: 2.000 ms not recorded', 'nothing on an idle CPU');
    entry(10, 'irq_entry', 9, 'eth0');
    preempted(500, 11, 99);
    is_said(510, {}, 'unknown', '510.0 us late: 490.0 us not recorded; the records begin 10.0 us after due; the rest 10.0 us',
        'a task of which only the end is known');
    my @none = map {
        went_to_sleep(-500, 99, $_);
        wake_up(5000, $_, 0, expiry => 'hrtimer_interrupt<asm_sysvec_apic_timer_interrupt');
        wakeups(traced_report(5015));
    } 10, 11;
    is(scalar(my @causes = causes(@none)), 1, 'time without any record is one cause, whatever was interrupted');
    went_to_sleep(-500, 99, 10);
    entry(100, 'irq_entry', 9, 'eth0');
    preempted(2000, 10, 99);
    is_said(2010, {}, 'unknown', "2.010 ms late: 1.900 ms not recorded, after 'dd' (nice 0) got the CPU; "
        . "'dd' (nice 0) ran for 0.100 ms; the rest 0.010 ms",
        'an end that was not recorded, which is no loss on the way');

    my @storm = map { my $us = 41_900 + 79 * $_; ['irq_entry', $us], ['irq_exit', $us + 70] } 0 .. 99;
    entry($_->[1], $_->[0], 4, $_->[0] eq 'irq_entry' ? 'ttyS0' : '') for @storm;
    waking(49_800);
    preempted(49_805, 10, 99);
    my ($wakeup) = wakeups(traced_report(49_810));
    is($wakeup->{main}{name}, 'ttyS0', 'what is known is reported beside as much and more that is not');
    is_deeply([causes_told([causes($wakeup)], 1)],
        [['1 of 1' => "interrupt 'ttyS0' (irq 4) 7 ms, most of what is known; 41.9 ms is unknown"]],
        'the cause of several says how much is unknown');
};

subtest 'system management interrupts' => sub {
    my @wakeups;
    for (0, 1, 7) {
        sleep_and_wake_up(20_000, 0);
        push @wakeups, { %{ (wakeups(traced_report(20_015)))[0] }, smis => $_ };
    }
    is_deeply([map { sentence($_) =~ /(\(.*\))/ } @wakeups], ['(and no SMI)', '(1 SMI)', '(7 SMIs)'],
        'SMIs are named where they are counted');
};

subtest 'stacks are read for their functions' => sub {
    my %stack = (
        expiry => 'hrtimer_interrupt+0xff<asm_sysvec_apic_timer_interrupt+0x16<vprintk_store+0x2<vprintk_emit+0x6<_printk+0x5<x+0x9',
        arrival => '__schedule+0x1<schedule+0x2<exit_to_user_mode_prepare+0x1b2<syscall_exit_to_user_mode+0x1e<do_syscall_64+0x1',
    );
    sleep_and_wake_up(2, 11, 62_000, %stack);
    is_said(62_012, {}, 'unpreemptible', "62.012 ms late: 'sh' (nice 0) was not preempted for 62.001 ms, in vprintk_store < "
        . 'vprintk_emit < _printk, until exit_to_user_mode_prepare; the rest 0.011 ms', 'say where in the kernel');
    went_to_sleep(-500, 99, 11);
    preempted(1, 11, 10);
    wake_up(300, 10, 0, %stack);
    is_said(310, {}, 'interrupts_off', "310.0 us late: the timer interrupt was 299.0 us late while 'dd' (nice 0) ran (interrupts off), in "
        . 'vprintk_store < vprintk_emit < _printk; the rest 11.0 us', 'of the task that was interrupted');
};

subtest 'several wake-ups have common causes' => sub {
    my @wakeups;
    for my $case ([30, 10], [20, 11], [300, 10], [40, 10]) {
        my ($ms, $task) = @$case;
        sleep_and_wake_up(2, $task, 1000 * $ms);
        push @wakeups, wakeups(traced_report(1000 * $ms + 12));
    }
    sleep_and_wake_up(2, 10);
    push @wakeups, wakeups(traced_report(12));
    my @causes = causes(@wakeups);
    is_deeply([causes_told(\@causes, 5)], [
        ['3 of 5' => "'dd' (nice 0) was not preempted for up to 300 ms"],
        ['1 of 5' => "'sh' (nice 0) was not preempted for 20 ms"],
        ['1 of 5' => 'less than twice as late as the median'],
    ], 'the cause of most wake-ups comes first');
    is_deeply([causes_told(\@causes, 5, 1)]->[1], ['1 of 5' => '1 other cause, up to 20 ms'], 'further causes are counted together');
    is_deeply([map { "$_->{kind} $_->{name} $_->{wakeups} $_->{us}" } culprits(@wakeups)],
        ['task dd 4 370012', 'task sh 1 20003', 'interrupt timer interrupt 5 25'], 'the tasks and interrupts that had the CPU are counted');
};

# A cause of many wake-ups may be shorter than others that each delayed one.
subtest 'the order of causes' => sub {
    my @wakeups = map {
        my ($name, $us) = split / /;
        { beyond_us => $us, unknown_us => 0, main => { cause => 'task', kind => 'task', name => $name, us => $us } };
    } 'a 900', 'b 700', 'c 600', ('hog 500') x 3, 'd 650';
    is_deeply([map { "$_->{wakeups} $_->{clause}{name}" } causes(@wakeups)], ['1 a', '3 hog', '1 b', '1 d', '1 c'],
        'the cause of the worst wake-up, then that of most, then by time');
    my @same = map { { beyond_us => 9, unknown_us => 0, main => { cause => $_, kind => 'task', name => 'a', us => 9 } } }
        qw(ran outranked outranked unpreemptible);
    is_deeply([map { $_->{wakeups} } causes(@same)], [3, 1], 'causes with the same wording are merged');
};

done_testing;
