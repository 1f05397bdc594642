// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "explain/wanted.h"

#define FILTERED 16			/* of more threads than that, the records of all threads are wanted */
#define FILTER_SIZE (FILTERED * 32)

enum filter {
	EVERY,
	OUR_TIMER,			/* where its handler is known */
	OUR_WAKING,
	TO_US,
	TO_OTHERS,
};

#define BOTH(name) \
	{ FOR_BLAME, name "_entry", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, true }, \
	{ FOR_BLAME, name "_exit", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, true }

static const struct wanted {
	enum purpose purpose;
	const char *tracepoint;
	enum filter filter;
	enum trace_detail detail;
	enum explain_level least, most;	/* recorded from this level to that */
	bool optional;			/* some kernels do not have it */
} all_wanted[] = {
	{ FOR_PARTS, "timer/hrtimer_expire_entry", OUR_TIMER, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ FOR_PARTS, "sched/sched_waking", OUR_WAKING, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ FOR_PARTS, "sched/sched_switch", TO_US, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ FOR_BLAME, "sched/sched_switch", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_BLAME, false },
	{ FOR_BLAME, "sched/sched_switch", TO_OTHERS, TRACE_FIELDS, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	{ FOR_BLAME, "sched/sched_switch", TO_US, TRACE_STACK, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	{ FOR_BLAME, "sched/sched_waking", OUR_WAKING, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, false },
	{ FOR_BLAME, "timer/hrtimer_expire_entry", OUR_TIMER, TRACE_STACK, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	BOTH("irq/irq_handler"),
	BOTH("irq/softirq"),
	BOTH("irq_vectors/local_timer"),
	BOTH("irq_vectors/reschedule"),
	BOTH("irq_vectors/call_function"),
	BOTH("irq_vectors/call_function_single"),
	BOTH("ipi/ipi"),
};

static bool filters_threads(const struct tap_plan *plan)
{
	return plan->thread_count <= FILTERED;
}

static bool is_wanted(const struct wanted *wanted, enum purpose purpose, const struct tap_plan *plan)
{
	bool replaced = plan->by_records && purpose == FOR_PARTS && wanted->filter == TO_US;
	bool repeated = wanted->filter == TO_OTHERS && !filters_threads(plan);

	return wanted->purpose == purpose && plan->level >= wanted->least && plan->level <= wanted->most &&
	       !replaced && !repeated && !(plan->asked && wanted->filter == OUR_TIMER) &&
	       !(plan->rehearsal && wanted->optional);
}

/* "pid == 12 || pid == 13"; of TO_OTHERS "next_pid != 12 && next_pid != 13". */
static const char *threads_filter(enum filter filter, const struct tap_plan *plan, char text[FILTER_SIZE])
{
	const char *field = filter == OUR_WAKING ? "pid" : "next_pid", *compare = filter == TO_OTHERS ? "!=" : "==";
	int length = 0;

	if (!filters_threads(plan))
		return NULL;
	if (!plan->threads)
		length = snprintf(text, FILTER_SIZE, "%s %s %d", field, compare, getpid());
	for (unsigned i = 0; i < plan->thread_count; i++)
		length += snprintf(text + length, FILTER_SIZE - length, "%s%s %s %d",
				   i == 0 ? "" : filter == TO_OTHERS ? " && " : " || ", field, compare,
				   plan->threads[i].id);
	return text;
}

/* Returns the filter in the kernel's syntax; NULL: no filter. */
static const char *filter_text(enum filter filter, const struct tap_plan *plan, char text[FILTER_SIZE])
{
	if (filter == EVERY || (filter == OUR_TIMER && !plan->handler))
		return NULL;
	if (filter != OUR_TIMER)
		return threads_filter(filter, plan, text);
	snprintf(text, FILTER_SIZE, "function == 0x%" PRIx64, plan->handler);
	return text;
}

/*
 * The parts need no more than the records of the calling process. For the blame
 * those of all tasks fill the gaps of the tracepoint, which has names, priorities
 * and stacks.
 */
static int add_switches(struct perf_ring *ring, enum purpose purpose, struct refusal *refusal)
{
	if (perf_ring_add_switches(ring, purpose == FOR_PARTS ? 0 : -1, false) == 0)
		return 0;
	trace_refuse_tracepoint(refusal, "the switches of tasks", errno);
	return -1;
}

int wanted_add(struct perf_ring *ring, enum purpose purpose, const struct tap_plan *plan,
	       const struct tracefs *tracefs, struct refusal *refusal)
{
	const struct wanted *end = all_wanted + sizeof(all_wanted) / sizeof(*all_wanted);
	char text[FILTER_SIZE];

	for (const struct wanted *wanted = all_wanted; wanted < end; wanted++) {
		if (!is_wanted(wanted, purpose, plan) ||
		    perf_ring_add(ring, tracefs, wanted->tracepoint, filter_text(wanted->filter, plan, text),
				  wanted->detail) == 0 ||
		    (wanted->optional && errno == ENOENT))
			continue;
		trace_refuse_tracepoint(refusal, wanted->tracepoint, errno);
		return -1;
	}
	if (!plan->by_records || (purpose == FOR_BLAME && plan->level < EXPLAIN_BLAME))
		return 0;
	return add_switches(ring, purpose, refusal);
}
