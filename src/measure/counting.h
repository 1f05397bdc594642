/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The buffer into which the loop counts a part of the run. Pure. */
#ifndef MEASURE_COUNTING_H
#define MEASURE_COUNTING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "measure/events.h"
#include "measure/series.h"

/* The values that the fast path may count: see counters_set_ranges(). */
struct range {
	int64_t least;
	uint64_t size;		/* 0: no value */
};

/* What the fast path counts. Here range keeps compilers from adding the sums as vectors, with more instructions. */
struct fast {
	uint64_t sum;
	struct range range;
	uint64_t sumsq;
};

/*
 * The periods that a buffer has room for, which is checked before each second of the fast path. Even a quarter more
 * overflows neither the bins nor the fast path's sums, whose values are below HIST_FINE ns.
 */
#define HIST_ROOM (UINT64_C(1) << 30)

/* What source and clock have counted in the whole run so far (never decreasing), and what was inferred last. */
struct figures {
	uint64_t other_interrupts;	/* rtc: wake-ups that also counted an alarm or an update */
	uint64_t clock_error_ns;	/* bound on the error of a stamp */
	double clock_drift_ppm;		/* of the counter's rate; 0 for CLOCK_MONOTONIC */

	/* of a source that matches the kernel's records */
	uint64_t unmatched;		/* requests or wake-ups for which the kernel did not record both ends */
	uint64_t unasked;		/* instants at which nothing was pending and nothing was requested */
	uint64_t away_ns;		/* the longest time between two readings of the records */
	uint64_t pending_ns;		/* the longest time that a request was seen pending, since the first sample */

	/* of a thread of another program */
	uint64_t preempted;		/* wake-ups after which it lost the CPU before it slept again, */
	uint64_t preempted_ns;		/* and the longest time until it had one again */
	int64_t inferred_period_ns;	/* of the grid on which its timers are due; -1: on none; 0: not known yet */
	uint64_t inferred_missed;	/* instants of that grid for which it set no timer */
	uint64_t inferred_sleep_ns;	/* without a grid: how long it sleeps after it is done; 0: it varies */
	double inferred_hz;		/* how often its timer wakes it; 0: not known */
	char state;			/* 'R': it was running or runnable at every look; 0: not yet looked at */
};

struct counters {
	_Atomic bool wanted;		/* the loop is to leave the buffer, or to end: see channel.h */
	uint64_t samples;
	uint64_t to_ns;			/* the last wake-up's stamp */
	struct fast fast[INTERVAL + 1];

	/* the slow path changes these */
	bool changing;			/* it is changing them now */
	uint64_t from_ns;		/* the stamp of the wake-up before the first sample */
	uint64_t asked_ns;		/* when the last request served was made */
	uint64_t missed;
	uint64_t early_wakeups;
	uint64_t timed;			/* wake-ups that are counted as TIMED, */
	uint64_t slack_ns;		/* and the sum of the slack of their timers */
	struct moments moments[COUNTED_SERIES];	/* extremes of all; sums of what the slow path counted */
	struct events events;

	struct figures figures;		/* written when the buffer is left, */
	bool left;			/* which the last buffer of a killed meter never is */
	int64_t smis;			/* while it was filled, set when it is left; or EVENTS_UNKNOWN */

	/* stay the same: a process clearing it may be killed */
	struct recordings *recordings;	/* of the events, by slot; NULL: none are made */
	enum measures measures;
	uint32_t *stamped;		/* the bins of STAMPED, then those of TIMED; NULL: neither is measured */

	uint32_t bins[STAMPED_ZERO];
};

/* Empty a buffer that is all zero or was filled. It keeps its measures and its memory, which is emptied, too. */
void counters_clear(struct counters *live);

static inline bool range_holds(const struct range *range, int64_t value)
{
	return (uint64_t)(value - range->least) < range->size;
}

/* Count a sample that both ranges hold. samples is stored first: if the meter is then killed, the bins disagree. */
static inline void counters_count_fast(struct counters *live, uint64_t now, int64_t late, int64_t error)
{
	/* -10 to -19 ns share a bin, as do 10 to 19 ns: taking 1 ns off negatives lets one division do both. */
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

bool counters_has_room(const struct counters *live, uint64_t further_periods);

/*
 * Count any sample. late is the lateness of the oldest period that it served; each later one was a period less late.
 * Without a schedule, count a wake-up, then each request that it served, with its stamp, and maybe the latency again,
 * as TIMED or STAMPED. Returns false, and counts nothing, if there is no room for the periods.
 */
bool counters_count(struct counters *live, uint64_t now, int64_t late, int64_t error,
		    uint64_t periods, uint64_t period_ns);
bool counters_count_wakeup(struct counters *live, uint64_t now, uint64_t requests);
void counters_count_request(struct counters *live, uint64_t now, uint64_t asked_ns, uint64_t period_ns);
void counters_count_kind(struct counters *live, enum series kind, int64_t ns);

/* The bins from an index that series_index() or series_span() returned, to the end of the series. */
uint32_t *counters_bins(const struct counters *live, unsigned index);

int counters_keep(struct counters *live, const struct event *event);

/*
 * Let the fast path count a sample that is no new extreme, has fine bins, is less than a period late and
 * cannot be one of the worst. Where requests have stamps, it counts none.
 */
void counters_set_ranges(struct counters *live, uint64_t period_ns);

/* The moments of all samples, whichever path counted them. */
struct moments counters_moments(const struct counters *live, enum series series, uint64_t period_ns);

/* Is every sample counted completely? The last may not be, if the meter was killed while it counted. */
bool counters_is_whole(const struct counters *live);

#endif
