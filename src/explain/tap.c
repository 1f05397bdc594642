// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "explain/tap.h"

#define PARTS_RECORD 24			/* bytes of a record in the ring of the parts */
#define PARTS_RECORDS 5			/* of a wake-up with two switches (PREEMPT_RT); the ring holds a second */
#define PARTS_MAX (4 * 1024 * 1024)	/* bytes; at the highest rates the ring holds less than a second */

enum filter {
	EVERY,
	OUR_TIMER,			/* where its handler is known */
	OUR_WAKING,
	TO_US,
	TO_OTHERS,
};

/* Returns the filter in the kernel's syntax; NULL: no filter. */
static const char *filter_text(enum filter filter, uint64_t handler, char text[64])
{
	static const char *const formats[] = {
		[OUR_WAKING] = "pid == %d", [TO_US] = "next_pid == %d", [TO_OTHERS] = "next_pid != %d",
	};

	if (filter == EVERY || (filter == OUR_TIMER && !handler))
		return NULL;
	if (filter == OUR_TIMER)
		snprintf(text, 64, "function == 0x%" PRIx64, handler);
	else
		snprintf(text, 64, formats[filter], getpid());
	return text;
}

#define BOTH(name) \
	{ true, name "_entry", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, true }, \
	{ true, name "_exit", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, true }

static const struct wanted {
	bool flight;			/* for the ring flight; false: for the ring parts */
	const char *tracepoint;
	enum filter filter;
	enum trace_detail detail;
	enum explain_level least, most;	/* recorded from this level to that */
	bool optional;			/* some kernels do not have it */
} all_wanted[] = {
	{ false, "timer/hrtimer_expire_entry", OUR_TIMER, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ false, "sched/sched_waking", OUR_WAKING, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ false, "sched/sched_switch", TO_US, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ true, "sched/sched_switch", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_BLAME, false },
	{ true, "sched/sched_switch", TO_OTHERS, TRACE_FIELDS, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	{ true, "sched/sched_switch", TO_US, TRACE_STACK, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	{ true, "sched/sched_waking", OUR_WAKING, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, false },
	{ true, "timer/hrtimer_expire_entry", OUR_TIMER, TRACE_STACK, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	BOTH("irq/irq_handler"),
	BOTH("irq/softirq"),
	BOTH("irq_vectors/local_timer"),
	BOTH("irq_vectors/reschedule"),
	BOTH("irq_vectors/call_function"),
	BOTH("irq_vectors/call_function_single"),
	BOTH("ipi/ipi"),
};

static bool is_wanted(const struct wanted *wanted, const struct tap_plan *plan)
{
	bool replaced = plan->by_records && !wanted->flight && wanted->filter == TO_US;

	return plan->level >= wanted->least && plan->level <= wanted->most && !replaced &&
	       !(plan->asked && wanted->filter == OUR_TIMER) && !(plan->rehearsal && wanted->optional);
}

/*
 * The parts need no more than the meter's own records. In the flight those of
 * all tasks fill the gaps of the tracepoint, which has names, priorities and
 * stacks. Returns 0, or -1 with the reason.
 */
static int add_switch_records(struct tap *tap, const struct tap_plan *plan, struct refusal *refusal)
{
	if (perf_ring_add_switches(&tap->parts, 0) == 0 &&
	    (plan->level < EXPLAIN_BLAME || perf_ring_add_switches(&tap->flight, -1) == 0))
		return 0;
	trace_refuse_tracepoint(refusal, "the switches of tasks", errno);
	return -1;
}

/* Returns 0, or -1 with the reason. */
static int add_all(struct tap *tap, const struct tap_plan *plan, const struct tracefs *tracefs,
		   struct refusal *refusal)
{
	const struct wanted *end = all_wanted + sizeof(all_wanted) / sizeof(*all_wanted);
	char text[64];

	for (const struct wanted *wanted = all_wanted; wanted < end; wanted++) {
		const char *filter = filter_text(wanted->filter, plan->handler, text);
		struct perf_ring *ring = wanted->flight ? &tap->flight : &tap->parts;

		if (!is_wanted(wanted, plan) ||
		    perf_ring_add(ring, tracefs, wanted->tracepoint, filter, wanted->detail) == 0 ||
		    (wanted->optional && errno == ENOENT))
			continue;
		trace_refuse_tracepoint(refusal, wanted->tracepoint, errno);
		return -1;
	}
	return plan->by_records ? add_switch_records(tap, plan, refusal) : 0;
}

static size_t parts_size(unsigned hz)
{
	size_t second = (size_t)hz * PARTS_RECORDS * PARTS_RECORD;

	if (second > PARTS_MAX)
		return PARTS_MAX;
	return second < PERF_RING_SIZE ? PERF_RING_SIZE : second;
}

/* The listener's keep(). */
static void keep(const struct listener *listener, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		 uint64_t stamp_ns)
{
	const struct tap *tap = (const void *)((const char *)listener - offsetof(struct tap, listener));

	if (tap->level >= EXPLAIN_BLAME && recordings)
		perf_ring_keep(&tap->flight, recordings, slot, due_ns, stamp_ns);
}

int tap_open(struct tap *tap, const struct tap_plan *plan, struct wakelog *log, struct refusal *refusal)
{
	struct tracefs tracefs;
	int result = -1;

	*tap = (struct tap){ .listener = { log, keep }, .level = plan->level };
	perf_ring_init(&tap->parts, plan->layout, plan->cpu, parts_size(plan->hz), PERF_RING_DRAINED);
	perf_ring_init(&tap->flight, plan->layout, plan->cpu, PERF_RING_SIZE, PERF_RING_BACKWARD);
	if (tracefs_open(&tracefs) < 0)
		trace_refuse_tracefs(refusal, &tracefs, errno);
	else
		result = add_all(tap, plan, &tracefs, refusal);
	tracefs_close(&tracefs);
	if (result < 0)
		tap_close(tap);
	return result;
}

void tap_close(struct tap *tap)
{
	perf_ring_close(&tap->parts);
	perf_ring_close(&tap->flight);
	tap->listener.log = NULL;
	tap->level = EXPLAIN_OFF;
}

void tap_enable(const struct tap *tap, bool on)
{
	perf_ring_enable(&tap->parts, on);
	perf_ring_enable(&tap->flight, on);
}
