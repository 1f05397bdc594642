// SPDX-License-Identifier: GPL-2.0-or-later
/* The wake-ups of a thread from each kind of sleep. */
#include "fake_task.h"
#include "tap.h"

static void test_sleep(void)
{
	begin();
	start(T1, 1500);
	ok(!go(TASK_SLEEPS), "it goes to sleep");
	now = 1600;
	expire_and_wake(T1, 0, IDLE);
	ok(go(TASK_SWITCHED_IN), "its timer wakes it");
	is(found.due_ns, 1500, "when it was due");
	is(found.slack_ns, 7, "the slack of the timer");
	is(found.expiry_ns, 1610, "when it expired");
	is(found.waking_ns, 1620, "when it was woken");
	is(found.switched_ns, 1640, "when it had the CPU");
	is(wakeups.unmatched, 0, "nothing is missing");
}

static void test_other_waker(void)
{
	begin();
	start(T1, 1500);
	go(TASK_SLEEPS);
	wake(0, OTHER);
	ok(go(TASK_SWITCHED_IN), "somebody else wakes it before its timeout");
	is(found.due_ns + found.expiry_ns + found.slack_ns, 0, "no timer");
	is(found.switched_ns - found.waking_ns, 10, "but the time from the waking");
	cancel(T1);
	go(TASK_SLEEPS);
	now = 1600;
	expire_and_wake(T1, 0, IDLE);
	ok(go(TASK_SWITCHED_IN), "in another's timer at the address of one that was cancelled");
	is(found.due_ns, 0, "it was woken by another");
	is(wakeups.unmatched, 0, "nothing is missing");
}

static void test_preempted(void)
{
	begin();
	start(T1, 1500);
	go(TASK_PREEMPTED);
	ok(!go(TASK_SWITCHED_IN), "a preempted thread that comes back was not woken");
	go(TASK_PREEMPTED);
	now = 1600;
	expire_and_wake(T1, 0, OTHER);
	ok(go(TASK_SWITCHED_IN), "one that was preempted when it was about to sleep was");
	is(found.due_ns, 1500, "by its timer");
	start(T1, 2500);
	go(TASK_SLEEPS);
	now = 2600;
	expire_and_wake(T1, 0, OTHER);
	now = 9000;
	ok(go(TASK_SWITCHED_IN), "one that had to wait for the CPU");
	is(found.switched_ns - found.due_ns, 6510, "has its lateness");
	go(TASK_PREEMPTED);
	ok(!go(TASK_SWITCHED_IN), "and no second one");
	is(wakeups.unmatched, 0, "nothing is missing");
}

/* What comes after a wake-up is no lateness of it. */
static void test_preempted_after(void)
{
	begin();
	go(TASK_PREEMPTED);
	go(TASK_SWITCHED_IN);
	is(wakeups.preempted, 0, "a thread that was not woken yet");
	go(TASK_SLEEPS);
	wake(0, OTHER);
	go(TASK_SWITCHED_IN);
	go(TASK_PREEMPTED);
	now = 2000;
	go(TASK_SWITCHED_IN);
	go(TASK_PREEMPTED);
	go(TASK_SWITCHED_IN);
	is(wakeups.preempted, 1, "a wake-up after which the thread was preempted twice");
	ok(wakeups.preempted_ns > 900 && wakeups.preempted_ns < 1000, "the longest time counts: %u", (unsigned)wakeups.preempted_ns);
	go(TASK_SLEEPS);
	wake(0, OTHER);
	now = 9000;
	go(TASK_SWITCHED_IN);
	is(wakeups.preempted, 1, "to wait for the CPU when it is woken is none");
	go(TASK_PREEMPTED);
	go(TASK_SWITCHED_IN);
	is(wakeups.preempted, 2, "the next wake-up has its own");
	ok(wakeups.preempted_ns < 1000, "but no longer one");
}

/* The timer interrupts the thread itself, between its start and the sleep. */
static void test_expired_before_sleep(void)
{
	begin();
	start(T1, 1005);
	expire(T1, 0, THREAD);
	ok(wake(0, THREAD), "the thread needs no switch when it has the CPU");
	is(found.due_ns, 1005, "its due time");
	is(found.switched_ns, found.waking_ns, "it goes on when it is woken");
	finish(T1, 0, THREAD);
	ok(!wake(0, THREAD), "a device that wakes it then makes no wake-up");
	go(TASK_SLEEPS);
	wake(1, OTHER);
	ok(go(TASK_SWITCHED_IN), "the next sleep is as any other");
	is(wakeups.unmatched, 0, "nothing is missing");
}

