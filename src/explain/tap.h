/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meter's side of --explain: the kernel records what happens on the meter's
 * CPU, and the meter keeps the records that precede each of the worst wake-ups.
 */
#ifndef EXPLAIN_TAP_H
#define EXPLAIN_TAP_H

#include <stdint.h>

#include "explain/flights.h"
#include "measure/loop.h"

struct tap {
	struct listener listener;	/* for the loop; its log is NULL while the tap is closed */
	enum explain_level level;	/* EXPLAIN_OFF: the tap is closed, the rest is not set */
	struct perf_ring parts;		/* DRAINED by the keeper: the meter's timer, wakings and switches */
	struct perf_ring flight;	/* BACKWARD, from EXPLAIN_BLAME on: all that may hold the CPU */
	const struct flights *flights;	/* the same of all CPUs, if another program is observed; else NULL */
};

/*
 * What the kernel records of a process that wakes up some times on one CPU. If
 * that is not all, programs may record more: then they are used.
 */
struct trial {
	uint64_t switches;		/* between all tasks, as the kernel counts them */
	uint64_t traced;		/* of these, by the tracepoint itself */
	uint64_t recorded;		/* by what is used */
	bool by_programs;		/* programs are used: see trace/program.h */
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

/*
 * Open the tap of the calling process, which runs on the plan's CPU. tap_enable()
 * starts it. Returns 0; or -1 with the refusal, and nothing is open.
 */
int tap_open(struct tap *tap, const struct tap_plan *plan, struct wakelog *log, struct refusal *refusal);

/*
 * That of a meter that observes a thread of another program: its source tells the
 * parts, and the keeper has opened the rest. Returns 0, or -1 with errno.
 */
int tap_open_observed(struct tap *tap, enum explain_level level, const struct flights *flights, struct wakelog *log);

void tap_close(struct tap *tap);

/* Start or stop recording. */
void tap_enable(const struct tap *tap, bool on);

/* Record no more of what may hold the CPU. */
void tap_pause(const struct tap *tap);

#endif
