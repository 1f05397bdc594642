# SPDX-License-Identifier: GPL-2.0-or-later
# What had the CPU, and what the meter was waiting for: records of each cause that a wake-up may be late for.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(first);
use Test::More;

use Realfeel::Answer::Segments qw(segments);
use Realfeel::Input::Keys qw(COLUMNS columns);
use Realfeel::Model::Explain qw(task);
use Traced;

my $is_asked;

# The records as a report would have them.
{
    package Recorded;
    sub rows { return [map { $_->[0] } @{ Realfeel::Input::Keys::COLUMNS->{records} }], Traced::rows(1) }
    sub groups { return grep { length } Traced::rows(1) }
}

sub found {
    my ($stamp_us) = @_;
    my $records = Realfeel::Model::Explain::records(bless {}, 'Recorded')->{1} // [];
    return segments($records, late => 1000 * $stamp_us, is_asked => $is_asked, usual_ns => 20_000,
        meter => task(99, 'realfeel', undef));
}

sub name_of {
    my ($segment) = @_;
    my $kind = $segment->{kind};
    return $segment->{reason} if $kind eq 'unknown';
    return $kind eq 'idle' ? 'idle' : $kind =~ /^(?:task|self)$/ ? $segment->{task}{name} : $segment->{name};
}

sub told {
    my ($found) = @_;
    return join '', map {
        sprintf "%g %g %s %s %s\n", $_->{from} / 1000, $_->{to} / 1000, $_->{kind}, name_of($_), $_->{wait};
    } @{ $found->{segments} };
}

sub is_told {
    my ($stamp_us, $name, @expected) = @_;
    is(told(found($stamp_us)), join('', map { "$_\n" } @expected), $name);
    nothing_traced();
}

