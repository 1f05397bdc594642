// SPDX-License-Identifier: GPL-2.0-or-later
/* The wake-ups of a thread from each kind of sleep. */
#include "fake_task.h"
#include "tap.h"

static void test_sleep(void)
{
	begin();
	start(T1, 1500);
	ok(!leave(false), "a thread that goes to sleep has no wake-up");
	now = 1600;
	expire_and_wake(T1, 0, IDLE);
	ok(come(), "a timer wakes the thread");
	is(found.due_ns, 1500, "the wake-up has the timer's due time");
	is(found.slack_ns, 7, "the wake-up has the timer's slack");
	is(found.expired_ns, 1610, "the wake-up has the timer's expiry");
	is(found.woken_ns, 1620, "the wake-up has its waking");
	is(found.served_ns, 1640, "the wake-up has the time when the thread had the CPU");
	is(figures.unmatched, 0, "no wake-up is unmatched after a plain sleep");
}

static void test_other_waker(void)
{
	begin();
	start(T1, 1500);
	leave(false);
	wake(0, OTHER);
	ok(come(), "a wake-up by another thread ends the sleep before its timeout");
	is(found.due_ns + found.expired_ns + found.slack_ns, 0, "a wake-up by another thread has no timer");
	is(found.served_ns - found.woken_ns, 10, "a wake-up by another thread counts from its waking");
	cancel(T1);
	leave(false);
	now = 1600;
	expire_and_wake(T1, 0, IDLE);
	ok(come(), "a timer at the address of a cancelled one wakes the thread");
	is(found.due_ns, 0, "a timer at the address of a cancelled one is another's");
	is(figures.unmatched, 0, "no wake-up by others is unmatched");
}

static void test_preempted(void)
{
	begin();
	start(T1, 1500);
	leave(true);
	ok(!come(), "a preempted thread that comes back was not woken");
	leave(true);
	now = 1600;
	expire_and_wake(T1, 0, OTHER);
	ok(come(), "a thread that was preempted when it was about to sleep was woken");
	is(found.due_ns, 1500, "a thread that was preempted when it was about to sleep was woken by its timer");
	start(T1, 2500);
	leave(false);
	now = 2600;
	expire_and_wake(T1, 0, OTHER);
	now = 9000;
	ok(come(), "a thread that waited for the CPU has a wake-up");
	is(found.served_ns - found.due_ns, 6510, "a thread that waited for the CPU has its lateness");
	leave(true);
	ok(!come(), "a preempted thread has no second wake-up");
	is(figures.unmatched, 0, "no wake-up of a preempted thread is unmatched");
}

/* What comes after a wake-up is no lateness of it. */
static void test_preempted_after(void)
{
	begin();
	leave(true);
	come();
	is(figures.preempted, 0, "a thread that was not woken yet is not preempted after a wake-up");
	leave(false);
	wake(0, OTHER);
	come();
	leave(true);
	now = 2000;
	come();
	leave(true);
	come();
	is(figures.preempted, 1, "a thread that is preempted twice after a wake-up counts once");
	ok(figures.preempted_ns > 900 && figures.preempted_ns < 1000,
	   "the longest preemption after a wake-up counts: %u", (unsigned)figures.preempted_ns);
	leave(false);
	wake(0, OTHER);
	now = 9000;
	come();
	is(figures.preempted, 1, "a wait for the CPU before the wake-up is no preemption after it");
	leave(true);
	come();
	is(figures.preempted, 2, "a second wake-up has its own preemption");
	ok(figures.preempted_ns < 1000, "a shorter preemption leaves the longest");
}

/* The timer interrupts the thread itself, between its start and the sleep. */
static void test_expired_before_sleep(void)
{
	begin();
	start(T1, 1005);
	expire(T1, 0, THREAD);
	ok(wake(0, THREAD), "the thread needs no switch when it has the CPU");
	is(found.due_ns, 1005, "a thread that is woken while it runs has its timer's due time");
	is(found.served_ns, found.woken_ns, "a thread that is woken while it runs goes on at once");
	finish(T1, 0, THREAD);
	ok(!wake(0, THREAD), "a device that wakes a running thread makes no wake-up");
	leave(false);
	wake(1, OTHER);
	ok(come(), "a sleep of a thread that was woken while it ran is found");
	is(figures.unmatched, 0, "no wake-up of a running thread is unmatched");
}

