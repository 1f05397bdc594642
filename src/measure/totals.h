/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums of a run so far, and its shape over time in slices. The memory
 * outlives the keeper, and the meter neither maps nor locks it. Each addition is
 * made as a whole or not at all: if the keeper is killed during one, the totals
 * are as they were before.
 */
#ifndef MEASURE_TOTALS_H
#define MEASURE_TOTALS_H

#include <stdint.h>

#include "measure/sums.h"

#define TOTALS_SLICES 1024

/*
 * How many slices each meter may have. A slice takes at most 5 kB of the report, and
 * the slices of all meters together up to 20 MB: however long 128 CPUs are
 * measured, their file is smaller than 40 MB. See tests/bench/day.c.
 */
unsigned totals_share(unsigned meters);

struct totals;

/* slices: a power of two. Returns NULL with errno when there is no memory. */
struct totals *totals_create(unsigned slices);

/* Keep the recordings of the events, too. Returns 0, or -1 with errno when there is no memory. */
int totals_add_recordings(struct totals *totals);

/*
 * For a process that was forked later, and has only the first page of the totals:
 * map the rest, to take them over from a keeper that was killed. Returns NULL with
 * errno if there is no memory.
 */
struct totals *totals_inherit(struct totals *totals);

/* For a process that locks its memory and does not need the totals: unmap that page. */
void totals_forget(struct totals *totals);

/* Add a buffer that the meter has left. */
void totals_add(struct totals *totals, const struct counters *live, uint64_t period_ns);

/*
 * Add the parts of count wake-ups, in the order of their stamps, and the number of
 * records lost so far. The totals must contain the wake-ups already. Parts that
 * were not added before the keeper was killed stay unknown.
 */
void totals_add_parts(struct totals *totals, const struct parts *parts, unsigned count, uint64_t trace_lost);

/* Note how long the run has been disturbed in this way so far. It counts for the buffer that is added next. */
void totals_see(struct totals *totals, enum seen seen, int64_t ms);
uint32_t totals_seen_ms(const struct totals *totals, enum seen seen);

const struct sums *totals_sums(const struct totals *totals);

/* The recording of one of the events; NULL if there is none. */
const struct recording *totals_recording(const struct totals *totals, const struct event *event);

/* Slice 0, 1, ...; the open slice is the last, and NULL follows it. */
const struct slice *totals_slice(const struct totals *totals, unsigned index);

#endif