# The usual way from the timer's interrupt, with the task that was interrupted, to the stamp.
sub usual {
    my ($us, $task, $stamp, $later) = @_;
    my $in = $us + 6 + ($later // 0);
    return ("$us @{[$us + 3]} interrupt timer interrupt waking", "@{[$us + 3]} @{[$us + 5]} interrupt timer interrupt ready",
        "@{[$us + 5]} $in $task ready", defined $stamp ? "$in $stamp self realfeel running" : ());
}

subtest 'the tasks that delay a wake-up are found' => sub {
    sleep_and_wake_up(2, 10);
    is_told(12, 'a wake-up that nothing delays', '0 2 task dd timer', usual(2, 'task dd', 12));

    preempted(-9000, 10, 20);
    wake_up(2, 20, 11000);
    is_told(11012, 'one of higher priority', '0 2 task hog timer', usual(2, 'task hog', 11012, 11000));

    my $unnamed = [4711, '-', '-'];
    Traced::leaves(-9000, 10, $unnamed, '-');
    wake_up(2, $unnamed, 11000);
    is_told(11012, 'one of which only the number is known', '0 2 task task 4711 timer',
        usual(2, 'task task 4711', 11012, 11000));

    sleep_and_wake_up(60000, 11, 2000);
    is_told(62012, 'one that keeps interrupts off, and is not preempted then', '0 60000 task sh timer',
        usual(60000, 'task sh', 62012, 2000));

    sleep_and_wake_up(2, 10);
    preempted(10, 99, 20);
    preempted(3010, 20, 99);
    is_told(3015, 'one that takes the CPU away', '0 2 task dd timer', usual(2, 'task dd', 10),
        '10 3010 task hog taken', '3010 3015 self realfeel running');

    sleep_and_wake_up(2, 10);
    preempted(10, 99, 10);
    preempted(4000, 10, 11);
    went_to_sleep(9000, 11, 0);
    preempted(50000, 0, 99);
    is_told(50005, 'those that go before us when we are throttled, and idle then', '0 2 task dd timer',
        usual(2, 'task dd', 10), '10 4000 task dd passed_over', '4000 9000 task sh passed_over',
        '9000 50000 idle idle passed_over', '50000 50005 self realfeel running');
};

subtest 'the time before the waking record is found' => sub {
    went_to_sleep(-500, 99, 10);
    timer_interrupt(2, 5);
    preempted(6, 10, 21);
    preempted(900, 21, 15);
    waking(950);
    preempted(951, 15, 99);
    went_to_sleep(960, 99, 15);
    waking(1000);
    preempted(1001, 15, 99);
    is_told(1010, 'a thread that wakes us, and has a lock that we need',
        '0 2 task dd waking', '2 5 interrupt timer interrupt waking', '5 6 task dd waking',
        '6 900 task low waking', '900 950 task ktimers/0 waking', '950 951 task ktimers/0 ready',
        '951 960 self realfeel running', '960 1000 task ktimers/0 blocked',
        '1000 1001 task ktimers/0 ready', '1001 1010 self realfeel running');

    preempted(-9000, 20, 21);
    timer_interrupt(3000, 3005);
    preempted(7000, 21, 99);
    is_told(7008, 'without a waking it is not known what we waited for',
        '0 3000 task low unknown', '3000 3005 interrupt timer interrupt unknown', '3005 7000 task low unknown',
        '7000 7008 self realfeel running');

    went_to_sleep(-500, 99, 10);
    entry(1000, 'irq_entry', 9, 'eth0');
    entry(1010, 'irq_exit', 9, '');
    wake_up(5000, 10);
    is_told(5012, 'a timer that is late though other interrupts come',
        '0 1000 task dd timer_late', '1000 1010 interrupt eth0 timer_late', '1010 5000 task dd timer_late',
        usual(5000, 'task dd', 5012));

    went_to_sleep(-500, 99, 10);
    entry(1, 'irq_entry', 9, 'eth0');
    entry(3, 'irq_exit', 9, '');
    wake_up(20, 10);
    is_told(30, 'while it is usual, it is not late',
        '0 1 task dd timer', '1 3 interrupt eth0 timer', '3 20 task dd timer', usual(20, 'task dd', 30));
};

subtest 'asked for' => sub {
    $is_asked = 1;
    went_to_sleep(-500, 99, 98);
    waking(2);
    went_to_sleep(10, 98, 20);
    went_to_sleep(900, 20, 99);
    is_told(904, 'no timer is to expire', '0 2 task realfeel-waker waking', '2 10 task realfeel-waker ready',
        '10 900 task hog ready', '900 904 self realfeel running');
    $is_asked = 0;
};

subtest 'softirqs that delay a wake-up are found' => sub {
    went_to_sleep(-500, 99, 10);
    entry(-20, 'vector_entry', 236, 'timer interrupt');
    entry(1, 'vector_exit', 236, 'timer interrupt');
    entry(2, 'softirq_entry', 3, 'NET_RX');
    timer_interrupt(4, 6);
    waking(7);
    entry(8, 'irq_entry', 9, 'eth0');
    entry(9, 'irq_exit', 9, '');
    entry(700, 'softirq_exit', 3, 'NET_RX');
    preempted(701, 10, 99);
    is_told(705, 'interrupts within a softirq, and one that began before due',
        '0 1 interrupt timer interrupt waking', '1 2 task dd waking', '2 4 softirq NET_RX waking',
        '4 6 interrupt timer interrupt waking', '6 7 softirq NET_RX waking', '7 8 softirq NET_RX ready',
        '8 9 interrupt eth0 ready', '9 700 softirq NET_RX ready', '700 701 task dd ready',
        '701 705 self realfeel running');

    went_to_sleep(-500, 99, 14);
    entry(-100, 'softirq_entry', 3, 'NET_RX');
    entry(2, 'vector_entry', 236, 'timer interrupt');
    waking(5);
    entry(7, 'vector_exit', 236, 'timer interrupt');
    entry(3008, 'softirq_exit', 3, 'NET_RX');
    preempted(3009, 14, 99);
    is_told(3012, 'a storm in the thread of softirqs', '0 2 softirq NET_RX timer',
        '2 5 interrupt timer interrupt waking', '5 7 interrupt timer interrupt ready',
        '7 3008 softirq NET_RX ready', '3008 3009 task ksoftirqd/0 ready', '3009 3012 self realfeel running');

    preempted(-500, 20, 15);
    wake_up(2, 15);
    preempted(20, 99, 15);
    entry(30, 'softirq_exit', 1, 'TIMER');
    preempted(40, 15, 99);
    is_told(42, 'on PREEMPT_RT a softirq is preempted with its thread, and may have begun before all records',
        '0 2 softirq TIMER timer', usual(2, 'softirq TIMER', 20), '20 30 softirq TIMER passed_over',
        '30 40 task ktimers/0 passed_over', '40 42 self realfeel running');
};

subtest 'no record' => sub {
    sleep_and_wake_up(219, 0);
    is_told(230, 'an idle CPU needs some time to wake', '0 219 idle idle timer', usual(219, 'idle idle', 230));

    sleep_and_wake_up(20000, 0);
    is_told(20300, 'but not so much, nor do we to the stamp', '0 20000 unknown no-record timer',
        usual(20000, 'idle idle'), '20006 20300 unknown no-record running');

    sleep_and_wake_up(5000, 10);
    is_told(5010, 'the kernel may keep interrupts off', '0 5000 task dd timer', usual(5000, 'task dd', 5010));

    my $program = 'hrtimer_interrupt+0xff<asm_sysvec_apic_timer_interrupt+0x16';
    sleep_and_wake_up(5000, 10, 0, expiry => $program);
    is_told(5010, 'a program that is interrupted has not', '0 5000 unknown no-record timer', usual(5000, 'task dd', 5010));

    sleep_and_wake_up(19, 10, 0, expiry => $program);
    is_told(30, 'that is no question if the timer is hardly late', '0 19 task dd timer', usual(19, 'task dd', 30));

    sleep_and_wake_up(5000, 10, 0, expiry => "$program<do_syscall_64+0x1");
    is_told(5010, 'nor if the kernel was interrupted', '0 5000 task dd timer', usual(5000, 'task dd', 5010));
};

# After a long stall it counts the periods that it missed, and is late for the next.
subtest 'the meter at work' => sub {
    preempted(-4000, 10, 99);
    timer_interrupt(2, 5);
    is_told(3700, 'since before it was due', '0 2 self realfeel running', '2 5 interrupt timer interrupt running',
        '5 3700 self realfeel running');
    preempted(-4000, 10, 99);
    preempted(100, 99, 20);
    preempted(200, 20, 99);
    is_told(3700, 'and preempted meanwhile', '0 100 self realfeel running', '100 200 task hog taken',
        '200 3700 self realfeel running');
    preempted(-4000, 10, 99);
    went_to_sleep(-300, 99, 10);
    wake_up(2, 10);
    is_told(3700, 'not once it has slept', '0 2 task dd timer', usual(2, 'task dd'), '8 3700 unknown no-record running');
};

subtest 'a thread that was stopped is found' => sub {
    for (['T', 'stopped'], ['t', 'traced'], ['T|W', 'stopped'], ['S', 'timer']) {
        my ($state, $wait) = @$_;
        leaves(-700, 99, 10, $state);
        waking(80_000);
        preempted(80_001, 10, 99);
        is_told(80_010, "$state before it was due", "0 80000 task dd @{[$wait eq 'timer' ? 'waking' : $wait]}",
            '80000 80001 task dd ready', '80001 80010 self realfeel running');
    }
    sleep_and_wake_up(2, 10);
    leaves(10, 99, 0, 'T');
    timer_interrupt(400, 405);
    waking(50_000);
    preempted(50_001, 0, 99);
    is_told(50_005, 'after it was woken', '0 2 task dd timer', usual(2, 'task dd', 10), '10 400 idle idle stopped',
        '400 405 interrupt timer interrupt stopped', '405 50000 idle idle stopped', '50000 50001 idle idle ready',
        '50001 50005 self realfeel running');
};

subtest 'a throttled thread is found' => sub {
    preempted(-9000, 0, 20);
    preempted(-300, 20, 10);
    timer_interrupt(2, 5);
    waking(5);
    went_to_sleep(20_000, 10, 0);
    preempted(40_000, 0, 20);
    preempted(41_000, 20, 99);
    is_told(41_005, 'before it was due', '0 2 task dd waking', '2 5 interrupt timer interrupt waking',
        '5 20000 task dd passed_over', '20000 40000 idle idle passed_over', '40000 41000 task hog ready',
        '41000 41005 self realfeel running');
    preempted(-9000, 0, 20);
    went_to_sleep(-300, 20, 10);
    wake_up(2, 10, 20_000);
    is_told(20_015, 'not where the other went to sleep', '0 2 task dd timer', usual(2, 'task dd', 20_015, 20_000));
};

# Without a real-time priority there is no order but that all go before the idle task.
subtest 'an ordinary meter' => sub {
    my $meter = [99, 'realfeel', 'nice:0'];
    went_to_sleep(-500, $meter, 0);
    waking(2, $meter);
    preempted(10, 0, 10);
    went_to_sleep(100, 10, 0);
    preempted(60_000, 0, $meter);
    is_told(60_004, 'to whom an idle CPU is not given is held back', '0 2 idle idle waking', '2 10 idle idle passed_over',
        '10 100 task dd passed_over', '100 60000 idle idle passed_over', '60000 60004 self realfeel running');
};

subtest 'lost records leave unknown segments' => sub {
    is_told(7, 'no record at all', '0 7 unknown ring-ends unknown');

    wake_up(3000, 10);
    is_told(3010, 'the records begin after due, and the first switch tells who was there before',
        '0 3000 unknown ring-ends unknown', usual(3000, 'task dd', 3010));

    went_to_sleep(-500, 99, 10);
    timer_interrupt(100, 110);
    lost(200);
    entry(300, 'irq_exit', 9, '');
    entry(400, 'softirq_exit', 3, 'NET_RX');
    waking(450);
    preempted(500, 11, 99);
    is_told(510, 'records are lost in the middle, and what ends behind had begun there',
        '0 100 task dd unknown', '100 110 interrupt timer interrupt unknown', '110 300 unknown lost unknown',
        '300 400 softirq NET_RX unknown', '400 450 task sh unknown', '450 500 task sh ready',
        '500 510 self realfeel running');

    went_to_sleep(-500, 99, 10);
    timer_interrupt(100, 110);
    preempted(500, 11, 99);
    is_told(510, 'a switch that is missing shows in the next', '0 500 unknown lost unknown', '500 510 self realfeel running');

    went_to_sleep(-500, 99, 10);
    entry(100, 'irq_entry', 9, 'eth0');
    preempted(500, 10, 99);
    is_told(510, 'so does an exit', '0 100 task dd unknown', '100 500 unknown lost unknown', '500 510 self realfeel running');

    went_to_sleep(-500, 99, 10);
    timer_interrupt(100, 110);
    waking(120);
    is_told(510, 'the meter had the CPU in the end', '0 510 unknown lost unknown');
    is_told(-5, 'one that is early has none to blame');
};

subtest 'each segment has its task' => sub {
    my $of = sub {
        my ($found, $name) = (@_);
        nothing_traced();
        return first { $_->{kind} eq 'task' && $_->{task}{name} eq $name } @{ $found->{segments} };
    };
    preempted(-9, 10, [30, 'chrt', 'nice:0']);
    waking(2);
    preempted(5000, [30, 'job', 'rt:97'], 99);
    is($of->(found(5010), 'job')->{task}{priority}, 'rt:97', 'a task has the name and the priority of its last record');

    for (['nice:0', 'rt:98', 1], ['rt:10', 'rt:98', 1], ['rt:98', 'rt:98', ''], ['deadline', 'rt:98', '']) {
        my ($own, $lent, $is_lent) = @$_;
        preempted(-9, 10, [30, 'holder', $lent]);
        waking(2);
        preempted(5000, [30, 'holder', $own], 99);
        my $segment = $of->(found(5010), 'holder');
        is($segment->{is_lent}, $is_lent, "$lent of a task of $own is " . ($is_lent ? 'lent' : 'not lent'));
        is($segment->{task}{priority}, $own eq 'deadline' ? $own : $lent, 'the priority counts for all of the stay');
    }
};

done_testing;
