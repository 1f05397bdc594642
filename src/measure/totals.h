/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the run has come to so far: sums with 64-bit counters, and the run's
 * shape over time in slices. It lives in memory that outlives the keeper and
 * that the meter neither maps nor locks. Adding a buffer is all or nothing: a
 * keeper that is killed in the middle leaves the totals as it was before.
 */
#ifndef MEASURE_TOTALS_H
#define MEASURE_TOTALS_H

#include <stdint.h>

#include "measure/live.h"

#define TOTALS_SLICES 1024

/*
 * In the report of a long run on many CPUs slices are most of the text: about
 * 5 kB each, of which all meters together may have 20 MB. So however long 128
 * CPUs are measured, the file is smaller than 40 MB: see tests/bench/day.c.
 * Returns how many slices each of so many meters may have.
 */
unsigned totals_share(unsigned meters);

struct slice {
	uint64_t from_ns, to_ns;	/* stamps */
	uint64_t samples, missed;
	struct moments moments[SERIES];
	uint64_t bins[HIST_COARSE_BINS];	/* of lateness */
};

struct sums {
	uint64_t buffers;		/* how many were added */
	uint64_t from_ns, to_ns;	/* stamps of the first wake-up and of the last */
	uint64_t samples, missed, early_wakeups;
	struct moments moments[SERIES];
	struct events events;
	uint64_t other_interrupts, unmatched, unasked, away_ns, pending_ns, clock_error_ns;	/* as in struct live */
	double clock_drift_ppm;

	unsigned slices;		/* complete ones */
	unsigned buffers_per_slice;	/* 1, 2, 4 ... */
	unsigned open_buffers;		/* in the open slice */
	struct slice open;
	unsigned half;			/* which of the two arrays holds the slices */

	uint64_t bins[HIST_ALL_BINS];
};

struct totals;

/* slices is a power of two. Both return NULL with errno when there is no memory. */
struct totals *totals_create(unsigned slices);

/* Keep what was recorded before the worst wake-ups, too. Returns 0, or -1 with errno when there is no memory. */
int totals_add_recordings(struct totals *totals);

/*
 * For a process that was forked later, where all but a page of the totals is
 * missing: go on with it, wherever it is mapped now.
 */
struct totals *totals_inherit(struct totals *totals);

/* For one that has no use for it, and locks its memory. */
void totals_forget(struct totals *totals);

/* Add a buffer that the meter has left. One without samples tells only what it knows of the whole run. */
void totals_add(struct totals *totals, const struct live *live, uint64_t period_ns);

const struct sums *totals_sums(const struct totals *totals);

/* What was recorded before an event of the sums; NULL: nothing. */
const struct recording *totals_recording(const struct totals *totals, const struct event *event);

/*
 * The lateness that all but one in so many periods do not exceed, of that many
 * sums together: the upper edge of its bin in ns, or the maximum if that is
 * less. Returns UNSUPPORTED where fewer than ten periods lie beyond it, and
 * where it lies in the open bin.
 */
#define UNSUPPORTED INT64_MIN
int64_t sums_quantile(const struct sums *const sums[], unsigned count, unsigned one_in);

/* The greatest lateness; UNSUPPORTED, which is less than any, where there is no sample. */
int64_t sums_max(const struct sums *const sums[], unsigned count);

/* Slice 0 and up, the open one last; NULL after it. */
const struct slice *totals_slice(const struct totals *totals, unsigned index);

#endif
