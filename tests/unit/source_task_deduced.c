// SPDX-License-Identifier: GPL-2.0-or-later
/* Of a sleep, neither the expiry of its timer nor the waking is recorded: what follows tells that it was the timer. */
#include "fake_task.h"
#include "tap.h"

/* As clock_nanosleep() and all system calls with a timeout do. */
static void start_to_wake(uint64_t timer, uint64_t soft_ns)
{
	put((struct task_record){
		TASK_TIMER_START, .current = THREAD, .timer = timer, .wakes = true, .soft_ns = soft_ns, .hard_ns = soft_ns + 7,
	});
}

/* The thread goes to sleep, comes back 500 ns later, and 10 ns later cancels the timer or starts the next. */
static bool sleep_unseen(uint64_t timer, uint64_t soft_ns, enum task_event then)
{
	start_to_wake(timer, soft_ns);
	go(TASK_SLEEPS);
	now += 480;
	if (go(TASK_SWITCHED_IN))
		return true;
	return put((struct task_record){ then, .current = THREAD, .timer = timer, .soft_ns = now + 9000, .hard_ns = now + 9000 });
}

static void test_deduced(void)
{
	begin();
	ok(sleep_unseen(T1, 1300, TASK_TIMER_START), "a thread that has not cancelled its timer before the next was woken by it");
	is(found.due_ns, 1300, "its due time");
	is(found.slack_ns, 7, "its slack");
	is(found.switched_ns, 1510, "when it had the CPU");
	is(found.waking_ns + found.expiry_ns, 0, "all else is not known");
	is(wakeups.deduced, 1, "it was deduced");
	ok(!sleep_unseen(T1, now + 300, TASK_TIMER_CANCEL), "one that cancels its timer was not");
	is(wakeups.unmatched, 1, "nobody knows by whom it was");
	ok(!sleep_unseen(T1, now + 700, TASK_TIMER_START), "nor was one that came back before that was due");
	is(wakeups.unmatched, 2, "so it is unmatched");
	is(wakeups.deduced, 1, "and not deduced");
}

static void test_interrupted(void)
{
	begin();
	ok(!sleep_unseen(T1, 1300, TASK_SLEEPS), "a thread that sleeps again");
	is(wakeups.unmatched, 1, "may have another reason for both");
	go(TASK_SWITCHED_IN);
	is(wakeups.unmatched, 2, "and no timer for the second");
	start_to_wake(T1, now + 100);
	go(TASK_PREEMPTED);
	now += 200;
	go(TASK_SWITCHED_IN);
	go(TASK_SLEEPS);
	go(TASK_SWITCHED_IN);
	is(wakeups.unmatched, 3, "one that lost the CPU after its start may be through with the timer");
	start_to_wake(T1, now + 100);
	go(TASK_SLEEPS);
	now += 200;
	go(TASK_SWITCHED_IN);
	expire(T1, 0, THREAD);
	is(wakeups.unmatched, 4, "a timer that expires only now woke nobody before");
}

/* Wake-ups are found in the order of time. */
static void test_order(void)
{
	begin();
	start_to_wake(T1, now + 100);
	go(TASK_SLEEPS);
	now += 200;
	go(TASK_SWITCHED_IN);
	go(TASK_PREEMPTED);
	wake(0, IDLE);
	ok(go(TASK_SWITCHED_IN), "one that is known");
	ok(!sleep_unseen(T1, now + 1000, TASK_TIMER_START), "comes before its predecessor is settled");
	is(wakeups.deduced, 0, "which is not found then");
	is(wakeups.unmatched, 2, "but counted");
}

/* The thread waits for its timerfd, and reads it; so often the wake-up is recorded. */
static void read_timerfd(unsigned count)
{
	while (count--) {
		start(T1, now + 100);
		go(TASK_SLEEPS);
		now += 200;
		expire_and_wake(T1, 0, IDLE);
		go(TASK_SWITCHED_IN);
	}
}

