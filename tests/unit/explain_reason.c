// SPDX-License-Identifier: GPL-2.0-or-later
/* Why the worst was late, in the row below the figures: what the analyzer says, too. */
#include <string.h>

#include "explain/tap.h"
#include "tap.h"

#define DUE_NS UINT64_C(5000000000)

static const struct trace_task loop = { 99, 49, "loop" }, twin = { 98, 49, "loop" };
static const struct trace_task hog = { 20, 2, "hog" }, perl = { 10, 120, "perl" };
static const struct trace_task logger = { 30, 120, "logger" }, idle = { 0, 120, "swapper/0" };

static struct trace_record records[16];
static unsigned count;
static struct event event;

static struct trace_record *record(int us, enum trace_kind kind)
{
	records[count] = (struct trace_record){ .kind = kind, .at_ns = DUE_NS + us * 1000 };
	return &records[count++];
}

static void switched(int us, struct trace_task prev, struct trace_task next, unsigned state)
{
	struct trace_record *added = record(us, TRACE_SWITCH);

	added->prev = prev;
	added->next = next;
	added->prev_state = state;
}

static void late(int us, int expiry_us)
{
	event = (struct event){ .stamp_ns = DUE_NS + us * 1000, .late_ns = us * 1000 };
	event.parts.stamp_ns = expiry_us < 0 ? 0 : event.stamp_ns;
	event.parts.ns[PART_EXPIRY] = expiry_us * 1000;
}

/* Forgets the records. */
static void is_reason(bool observed, const char *expected, const char *name)
{
	const struct lateness lateness = { &event, records, count, loop, observed };
	char text[REASON_SIZE];

	is_text(reason_of(&lateness, text), expected, name);
	count = 0;
}

/* The guard of real-time processes delays neither interrupts nor what goes before the meter. */
static void test_throttling(void)
{
	const struct lateness lateness = { &event, records, 3, loop, false };

	late(73590, 73160);
	switched(-400, loop, perl, 1);
	switched(73170, perl, hog, 1);
	switched(73580, hog, loop, 0);
	is(reason_not_throttled_ns(&lateness, 49, false), 73160000 + 410000,
	   "a late timer and a higher priority explain it");
	is(reason_not_throttled_ns(&lateness, 49, true), 0, "a late timer explains nothing if a thread serves it");
	event.parts.stamp_ns = 0;
	is(reason_not_throttled_ns(&lateness, 49, false), 0, "a wake-up without parts explains nothing");
	count = 0;
}

/* A thread is stamped when it is switched to, unless its timer interrupts its work. */
static void test_own_work(void)
{
	late(238, 8);
	switched(-900, loop, idle, 1);
	record(12, TRACE_WAKING)->next = loop;
	switched(20, idle, loop, 0);
	is_reason(true, "", "a stamp long after the switch proves no work of the thread");
	late(7990, 7980);
	switched(-900, loop, perl, 0);
	switched(20, perl, loop, 0);
	record(7980, TRACE_VECTOR_ENTRY);
	is_reason(true, "'loop' itself ran for 7.960 ms: its own work overran the period",
		  "the reason is the work of the thread that its timer interrupts");
}

int main(void)
{
	test_throttling();
	late(9000, 10);
	is_reason(true, "", "no reason is given without records");
	switched(-400, loop, idle, 1);
	switched(20, idle, hog, 0);
	switched(8990, hog, loop, 1);
	is_reason(true, "'hog' (rt 97) had the CPU for 8.970 ms",
		  "the reason is what had the CPU after the timer expired");
	late(900, -1);
	switched(-400, loop, hog, 1);
	switched(890, hog, loop, 1);
	is_reason(false, "'hog' (rt 97) had the CPU for 890.0 us",
		  "the reason is what had the CPU at any time if the parts are unknown");

	late(73590, 73160);
	switched(-400, loop, perl, 1);
	record(73150, TRACE_VECTOR_ENTRY);
	record(73155, TRACE_VECTOR_EXIT);
	switched(73580, perl, loop, 0);
	is_reason(false, "its timer came 73.160 ms late, while 'perl' (nice 0) ran",
		  "the reason is a late timer, and what had the CPU before it");
	late(300, 280);
	switched(-400, loop, idle, 1);
	switched(290, idle, loop, 0);
	is_reason(false, "its timer came 280.0 us late, while the CPU was idle",
		  "the reason is a late timer while the CPU was idle");
	switched(290, perl, loop, 0);
	is_reason(false, "its timer came 280.0 us late",
		  "the reason is a late timer if nobody is known to have had the CPU");

	late(7990, 7980);
	switched(-900, perl, loop, 1);
	is_reason(true, "'loop' itself ran for 7.980 ms: its own work overran the period",
		  "the reason is the work of the thread itself");
	test_own_work();
	late(7990, 7980);
	switched(-900, perl, loop, 1);
	is_reason(false, "", "the meter's own work takes no time");
	event.counting_ns = 7900000;
	switched(-900, perl, loop, 1);
	is_reason(false, "realfeel itself was still at work for 7.900 ms",
		  "the meter's own work takes time if it counts a stall");

	late(9000, 10);
	switched(-400, loop, twin, 1);
	switched(8990, twin, loop, 0);
	is_reason(true, "'loop' (rt 50) had the CPU for 8.990 ms",
		  "a thread of the same name and priority is another thread");

	late(4060, 4050);
	switched(-500, loop, logger, 1);
	switched(100, logger, hog, 0);
	switched(3900, hog, logger, 1);
	record(4000, TRACE_WAKING)->next = loop;
	switched(4001, logger, loop, 0);
	is_reason(true, "'loop' waited 4.000 ms to be woken by 'logger' (nice 0)",
		  "the reason is the holder of a lock, and no bystander");
	return done();
}
