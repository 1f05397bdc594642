// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "explain_trial.h"

#define TURNS 16			/* of each */
#define TURN 16				/* wake-ups */
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

static void take_turn(int64_t *late)
{
	for (unsigned i = 0; i < TURN; i++)
		late[i] = try_one();
}

/* In turns, lest what the machine does meanwhile is taken for the cost. */
static void take_turns(const struct explain *explain, struct explained *explained)
{
	int64_t with[TURNS * TURN], without[TURNS * TURN];

	for (unsigned at = 0; at < TURNS * TURN; at += TURN) {
		take_turn(&without[at]);
		explain_record(explain, true);
		take_turn(&with[at]);
		explain_record(explain, false);
	}
	explained->without_ns = median(without, TURNS * TURN);
	explained->with_ns = median(with, TURNS * TURN);
}

void explain_try(const struct explain *explain, int cpu, struct explained *explained)
{
	int all = tracepoint_open_switches(cpu), recorded = open_recorded(cpu);
	uint64_t all_before = read_count(all), recorded_before = read_count(recorded);

	take_turns(explain, explained);
	explained->recorded = read_count(recorded) - recorded_before;
	explained->switches = read_count(all) - all_before;
	if (recorded >= 0)
		close(recorded);
	if (all >= 0)
		close(all);
}
