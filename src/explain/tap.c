// SPDX-License-Identifier: GPL-2.0-or-later
/* The rings of a meter, or of all CPUs: what each level of --explain records in them, and with which filters. */
#include <errno.h>
#include <unistd.h>

#include "explain/tap.h"

#define PARTS_RECORD 24			/* bytes of a record in the ring of the parts */
#define PARTS_RECORDS 5			/* of a wake-up with two switches (PREEMPT_RT); the ring holds 1 s */
#define PARTS_MAX (4 * 1024 * 1024)	/* bytes; at the highest rates the ring holds less than a second */
#define FEW_CPUS 16

/* What records are for. */
enum purpose {
	FOR_PARTS,			/* the wake-ups of one thread, and the timer behind them */
	FOR_BLAME,			/* all that may hold the CPU */
};

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

static struct trace_filter make_filter(enum filter kind, const struct tap_plan *plan)
{
	struct trace_filter filter = {
		.field = kind == OUR_WAKING ? "pid" : "next_pid", .others = kind == TO_OTHERS,
	};

	if (kind == OUR_TIMER && plan->handler)
		return (struct trace_filter){ .field = "function", .count = 1, .value = { plan->handler } };
	if (kind == EVERY || kind == OUR_TIMER || plan->thread_count > TRACE_FILTERED)
		return (struct trace_filter){ .count = 0 };
	if (!plan->threads)
		filter.value[filter.count++] = getpid();
	for (unsigned i = 0; i < plan->thread_count; i++)
		filter.value[filter.count++] = plan->threads[i].id;
	return filter;
}

/* Returns NULL, or the tracepoint that was refused, with errno. */
static const char *add_wanted(struct perf_ring *ring, enum purpose purpose, const struct tap_plan *plan)
{
	const struct wanted *end = all_wanted + sizeof(all_wanted) / sizeof(*all_wanted);
	bool by_program = plan->programs_on ? cpus_include(plan->programs_on, ring->cpu) : plan->by_programs;

	for (const struct wanted *wanted = all_wanted; wanted < end; wanted++) {
		const struct trace_filter filter = make_filter(wanted->filter, plan);
		bool repeated = wanted->filter == TO_OTHERS && plan->thread_count > TRACE_FILTERED;
		bool without_timer = wanted->filter == OUR_TIMER && plan->asked;

		if (wanted->purpose != purpose || plan->level < wanted->least || plan->level > wanted->most ||
		    repeated || without_timer)
			continue;
		if (perf_ring_record(ring, wanted->tracepoint, &filter, wanted->detail, by_program) < 0 &&
		    !(wanted->optional && errno == ENOENT))
			return wanted->tracepoint;
	}
	return NULL;
}

static const char *add_flight(struct perf_ring *ring, const void *plan)
{
	return add_wanted(ring, FOR_BLAME, plan);
}

/* The meter is an ordinary process, so on a busy machine, others may delay it for a fraction of a second. */
int flights_open(struct perf_rings *flights, const struct tap_plan *plan, struct refusal *refusal)
{
	size_t size = sysconf(_SC_NPROCESSORS_CONF) > FEW_CPUS ? PERF_RING_SIZE : 8 * PERF_RING_SIZE;

	return perf_rings_open(flights, -1, size, PERF_RING_BACKWARD, add_flight, plan, refusal);
}

const struct cpu_ring *flights_of(const struct perf_rings *flights, int cpu)
{
	bool known = cpu >= 0 && (unsigned)cpu < flights->count && flights->cpu[cpu].ring.events;

	return known ? &flights->cpu[cpu] : NULL;
}

void tap_keep(const void *listening, struct recordings *recordings, unsigned slot, const struct event *wakeup)
{
	const struct tap *tap = listening;
	const struct cpu_ring *flight = tap->flights ? flights_of(tap->flights, wakeup->cpu) : NULL;
	const struct perf_ring *ring = flight ? &flight->ring : &tap->flight;

	if (tap->level >= EXPLAIN_BLAME && recordings && ring->memory)
		perf_ring_keep(ring, recordings, slot, wakeup->stamp_ns - wakeup->late_ns, wakeup->stamp_ns);
}

int tap_open(struct tap *tap, const struct tap_plan *plan, struct refusal *refusal)
{
	size_t second = (size_t)plan->hz * PARTS_RECORDS * PARTS_RECORD;
	const char *refused;

	*tap = (struct tap){ .level = plan->level };
	perf_ring_init(&tap->parts, plan->layout, plan->cpu, lesser(PARTS_MAX, greater(PERF_RING_SIZE, second)),
		       PERF_RING_DRAINED);
	perf_ring_init(&tap->flight, plan->layout, plan->cpu, PERF_RING_SIZE, PERF_RING_BACKWARD);
	if (tracefs_open() < 0) {
		trace_refuse_tracefs(refusal, errno);
	} else if ((refused = add_wanted(&tap->parts, FOR_PARTS, plan)) ||
		   (refused = add_wanted(&tap->flight, FOR_BLAME, plan))) {
		trace_refuse_tracepoint(refusal, refused, errno);
	} else {
		perf_ring_enable(&tap->parts, true);
		perf_ring_enable(&tap->flight, true);
		return 0;
	}
	perf_ring_close(&tap->parts);
	perf_ring_close(&tap->flight);
	tap->level = EXPLAIN_OFF;
	return -1;
}

/* A meter does not inherit the mappings. */
int tap_open_observed(struct tap *tap, enum explain_level level, const struct perf_rings *flights)
{
	*tap = (struct tap){ .level = level, .flights = flights };
	for (unsigned i = 0; i < flights->count; i++)
		if (flights->cpu[i].ring.events && perf_ring_map(&flights->cpu[i].ring) < 0)
			return -1;
	return 0;
}

void tap_pause(const struct tap *tap)
{
	if (!tap->flights && tap->level >= EXPLAIN_BLAME)
		perf_ring_pause(&tap->flight);
	for (unsigned i = 0; tap->flights && i < tap->flights->count; i++)
		if (tap->flights->cpu[i].ring.events)
			perf_ring_pause(&tap->flights->cpu[i].ring);
}
