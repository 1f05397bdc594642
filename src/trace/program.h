/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs in the kernel (BPF) that write the records of tracepoints.
 *
 * Some kernels call programs at each tracepoint, but write no perf record of what
 * happens in the context of some tasks, most often the idle task. The record of a
 * program has the form of the tracepoint's own. Of the fields that all tracepoints
 * share it has common_pid; the others, such as common_flags, are 0.
 */
#ifndef TRACE_PROGRAM_H
#define TRACE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/tracefs.h"

#define TRACE_FILTERED 16
#define TRACE_FILTER_SIZE (TRACE_FILTERED * 48)	/* bytes for trace_filter_text() */

/* The records whose field has one of the values; with others: none of them. Of no values: all records. */
struct trace_filter {
	const char *field;
	bool others;
	unsigned count;
	uint64_t value[TRACE_FILTERED];
};

/* In the kernel's syntax: "pid == 0xc || pid == 0xd". Returns text; NULL: no filter. */
const char *trace_filter_text(const struct trace_filter *filter, char text[TRACE_FILTER_SIZE]);

/*
 * Have a program write the records of a CPU. output is a descriptor of an event
 * PERF_COUNT_SW_BPF_OUTPUT of that CPU, in whose ring they appear; id is that of
 * the tracepoint, field where the filter's field is, and size how many bytes of
 * the record are wanted: a multiple of 8, at most 512. Returns a descriptor, which
 * the program lasts as long as; or -1 with errno: EPERM without CAP_BPF, EINVAL
 * before Linux 5.11, ENOSYS where the kernel has no BPF.
 */
int trace_program_attach(int output, int cpu, int id, const struct trace_filter *filter,
			 const struct trace_field *field, unsigned size);

#endif
