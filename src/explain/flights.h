/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For --explain of other programs' threads: what the kernel records on all CPUs,
 * since nobody knows beforehand where they will run. The keeper opens it once; the
 * meters, and what the report prints, read it.
 */
#ifndef EXPLAIN_FLIGHTS_H
#define EXPLAIN_FLIGHTS_H

#include "explain/wanted.h"

struct flight {
	struct perf_ring ring;		/* BACKWARD; without events on a CPU that was offline */
	struct trace_layout layout;
};

struct flights {
	unsigned count;			/* of CPUs; 0: not open */
	struct flight *cpu;
};

/*
 * Open and start those that the plan wants, of which cpu, by_programs and layout
 * are not used; on these CPUs by programs. Returns 0, or -1 with the refusal.
 */
int flights_open(struct flights *flights, const struct tap_plan *plan, const struct cpus *by_programs,
		 struct refusal *refusal);

/* In a meter, which does not inherit the mappings. Returns 0, or -1 with errno. */
int flights_follow(const struct flights *flights);

/* That of a CPU; NULL: there is none. */
const struct flight *flights_of(const struct flights *flights, int cpu);

/* The kernel records no more. */
void flights_pause(const struct flights *flights);

#endif
