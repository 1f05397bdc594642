/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's tracer, to be stopped while its buffer still holds what went before. */
#ifndef TRACE_FTRACE_H
#define TRACE_FTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ftrace {
	const char *folder;		/* where tracefs is */
	int marker, on;			/* descriptors; -1: not open */
	int tracer, events;
	int error;			/* errno why tracing_on is not open */
};

/* Open what the others need, while the rights for it are there. That there is no tracer is no error. */
void ftrace_open(struct ftrace *trace);
void ftrace_close(struct ftrace *trace);

/* Is it recording? */
bool ftrace_is_on(const struct ftrace *trace);

/*
 * Leave a mark that tells the lateness in the trace, and stop tracing. Writes
 * into told the file to read, or "not stopped: " and the reason.
 */
void ftrace_stop(const struct ftrace *trace, int64_t late_ns, char *told, size_t size);

/*
 * Write what it records when it is on: the tracer and the events, or how many
 * of a subsystem, as in "function, sched (24), irq:softirq_raise"; "nothing" or
 * "unknown".
 */
void ftrace_describe(const struct ftrace *trace, char *text, size_t size);

#endif
