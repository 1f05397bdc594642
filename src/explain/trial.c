// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "explain/trial.h"
#include "measure/clock.h"

#define WAKEUPS 256
#define WARM_UP 16
#define PAUSE_NS 200000			/* before each of them */

/* Counts what is recorded. Returns a descriptor, or -1. */
static int open_recorded(int cpu)
{
	struct tracefs tracefs;
	int id, event = -1;

	if (tracefs_open(&tracefs) < 0)
		return -1;
	id = tracefs_id(&tracefs, "sched/sched_switch");
	if (id >= 0)
		event = tracepoint_open(id, cpu, TRACE_TIME, false, NULL);
	tracefs_close(&tracefs);
	if (event >= 0)
		ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	return event;
}

static uint64_t read_count(int event)
{
	uint64_t count;

	return event >= 0 && read(event, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

/* A pair of counters, which may not be there. */
struct counters {
	int all, recorded;
	struct switches before;
};

static struct switches read_both(const struct counters *counters)
{
	return (struct switches){ read_count(counters->all), read_count(counters->recorded) };
}

static void begin_counting(struct counters *counters, int cpu)
{
	counters->all = tracepoint_open_switches(cpu);
	counters->recorded = open_recorded(cpu);
	counters->before = read_both(counters);
}

static struct switches end_counting(const struct counters *counters)
{
	struct switches now = read_both(counters);

	if (counters->recorded >= 0)
		close(counters->recorded);
	if (counters->all >= 0)
		close(counters->all);
	return (struct switches){ now.all - counters->before.all, now.recorded - counters->before.recorded };
}

static int64_t try_one(void)
{
	uint64_t due_ns = monotonic_ns() + PAUSE_NS;
	struct timespec due = { .tv_sec = due_ns / 1000000000, .tv_nsec = due_ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	return monotonic_ns() - due_ns;
}

static int compare(const void *a, const void *b)
{
	int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

	return (first > second) - (first < second);
}

static int64_t median(int64_t *late, unsigned count)
{
	qsort(late, count, sizeof(*late), compare);
	return late[count / 2];
}

static int64_t try_some(unsigned wakeups)
{
	int64_t late[WAKEUPS];

	for (unsigned i = 0; i < wakeups; i++)
		late[i] = try_one();
	return median(late, wakeups);
}

struct switches trial_count_switches(int cpu, unsigned wakeups)
{
	struct counters counters;

	begin_counting(&counters, cpu);
	for (unsigned i = 0; i < wakeups; i++)
		try_one();
	return end_counting(&counters);
}

bool switches_are_missing(const struct switches *switches)
{
	return switches->recorded < switches->all - switches->all / 20;
}

/* The first ones take longer. */
void trial_without_tap(struct tap_state *state)
{
	try_some(WARM_UP);
	state->without_ns = try_some(WAKEUPS);
}

void trial_with_tap(const struct tap *tap, int cpu, struct tap_state *state)
{
	tap_enable(tap, true);
	state->with_ns = try_some(WAKEUPS);
	tap_enable(tap, false);
	state->switches = trial_count_switches(cpu, WAKEUPS);
}
