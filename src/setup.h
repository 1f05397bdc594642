/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make this process real-time; say what was granted; undo it. */
#ifndef SETUP_H
#define SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpus.h"
#include "options.h"

struct setup {
	const char *policy;		/* fifo, rr, other */
	int priority;			/* 1 to 99; 0 for other */
	int cpu;			/* -1: any */
	bool hold_dma_latency;
	uint64_t dma_latency_ns;
	bool best_effort;		/* go on with less */
};

/* What the user wants a meter to have, on this CPU (-1: any). */
struct setup setup_wanted(const struct options *options, int cpu);

/*
 * Lock the memory, hold the idle states off, bind to the CPU, take the policy:
 * each of them, whatever becomes of the others. Writes what the kernel granted,
 * read back from it, into granted as lines "key: value" of realfeel(5), and
 * what was asked and refused into refused as one clause, "" when nothing was.
 * Returns 0; or -1, an ordinary process again, after a warning for each thing
 * that was refused when best_effort is off.
 */
int setup_realtime(const struct setup *setup, char *granted, size_t granted_size,
		   char *refused, size_t refused_size);

/* The same for the meters of several CPUs, whose rights are tried by one process: on one CPU after the other. */
int setup_try(const struct setup *setup, const struct cpus *cpus, char *granted, size_t granted_size,
	      char *refused, size_t refused_size);

/*
 * For all but the meters, and what they start: leave the measured CPUs to them,
 * unless there is no other.
 */
void setup_leave_cpus(const struct cpus *cpus);

/* Be an ordinary process: SCHED_OTHER, nothing locked. */
void setup_ordinary(void);

#endif
