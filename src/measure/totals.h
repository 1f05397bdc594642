/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums of a run so far, and its shape over time in slices, in memory that
 * outlives the keeper and that the meter neither maps nor locks. Whatever is
 * added is added as a whole or not at all: a keeper that is killed meanwhile
 * leaves the totals as they were.
 */
#ifndef MEASURE_TOTALS_H
#define MEASURE_TOTALS_H

#include <stdint.h>

#include "measure/sums.h"

#define TOTALS_SLICES 1024

/*
 * How many slices each of so many meters may have. A slice takes about 5 kB of the
 * report, and those of all meters together up to 20 MB: however long 128 CPUs are
 * measured, their file is smaller than 40 MB. See tests/bench/day.c.
 */
unsigned totals_share(unsigned meters);

struct totals;

/* slices: a power of two. Returns NULL with errno when there is no memory. */
struct totals *totals_create(unsigned slices);

/* Keep the recordings of the events, too. Returns 0, or -1 with errno when there is no memory. */
int totals_add_recordings(struct totals *totals);

/*
 * For a process that was forked later, which has only the first page of the
 * totals: map the rest, and go on with them after their keeper was killed.
 * Returns NULL with errno when there is no memory.
 */
struct totals *totals_inherit(struct totals *totals);

/* For a process that does not need them, and locks its memory: unmap that page. */
void totals_forget(struct totals *totals);

/* Add a buffer that the meter has left. */
void totals_add(struct totals *totals, const struct live *live, uint64_t period_ns);

/*
 * Add the parts of so many wake-ups, which are in the totals already and stand
 * in the order of their stamps, and the number of records lost so far. Parts
 * that were not added when the keeper was killed are unknown.
 */
void totals_add_parts(struct totals *totals, const struct parts *parts, unsigned count, uint64_t trace_lost);

const struct sums *totals_sums(const struct totals *totals);

/* The recording of an event of the sums; NULL: there is none. */
const struct recording *totals_recording(const struct totals *totals, const struct event *event);

/* Slice 0 and up, the open one last; NULL after it. */
const struct slice *totals_slice(const struct totals *totals, unsigned index);

#endif
