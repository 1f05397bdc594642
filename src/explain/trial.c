// SPDX-License-Identifier: GPL-2.0-or-later
/* Wake-ups before the run, which show what the kernel records and what that costs. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "explain/tap.h"
#include "measure/clock.h"

#define WARM_UP 16			/* wake-ups after a pause take longer */
#define PAUSE_NS 200000			/* before each wake-up */

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

int64_t trial_lateness_ns(void)
{
	int64_t late[WARM_UP + TRIAL_WAKEUPS];

	for (unsigned i = 0; i < WARM_UP + TRIAL_WAKEUPS; i++)
		late[i] = try_one();
	qsort(late + WARM_UP, TRIAL_WAKEUPS, sizeof(*late), compare);
	return late[WARM_UP + TRIAL_WAKEUPS / 2];
}

/* A ring, and what was drained from it. Tracepoints fill the first ring; programs, if any, fill the second. */
struct recorder {
	struct perf_ring ring;
	struct trace_layout layout;
	uint64_t switches, wakings;
};

static void count_record(void *context, const struct trace_record *record)
{
	struct recorder *recorder = context;

	recorder->switches += record->kind == TRACE_SWITCH;
	recorder->wakings += record->kind == TRACE_WAKING;
}

/* Record wakings of this process and switches of all tasks. A tracepoint that is refused is left out. */
static void open_recorder(struct recorder *recorder, int cpu, bool by_program)
{
	const struct trace_filter all = { .count = 0 }, ours = { .field = "pid", .count = 1, .value = { getpid() } };

	perf_ring_init(&recorder->ring, &recorder->layout, cpu, PERF_RING_SIZE, PERF_RING_DRAINED);
	if (tracefs_open() < 0)
		return;
	perf_ring_record(&recorder->ring, "sched/sched_waking", &ours, TRACE_TIME, by_program);
	perf_ring_record(&recorder->ring, "sched/sched_switch", &all, TRACE_TIME, by_program);
}

static void drain(struct recorder recorders[2])
{
	for (int i = 0; i < 2; i++)
		if (recorders[i].ring.memory)
			perf_ring_drain(&recorders[i].ring, count_record, &recorders[i]);
}

/* The counter runs for less time than the recording. */
static struct trial record(int cpu, unsigned wakeups, struct recorder recorders[2], bool busy)
{
	const struct recorder *tracepoints = &recorders[0], *programs = &recorders[1], *used;
	struct trial trial = { .wakeups = wakeups };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.disabled = 1,
	};
	int counter = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	perf_ring_enable(&tracepoints->ring, true);
	perf_ring_enable(&programs->ring, true);
	ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
	for (unsigned i = 0; i < wakeups; i++) {
		try_one();
		drain(recorders);
	}
	ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
	if (read(counter, &trial.switches, sizeof(trial.switches)) != sizeof(trial.switches))
		trial.switches = 0;
	close(counter);
	drain(recorders);
	trial.by_programs = programs->switches && programs->switches + programs->wakings + busy >
			    tracepoints->switches + tracepoints->wakings;
	used = trial.by_programs ? programs : tracepoints;
	trial.traced = lesser(tracepoints->switches, trial.switches);
	trial.recorded = lesser(used->switches, trial.switches);
	trial.wakings = lesser(used->wakings, wakeups);
	return trial;
}

struct trial trial_of_records(int cpu, unsigned wakeups, bool busy)
{
	struct recorder recorders[2] = { { .switches = 0 } };
	struct trial trial;

	open_recorder(&recorders[0], cpu, false);
	trial = record(cpu, wakeups, recorders, busy);
	if (busy || trial_misses_some(&trial)) {
		recorders[0].switches = recorders[0].wakings = 0;
		open_recorder(&recorders[1], cpu, true);
		trial = record(cpu, wakeups, recorders, busy);
	}
	perf_ring_close(&recorders[1].ring);
	perf_ring_close(&recorders[0].ring);
	return trial;
}

bool trial_misses_some(const struct trial *trial)
{
	return trial->recorded + trial->switches / 100 < trial->switches ||
	       trial->wakings + trial->wakeups / 100 < trial->wakeups;
}
