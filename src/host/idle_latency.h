/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a single CPU may take to leave an idle state, in us. The kernel has one such bound for all programs, and
 * it outlives the program that wrote it: so whichever process ends the run puts back the former bound, and a lock
 * keeps two runs from bounding the same CPU.
 */
#ifndef HOST_IDLE_LATENCY_H
#define HOST_IDLE_LATENCY_H

#include <limits.h>
#include <stdbool.h>

#include "base/cpus.h"
#include "base/diag.h"

#define IDLE_LATENCY_OFF LLONG_MAX	/* there is no bound */

/* The bound of the CPU now. Returns false, and leaves *us alone, if it cannot be read. */
bool idle_latency_read(int cpu, long long *us);

/* Lock the bounds of these CPUs, and note them. Returns 0; or -1 with one refusal that names all that cannot be set. */
int idle_latency_open(const struct cpus *cpus, struct refusal *refusal);

/* Has idle_latency_open() locked the bound of this CPU? */
bool idle_latency_is_open(int cpu);

/* Set all bounds that are open, if any. Returns 0, or -1 after a warning. */
int idle_latency_set(long long us);

/* Restore and unlock them, in any process forked since. A value that somebody else has set meanwhile is kept. */
void idle_latency_put_back(void);

#endif
