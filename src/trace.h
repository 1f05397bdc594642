/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's tracer, to be stopped while its buffer still holds what went before. */
#ifndef TRACE_H
#define TRACE_H

#include <stddef.h>
#include <stdint.h>

struct trace {
	const char *folder;		/* where tracefs is */
	int marker, on;			/* descriptors; -1: not open */
	int error;			/* errno why not */
};

/* Open what trace_stop() needs, while the rights for it are there. That there is no tracer is no error. */
void trace_open(struct trace *trace);

/*
 * Leave a mark that tells the lateness in the trace, and stop tracing. Writes
 * into told the file to read, or "not stopped: " and the reason.
 */
void trace_stop(const struct trace *trace, int64_t late_ns, char *told, size_t size);

#endif
