/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel records for --explain, what a meter keeps from before each of the worst wake-ups, and what the keeper
 * makes of it. From these, the analyzer explains why a wake-up was late.
 */
#ifndef EXPLAIN_TAP_H
#define EXPLAIN_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "measure/loop.h"
#include "measure/lossy_ring.h"
#include "measure/totals.h"
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
	const struct cpus *programs_on;	/* for flights_open() instead: CPUs where programs do so */
	uint64_t handler;		/* the address of the function that its timer calls; 0: unknown */
	struct trace_layout *layout;	/* all 0 at first; in shared memory */
};

struct tap {
	enum explain_level level;	/* EXPLAIN_OFF: the tap is closed, the rest is not set */
	struct perf_ring parts;		/* DRAINED by the keeper: the meter's timer, wakings and switches */
	struct perf_ring flight;	/* BACKWARD, from EXPLAIN_BLAME on: all that may hold the CPU */
	const struct perf_rings *flights;	/* one for each CPU, if another program is observed; else NULL */
};

/* What the kernel records of a process that wakes up on one CPU. See trial_of_records() for programs. */
struct trial {
	uint64_t switches;		/* between all tasks, as the kernel counts them */
	uint64_t traced;		/* of these, by the tracepoint itself */
	uint64_t recorded;		/* by what is in use */
	bool by_programs;		/* programs are used: see trace_program_attach() */
	uint64_t wakeups, wakings;	/* of the process; and how many wakings of it are recorded */
};

/* How the tap of one meter was opened: written by the meter before it measures, in shared memory. */
struct tap_state {
	enum explain_level level;	/* granted */
	char refused[REFUSAL_CLAUSE];	/* why none was granted, or "" */
	int cpu;			/* whose records are kept */
	int64_t with_ns, without_ns;	/* the median lateness of trials: while the tap records, and before it opens */
	uint32_t parts_size;		/* bytes of the ring of the parts */
	struct trial trial;
	struct trace_layout layout;	/* of both rings */
};

/* Open the tap of the calling process, which runs on the plan's CPU, and record. Returns 0; or -1 with the refusal. */
int tap_open(struct tap *tap, const struct tap_plan *plan, struct refusal *refusal);

/* For threads of another program, whose source reports the parts. Returns 0, or -1 with errno. */
int tap_open_observed(struct tap *tap, enum explain_level level, const struct perf_rings *flights);

/* Stop recording what may hold the CPU. */
void tap_pause(const struct tap *tap);

/* What a loop calls to keep the records of a wake-up. */
void tap_keep(const void *listening, struct recordings *recordings, unsigned slot, const struct event *wakeup);

/*
 * For threads of other programs, which may run on any CPU: open and start the flights that the plan wants, whatever its
 * cpu and layout. The keeper opens them once; the meters and the report read them. Returns 0, or -1 with the refusal.
 */
int flights_open(struct perf_rings *flights, const struct tap_plan *plan, struct refusal *refusal);

/* The flight of a CPU; NULL: there is none. */
const struct cpu_ring *flights_of(const struct perf_rings *flights, int cpu);

/*
 * Wake the calling process, which runs on cpu, that many times, about 1/4 ms each. busy: the CPU may never be idle in
 * the trial, which hides what perf misses then, so programs are used unless they record less.
 */
struct trial trial_of_records(int cpu, unsigned wakeups, bool busy);

/* Are more than 1 in 100 of the switches or wakings not recorded? A few are lost now and then. */
bool trial_misses_some(const struct trial *trial);

#define TRIAL_WAKEUPS 256

/* The median lateness of that many wake-ups. An open tap costs time even while it does not record. */
int64_t trial_lateness_ns(void);

/* The records since the last wake-up. An instant is 0 if there was none. */
struct parts_search {
	bool asked;			/* no timer expires: the wake-up is due when requested */
	uint64_t expiry_ns;		/* the last expiry before the waking */
	uint64_t waking_ns;		/* the first waking */
	uint64_t before_ns;		/* the last switch to the meter before the waking */
	uint64_t first_ns, last_ns;	/* the first and the last switch to the meter after it */
	bool woken;			/* no switch to the meter has followed the last waking yet */
	bool incomplete;		/* records or wake-ups are missing */
	bool losing;			/* the last record was a loss, so the next wake-up may miss records, too */
};

/* All 0: closed, and nothing is read. */
struct tap_reader {
	bool reported;			/* the source reports the parts in the log, and there is no ring */
	struct perf_ring ring;
	const struct wakelog *log;
	struct parts *parts;		/* of wake-ups that are not in the totals yet, by stamp */
	unsigned count, room;		/* of parts; when it is full, the parts stay unknown */
	uint64_t lost;			/* records that the kernel could not write into the ring */

	struct lossy_reader logged;
	bool has_oldest;		/* the last entry read from the log is not matched yet: */
	struct wakelog_entry oldest;
	struct parts_search search;
};

/* The time between two readings in ns; ring and log have room for twice that. hz 0: no rate. */
uint64_t tap_reader_interval_ns(unsigned hz);

/*
 * Open a reader of the ring with this descriptor as event[0], and own it; -1: there is no ring, and the source reports
 * the parts. asked is as in struct tap_plan. Returns 0, or -1 with errno and event closed.
 */
int tap_reader_open(struct tap_reader *reader, int event, struct trace_layout *layout, size_t size,
		    const struct wakelog *log, unsigned hz, bool asked);

/* Match the wake-ups with all records so far, and add the parts of wake-ups already in the totals. */
void tap_reader_read(struct tap_reader *reader);
void tap_reader_add(struct tap_reader *reader, struct totals *totals);
void tap_reader_close(struct tap_reader *reader);

#endif
