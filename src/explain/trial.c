// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "explain/trial.h"
#include "measure/clock.h"

#define WAKEUPS 256
#define WARM_UP 16
#define PAUSE_NS 200000			/* before each wake-up */

/* Count on the CPU, from when the leader is enabled, as which -1 stands for itself. Returns a descriptor, or -1. */
static int open_counter(uint32_t type, uint64_t config, int cpu, int leader)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config, .disabled = leader < 0,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

static int open_tracepoint_counter(const char *tracepoint, int cpu, int leader)
{
	struct tracefs tracefs;
	int id = tracefs_open(&tracefs) < 0 ? -1 : tracefs_read_format(&tracefs, tracepoint, NULL, 0, NULL);

	tracefs_close(&tracefs);
	return id < 0 ? -1 : open_counter(PERF_TYPE_TRACEPOINT, id, cpu, leader);
}

static uint64_t read_counter(int counter)
{
	uint64_t count;

	return counter >= 0 && read(counter, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

static void close_counter(int counter)
{
	if (counter >= 0)
		close(counter);
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

/* What was drained of the ring, in which each switch has a record or two. */
struct drained {
	uint64_t switches, wakings;
	struct trace_record last;	/* switch */
};

static void count_record(void *context, const struct trace_record *record)
{
	struct drained *drained = context;

	drained->wakings += record->kind == TRACE_WAKING;
	if (record->kind != TRACE_SWITCH)
		return;
	drained->switches += !drained->switches || !trace_repeats(record, &drained->last);
	drained->last = *record;
}

/* Wakings of this process and the kernel's own records of switches, as far as there are such. */
static void open_ring(struct perf_ring *ring)
{
	struct tracefs tracefs;
	char filter[32];

	snprintf(filter, sizeof(filter), "pid == %d", getpid());
	if (tracefs_open(&tracefs) == 0)
		perf_ring_add(ring, &tracefs, "sched/sched_waking", filter, TRACE_TIME);
	tracefs_close(&tracefs);
	perf_ring_add_switches(ring, -1, false);
}

static void drain_wakeups(struct perf_ring *ring, struct drained *drained, unsigned wakeups)
{
	perf_ring_enable(ring, true);
	for (unsigned i = 0; i < wakeups; i++) {
		try_one();
		if (ring->memory)
			perf_ring_drain(ring, count_record, drained);
	}
	perf_ring_enable(ring, false);
}

static bool misses_some(uint64_t recorded, uint64_t all)
{
	return recorded + all / 100 < all;
}

/* The counters are one group, so they count from the same instant to the same. */
struct trial trial_of_records(int cpu, unsigned wakeups)
{
	int all = open_counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, cpu, -1);
	int traced = open_tracepoint_counter("sched/sched_switch", cpu, all);
	struct drained drained = { .switches = 0 };
	struct trace_layout layout = { .count = 0 };
	struct trial trial = { .wakeups = wakeups };
	struct perf_ring ring;

	perf_ring_init(&ring, &layout, cpu, PERF_RING_SIZE, PERF_RING_DRAINED);
	open_ring(&ring);
	ioctl(all, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	drain_wakeups(&ring, &drained, wakeups);
	ioctl(all, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	perf_ring_close(&ring);
	trial.switches = read_counter(all);
	trial.traced = read_counter(traced);
	trial.by_records = misses_some(trial.traced, trial.switches) && drained.switches > trial.traced;
	trial.recorded = trial.by_records ? drained.switches : trial.traced;
	trial.wakings = drained.wakings;
	close_counter(traced);
	close_counter(all);
	return trial;
}

bool trial_misses_some(const struct trial *trial)
{
	return misses_some(trial->recorded, trial->switches) || misses_some(trial->wakings, trial->wakeups);
}

/* The first wake-ups after that take longer, so they do not count. */
void trial_without_tap(int cpu, struct tap_state *state)
{
	state->trial = trial_of_records(cpu, WAKEUPS);
	try_some(WARM_UP);
	state->without_ns = try_some(WAKEUPS);
}

void trial_with_tap(const struct tap *tap, struct tap_state *state)
{
	tap_enable(tap, true);
	state->with_ns = try_some(WAKEUPS);
	tap_enable(tap, false);
}
