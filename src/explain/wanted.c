// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <unistd.h>

#include "explain/wanted.h"

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
	return plan->thread_count <= TRACE_FILTERED;
}

static bool is_wanted(const struct wanted *wanted, enum purpose purpose, const struct tap_plan *plan)
{
	bool repeated = wanted->filter == TO_OTHERS && !filters_threads(plan);

	return wanted->purpose == purpose && plan->level >= wanted->least && plan->level <= wanted->most &&
	       !repeated && !(plan->asked && wanted->filter == OUR_TIMER) &&
	       !(plan->rehearsal && wanted->optional);
}

static struct trace_filter threads_filter(enum filter kind, const struct tap_plan *plan)
{
	struct trace_filter filter = {
		.field = kind == OUR_WAKING ? "pid" : "next_pid", .others = kind == TO_OTHERS,
	};

	if (!filters_threads(plan))
		return filter;
	if (!plan->threads)
		filter.value[filter.count++] = getpid();
	for (unsigned i = 0; i < plan->thread_count; i++)
		filter.value[filter.count++] = plan->threads[i].id;
	return filter;
}

static struct trace_filter make_filter(enum filter kind, const struct tap_plan *plan)
{
	if (kind == EVERY || (kind == OUR_TIMER && !plan->handler))
		return (struct trace_filter){ .count = 0 };
	if (kind == OUR_TIMER)
		return (struct trace_filter){ .field = "function", .count = 1, .value = { plan->handler } };
	return threads_filter(kind, plan);
}

static int add(struct perf_ring *ring, const struct wanted *wanted, const struct tap_plan *plan,
	       const struct tracefs *tracefs)
{
	const struct trace_filter filter = make_filter(wanted->filter, plan);

	return perf_ring_record(ring, tracefs, wanted->tracepoint, &filter, wanted->detail, plan->by_programs);
}

int wanted_add(struct perf_ring *ring, enum purpose purpose, const struct tap_plan *plan,
	       const struct tracefs *tracefs, struct refusal *refusal)
{
	const struct wanted *end = all_wanted + sizeof(all_wanted) / sizeof(*all_wanted);
	int error;

	for (const struct wanted *wanted = all_wanted; wanted < end; wanted++) {
		if (!is_wanted(wanted, purpose, plan) || add(ring, wanted, plan, tracefs) == 0 ||
		    (wanted->optional && errno == ENOENT))
			continue;
		error = errno;
		trace_refuse_tracepoint(refusal, wanted->tracepoint, error);
		errno = error;
		return -1;
	}
	return 0;
}
