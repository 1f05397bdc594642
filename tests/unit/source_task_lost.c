// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of a thread that are missing: what cannot be known is counted, and never guessed. */
#include "fake_task.h"
#include "tap.h"

static void lose(uint64_t until_ns)
{
	put((struct task_record){ TASK_LOST, .until_ns = until_ns });
}

/* The thread sleeps, and its timer wakes it. Returns whether that is found. */
static bool sleep_once(void)
{
	start(T1, now + 100);
	go(TASK_SLEEPS);
	now += 100;
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	finish(T1, 0, IDLE);
	return go(TASK_SWITCHED_IN);
}

static void test_before_the_start(void)
{
	task_wakeups_init(&wakeups, THREAD);
	now = 1000;
	ok(!wake(0, IDLE) && !go(TASK_SWITCHED_IN), "a sleep that began before the records");
	is(wakeups.unmatched, 0, "is nobody's loss");
	ok(sleep_once(), "the next one is found");
	task_wakeups_init(&wakeups, THREAD);
	ok(!sleep_once(), "one whose timer may have been started before them is not found either");
	ok(sleep_once(), "but the next one is");
	task_wakeups_init(&wakeups, THREAD);
	go(TASK_PREEMPTED);
	ok(!go(TASK_SWITCHED_IN) && sleep_once(), "one that was running is found when it was switched to");
	is(wakeups.unmatched, 0, "nothing is missing");
}

static void test_no_switch(void)
{
	begin();
	start(T1, 1200);
	go(TASK_SLEEPS);
	now = 1300;
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	start(T1, 1500);
	is(wakeups.unmatched, 1, "a thread that was woken starts a timer, so it was switched to unseen");
	go(TASK_SLEEPS);
	wake(0, IDLE);
	go(TASK_SLEEPS);
	is(wakeups.unmatched, 2, "or goes to sleep");
	wake(0, IDLE);
	go(TASK_PREEMPTED);
	is(wakeups.unmatched, 3, "or loses the CPU");
	go(TASK_SWITCHED_IN);
	go(TASK_SLEEPS);
	wake(0, IDLE);
	wake(0, IDLE);
	is(wakeups.unmatched, 4, "or is woken again");
	ok(go(TASK_SWITCHED_IN), "which is found");
	is(found.switched_ns - found.waking_ns, 10, "from the second waking");
	ok(sleep_once(), "all is well again");
	is(wakeups.unmatched, 4, "each was counted once");
}

static void test_nothing_but_sleeps(void)
{
	begin();
	go(TASK_SLEEPS);
	go(TASK_SLEEPS);
	is(wakeups.unmatched, 1, "a thread that sleeps twice was woken in between");
	ok(!go(TASK_SWITCHED_IN), "one that comes back without a waking is not found");
	is(wakeups.unmatched, 2, "but counted");
	go(TASK_SLEEPS);
	start(T1, 5000);
	is(wakeups.unmatched, 3, "as is one that does something in its sleep");
	wake(0, THREAD);
	is(wakeups.unmatched, 3, "and runs");
	go(TASK_SLEEPS);
	wake(0, THREAD);
	is(wakeups.unmatched, 4, "or is interrupted in it");
}

/* The switch away was not recorded, and may have been for another reason than sleep. */
static void test_no_sleep(void)
{
	begin();
	wake(0, IDLE);
	ok(!go(TASK_SWITCHED_IN), "woken while it ran, as far as is known");
	is(wakeups.unmatched, 1, "it is counted");
	ok(!go(TASK_SWITCHED_IN), "it came back without a waking");
	is(wakeups.unmatched, 1, "so it was preempted, as far as is known");
	ok(sleep_once(), "all is well again");
}

/* Its timer expires on another CPU while it runs on: nobody knows when it went on. */
static void test_expired_elsewhere(void)
{
	begin();
	start(T1, 1010);
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	go(TASK_PREEMPTED);
	is(wakeups.unmatched, 1, "a timer that woke it while it ran is counted");
	ok(!go(TASK_SWITCHED_IN), "and not found");
}

static void test_lost(void)
{
	begin();
	go(TASK_SLEEPS);
	lose(0);
	wake(0, IDLE);
	ok(!go(TASK_SWITCHED_IN), "records were lost while it slept");
	is(wakeups.unmatched, 1, "one wake-up is unmatched");
	ok(sleep_once(), "the next one is found");
	start(T1, 1500);
	go(TASK_SLEEPS);
	now = 1600;
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	lose(0);
	ok(!go(TASK_SWITCHED_IN), "they were lost after it was woken");
	is(wakeups.unmatched, 2, "one wake-up is unmatched");
	start(T1, 2500);
	lose(0);
	ok(!sleep_once(), "they were lost while it ran: so may be the start of a timer");
	is(wakeups.unmatched, 3, "one wake-up is unmatched");
	ok(sleep_once(), "the next one is found");
	is(wakeups.unmatched, 3, "each was counted once");
}

/* The timer was started again where records are missing. */
static void test_lost_start(void)
{
	begin();
	start(T1, 1200);
	lose(0);
	go(TASK_SWITCHED_IN);
	go(TASK_SLEEPS);
	now = 9000;
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	ok(!go(TASK_SWITCHED_IN), "a wake-up is not found with the due time from before the loss");
	is(wakeups.unmatched, 1, "nor as one without a timer");
}

static void test_gap(void)
{
	begin();
	go(TASK_SLEEPS);
	lose(now + 1000);
	wake(0, IDLE);
	ok(!go(TASK_SWITCHED_IN), "until a time records are missing");
	ok(!sleep_once() && !sleep_once(), "no wake-up is found until then");
	is(wakeups.unmatched, 3, "but they are counted");
	now += 1000;
	ok(!sleep_once(), "nor is one that may have begun before");
	ok(sleep_once(), "the next one is");
	is(wakeups.unmatched, 4, "all others are counted");
}

static void test_end(void)
{
	begin();
	go(TASK_SLEEPS);
	task_wakeups_end(&wakeups);
	is(wakeups.unmatched, 0, "a thread that sleeps to the end has no wake-up to come");
	begin();
	go(TASK_SLEEPS);
	wake(0, IDLE);
	task_wakeups_end(&wakeups);
	is(wakeups.unmatched, 1, "one that was woken has");
}

/* The kernel says that the thread ends; its number may be used again at once. */
static void test_exit(void)
{
	begin();
	ok(sleep_once(), "a thread");
	start(T1, now + 200);
	go(TASK_EXIT);
	go(TASK_SLEEPS);
	is(wakeups.unmatched, 0, "ends, and loses the CPU for the last time");
	wake(0, IDLE);
	wake(0, IDLE);
	now += 100;
	ok(!go(TASK_SWITCHED_IN), "whoever has its number then was woken before it was seen");
	go(TASK_SLEEPS);
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	finish(T1, 0, IDLE);
	ok(go(TASK_SWITCHED_IN) && !found.due_ns, "and is not woken by a timer of the one before");
	is(wakeups.unmatched, 0, "nothing of either is unmatched");
	ok(sleep_once() && found.due_ns, "its own timer wakes it");
	wake(0, IDLE);
	go(TASK_SLEEPS);
	lose(0);
	go(TASK_EXIT);
	is(wakeups.unmatched, 1, "one that was woken, as far as is known, and ends is unmatched once");
}

int main(void)
{
	test_before_the_start();
	test_no_switch();
	test_nothing_but_sleeps();
	test_no_sleep();
	test_expired_elsewhere();
	test_lost();
	test_lost_start();
	test_gap();
	test_end();
	test_exit();
	return done();
}
