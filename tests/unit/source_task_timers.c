// SPDX-License-Identifier: GPL-2.0-or-later
/* Which of its timers woke a thread. */
#include <string.h>

#include "fake_task.h"
#include "tap.h"

/* A timerfd that the thread does not wait for expires; then a device wakes it, on the same CPU, from idle. */
static void test_idle_timer(void)
{
	begin();
	start(T1, 1500);
	leave(false);
	now = 1600;
	expire(T1, 0, IDLE);
	finish(T1, 0, IDLE);
	wake(0, IDLE);
	ok(come(), "a device wakes the thread");
	is(found.due_ns, 0, "a timer that expired before does not wake the thread");
	start(T1, 2000);
	leave(false);
	now = 2100;
	expire(T1, 0, IDLE);
	wake(1, IDLE);
	finish(T1, 0, IDLE);
	come();
	is(found.due_ns, 0, "a timer that expires on another CPU does not wake the thread");
	start(T1, 3000);
	leave(false);
	now = 3100;
	expire(T1, 0, IDLE);
	wake(0, OTHER);
	finish(T1, 0, IDLE);
	come();
	is(found.due_ns, 0, "a timer whose function another thread interrupts does not wake the thread");
	is(figures.unmatched, 0, "no wake-up is unmatched beside idle timers");
}

/* Two timers expire in one interrupt: the first wakes the thread. */
static void test_two_timers(void)
{
	begin();
	start(T1, 1500);
	start(T2, 1510);
	leave(false);
	now = 1600;
	expire_and_wake(T1, 0, IDLE);
	expire(T2, 0, IDLE);
	finish(T2, 0, IDLE);
	come();
	is(found.due_ns, 1500, "the first of two timers wakes the thread");
	start(T1, 2500);
	start(T2, 2400);
	leave(false);
	now = 2600;
	expire(T1, 0, IDLE);
	expire_and_wake(T2, 0, IDLE);
	come();
	is(found.due_ns, 2400, "the innermost of two nested timers wakes the thread");
}

/* A periodic timerfd is started again when it is read. */
static void test_periodic(void)
{
	begin();
	start(T1, 1500);
	for (unsigned i = 0; i < 3; i++) {
		leave(false);
		now = 1600 + 1000 * i;
		expire_and_wake(T1, 0, IDLE);
		come();
		is(found.due_ns, 1500 + 1000 * i, "period %u of a timerfd", i);
		start(T1, 2500 + 1000 * i);
	}
	is(figures.unmatched, 0, "no wake-up of a timerfd is unmatched");
}

/*
 * epoll waits for a timerfd and an eventfd: what another thread writes wakes it first, so it sets the timer
 * anew before that expires, to later or to what is past; then it looks at both without a sleep.
 */
static void test_epoll(void)
{
	begin();
	start(T1, 2000);
	for (unsigned i = 0; i < 20; i++) {
		uint64_t due_ns = now + 1000;

		leave(false);
		wake(1, OTHER);
		ok(come(), "write %u to an eventfd wakes the thread", i);
		is(found.due_ns + found.started_ns, 0, "what another thread writes is not the timer's");
		cancel(T1);
		start(T1, due_ns);
		leave(false);
		now = due_ns + 100;
		expire_and_wake(T1, 1, IDLE);
		ok(come(), "a timer that was set anew wakes the thread");
		is(found.due_ns, due_ns, "a timer that was set anew has its last due time");
		ok(found.started_ns < due_ns && found.started_ns > due_ns - 1000, "a timer that was set anew has its last start");
		start(T1, now - 500);
		expire(T1, 0, THREAD);
		finish(T1, 0, THREAD);
		wake(1, OTHER);
		start(T1, now + 5000);
	}
	is(figures.unmatched, 0, "no wake-up by a timerfd or an eventfd is unmatched");
}

static void test_clocks(void)
{
	static const int64_t offset_ns[TASK_CLOCKS] = { 0, 1700000000000000000, 30000000010, 1700000037000000000 };
	const char *name[] = { "CLOCK_MONOTONIC", "CLOCK_REALTIME", "CLOCK_BOOTTIME", "CLOCK_TAI" };

	begin();
	memcpy(clocks, offset_ns, sizeof(clocks));
	for (unsigned i = 0; i < TASK_CLOCKS; i++) {
		int64_t ahead = offset_ns[i];
		uint64_t due_ns = now + 1000;

		start(T1, due_ns + ahead);
		leave(false);
		now = due_ns + 5000;
		put((struct trace_record){ TRACE_EXPIRE, .timer = T1, .expires_ns = now + ahead - 3000 });
		wake(0, IDLE);
		finish(T1, 0, IDLE);
		ok(come(), "a timer of %s wakes the thread", name[i]);
		is(found.due_ns, due_ns, "a timer of %s is due by CLOCK_MONOTONIC", name[i]);
	}
	start(T1, offset_ns[1] + now - 5000000000);
	leave(false);
	put((struct trace_record){ TRACE_EXPIRE, .timer = T1, .expires_ns = offset_ns[1] + now - 3000000000 });
	wake(0, IDLE);
	ok(!come(), "a wake-up across a set clock is not found");
	is(figures.unmatched, 1, "a wake-up across a set clock is unmatched");
}

static void test_reused_address(void)
{
	begin();
	start(T1, 50000);
	leave(false);
	expire_and_wake(T1, 0, IDLE);
	ok(come(), "a timer at the address of the thread's own wakes the thread");
	is(found.due_ns, 0, "a timer that expires before the thread's own is due is another's");
	start(T1, 60000);
	leave(false);
	now = 60010;
	expire_and_wake(T1, 0, IDLE);
	come();
	is(found.due_ns, 60000, "the thread's own timer counts once it is started again");
	leave(false);
	now = 70010;
	expire_and_wake(T1, 0, IDLE);
	come();
	is(found.due_ns, 0, "a timer that has expired is not due again");
}

static void test_many_timers(void)
{
	begin();
	for (unsigned i = 0; i <= TASK_TIMERS; i++)
		start(T2 + 64 * i, 5000 + i);
	for (unsigned i = 0; i <= TASK_TIMERS; i++) {
		leave(false);
		now += 10000;
		expire_and_wake(T2 + 64 * i, 0, IDLE);
		ok(come(), "timer %u wakes the thread", i);
		is(found.due_ns, i ? 5000 + i : 0, i ? "a timer is known" : "the first of too many timers is forgotten");
	}
	is(figures.unmatched, 0, "no wake-up of many timers is unmatched");
}

int main(void)
{
	test_idle_timer();
	test_two_timers();
	test_periodic();
	test_epoll();
	test_clocks();
	test_reused_address();
	test_many_timers();
	return done();
}
