// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "explain/flights.h"

#define FEW_CPUS 16

/* The meter is an ordinary process, which others may keep waiting: on a busy machine for a part of a second. */
static size_t ring_size(unsigned cpus)
{
	return cpus > FEW_CPUS ? PERF_RING_SIZE : 8 * PERF_RING_SIZE;
}

static int open_all(struct flights *flights, struct tap_plan plan, const struct cpus *by_programs,
		    const struct tracefs *tracefs, struct refusal *refusal)
{
	unsigned all = sysconf(_SC_NPROCESSORS_CONF);

	flights->cpu = calloc(all, sizeof(*flights->cpu));
	if (!flights->cpu) {
		trace_refuse_tracepoint(refusal, "what has the CPUs", errno);
		return -1;
	}
	for (; flights->count < all; flights->count++) {
		struct flight *flight = &flights->cpu[flights->count];

		plan.by_programs = cpus_include(by_programs, flights->count);
		perf_ring_init(&flight->ring, &flight->layout, flights->count, ring_size(all), PERF_RING_BACKWARD);
		if (wanted_add(&flight->ring, FOR_BLAME, &plan, tracefs, refusal) < 0 && errno != ENODEV)
			return -1;
	}
	return 0;
}

static void close_all(struct flights *flights)
{
	for (unsigned i = 0; i < flights->count; i++)
		perf_ring_close(&flights->cpu[i].ring);
	free(flights->cpu);
	*flights = (struct flights){ .count = 0 };
}

int flights_open(struct flights *flights, const struct tap_plan *plan, const struct cpus *by_programs,
		 struct refusal *refusal)
{
	struct tracefs tracefs;
	int result = -1;

	if (tracefs_open(&tracefs) < 0)
		trace_refuse_tracefs(refusal, &tracefs, errno);
	else
		result = open_all(flights, *plan, by_programs, &tracefs, refusal);
	tracefs_close(&tracefs);
	if (result < 0)
		close_all(flights);
	for (unsigned i = 0; i < flights->count; i++)
		perf_ring_enable(&flights->cpu[i].ring, true);
	return result;
}

int flights_follow(const struct flights *flights)
{
	for (unsigned i = 0; i < flights->count; i++)
		if (flights->cpu[i].ring.events && perf_ring_follow(&flights->cpu[i].ring) < 0)
			return -1;
	return 0;
}

const struct flight *flights_of(const struct flights *flights, int cpu)
{
	bool known = cpu >= 0 && (unsigned)cpu < flights->count && flights->cpu[cpu].ring.events;

	return known ? &flights->cpu[cpu] : NULL;
}

void flights_pause(const struct flights *flights)
{
	for (unsigned i = 0; i < flights->count; i++)
		if (flights->cpu[i].ring.events)
			perf_ring_pause(&flights->cpu[i].ring);
}
