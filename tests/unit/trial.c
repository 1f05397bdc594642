// SPDX-License-Identifier: GPL-2.0-or-later
/* Perf or programs (BPF) record the wake-ups of a CPU, whichever recorded more in a trial. */
#include "tap.h"

/* In place of the kernel's records. */
#define tracefs_open fake_tracefs
#define perf_ring_init fake_init
#define perf_ring_record fake_record
#define perf_ring_enable fake_enable
#define perf_ring_drain fake_drain
#define perf_ring_close fake_close
#define syscall fake_syscall
#include "explain/trial.c"

#define WAKEUPS 10

static unsigned of_perf, of_programs;	/* wakings and switches that each records */

int fake_tracefs(void)
{
	return 0;
}

void fake_init(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size, enum perf_ring_kind kind)
{
	*ring = (struct perf_ring){ .layout = layout, .cpu = cpu, .size = size, .kind = kind, .memory = ring };
}

int fake_record(struct perf_ring *ring, const char *tracepoint, const struct trace_filter *filter,
		enum trace_detail detail, bool by_program)
{
	(void)tracepoint, (void)filter, (void)detail;
	ring->programs = by_program ? of_programs : of_perf;
	return 0;
}

void fake_enable(const struct perf_ring *ring, bool enable)
{
	((struct perf_ring *)ring)->events = enable ? ring->programs : 0;
}

/* The kernel counts no switches, so none is missed. */
long fake_syscall(long number, ...)
{
	(void)number;
	return -1;
}

/* Hands over all records at once. */
void fake_drain(struct perf_ring *ring, void (*take)(void *context, const struct trace_record *record), void *context)
{
	for (; ring->events; ring->events--) {
		take(context, &(struct trace_record){ .kind = TRACE_WAKING });
		take(context, &(struct trace_record){ .kind = TRACE_SWITCH });
	}
}

void fake_close(struct perf_ring *ring)
{
	(void)ring;
}

static void chooses(unsigned perf, unsigned programs, bool busy, bool expected, const char *name)
{
	struct trial trial;

	of_perf = perf;
	of_programs = programs;
	trial = trial_of_records(0, WAKEUPS, busy);
	is(trial.by_programs, expected, "%s", name);
	is(trial.wakings, expected ? programs : perf, "%s: what is recorded", name);
}

int main(void)
{
	chooses(WAKEUPS, WAKEUPS, false, false, "perf is used if it records all");
	chooses(WAKEUPS / 2, WAKEUPS, false, true, "programs are used if they record more");
	chooses(WAKEUPS, WAKEUPS, true, true, "on a CPU that may be busy, programs are used if they record as much as perf");
	chooses(WAKEUPS, WAKEUPS - 1, true, false, "programs that record less than perf are not used");
	chooses(WAKEUPS, 0, true, false, "programs that cannot be loaded are not used");
	chooses(0, 0, true, false, "perf is used if neither records anything");
	return done();
}
