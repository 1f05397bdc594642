/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One stretch of the run, while it is being measured. Pure. */
#ifndef MEASURE_LIVE_H
#define MEASURE_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "measure/events.h"
#include "measure/recording.h"
#include "measure/series.h"

/*
 * What the fast path may take: there it needs to look at no extreme, and every
 * bin is a fine one.
 */
struct range {
	int64_t least;
	uint64_t size;		/* 0: nothing */
};

/*
 * What the fast path has counted of a series. The sum of interval errors is
 * known without. Two sums side by side would be added by vector instructions,
 * which are more.
 */
struct fast {
	uint64_t sum;
	struct range range;
	uint64_t sumsq;
};

/*
 * What the fast path counts stands first. It does not look whether there is
 * room: who takes it does so once for many samples. Up to HIST_ROOM, and a
 * fourth more, neither the 32-bit bins can overflow nor the plain 64-bit sums,
 * for each value is less than HIST_FINE ns.
 */
#define HIST_ROOM (UINT64_C(1) << 30)

struct live {
	_Atomic bool wanted;		/* the loop is to look up: see channel.h */
	uint64_t samples;
	uint64_t to_ns;			/* the last wake-up's stamp */
	struct fast fast[INTERVAL + 1];

	bool changing;			/* what stands below is being changed */
	uint64_t from_ns;		/* the stamp of the wake-up before the first sample */
	uint64_t asked_ns;		/* when the last request was made that was served, the first wake-up's too */
	uint64_t missed;
	uint64_t early_wakeups;
	struct moments moments[COUNTED_SERIES];	/* extremes of all; sums of what the fast path did not take */
	struct events events;
	struct recordings *recordings;	/* by the slots of events; NULL: none are made */
	enum measures measures;
	uint32_t *stamped;		/* HIST_BINS, of STAMPED; NULL: it is not measured */

	/* of the whole run, when the buffer was left */
	uint64_t other_interrupts;	/* wake-ups that counted others, too */
	uint64_t unmatched, unasked, away_ns, pending_ns;	/* see struct source */
	uint64_t clock_error_ns;	/* bound of the error of a stamp, and */
	double clock_drift_ppm;		/* by how much the counter's rate moved; 0 for CLOCK_MONOTONIC */

	uint32_t bins[STAMPED_ZERO];
};

/*
 * Make it empty: one that is all zero, or was filled. What it measures stays;
 * so do its recordings, which then belong to none.
 */
void live_clear(struct live *live);

static inline bool range_holds(const struct range *range, int64_t value)
{
	return (uint64_t)(value - range->least) < range->size;
}

/*
 * Count a sample that both ranges hold and that served one period. The count
 * is stored first and the bins last, so that they tell when a kill came between.
 */
static inline void live_count_fast(struct live *live, uint64_t now, int64_t late, int64_t error)
{
	/* The bins of negative errors end, not begin, at a multiple of the step: hence the 1. */
	uint32_t from_least = error - (error < 0) + HIST_FINE;

	live->samples++;
	atomic_signal_fence(memory_order_seq_cst);
	live->to_ns = now;
	live->fast[LATENCY].sum += late;
	live->fast[LATENCY].sumsq += late * late;
	live->fast[INTERVAL].sumsq += error * error;
	atomic_signal_fence(memory_order_seq_cst);
	live->bins[INTERVAL_ZERO - HIST_FINE / HIST_STEP + from_least / HIST_STEP]++;
	live->bins[LATENCY_ZERO + (uint32_t)late / HIST_STEP]++;
}

/* Would so many periods more fit the counters? */
bool live_has_room(const struct live *live, uint64_t periods);

/*
 * Count any sample: late is the lateness of the oldest of the periods that it
 * served; each younger one was late by one period less. Returns false, and
 * counts nothing, when so many periods would not fit the counters.
 */
bool live_count(struct live *live, uint64_t now, int64_t late, int64_t error,
		uint64_t periods, uint64_t period_ns);

/*
 * Count a wake-up of a source that has no schedule. Returns false, and counts
 * nothing, when so many requests would not fit the counters.
 */
bool live_count_asked(struct live *live, uint64_t now, uint64_t requests);

/* Count one of the requests that a wake-up served: after either of the two above, where requests have stamps. */
void live_count_request(struct live *live, uint64_t now, uint64_t asked_ns, uint64_t period_ns);

/* The bins of a series, from one of the indices that series_index() and series_span() give of it. */
const uint32_t *live_bins(const struct live *live, unsigned index);

/* Keep the event if it is one of the worst. Returns the slot for its recording; -1: it is not kept. */
int live_keep(struct live *live, const struct event *event);

/*
 * Let the fast path take what is no new extreme, lies in fine bins, is less
 * than a period late and cannot be one of the worst; nothing where there are
 * stamps, of which it knows nothing.
 */
void live_set_ranges(struct live *live, uint64_t period_ns);

/* Of all samples. */
struct moments live_moments(const struct live *live, enum series series, uint64_t period_ns);

/* Is all of it counted, and nothing in part? Not when the meter was killed while it counted. */
bool live_is_whole(const struct live *live);

#endif
