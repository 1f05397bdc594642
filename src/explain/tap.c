// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "explain/tap.h"
#include "measure/smis.h"

#define PARTS_RECORD 24			/* bytes, of which there are */
#define PARTS_RECORDS 5			/* for a wake-up, when it takes two on PREEMPT_RT; its ring is for a second */
#define PARTS_MAX (4 * 1024 * 1024)	/* at the highest rates for less */

/* Whose events, as the kernel's filters of them have it. */
enum filter {
	EVERY,
	OUR_TIMER,
	OUR_WAKING,
	TO_US,
	TO_OTHERS,
};

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

struct wanted {
	const char *tracepoint;
	enum filter filter;
	enum trace_detail detail;
	enum explain_level least, most;	/* for which it is */
	bool optional;			/* there are machines that have none */
};

static const struct wanted parts[] = {
	{ "timer/hrtimer_expire_entry", OUR_TIMER, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ "sched/sched_waking", OUR_WAKING, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ "sched/sched_switch", TO_US, TRACE_TIME, EXPLAIN_PARTS, EXPLAIN_STACKS, false },
	{ NULL, EVERY, TRACE_TIME, EXPLAIN_OFF, EXPLAIN_OFF, false },
};

#define BOTH(name) \
	{ name "_entry", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, true }, \
	{ name "_exit", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, true }

static const struct wanted flight[] = {
	{ "sched/sched_switch", EVERY, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_BLAME, false },
	{ "sched/sched_switch", TO_OTHERS, TRACE_FIELDS, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	{ "sched/sched_switch", TO_US, TRACE_STACK, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	{ "sched/sched_waking", OUR_WAKING, TRACE_FIELDS, EXPLAIN_BLAME, EXPLAIN_STACKS, false },
	{ "timer/hrtimer_expire_entry", OUR_TIMER, TRACE_STACK, EXPLAIN_STACKS, EXPLAIN_STACKS, false },
	BOTH("irq/irq_handler"),
	BOTH("irq/softirq"),
	BOTH("irq_vectors/local_timer"),
	BOTH("irq_vectors/reschedule"),
	BOTH("irq_vectors/call_function"),
	BOTH("irq_vectors/call_function_single"),
	BOTH("ipi/ipi"),
	{ NULL, EVERY, TRACE_TIME, EXPLAIN_OFF, EXPLAIN_OFF, false },
};

/* Returns 0, or -1 with the reason. */
static int add_all(struct perf_ring *ring, const struct wanted *wanted, const struct tap_plan *plan,
		   const struct tracefs *tracefs, struct refusal *refusal)
{
	char text[64];

	for (; wanted->tracepoint; wanted++) {
		const char *filter = filter_text(wanted->filter, plan->handler, text);

		if ((plan->asked && wanted->filter == OUR_TIMER) ||
		    plan->level < wanted->least || plan->level > wanted->most ||
		    perf_ring_add(ring, tracefs, wanted->tracepoint, filter, wanted->detail) == 0 ||
		    (wanted->optional && errno == ENOENT))
			continue;
		trace_refuse_tracepoint(refusal, wanted->tracepoint, errno);
		return -1;
	}
	return 0;
}

static size_t parts_size(unsigned hz)
{
	size_t second = (size_t)hz * PARTS_RECORDS * PARTS_RECORD;

	if (second > PARTS_MAX)
		return PARTS_MAX;
	return second < PERF_RING_SIZE ? PERF_RING_SIZE : second;
}

/* The meter's own flight ring is copied, newest first. */
static void keep(const struct listener *listener, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		 uint64_t stamp_ns)
{
	const struct tap *tap = (const void *)((const char *)listener - offsetof(struct tap, listener));

	if (tap->level >= EXPLAIN_BLAME && recordings)
		perf_ring_record(&tap->flight, recordings, slot, due_ns, stamp_ns);
}

int tap_open(struct tap *tap, const struct tap_plan *plan, struct wakelog *log,
	     struct refusal *refusal)
{
	struct tracefs tracefs;
	bool opened;

	*tap = (struct tap){ .listener = { log, smis_open(plan->cpu), keep }, .level = plan->level };
	perf_ring_init(&tap->parts, plan->layout, plan->cpu, parts_size(plan->hz), false);
	perf_ring_init(&tap->flight, plan->layout, plan->cpu, PERF_RING_SIZE, true);
	if (tracefs_open(&tracefs) < 0) {
		trace_refuse_tracefs(refusal, &tracefs, errno);
		tap_close(tap);
		return -1;
	}
	opened = add_all(&tap->parts, parts, plan, &tracefs, refusal) == 0 &&
		 add_all(&tap->flight, flight, plan, &tracefs, refusal) == 0;
	tracefs_close(&tracefs);
	if (opened)
		return 0;
	tap_close(tap);
	return -1;
}

void tap_close(struct tap *tap)
{
	perf_ring_close(&tap->parts);
	perf_ring_close(&tap->flight);
	if (tap->listener.smis >= 0)
		close(tap->listener.smis);
	tap->listener.log = NULL;
	tap->level = EXPLAIN_OFF;
}

void tap_enable(const struct tap *tap, bool on)
{
	perf_ring_enable(&tap->parts, on);
	perf_ring_enable(&tap->flight, on);
}
