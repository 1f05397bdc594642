/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel records for --explain, and what a meter keeps of it before each of the worst wake-ups. */
#ifndef EXPLAIN_TAP_H
#define EXPLAIN_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "measure/loop.h"
#include "trace/perf_ring.h"

/* What to record on a CPU. */
struct tap_plan {
	enum explain_level level;
	int cpu;
	unsigned hz;			/* 0: no rate */
	const struct thread *threads;	/* whose wake-ups are explained; NULL: those of the calling process */
	unsigned thread_count;
	bool asked;			/* another process wakes it, not its own timer */
	bool by_programs;		/* programs write what the tracepoints record: see struct trial */
	uint64_t handler;		/* the address of the function that its timer calls; 0: unknown */
	struct trace_layout *layout;	/* all 0 at first; in shared memory */
};

struct tap {
	enum explain_level level;	/* EXPLAIN_OFF: the tap is closed, the rest is not set */
	struct perf_ring parts;		/* DRAINED by the keeper: the meter's timer, wakings and switches */
	struct perf_ring flight;	/* BACKWARD, from EXPLAIN_BLAME on: all that may hold the CPU */
	const struct perf_rings *flights;	/* the same of all CPUs, if another program is observed; else NULL */
};

/*
 * What the kernel records of a process that wakes up some times on one CPU. If
 * that is not all, programs may record more: then they are used.
 */
struct trial {
	uint64_t switches;		/* between all tasks, as the kernel counts them */
	uint64_t traced;		/* of these, by the tracepoint itself */
	uint64_t recorded;		/* by what is used */
	bool by_programs;		/* programs are used: see trace_program_attach() */
	uint64_t wakeups, wakings;	/* of the process; and how many wakings of it are recorded */
};

/* How the tap of one meter was opened: written by the meter before it measures, in shared memory. */
struct tap_state {
	enum explain_level level;	/* granted */
	char refused[REFUSAL_CLAUSE];	/* why no level was; "": not refused */
	int cpu;			/* whose records are kept */
	int64_t with_ns, without_ns;	/* the median lateness of trials: while the tap records, before it is open */
	uint32_t parts_size;		/* bytes of the ring of the parts */
	struct trial trial;
	struct trace_layout layout;	/* of both rings */
};

/* Open the tap of the calling process, which runs on the plan's CPU. Returns 0; or -1 with the refusal. */
int tap_open(struct tap *tap, const struct tap_plan *plan, struct refusal *refusal);

/* For threads of another program, whose source reports the parts. Returns 0, or -1 with errno. */
int tap_open_observed(struct tap *tap, enum explain_level level, const struct perf_rings *flights);

void tap_close(struct tap *tap);

/* What a loop calls to keep the records of a wake-up. */
void tap_keep(const void *listening, struct recordings *recordings, unsigned slot, const struct event *wakeup);

/* Start or stop recording. */
void tap_enable(const struct tap *tap, bool on);

/* Record no more of what may hold the CPU. */
void tap_pause(const struct tap *tap);

/*
 * Open and start the flights that the plan wants, of which cpu, by_programs and layout
 * are not used; on these CPUs by programs. They are for threads of other programs, which
 * may run on any CPU. The keeper opens them once; the meters, and what the report prints,
 * read them. Returns 0, or -1 with the refusal.
 */
int flights_open(struct perf_rings *flights, const struct tap_plan *plan, const struct cpus *by_programs,
		 struct refusal *refusal);

/* The flight of a CPU; NULL: there is none. */
const struct cpu_ring *flights_of(const struct perf_rings *flights, int cpu);

/* Wake the calling process, which runs on cpu, that number of times, about 1/4 ms each. */
struct trial trial_of_records(int cpu, unsigned wakeups);

/* Are more than 1 in 100 of the switches or wakings not recorded? A few are lost now and then. */
bool trial_misses_some(const struct trial *trial);

/*
 * The median lateness of some hundred wake-ups of the calling process: before the tap is
 * opened, because an open tap costs time even while it does not record, and while it records.
 */
#define TRIAL_WAKEUPS 256
int64_t trial_lateness_ns(void);

#endif
