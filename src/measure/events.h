/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The worst wake-ups of the run, and what was going on. Pure. */
#ifndef MEASURE_EVENTS_H
#define MEASURE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/series.h"

#define EVENTS_MAX 32
#define EVENTS_UNKNOWN INT64_MIN	/* a figure that the machine does not tell */

struct event {
	uint64_t stamp_ns;		/* CLOCK_MONOTONIC */
	int64_t utc_ns;			/* the same instant since 1970 */
	uint64_t period;		/* number of the oldest period served; 1 is the first measured */
	uint64_t periods;		/* how many were served */
	int64_t late_ns;		/* since it was due or asked for */
	int64_t error_ns, stamped_ns;	/* of the interval, and since the stamp; of a source that has them */
	int cpu_before, cpu;		/* where the meter was last seen, within a second, and now; -1: unknown */
	int64_t smis;			/* system management interrupts since the wake-up before */
	int64_t counting_ns;		/* so long after due the meter was still counting the one before */
	struct parts parts;		/* of the lateness, once they are known */
	unsigned slot;			/* its place among the recordings: see events_add() and totals.c */
};

/* A heap: worst[0] is the least of those kept. */
struct events {
	int64_t ordinary_ns;		/* what is no later than this is not kept: enough was, before */
	unsigned count;
	struct event worst[EVENTS_MAX];
};

/* Make it empty, to keep anything. */
void events_clear(struct events *events);

/* Keep only what is later than all that need not be kept there. */
void events_go_on_from(struct events *events, const struct events *before);

/* The greatest lateness that does not need to be kept, in ns. */
int64_t events_ordinary(const struct events *events);

/*
 * Keep the event if it is one of the worst; of equally late ones the first are.
 * Returns its slot: a free one below EVENTS_MAX, or that of the one which it
 * takes the place of; -1 when it is not kept.
 */
int events_add(struct events *events, const struct event *event);

/* Add those of a later stretch of the run, with the slots that they have there. */
void events_merge(struct events *into, const struct events *from);

/* No heap any more: the worst first, equally late ones in the order in which they came. */
void events_sort(struct events *events);

#endif
