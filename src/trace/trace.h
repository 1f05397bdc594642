/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's tracer, to be stopped while its buffer still holds what went before. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace {
	const char *folder;		/* where tracefs is */
	int marker, on;			/* descriptors; -1: not open */
	int tracer, events;
	int error;			/* errno why tracing_on is not open */
};

/* Open what the others need, while the rights for it are there. That there is no tracer is no error. */
void trace_open(struct trace *trace);
void trace_close(struct trace *trace);

/* Is it recording? */
bool trace_is_on(const struct trace *trace);

/*
 * Leave a mark that tells the lateness in the trace, and stop tracing. Writes
 * into told the file to read, or "not stopped: " and the reason.
 */
void trace_stop(const struct trace *trace, int64_t late_ns, char *told, size_t size);

/*
 * Write what it records when it is on: the tracer and the events, or how many
 * of a subsystem, as in "function, sched (24), irq:softirq_raise"; "nothing" or
 * "unknown".
 */
void trace_tell(const struct trace *trace, char *text, size_t size);

#endif
