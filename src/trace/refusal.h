/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the kernel's records, and with them --explain, cannot be had here, and what helps. */
#ifndef TRACE_REFUSAL_H
#define TRACE_REFUSAL_H

#include <stdbool.h>

#include "trace/tracefs.h"

#define REFUSAL_SIZE 160

struct explain_refusal {
	char reason[REFUSAL_SIZE];
	char remedy[REFUSAL_SIZE];
	bool absent;			/* of tracefs or a tracepoint: no right helps, for this kernel has none */
};

/* The folder of the kernel's tracepoints could not be opened: the errno of tracefs_open(). */
void explain_refuse_tracefs(struct explain_refusal *refusal, const struct tracefs *tracefs, int error);

/* The tracepoint ("sched/sched_switch") could not be recorded: the errno of perf_ring_add(). */
void explain_refuse_tracepoint(struct explain_refusal *refusal, const char *tracepoint, int error);

/* The kernel's functions cannot be named: the errno of symbols_load(). */
void explain_refuse_names(struct explain_refusal *refusal, int error);

/* Whether the kernel's records tell this process by another number than it has itself. */
bool explain_refuse_namespace(struct explain_refusal *refusal);

/* The waker runs on that CPU, and the meter on another. */
void explain_refuse_waker(struct explain_refusal *refusal, int cpu);

/*
 * The CPU on which a meter can be explained that is bound to this one; -1: to
 * those that the calling process may use. Returns -1 with the reason when there
 * is none.
 */
int explain_find_cpu(int bound, struct explain_refusal *refusal);

#endif