/* Another CPU wakes the thread while it goes to sleep on its own. */
static void test_race(void)
{
	begin();
	wake(1, OTHER);
	go(TASK_SLEEPS);
	ok(go(TASK_SWITCHED_IN), "a thread that is woken just before it sleeps comes back");
	is(found.switched_ns - found.waking_ns, 20, "from that waking");
	wake(1, OTHER);
	go(TASK_PREEMPTED);
	ok(!go(TASK_SWITCHED_IN), "one that runs on, and is preempted, was not woken");
	wake(1, OTHER);
	go(TASK_SLEEPS);
	wake(1, OTHER);
	ok(go(TASK_SWITCHED_IN), "one that runs on, and sleeps for something else, is woken again");
	is(found.switched_ns - found.waking_ns, 10, "then");
	wake(1, OTHER);
	now += 1000000;
	go(TASK_SLEEPS);
	now += 1000000;
	ok(!go(TASK_SWITCHED_IN), "one that sleeps long after that is not woken by it");
	is(wakeups.unmatched, 1, "so there is a record missing");
}

static void test_migration(void)
{
	begin();
	start(T1, 1500);
	go(TASK_SLEEPS);
	now = 1600;
	expire(T1, 3, IDLE);
	wake(3, IDLE);
	ok(put((struct task_record){ TASK_SWITCHED_IN, .cpu = 2 }), "it comes back on another CPU");
	is(found.due_ns, 1500, "its timer");
	is(found.cpu, 2, "its CPU");
	start(T1, 1900);
	finish(T1, 3, IDLE);
	go(TASK_SLEEPS);
	now = 2000;
	expire_and_wake(T1, 2, IDLE);
	go(TASK_SWITCHED_IN);
	is(found.due_ns, 1900, "it started the timer again before its function had returned there");
}

/* On PREEMPT_RT OTHER expires timers, and the thread that it wakes needs a lock that it still holds. */
static void expire_and_block(void)
{
	start(T1, 1500);
	go(TASK_SLEEPS);
	now = 1600;
	expire(T1, 0, OTHER);
	wake(0, OTHER);
	ok(!go(TASK_SWITCHED_IN), "a thread that takes the CPU from the one that wakes it may block");
	ok(!go(TASK_SLEEPS), "on its lock");
}

static void test_blocked_again(void)
{
	begin();
	expire_and_block();
	wake(0, OTHER);
	ok(!go(TASK_SWITCHED_IN), "it gets the lock, and may block on another");
	go(TASK_SLEEPS);
	wake(0, OTHER);
	go(TASK_SWITCHED_IN);
	ok(put((struct task_record){ TASK_TIMER_START, .current = THREAD, .timer = T1, .soft_ns = 2500, .hard_ns = 2500 }),
	   "when it sets its timer again, the wake-up was over");
	is(found.due_ns, 1500, "it has its due time");
	is(found.waking_ns, 1620, "the first waking");
	is(found.switched_ns, 1690, "and the last switch");
	finish(T1, 0, OTHER);
	go(TASK_SLEEPS);
	now = 2600;
	expire_and_wake(T1, 0, IDLE);
	ok(go(TASK_SWITCHED_IN), "where the function has returned there is no lock to wait for");
	is(wakeups.unmatched, 0, "nothing is missing");
}

static void test_not_blocked_again(void)
{
	begin();
	expire_and_block();
	finish(T1, 0, OTHER);
	ok(wake(0, OTHER), "the next waking tells that it only slept");
	is(found.switched_ns, 1630, "it was over with the first switch");
	ok(go(TASK_SWITCHED_IN), "and that one has its own wake-up");
	is(found.due_ns, 0, "which is not of the timer");
	expire_and_block();
	put((struct task_record){ TASK_LOST, .until_ns = now + 10 });
	is(wakeups.unmatched, 1, "where records are missing, it is not known");
}

/* The function runs on another CPU: there the thread waits for its lock, and does not sleep. */
static void test_lock_elsewhere(void)
{
	begin();
	start(T1, 1500);
	go(TASK_SLEEPS);
	now = 1600;
	expire(T1, 3, OTHER);
	wake(3, OTHER);
	ok(go(TASK_SWITCHED_IN), "it has a CPU of its own");
	wake(3, OTHER);
	now += 100000;
	go(TASK_SLEEPS);
	finish(T1, 3, OTHER);
	wake(0, OTHER);
	ok(go(TASK_SWITCHED_IN), "the next wake-up");
	is(wakeups.unmatched, 0, "to be given the lock is none");
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
