/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a wake-up was late, in a clause for the terminal. Pure. The analyzer says more, by the same records. */
#ifndef EXPLAIN_REASON_H
#define EXPLAIN_REASON_H

#include "measure/events.h"
#include "trace/record.h"

#define REASON_SIZE 128

/* A wake-up, what the kernel recorded before it in the order of time, and whose it is. */
struct lateness {
	const struct event *event;
	const struct trace_record *records;
	unsigned count;
	struct trace_task task;		/* pid and comm */
	bool observed;			/* a thread of another program */
};

/* "'hog' (rt 97) had the CPU for 21.672 ms", or in us if the lateness is below 1 ms; "": unknown. Returns text. */
const char *reason_of(const struct lateness *lateness, char text[REASON_SIZE]);

/*
 * How much of the lateness the guard that throttles real-time processes cannot have
 * made, in ns: that of the timer, unless a thread serves it, and from then on what
 * the occupant had that goes before a wake-up of this priority of the kernel.
 */
int64_t reason_not_throttled_ns(const struct lateness *lateness, int prio, bool in_thread);

#endif
