/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that was counted of the run so far, in 64-bit counters, and the figures
 * that people ask for. Pure. totals.h has the memory that sums live in.
 */
#ifndef MEASURE_SUMS_H
#define MEASURE_SUMS_H

#include <stdint.h>

#include "measure/live.h"

/* One stretch of the run: a buffer, or neighbours added together. */
struct slice {
	uint64_t from_ns, to_ns;	/* stamps */
	uint64_t samples, missed;
	struct moments moments[COUNTED_SERIES];
	uint64_t bins[HIST_COARSE_BINS];	/* of lateness */
};

/* Of the wake-ups whose lateness is in a coarse bin: how many, and what it was made of. */
struct lateness_parts {
	uint64_t wakeups;
	int64_t sum_ns[PARTS];
};

/*
 * The bins outside a series' span are 0, as by_lateness is while nothing is
 * matched, and nobody looks at them: memory that is never touched costs nothing.
 */
struct sums {
	uint64_t buffers;		/* how many were added */
	uint64_t from_ns, to_ns;	/* stamps of the first wake-up and of the last */
	uint64_t samples, missed, early_wakeups;
	struct moments moments[SERIES];
	struct events events;
	uint64_t other_interrupts, unmatched, unasked, away_ns, pending_ns, clock_error_ns;	/* as in struct live */
	double clock_drift_ppm;
	uint64_t matched;		/* wake-ups whose parts are known */
	uint64_t trace_lost;		/* records that the kernel could not keep for us */

	/* of totals.c */
	unsigned slices;		/* complete ones */
	unsigned buffers_per_slice;	/* 1, 2, 4 ... */
	unsigned open_buffers;		/* in the open slice */
	struct slice open;
	unsigned half;			/* which of the two arrays holds the slices */

	uint64_t bins[HIST_ALL_BINS];
	struct lateness_parts by_lateness[HIST_COARSE_BINS];
};

/* Make sums that are all zero empty. */
void sums_init(struct sums *sums);

/* Make *to, which is all zero or was equal to *from before both were added to, equal to *from again. */
void sums_copy(struct sums *to, const struct sums *from);

/*
 * After a process was killed while it changed the sums, at whatever instant:
 * every bin that it may have changed is 0 again. Nothing else is; sums_copy() is to follow.
 */
void sums_clear_bins(struct sums *sums);

/* Add a buffer that the meter has left. One without samples tells only what it knows of the whole run. */
void sums_add(struct sums *sums, const struct live *live, uint64_t period_ns);

/*
 * Add the parts of so many wake-ups, which are in the sums already and stand in
 * the order of their stamps. An event among them gets its parts.
 */
void sums_add_parts(struct sums *sums, const struct parts *parts, unsigned count);

/* How many values a series has. */
uint64_t sums_count(const struct sums *sums, enum series series);

/* The greatest lateness in any of so many sums, in ns; UNSUPPORTED, which is less than any, without a sample. */
#define UNSUPPORTED INT64_MIN
int64_t sums_max(const struct sums *const sums[], unsigned count);

/* Quantiles, as one in so many periods that is later. */
#define P50 2
#define P99 100
#define P99_9 1000

/*
 * The lateness that all but one in so many periods of all these sums do not
 * exceed: the upper edge of its bin in ns, or the maximum if that is less.
 * Returns UNSUPPORTED where fewer than ten periods are later, and where it lies
 * in the open bin.
 */
int64_t sums_quantile(const struct sums *const sums[], unsigned count, unsigned quantile);

#endif
