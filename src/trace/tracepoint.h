/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tracepoint of the kernel as an event of perf. */
#ifndef TRACE_TRACEPOINT_H
#define TRACE_TRACEPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* What is recorded each time; the time is that of CLOCK_MONOTONIC. */
enum trace_detail {
	TRACE_TIME,
	TRACE_FIELDS,			/* and what the tracepoint says */
	TRACE_STACK,			/* and the kernel's stack, TRACE_FRAMES of it */
};

#define TRACE_FRAMES 16

/*
 * Open what happens on the CPU, not yet enabled. Backward is for a ring that
 * is overwritten. The filter is the kernel's, as in "pid == 1"; NULL: none.
 * Returns a descriptor, or -1 with errno: EACCES, EPERM without the rights
 * for it or in a kernel that is locked down.
 */
int tracepoint_open(int id, int cpu, enum trace_detail detail, bool backward, const char *filter);

/* What its records begin with. Returns 0 when it is none. */
uint64_t tracepoint_number(int event);

/* Count in place of recording: so many context switches were there on the CPU. Returns a descriptor to read, or -1. */
int tracepoint_open_switches(int cpu);

#endif
