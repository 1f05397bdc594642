/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The worst wake-ups of the run, what is known about each, and what the kernel recorded before it. Pure. */
#ifndef MEASURE_EVENTS_H
#define MEASURE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/series.h"

#define EVENTS_MAX 32
#define EVENTS_UNKNOWN INT64_MIN	/* a figure that the machine does not provide */

struct event {
	uint64_t stamp_ns;		/* CLOCK_MONOTONIC */
	int64_t utc_ns;			/* the same instant since 1970 */
	uint64_t period;		/* number of the oldest period served; 1 is the first measured */
	uint64_t periods;		/* how many were served */
	int64_t late_ns;		/* since it was due or requested */
	uint64_t episode;		/* the same for wake-ups due before the previous one was served */
	int64_t error_ns;		/* of the interval; EVENTS_UNKNOWN without a schedule */
	int64_t stamped_ns;		/* since the source's stamp, if it has one */
	int cpu_before, cpu;		/* the meter's CPU, up to about a second before, and now; -1: unknown */
	int64_t smis;			/* system management interrupts since the wait began, or EVENTS_UNKNOWN */
	int64_t counting_ns;		/* from when it was due until the meter finished counting an earlier one */
	struct parts parts;		/* of the lateness, once they are known */
	unsigned slot;			/* its place among the recordings: see events_add() and totals.c */
};

/* A heap: worst[0] is the least late of those kept. */
struct events {
	int64_t ordinary_ns;		/* none up to it is kept: earlier buffers have EVENTS_MAX at least as late */
	unsigned count;
	struct event worst[EVENTS_MAX];
};

void events_clear(struct events *events);

/* From now on, keep only events that could be among the worst of both. */
void events_go_on_from(struct events *events, const struct events *before);

/* The greatest lateness that is not kept, in ns. */
int64_t events_ordinary(const struct events *events);

/*
 * Keep the event if it is one of the worst, but only the worst of its episode; of equally late ones the first. Returns
 * its slot: a free one below EVENTS_MAX, or the slot of the event it replaces; -1 if it is not kept.
 */
int events_add(struct events *events, const struct event *event);

/* Add the events of a later buffer. Each keeps the slot that it has there. */
void events_merge(struct events *into, const struct events *from);

/* Sort the worst first, equally late ones by stamp. It is then no longer a heap. */
void events_sort(struct events *events);

#define RECORDING_SIZE (256 * 1024)	/* all that a ring holds */

/* What the kernel recorded before one of the worst wake-ups, as the totals keep it for the report. */
struct recording {
	_Atomic uint64_t stamp_ns;	/* of the wake-up; written last, when the rest is complete */
	uint32_t used;			/* bytes of data */
	unsigned char data[RECORDING_SIZE];	/* records of perf, the newest first */
};

/*
 * The recordings of the meter, one in each slot, in memory that it locks. Most take a few kB, some a hundred
 * times as much, so slots share chunks. Whatever one takes, two chunks are left for each of the others.
 */
#define RECORDING_SLOTS EVENTS_MAX
#define RECORDING_CHUNK 4096
#define RECORDING_CHUNKS 256
#define RECORDING_LEAST (2 * RECORDING_CHUNK)

struct recordings {
	struct {
		_Atomic uint64_t stamp_ns;	/* as in struct recording */
		uint32_t used;
	} slot[RECORDING_SLOTS];
	uint8_t holder[RECORDING_CHUNKS];	/* of each chunk: 1 + its slot, in the order of the data; 0: free */
	unsigned char data[RECORDING_CHUNKS][RECORDING_CHUNK];
};

/*
 * Empty a slot, and make room for size bytes: returns the room, size or less, RECORDING_LEAST to RECORDING_SIZE. Write
 * there, from the offset at, and seal it. If the meter is killed before that, the recording belongs to no event.
 */
uint32_t recordings_begin(struct recordings *recordings, unsigned slot, uint32_t size);
void recordings_write(struct recordings *recordings, unsigned slot, uint32_t at, const void *data, uint32_t size);
void recordings_seal(struct recordings *recordings, unsigned slot, uint32_t used, uint64_t stamp_ns);

/* Copy the recording in a slot, if it belongs to the wake-up with this stamp. */
void recording_keep(struct recording *to, const struct recordings *from, unsigned slot, uint64_t stamp_ns);

#endif
