/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel counts of the process that measures and of its CPU, to explain late wake-ups. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

struct explain {
	bool on;
	int schedstat;			/* /proc/self/schedstat */
	int interrupts, smis;		/* perf counters of the CPU; -1: the machine does not tell */
	uint64_t cost_ns;		/* of one reading */
};

/*
 * Open the counters of the calling process; those of a CPU exist only when
 * the process is bound to that one (cpu >= 0). Returns 0, or -1 after a
 * warning when the kernel does not tell what a process waited for.
 */
int explain_open(struct explain *explain, int cpu);

/* Read them, but for the CPU: one pread and a few more system calls. */
void explain_read(const struct explain *explain, struct counters *counters);

#endif
