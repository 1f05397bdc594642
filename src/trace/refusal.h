/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the kernel's records are not available, and the remedy. */
#ifndef TRACE_REFUSAL_H
#define TRACE_REFUSAL_H

#include <stdbool.h>

#include "base/diag.h"
#include "trace/record.h"

/* tracefs could not be opened; error is the errno of tracefs_open(). */
void trace_refuse_tracefs(struct refusal *refusal, const struct tracefs *tracefs, int error);

/* The tracepoint ("sched/sched_switch") could not be recorded; error is the errno of perf_ring_record(). */
void trace_refuse_tracepoint(struct refusal *refusal, const char *tracepoint, int error);

/* The kernel's functions cannot be named; error is the errno of symbols_load() or symbols_look_up(). */
void trace_refuse_names(struct refusal *refusal, int error);

/* Refuse if the kernel's records number this process otherwise than its PID namespace. Returns whether it did. */
bool trace_refuse_namespace(struct refusal *refusal);

/* The waker runs on that CPU, and the meter on another. */
void trace_refuse_waker(struct refusal *refusal, int cpu);

/*
 * Returns the CPU on which a meter can be recorded that is bound to this one, or, with -1,
 * may use the CPUs of the calling process; -1, with the refusal, when there is none.
 */
int trace_find_cpu(int bound, struct refusal *refusal);

#endif
