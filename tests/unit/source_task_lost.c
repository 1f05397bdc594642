// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of a thread that are missing: what cannot be known is counted, and never guessed. */
#include "fake_task.h"
#include "tap.h"

static void lose(uint64_t until_ns)
{
	put((struct trace_record){ TRACE_LOST, .until_ns = until_ns });
}

/* The thread sleeps, and its timer wakes it. Returns whether that is found. */
static bool sleep_once(void)
{
	start(T1, now + 100);
	leave(false);
	now += 100;
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	finish(T1, 0, IDLE);
	return come();
}

static void test_before_the_start(void)
{
	begin_unseen();
	now = 1000;
	ok(!wake(0, IDLE) && !come(), "a sleep that began before the records is not found");
	is(figures.unmatched, 0, "a sleep that began before the records is not unmatched");
	ok(sleep_once(), "the sleep after that is found");
	begin_unseen();
	ok(!sleep_once(), "a sleep whose timer may have been started before the records is not found");
	ok(sleep_once(), "the sleep after an unknown start of a timer is found");
	begin_unseen();
	leave(true);
	ok(!come() && sleep_once(), "a thread that ran at first is found once it was switched to");
	is(figures.unmatched, 0, "no wake-up is missing at the start");
}

static void test_no_switch(void)
{
	begin();
	start(T1, 1200);
	leave(false);
	now = 1300;
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	start(T1, 1500);
	is(figures.unmatched, 1, "a woken thread that starts a timer was switched to unseen");
	leave(false);
	wake(0, IDLE);
	leave(false);
	is(figures.unmatched, 2, "a woken thread that goes to sleep was switched to unseen");
	wake(0, IDLE);
	leave(true);
	is(figures.unmatched, 3, "a woken thread that loses the CPU was switched to unseen");
	come();
	leave(false);
	wake(0, IDLE);
	wake(0, IDLE);
	is(figures.unmatched, 4, "a woken thread that is woken again was switched to unseen");
	ok(come(), "a thread that was woken again is found");
	is(found.served_ns - found.woken_ns, 10, "a thread that was woken again counts from the second waking");
	ok(sleep_once(), "a sleep is found after unseen switches");
	is(figures.unmatched, 4, "each unseen switch was counted once");
}

static void test_nothing_but_sleeps(void)
{
	begin();
	leave(false);
	leave(false);
	is(figures.unmatched, 1, "a thread that sleeps twice was woken in between");
	ok(!come(), "a thread that comes back without a waking is not found");
	is(figures.unmatched, 2, "a thread that comes back without a waking is counted");
	leave(false);
	start(T1, 5000);
	is(figures.unmatched, 3, "a sleeping thread that starts a timer was woken unseen");
	wake(0, THREAD);
	is(figures.unmatched, 3, "a thread that was woken unseen is counted once");
	leave(false);
	wake(0, THREAD);
	is(figures.unmatched, 4, "a sleeping thread that wakes itself was woken unseen");
}

/* The switch away was not recorded, and may have been for another reason than sleep. */
static void test_no_sleep(void)
{
	begin();
	wake(0, IDLE);
	ok(!come(), "a thread that was woken while it ran is not found");
	is(figures.unmatched, 1, "a thread that was woken while it ran is counted");
	ok(!come(), "a thread that was switched to twice is not found");
	is(figures.unmatched, 1, "a thread that was switched to twice was preempted");
	ok(sleep_once(), "a sleep is found after an unseen one");
}

/* Its timer expires on another CPU while it runs on: nobody knows when it went on. */
static void test_expired_elsewhere(void)
{
	begin();
	start(T1, 1010);
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	leave(true);
	is(figures.unmatched, 1, "a timer that woke it while it ran is counted");
	ok(!come(), "a timer that woke the thread while it ran is not found");
}

static void test_lost(void)
{
	begin();
	leave(false);
	lose(0);
	wake(0, IDLE);
	ok(!come(), "a wake-up is not found if records are lost while the thread sleeps");
	is(figures.unmatched, 1, "a wake-up is unmatched if records are lost while the thread sleeps");
	ok(sleep_once(), "a sleep is found after a loss while the thread slept");
	start(T1, 1500);
	leave(false);
	now = 1600;
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	lose(0);
	ok(!come(), "a wake-up is not found if records are lost after the waking");
	is(figures.unmatched, 2, "a wake-up is unmatched if records are lost after the waking");
	start(T1, 2500);
	lose(0);
	ok(!sleep_once(), "a wake-up is not found if the start of its timer may be lost");
	is(figures.unmatched, 3, "a wake-up is unmatched if the start of its timer may be lost");
	ok(sleep_once(), "a sleep is found after a loss while the thread ran");
	is(figures.unmatched, 3, "each loss was counted once");
}

/* The timer was started again where records are missing. */
static void test_lost_start(void)
{
	begin();
	start(T1, 1200);
	lose(0);
	come();
	leave(false);
	now = 9000;
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	ok(!come(), "a wake-up is not found with the due time from before the loss");
	is(figures.unmatched, 1, "a wake-up with a due time from before the loss is unmatched");
}

static void test_gap(void)
{
	begin();
	leave(false);
	lose(now + 1000);
	wake(0, IDLE);
	ok(!come(), "a wake-up is not found before the end of a gap");
	ok(!sleep_once() && !sleep_once(), "no sleep is found before the end of a gap");
	is(figures.unmatched, 3, "the wake-ups in a gap are counted");
	now += 1000;
	ok(!sleep_once(), "a sleep that may have begun in a gap is not found");
	ok(sleep_once(), "a sleep is found after a gap");
	is(figures.unmatched, 4, "all wake-ups but that one are counted after a gap");
}

static void test_end(void)
{
	begin();
	leave(false);
	task_wakeups_end(&wakeups);
	is(figures.unmatched, 0, "a thread that sleeps to the end has no wake-up to come");
	begin();
	leave(false);
	wake(0, IDLE);
	task_wakeups_end(&wakeups);
	is(figures.unmatched, 1, "a thread that was woken at the end has a wake-up to come");
}

/* The kernel says that the thread ends; its number may be used again at once. */
static void test_exit(void)
{
	begin();
	ok(sleep_once(), "a sleep is found before the thread ends");
	start(T1, now + 200);
	put((struct trace_record){ .kind = TRACE_EXIT });
	leave(false);
	is(figures.unmatched, 0, "a thread that ends has no wake-up to come");
	wake(0, IDLE);
	wake(0, IDLE);
	now += 100;
	ok(!come(), "a new thread of the same number is not found if its waking was unseen");
	leave(false);
	expire(T1, 0, IDLE);
	wake(0, IDLE);
	finish(T1, 0, IDLE);
	ok(come() && !found.due_ns, "a new thread of the same number is not woken by an old timer");
	is(figures.unmatched, 0, "no wake-up of either thread is unmatched");
	ok(sleep_once() && found.due_ns, "a new thread of the same number is woken by its own timer");
	wake(0, IDLE);
	leave(false);
	lose(0);
	put((struct trace_record){ .kind = TRACE_EXIT });
	is(figures.unmatched, 1, "a thread that ends after a waking is unmatched once");
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
