/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ftrace, the kernel's own tracer: --break stops it while its buffer still holds what led to the break. */
#ifndef TRACE_FTRACE_H
#define TRACE_FTRACE_H

#include <stddef.h>
#include <stdint.h>

struct ftrace {
	const char *folder;		/* where tracefs is mounted */
	int marker, on;			/* descriptors of trace_marker and tracing_on; -1: not open */
	int error;			/* why tracing_on is not open; set only then */
};

/* Open ftrace's files: call it while this process has the rights. A kernel without ftrace is no error. */
void ftrace_open(struct ftrace *ftrace);

/*
 * Write the lateness into the trace and stop tracing. outcome gets the path of the
 * trace, or "not stopped: " and the reason.
 */
void ftrace_stop(const struct ftrace *ftrace, int64_t late_ns, char *outcome, size_t size);

#endif
