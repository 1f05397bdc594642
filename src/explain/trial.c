// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "explain/trial.h"
#include "measure/clock.h"

#define WAKEUPS 256
#define WARM_UP 16
#define PAUSE_NS 200000			/* before each wake-up */

/* Count on the CPU from now on. Returns a descriptor to read, or -1. */
static int open_counter(uint32_t type, uint64_t config, int cpu)
{
	struct perf_event_attr attr = { .type = type, .size = sizeof(attr), .config = config };

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int open_tracepoint_counter(const char *tracepoint, int cpu)
{
	struct tracefs tracefs;
	int id = tracefs_open(&tracefs) < 0 ? -1 : tracefs_read_format(&tracefs, tracepoint, NULL, 0, NULL);

	tracefs_close(&tracefs);
	return id < 0 ? -1 : open_counter(PERF_TYPE_TRACEPOINT, id, cpu);
}

static uint64_t read_counter(int counter)
{
	uint64_t count;

	return counter >= 0 && read(counter, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

/* Returns the lateness in ns. */
static int64_t try_one(void)
{
	uint64_t due_ns = monotonic_ns() + PAUSE_NS;
	const struct timespec due = timespec_from(due_ns);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	return monotonic_ns() - due_ns;
}

static int compare(const void *a, const void *b)
{
	int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

	return (first > second) - (first < second);
}

/* Returns the median lateness in ns. */
static int64_t try_some(unsigned wakeups)
{
	int64_t late[WAKEUPS] = { 0 };

	for (unsigned i = 0; i < wakeups; i++)
		late[i] = try_one();
	qsort(late, wakeups, sizeof(*late), compare);
	return late[wakeups / 2];
}

struct switches trial_count_switches(int cpu, unsigned wakeups)
{
	int all = open_counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, cpu);
	int recorded = open_tracepoint_counter("sched/sched_switch", cpu);
	struct switches before = { read_counter(all), read_counter(recorded) }, counted;

	for (unsigned i = 0; i < wakeups; i++)
		try_one();
	counted = (struct switches){ read_counter(all) - before.all, read_counter(recorded) - before.recorded };
	if (recorded >= 0)
		close(recorded);
	if (all >= 0)
		close(all);
	return counted;
}

bool switches_are_missing(const struct switches *switches)
{
	return switches->recorded < switches->all - switches->all / 20;
}

/* The first wake-ups take longer, so they do not count. */
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
