// SPDX-License-Identifier: GPL-2.0-or-later
/* Which of its timers woke a thread. */
#include "fake_task.h"
#include "tap.h"

/* A timerfd that the thread does not wait for expires; then a device wakes it, on the same CPU, from idle. */
static void test_idle_timer(void)
{
	begin();
	start(T1, 1500);
	go(TASK_SLEEPS);
	now = 1600;
	expire(T1, 0, IDLE);
	finish(T1, 0, IDLE);
	wake(0, IDLE);
	ok(go(TASK_SWITCHED_IN), "a device wakes it");
	is(found.due_ns, 0, "and not the timer that expired before");
	start(T1, 2000);
	go(TASK_SLEEPS);
	now = 2100;
	expire(T1, 0, IDLE);
	wake(1, IDLE);
	finish(T1, 0, IDLE);
	go(TASK_SWITCHED_IN);
	is(found.due_ns, 0, "nor does one that expires on another CPU");
	start(T1, 3000);
	go(TASK_SLEEPS);
	now = 3100;
	expire(T1, 0, IDLE);
	wake(0, OTHER);
	finish(T1, 0, IDLE);
	go(TASK_SWITCHED_IN);
	is(found.due_ns, 0, "nor one whose function another thread interrupts");
	is(wakeups.unmatched, 0, "nothing is missing");
}

/* Two timers expire in one interrupt: the first wakes the thread. */
static void test_two_timers(void)
{
	begin();
	start(T1, 1500);
	start(T2, 1510);
	go(TASK_SLEEPS);
	now = 1600;
	expire_and_wake(T1, 0, IDLE);
	expire(T2, 0, IDLE);
	finish(T2, 0, IDLE);
	go(TASK_SWITCHED_IN);
	is(found.due_ns, 1500, "the first of two timers woke it");
	start(T1, 2500);
	start(T2, 2400);
	go(TASK_SLEEPS);
	now = 2600;
	expire(T1, 0, IDLE);
	expire_and_wake(T2, 0, IDLE);
	go(TASK_SWITCHED_IN);
	is(found.due_ns, 2400, "the innermost of two that interrupt each other did");
}

/* A periodic timerfd is started again when it is read. */
static void test_periodic(void)
{
	begin();
	start(T1, 1500);
	for (unsigned i = 0; i < 3; i++) {
		go(TASK_SLEEPS);
		now = 1600 + 1000 * i;
		expire_and_wake(T1, 0, IDLE);
		go(TASK_SWITCHED_IN);
		is(found.due_ns, 1500 + 1000 * i, "period %u of a timerfd", i);
		start(T1, 2500 + 1000 * i);
	}
	is(wakeups.unmatched, 0, "nothing is missing");
}

static void test_clocks(void)
{
	const int64_t offset_ns[TASK_CLOCKS] = { 1700000000000000000, 30000000010, 1700000037000000000 };
	const char *name[] = { "CLOCK_MONOTONIC", "CLOCK_REALTIME", "CLOCK_BOOTTIME", "CLOCK_TAI" };

	begin();
	task_wakeups_set_clocks(&wakeups, offset_ns);
	for (unsigned i = 0; i <= TASK_CLOCKS; i++) {
		int64_t ahead = i ? offset_ns[i - 1] : 0;
		uint64_t due_ns = now + 1000;

		start(T1, due_ns + ahead);
		go(TASK_SLEEPS);
		now = due_ns + 5000;
		put((struct task_record){ TASK_TIMER_EXPIRY, .timer = T1, .now_ns = now + ahead - 3000 });
		wake(0, IDLE);
		finish(T1, 0, IDLE);
		ok(go(TASK_SWITCHED_IN), "a timer of %s", name[i]);
		is(found.due_ns, due_ns, "is due by CLOCK_MONOTONIC");
	}
	start(T1, offset_ns[0] + now - 5000000000);
	go(TASK_SLEEPS);
	put((struct task_record){ TASK_TIMER_EXPIRY, .timer = T1, .now_ns = offset_ns[0] + now - 3000000000 });
	wake(0, IDLE);
	ok(!go(TASK_SWITCHED_IN), "a clock that was set meanwhile");
	is(wakeups.unmatched, 1, "leaves a wake-up unmatched");
}

static void test_reused_address(void)
{
	begin();
	start(T1, 50000);
	go(TASK_SLEEPS);
	expire_and_wake(T1, 0, IDLE);
	ok(go(TASK_SWITCHED_IN), "a timer that expires before the thread's own is due");
	is(found.due_ns, 0, "is another's, at the same address");
	start(T1, 60000);
	go(TASK_SLEEPS);
	now = 60010;
	expire_and_wake(T1, 0, IDLE);
	go(TASK_SWITCHED_IN);
	is(found.due_ns, 60000, "until the thread starts its own again");
	go(TASK_SLEEPS);
	now = 70010;
	expire_and_wake(T1, 0, IDLE);
	go(TASK_SWITCHED_IN);
	is(found.due_ns, 0, "a timer that has expired expires no second time");
}

static void test_many_timers(void)
{
	begin();
	for (unsigned i = 0; i <= TASK_TIMERS; i++)
		start(T2 + 64 * i, 5000 + i);
	for (unsigned i = 0; i <= TASK_TIMERS; i++) {
		go(TASK_SLEEPS);
		now += 10000;
		expire_and_wake(T2 + 64 * i, 0, IDLE);
		ok(go(TASK_SWITCHED_IN), "timer %u", i);
		is(found.due_ns, i ? 5000 + i : 0, i ? "is known" : "is forgotten for the last");
	}
	is(wakeups.unmatched, 0, "nothing is missing");
}

int main(void)
{
	test_idle_timer();
	test_two_timers();
	test_periodic();
	test_clocks();
	test_reused_address();
	test_many_timers();
	return done();
}
