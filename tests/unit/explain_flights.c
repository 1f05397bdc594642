// SPDX-License-Identifier: GPL-2.0-or-later
/* What has each CPU is recorded on those that are online. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/tap.h"
#include "tap.h"

#define ALL 3				/* CPUs */

static int error_of[ALL];		/* with which a CPU refuses to be recorded; 0: it does not */

long sysconf(int name)
{
	return name == _SC_NPROCESSORS_CONF ? ALL : name == _SC_PAGESIZE ? 4096 : 65536;
}

int tracefs_open(void)
{
	return 0;
}

void trace_refuse_tracefs(struct refusal *refusal, int error)
{
	refusal_begin(refusal, error, "tracefs");
}

/* Why a CPU refuses is looked for in files: errno is not what it was. */
void trace_refuse_tracepoint(struct refusal *refusal, const char *tracepoint, int error)
{
	refusal_begin(refusal, error, "%s", tracepoint);
	errno = error == ENODEV ? EACCES : ENODEV;
}

void perf_ring_init(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size,
		    enum perf_ring_kind kind)
{
	*ring = (struct perf_ring){ .kind = kind, .cpu = cpu, .size = size, .layout = layout };
}

int perf_ring_record(struct perf_ring *ring, const char *tracepoint, const struct trace_filter *filter,
		     enum trace_detail detail, bool by_program)
{
	(void)tracepoint;
	(void)filter;
	(void)detail;
	(void)by_program;
	errno = error_of[ring->cpu];
	if (errno)
		return -1;
	ring->events++;
	return 0;
}

void perf_ring_enable(const struct perf_ring *ring, bool enable)
{
	(void)ring;
	(void)enable;
}

int perf_ring_map(struct perf_ring *ring)
{
	(void)ring;
	return 0;
}

void perf_ring_pause(const struct perf_ring *ring)
{
	(void)ring;
}

void perf_ring_close(struct perf_ring *ring)
{
	ring->events = 0;
}

static int open_with(int first, int second, int third, struct perf_rings *flights, struct refusal *refusal)
{
	const struct cpus none = { .count = 0 };
	const struct tap_plan plan = { .level = EXPLAIN_BLAME, .asked = true, .programs_on = &none };

	error_of[0] = first;
	error_of[1] = second;
	error_of[2] = third;
	*flights = (struct perf_rings){ .count = 0 };
	return flights_open(flights, &plan, refusal);
}

int main(void)
{
	struct perf_rings flights;
	struct refusal refusal;

	is(open_with(0, ENODEV, 0, &flights, &refusal), 0, "a CPU that is offline is left out");
	ok(flights_of(&flights, 0) && flights_of(&flights, 2), "the CPUs that are online are recorded");
	ok(!flights_of(&flights, 1), "the CPU that is offline is not recorded");
	free(flights.cpu);
	is(open_with(0, 0, EACCES, &flights, &refusal), -1, "a CPU that refuses fails the whole");
	ok(strstr(refusal.what, "sched/sched_switch"), "the refusal names its tracepoint");
	return done();
}
