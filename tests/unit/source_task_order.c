// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of several rings, in the order of time. */
#include <sys/mman.h>

static int map_flags;			/* of the last mapping */

static void *map(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	map_flags = flags;
	return mmap(at, size, protection, flags, fd, offset);
}

#define mmap map
#include "source/task_records.c"
#include "tap.h"

#define ROOM 100

static struct task_order order;
static struct trace_record taken;

static void begin(unsigned room)
{
	close_order(&order);
	if (!open_order(&order, room))
		die(EXIT_NOT_MEASURED, "no memory");
}

static void add(enum trace_kind kind, uint64_t at_ns, int cpu)
{
	order_put(&order, &(struct trace_record){ kind, .cpu = cpu, .at_ns = at_ns });
}

static bool take(uint64_t until_ns)
{
	const struct trace_record *next = task_order_take(&order, until_ns);

	if (next)
		memcpy(&taken, next, KEPT);
	return next;
}

static void test_rings(void)
{
	begin(ROOM);
	add(TRACE_WAKING, 20, 0);
	add(TRACE_SWITCH_IN, 50, 0);
	add(TRACE_SWITCH_OUT, 10, 1);
	add(TRACE_FORK, 60, 1);
	ok(take(60) && taken.kind == TRACE_SWITCH_OUT, "the earliest record of two rings comes first");
	ok(take(60) && taken.kind == TRACE_WAKING, "the records of the other ring come next");
	ok(take(60) && taken.kind == TRACE_SWITCH_IN && taken.at_ns == 50,
	   "all records of the other ring come before a later one");
	ok(!take(60), "a record at the end is not taken yet");
	add(TRACE_SWITCH_OUT, 60, 0);
	ok(take(70) && taken.kind == TRACE_FORK, "a record at the end is taken with the next ones");
	ok(take(70) && taken.kind == TRACE_SWITCH_OUT, "a record that came meanwhile is taken in its turn");
	ok(!take(70), "no record is left");
}

static void test_same_time(void)
{
	begin(ROOM);
	add(TRACE_TIMER_START, 10, 0);
	add(TRACE_EXPIRED, 10, 1);
	add(TRACE_WAKING, 10, 0);
	add(TRACE_EXPIRE, 10, 1);
	ok(take(20) && taken.kind == TRACE_EXPIRE, "a timer expires before others at the same time");
	ok(take(20) && taken.kind == TRACE_TIMER_START, "a start comes after an expiry at the same time");
	ok(take(20) && taken.kind == TRACE_WAKING, "a waking comes after an expiry at the same time");
	ok(take(20) && taken.kind == TRACE_EXPIRED, "a timer's function returns after others at the same time");
}

static void test_full(void)
{
	begin(2);
	add(TRACE_WAKING, 10, 0);
	add(TRACE_WAKING, 30, 0);
	add(TRACE_WAKING, 50, 0);
	add(TRACE_WAKING, 40, 0);
	ok(take(100) && taken.kind == TRACE_LOST, "records without room are reported as lost");
	is(taken.at_ns, 0, "a loss begins where records were taken last");
	is(taken.until_ns, 51, "a loss ends after the last lost record");
	ok(take(100) && taken.at_ns == 10 && take(100) && taken.at_ns == 30, "the records that had room are taken");
	ok(!take(100), "no record is left after a loss");
	add(TRACE_WAKING, 110, 0);
	ok(take(200) && taken.at_ns == 110, "new records have room after a loss");
	add(TRACE_WAKING, 210, 0);
	add(TRACE_WAKING, 220, 0);
	order_put(&order, &(struct trace_record){ TRACE_LOST, .at_ns = 230, .until_ns = 290 });
	ok(take(300) && taken.until_ns == 290, "a loss that finds no room is as long");
}

static void test_late(void)
{
	begin(ROOM);
	add(TRACE_WAKING, 10, 0);
	ok(take(20), "a single record is taken");
	ok(!take(20), "a single record is taken once");
	add(TRACE_WAKING, 19, 1);
	ok(take(30) && taken.kind == TRACE_LOST, "a record that came too late is lost");
	is(taken.at_ns, 20, "a late record is lost where others were taken already");
	ok(!take(30), "a late record is not taken in the end");
}

static void test_beginning(void)
{
	static struct task_records records = { .began_ns = 100, .read_ns = 100 };
	struct reading reading = { &records, 0, records.read_ns };

	if (!open_order(&records.order, ROOM))
		die(EXIT_NOT_MEASURED, "no memory");
	ok(!task_order_take(&records.order, records.read_ns), "no record is there before the first reading");
	put_record(&reading, &(struct trace_record){ TRACE_WAKING, .at_ns = 99, .thread = 1 });
	put_record(&reading, &(struct trace_record){ TRACE_SWITCH_IN, .at_ns = 100, .thread = 1 });
	memcpy(&taken, task_order_take(&records.order, 200), KEPT);
	is(taken.kind, TRACE_SWITCH_IN, "the first record is from when all rings record");
	ok(!task_order_take(&records.order, 200), "an earlier record is not lost");
	close_order(&records.order);
}

/* A page that comes later would cost the measured threads its zeroing. */
static void test_memory(void)
{
	begin(RECORDS);
	ok(map_flags & MAP_POPULATE, "each page of memory is there before the first record");
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
			add(TRACE_WAKING, at_ns[ring] += random_number() % 8, ring);
			put_all++;
		}
		for (until_ns += 100; take(until_ns); taken_all++) {
			wrong += taken.kind == TRACE_LOST || taken.at_ns < last_ns;
			last_ns = taken.at_ns;
		}
	}
	for (; take(UINT64_MAX); taken_all++) {
		wrong += taken.kind == TRACE_LOST || taken.at_ns < last_ns;
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
	test_beginning();
	test_memory();
	test_random();
	return done();
}