/* Another CPU wakes the thread while it goes to sleep on its own. */
static void test_race(void)
{
	begin();
	wake(1, OTHER);
	leave(false);
	ok(come(), "a thread that is woken just before it sleeps comes back");
	is(found.served_ns - found.woken_ns, 20,
	   "a thread that is woken just before it sleeps counts from that waking");
	wake(1, OTHER);
	leave(true);
	ok(!come(), "a thread that runs on after a waking and is preempted was not woken");
	wake(1, OTHER);
	leave(false);
	wake(1, OTHER);
	ok(come(), "a thread that runs on after a waking and sleeps for something else is woken again");
	is(found.served_ns - found.woken_ns, 10, "a thread that is woken again counts from the second waking");
	wake(1, OTHER);
	now += 1000000;
	leave(false);
	now += 1000000;
	ok(!come(), "a thread that sleeps long after a waking is not woken by it");
	is(figures.unmatched, 1, "a thread that sleeps long after a waking lacks a record");
}

static void test_migration(void)
{
	begin();
	start(T1, 1500);
	leave(false);
	now = 1600;
	expire(T1, 3, IDLE);
	wake(3, IDLE);
	ok(put((struct trace_record){ TRACE_SWITCH_IN, .cpu = 2 }), "a thread comes back on another CPU");
	is(found.due_ns, 1500, "a thread that comes back on another CPU was woken by its timer");
	is(found.cpu, 2, "a thread that comes back on another CPU has that CPU");
	start(T1, 1900);
	finish(T1, 3, IDLE);
	leave(false);
	now = 2000;
	expire_and_wake(T1, 2, IDLE);
	come();
	is(found.due_ns, 1900, "a timer may be started again before its function has returned elsewhere");
}

/* On PREEMPT_RT OTHER expires timers, and the thread that it wakes needs a lock that it still holds. */
static void expire_and_block(void)
{
	start(T1, 1500);
	leave(false);
	now = 1600;
	expire(T1, 0, OTHER);
	wake(0, OTHER);
	ok(!come(), "a thread that takes the CPU from the one that wakes it may block");
	ok(!leave(false), "a thread that preempts its waker sleeps for its lock");
}

static void test_blocked_again(void)
{
	begin();
	expire_and_block();
	wake(0, OTHER);
	ok(!come(), "a thread that gets the lock may block on another");
	leave(false);
	wake(0, OTHER);
	come();
	ok(put((struct trace_record){ TRACE_TIMER_START, .current = THREAD, .timer = T1, .expires_ns = 2500, .latest_ns = 2500 }),
	   "a thread that sets its timer again has ended its wake-up");
	is(found.due_ns, 1500, "a wake-up with locks has its timer's due time");
	is(found.woken_ns, 1620, "a wake-up with locks has the first waking");
	is(found.served_ns, 1690, "a wake-up with locks has the last switch");
	finish(T1, 0, OTHER);
	leave(false);
	now = 2600;
	expire_and_wake(T1, 0, IDLE);
	ok(come(), "no lock is waited for once the timer's function has returned");
	is(figures.unmatched, 0, "no wake-up with locks is unmatched");
}

static void test_not_blocked_again(void)
{
	begin();
	expire_and_block();
	finish(T1, 0, OTHER);
	ok(wake(0, OTHER), "a second waking ends a wake-up without locks");
	is(found.served_ns, 1630, "a wake-up without locks ends with the first switch");
	ok(come(), "a sleep after a wake-up without locks has its own wake-up");
	is(found.due_ns, 0, "a wake-up by another has no due time");
	expire_and_block();
	put((struct trace_record){ TRACE_LOST, .until_ns = now + 10 });
	is(figures.unmatched, 1, "a wake-up with locks is unmatched if records are missing");
}

/* The function runs on another CPU: there the thread waits for its lock, and does not sleep. */
static void test_lock_elsewhere(void)
{
	begin();
	start(T1, 1500);
	leave(false);
	now = 1600;
	expire(T1, 3, OTHER);
	wake(3, OTHER);
	ok(come(), "a thread with a CPU of its own has its wake-up at once");
	wake(3, OTHER);
	now += 100000;
	leave(false);
	finish(T1, 3, OTHER);
	wake(0, OTHER);
	ok(come(), "a second sleep of a thread with its own CPU is found");
	is(figures.unmatched, 0, "a wait for a lock is no sleep");
}

int main(void)
{
	test_sleep();
	test_other_waker();
	test_preempted();
	test_preempted_after();
	test_expired_before_sleep();
	test_race();
	test_migration();
	test_blocked_again();
	test_not_blocked_again();
	test_lock_elsewhere();
	return done();
}