static void come_back_unseen(void)
{
	start(T1, now + 100);
	go(TASK_SLEEPS);
	now += 190;
	go(TASK_SWITCHED_IN);
}

static void test_timerfd(void)
{
	begin();
	come_back_unseen();
	start(T1, now + 100);
	is(wakeups.unmatched, 1, "a timerfd expires whether or not anybody waits for it");
	read_timerfd(8);
	come_back_unseen();
	start(T2, now + 100);
	is(wakeups.unmatched, 2, "one that always woke the thread is not known to have expired");
	come_back_unseen();
	is(wakeups.deduced, 0, "until the thread starts it again");
	start(T1, now + 100);
	is(wakeups.deduced, 1, "as it does when it has read it");
	is(found.switched_ns - found.due_ns, 120, "then its due time is known");
	go(TASK_SLEEPS);
	now += 200;
	expire(T1, 0, IDLE);
	finish(T1, 0, IDLE);
	wake(0, OTHER);
	go(TASK_SWITCHED_IN);
	come_back_unseen();
	start(T1, now + 100);
	is(wakeups.deduced, 1, "once it did not wake the thread, nothing is deduced from it");
	is(wakeups.unmatched, 3, "but what is not is counted");
}

/* Not one expiry is recorded, but the thread always comes back when the timer is due. */
static void test_in_time(void)
{
	begin();
	for (unsigned i = 0; i < 20; i++) {
		start(T1, now + 1000);
		go(TASK_SLEEPS);
		now += i == 4 || i == 15 ? 5000 : 1050;
		go(TASK_SWITCHED_IN);
	}
	start(T1, now + 1000);
	is(wakeups.unmatched, 13, "eight times in a row");
	is(wakeups.deduced, 7, "then it is the timer that wakes it, and late once");
}

static void test_several(void)
{
	begin();
	start_to_wake(T1, now + 100);
	start_to_wake(T2, now + 120);
	go(TASK_SLEEPS);
	now += 500;
	go(TASK_SWITCHED_IN);
	is(wakeups.unmatched, 1, "which of two timers it was is not known");
}

static void test_losses(void)
{
	begin();
	start_to_wake(T1, now + 100);
	go(TASK_SLEEPS);
	now += 200;
	go(TASK_SWITCHED_IN);
	put((struct task_record){ .event = TASK_LOST });
	is(wakeups.unmatched, 1, "the record that it cancelled the timer may be lost");
	begin();
	start_to_wake(T1, now + 100);
	go(TASK_SLEEPS);
	now += 200;
	go(TASK_SWITCHED_IN);
	task_wakeups_end(&wakeups);
	is(wakeups.unmatched, 1, "or may come after the end");
}

static void test_clocks(void)
{
	const int64_t offset_ns[TASK_CLOCKS] = { 1700000000000000000, 100, 1700000037000000000 };

	begin();
	task_wakeups_set_clocks(&wakeups, offset_ns);
	ok(sleep_unseen(T1, offset_ns[0] + now + 300, TASK_TIMER_START), "a timer of CLOCK_REALTIME");
	is(found.due_ns, found.switched_ns - 210, "is due by CLOCK_MONOTONIC");
	ok(sleep_unseen(T1, now + 300, TASK_TIMER_START), "two clocks that nearly agree");
	is(found.due_ns, found.switched_ns - 210, "are CLOCK_MONOTONIC");
	start_to_wake(T1, offset_ns[0] + now + 38000000000);
	go(TASK_SLEEPS);
	now += 40000000000;
	go(TASK_SWITCHED_IN);
	is(wakeups.unmatched, 1, "a due time that two clocks have shown in that sleep is not known");
}

int main(void)
{
	test_deduced();
	test_interrupted();
	test_order();
	test_timerfd();
	test_in_time();
	test_several();
	test_losses();
	test_clocks();
	return done();
}
