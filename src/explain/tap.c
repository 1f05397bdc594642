// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "explain/tap.h"

#define PARTS_RECORD 24			/* bytes of a record in the ring of the parts */
#define PARTS_RECORDS 5			/* of a wake-up with two switches (PREEMPT_RT); the ring holds a second */
#define PARTS_MAX (4 * 1024 * 1024)	/* bytes; at the highest rates the ring holds less than a second */

static size_t parts_size(unsigned hz)
{
	size_t second = (size_t)hz * PARTS_RECORDS * PARTS_RECORD;

	if (second > PARTS_MAX)
		return PARTS_MAX;
	return second < PERF_RING_SIZE ? PERF_RING_SIZE : second;
}

/* The listener's keep(). */
static void keep(const void *listening, struct recordings *recordings, unsigned slot, const struct event *wakeup)
{
	const struct tap *tap = listening;
	const struct flight *flight = tap->flights ? flights_of(tap->flights, wakeup->cpu) : NULL;
	const struct perf_ring *ring = flight ? &flight->ring : &tap->flight;

	if (tap->level >= EXPLAIN_BLAME && recordings && ring->memory)
		perf_ring_keep(ring, recordings, slot, wakeup->stamp_ns - wakeup->late_ns, wakeup->stamp_ns);
}

int tap_open(struct tap *tap, const struct tap_plan *plan, struct wakelog *log, struct refusal *refusal)
{
	struct tracefs tracefs;
	int result = -1;

	*tap = (struct tap){ .listener = { log, keep, tap }, .level = plan->level };
	perf_ring_init(&tap->parts, plan->layout, plan->cpu, parts_size(plan->hz), PERF_RING_DRAINED);
	perf_ring_init(&tap->flight, plan->layout, plan->cpu, PERF_RING_SIZE, PERF_RING_BACKWARD);
	if (tracefs_open(&tracefs) < 0)
		trace_refuse_tracefs(refusal, &tracefs, errno);
	else
		result = wanted_add(&tap->parts, FOR_PARTS, plan, &tracefs, refusal) < 0 ||
			 wanted_add(&tap->flight, FOR_BLAME, plan, &tracefs, refusal) < 0 ? -1 : 0;
	tracefs_close(&tracefs);
	if (result < 0)
		tap_close(tap);
	return result;
}

int tap_open_observed(struct tap *tap, enum explain_level level, const struct flights *flights, struct wakelog *log)
{
	*tap = (struct tap){ .listener = { log, keep, tap }, .level = level, .flights = flights };
	return flights_follow(flights);
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

void tap_pause(const struct tap *tap)
{
	if (tap->flights)
		flights_pause(tap->flights);
	else if (tap->level >= EXPLAIN_BLAME)
		perf_ring_pause(&tap->flight);
}
