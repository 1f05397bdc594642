/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The worst wake-ups of the run, and what is known of each. Pure. */
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
	int64_t error_ns;		/* of the interval; EVENTS_UNKNOWN without a schedule */
	int64_t stamped_ns;		/* since the source's stamp, if it has one */
	int cpu_before, cpu;		/* where the meter was last seen, within a second, and now; -1: unknown */
	int64_t smis;			/* system management interrupts since the wake-up before, or EVENTS_UNKNOWN */
	int64_t counting_ns;		/* for so long after due the meter still counted the wake-up before */
	struct parts parts;		/* of the lateness, once they are known */
	unsigned slot;			/* its place among the recordings: see events_add() and totals.c */
};

/* A heap: worst[0] is the least of those kept. */
struct events {
	int64_t ordinary_ns;		/* not kept up to this lateness: earlier buffers have EVENTS_MAX above it */
	unsigned count;
	struct event worst[EVENTS_MAX];
};

/* Empty it: any event is kept. */
void events_clear(struct events *events);

/* Keep only what would be one of the worst beside those of before. */
void events_go_on_from(struct events *events, const struct events *before);

/* The greatest lateness that is not kept, in ns. */
int64_t events_ordinary(const struct events *events);

/*
 * Keep the event if it is one of the worst; of equally late ones the first are
 * kept. Returns its slot, a free one below EVENTS_MAX or that of the event it
 * replaces; -1: not kept.
 */
int events_add(struct events *events, const struct event *event);

/* Add those of a later buffer, with their slots there. */
void events_merge(struct events *into, const struct events *from);

/* Sort: the worst first, equally late ones by stamp. It is no heap any more. */
void events_sort(struct events *events);

#endif
