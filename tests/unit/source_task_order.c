// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of several rings, in the order of time. */
#include "source/task_order.h"
#include "tap.h"

#define ROOM 100

static struct task_order order;
static struct task_place place[ROOM];
static struct task_record taken;

static void begin(unsigned room)
{
	task_order_init(&order, place, room);
}

static void put(enum task_event event, uint64_t at_ns, int cpu)
{
	task_order_put(&order, &(struct task_record){ event, .cpu = cpu, .at_ns = at_ns });
}

static bool take(uint64_t until_ns)
{
	return task_order_take(&order, until_ns, &taken);
}

static void test_rings(void)
{
	begin(ROOM);
	put(TASK_WAKING, 20, 0);
	put(TASK_SWITCHED_IN, 50, 0);
	put(TASK_SLEEPS, 10, 1);
	put(TASK_PREEMPTED, 60, 1);
	ok(take(60) && taken.event == TASK_SLEEPS, "the earliest record of two rings comes first");
	ok(take(60) && taken.event == TASK_WAKING, "the records of the other ring come next");
	ok(take(60) && taken.event == TASK_SWITCHED_IN && taken.at_ns == 50,
	   "all records of the other ring come before a later one");
	ok(!take(60), "a record at the end is not taken yet");
	put(TASK_SLEEPS, 60, 0);
	ok(take(70) && taken.event == TASK_PREEMPTED, "a record at the end is taken with the next ones");
	ok(take(70) && taken.event == TASK_SLEEPS, "a record that came meanwhile is taken in its turn");
	ok(!take(70), "no record is left");
}

static void test_same_time(void)
{
	begin(ROOM);
	put(TASK_TIMER_START, 10, 0);
	put(TASK_TIMER_DONE, 10, 1);
	put(TASK_WAKING, 10, 0);
	put(TASK_TIMER_EXPIRY, 10, 1);
	ok(take(20) && taken.event == TASK_TIMER_EXPIRY, "a timer expires before others at the same time");
	ok(take(20) && taken.event == TASK_TIMER_START, "a start comes after an expiry at the same time");
	ok(take(20) && taken.event == TASK_WAKING, "a waking comes after an expiry at the same time");
	ok(take(20) && taken.event == TASK_TIMER_DONE, "a timer's function returns after others at the same time");
}

static void test_full(void)
{
	begin(2);
	put(TASK_WAKING, 10, 0);
	put(TASK_WAKING, 30, 0);
	put(TASK_WAKING, 50, 0);
	put(TASK_WAKING, 40, 0);
	ok(take(100) && taken.event == TASK_LOST, "records without room are reported as lost");
	is(taken.at_ns, 0, "a loss begins where records were taken last");
	is(taken.until_ns, 51, "a loss ends after the last lost record");
	ok(take(100) && taken.at_ns == 10 && take(100) && taken.at_ns == 30, "the records that had room are taken");
	ok(!take(100), "no record is left after a loss");
	put(TASK_WAKING, 110, 0);
	ok(take(200) && taken.at_ns == 110, "new records have room after a loss");
}

static void test_late(void)
{
	begin(ROOM);
	put(TASK_WAKING, 10, 0);
	ok(take(20), "a single record is taken");
	ok(!take(20), "a single record is taken once");
	put(TASK_WAKING, 19, 1);
	ok(take(30) && taken.event == TASK_LOST, "a record that came too late is lost");
	is(taken.at_ns, 20, "a late record is lost where others were taken already");
	ok(!take(30), "a late record is not taken in the end");
}

/* Random records of four rings, taken in several goes. */
static void test_random(void)
{
	uint64_t at_ns[4] = { 0 }, last_ns = 0, until_ns = 0;
	unsigned wrong = 0, put_all = 0, taken_all = 0;

	begin(ROOM);
	for (unsigned go = 0; go < 1000; go++) {
		for (unsigned i = 0; i < 20; i++) {
			unsigned ring = random_number() % 4;

			if (at_ns[ring] < until_ns)
				at_ns[ring] = until_ns;
			put(TASK_WAKING, at_ns[ring] += random_number() % 8, ring);
			put_all++;
		}
		for (until_ns += 100; take(until_ns); taken_all++) {
			wrong += taken.event == TASK_LOST || taken.at_ns < last_ns;
			last_ns = taken.at_ns;
		}
	}
	for (; take(UINT64_MAX); taken_all++) {
		wrong += taken.event == TASK_LOST || taken.at_ns < last_ns;
		last_ns = taken.at_ns;
	}
	is(wrong, 0, "random records of four rings are taken in order");
	is(taken_all, put_all, "no random record is missing");
}

int main(void)
{
	test_rings();
	test_same_time();
	test_full();
	test_late();
	test_random();
	return done();
}
