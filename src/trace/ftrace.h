/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ftrace, the kernel's own tracer: --break stops it while its buffer still holds what led to the break. */
#ifndef TRACE_FTRACE_H
#define TRACE_FTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ftrace {
	const char *folder;		/* where tracefs is mounted */
	int marker, on;			/* descriptors of trace_marker and tracing_on; -1: not open */
	int tracer, events;		/* of current_tracer and set_event */
	int error;			/* why tracing_on is not open; set only then */
};

/* Open ftrace's files: call it while this process has the rights. A kernel without ftrace is no error. */
void ftrace_open(struct ftrace *ftrace);
void ftrace_close(struct ftrace *ftrace);

bool ftrace_is_on(const struct ftrace *ftrace);

/*
 * Write the lateness into the trace and stop tracing. told gets the path of the
 * trace, or "not stopped: " and the reason.
 */
void ftrace_stop(const struct ftrace *ftrace, int64_t late_ns, char *told, size_t size);

/*
 * Write the tracer and the enabled events; several events of one subsystem are
 * only counted: "function, sched (24), irq:softirq_raise". Writes "nothing" when
 * nothing is enabled, and "unknown" when that could not be read.
 */
void ftrace_describe(const struct ftrace *ftrace, char *text, size_t size);

#endif
