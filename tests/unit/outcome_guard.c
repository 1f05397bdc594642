// SPDX-License-Identifier: GPL-2.0-or-later
/* How much of a late wake-up the guard that throttles real-time processes cannot have made. */
#include <string.h>
#include <sys/utsname.h>

#include "report/outcome.c"
#include "tap.h"

#define DUE_NS UINT64_C(5000000000)
#define PRIO 49				/* of the meter */

static const struct trace_task meter = { 99, PRIO, "realfeel" }, hog = { 20, 2, "hog" }, twin = { 98, PRIO, "twin" };
static const struct trace_task dd = { 10, 120, "dd" }, idle = { 0, 120, "swapper/0" };

static struct trace_record recorded[16];
static unsigned recorded_count;
static bool is_rt;

/* In place of the C library's. */
int uname(struct utsname *kernel)
{
	*kernel = (struct utsname){ .version = "" };
	strcpy(kernel->version, is_rt ? "#1 SMP PREEMPT_RT" : "#1 SMP");
	return 0;
}

static struct trace_record *record(int us, enum trace_kind kind)
{
	recorded[recorded_count] = (struct trace_record){ .kind = kind, .at_ns = DUE_NS + us * 1000 };
	return &recorded[recorded_count++];
}

static void switched(int us, struct trace_task next)
{
	record(us, TRACE_SWITCH)->next = next;
}

/* Of a wake-up that is stamped 100 us after it was due. Forgets the records. */
static void is_occupied(int from_us, int expected_us, const char *name)
{
	is(occupied_ns(recorded, recorded_count, PRIO, DUE_NS + from_us * 1000, DUE_NS + 100000), expected_us * 1000, "%s", name);
	recorded_count = 0;
}

static void test_tasks(void)
{
	is_occupied(0, 0, "nothing is known without records");
	switched(-40, hog);
	switched(60, dd);
	switched(80, hog);
	switched(95, meter);
	switched(900, dd);
	is_occupied(0, 80, "a higher priority counts from due on, and the meter up to the stamp");
	switched(-40, twin);
	switched(60, idle);
	is_occupied(0, 60, "an equal priority counts, and the idle task does not");
	switched(-40, hog);
	switched(90, dd);
	is_occupied(70, 20, "a higher priority counts only after the timer expired");
	switched(30, hog);
	record(50, TRACE_LOST);
	record(60, TRACE_WAKING);
	switched(90, meter);
	is_occupied(0, 10, "no task is known from the record before a loss to the next switch");
}

static void test_interrupts(void)
{
	switched(-40, idle);
	record(10, TRACE_SOFTIRQ_ENTRY);
	record(20, TRACE_VECTOR_ENTRY);
	record(30, TRACE_VECTOR_EXIT);
	record(40, TRACE_SOFTIRQ_EXIT);
	record(50, TRACE_IRQ_ENTRY);
	record(55, TRACE_IRQ_EXIT);
	is_occupied(0, 35, "interrupts in each other count once");
	switched(-40, dd);
	record(10, TRACE_IRQ_EXIT);
	record(20, TRACE_SOFTIRQ_ENTRY);
	switched(30, dd);
	is_occupied(0, 10, "a switch ends an interrupt, and an end without a beginning is ignored");
	switched(-40, dd);
	record(90, TRACE_IRQ_ENTRY);
	is_occupied(0, 10, "an interrupt counts up to the stamp");
}

/* Without a recording: the parts alone. */
static void looks_at(bool in_thread, int64_t parts_ns, int64_t expected_ns, const char *name)
{
	const struct source_ops ops = { .name = "fake", .in_thread = in_thread };
	const struct source source = { .ops = &ops };
	const struct disturbances disturbances = { .guard_ns = 50000000 };
	const struct event event = {
		.stamp_ns = DUE_NS + 73590000, .late_ns = 73590000,
		.parts = { .stamp_ns = parts_ns ? DUE_NS + 73590000 : 0, .ns = { [PART_EXPIRY] = parts_ns } },
	};
	struct perf_rings flights = { .count = 0 };
	const struct run run = { .flights = &flights };
	struct tap_state state = { .level = EXPLAIN_PARTS };
	struct channel channel = { .began = { .policy = SCHED_FIFO, .priority = 50 }, .tap_state = &state };
	struct totals *totals = totals_create(32, false);
	struct report report = {
		.run = &run, .source = &source, .channel = &channel, .totals = totals, .disturbances = &disturbances,
	};

	events_add(&((struct sums *)totals_sums(totals))->events, &event);
	look_at_events(&report);
	is(report.evidence.late_ns, 73590000, "a wake-up as late as the guard makes it is looked at");
	is(report.evidence.explained_ns, expected_ns, "%s", name);
	totals_forget(totals);
}

int main(void)
{
	test_tasks();
	test_interrupts();
	looks_at(true, 73160000, 73160000, "a late timer explains a wake-up");
	looks_at(true, 0, 0, "a wake-up without parts is not explained");
	is_rt = true;
	looks_at(false, 73160000, 73160000, "a late timer explains a wake-up on PREEMPT_RT if an interrupt expires it");
	looks_at(true, 73160000, 0, "a late timer explains nothing if a thread expires it");
	return done();
}
