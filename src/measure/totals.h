/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that was counted in the run so far, and its shape over time in slices. The memory outlives the keeper;
 * no meter maps or locks it. If the keeper is killed during an addition, the totals are as they were before.
 */
#ifndef MEASURE_TOTALS_H
#define MEASURE_TOTALS_H

#include <stdint.h>

#include "base/units.h"
#include "measure/counting.h"

/* What may disturb a run. The keeper looks for it once a second, so the slice that it falls into is known. */
enum seen {
	SEEN_STEAL,			/* the hypervisor took time from the CPU */
	SEEN_SUSPENDED,			/* the machine slept */
	SEEN_CLOCK_SET,			/* the wall clock was set: an instant */
	SEEN_STOPPED,			/* a signal stopped the meter, */
	SEEN_CHILD_STOPPED,		/* or one of its children */
	SEEN_FROZEN,			/* the meter's control group was frozen */
	SEEN_THROTTLED,			/* that group had used up its share of the CPU */
	SEEN_SCHED,			/* the meter had different scheduling from when it began, */
	SEEN_CHILD_SCHED,		/* or one of its children had */
	SEEN_TRACED,			/* another process traced the meter */
	SEEN_THREAD_STOPPED,		/* the measured thread of another program was stopped or traced, */
	SEEN_THREAD_SCHED,		/* or had different scheduling from when it was first seen */
	SEEN_KINDS
};

/* A part of the run: one buffer, or several consecutive ones. */
struct slice {
	uint64_t from_ns, to_ns;	/* stamps */
	uint64_t samples, missed;
	int64_t smis;			/* or EVENTS_UNKNOWN */
	unsigned seen;			/* what disturbed it: bits 1 << enum seen */
	struct moments moments[COUNTED_SERIES];
	uint64_t bins[HIST_COARSE_BINS];	/* of lateness */
};

/* The wake-ups whose lateness is in one coarse bin: their number, and the sums of their parts. */
struct lateness_parts {
	uint64_t wakeups;
	int64_t sum_ns[PARTS];
};

/* Bins outside a series' span are 0 and never accessed: memory that is never touched costs nothing. */
struct sums {
	uint64_t buffers;		/* how many were added */
	uint64_t from_ns, to_ns;	/* stamps of the first wake-up and of the last */
	uint64_t samples, missed, early_wakeups, timed, slack_ns;
	int64_t smis;			/* of the slices where it is known; EVENTS_UNKNOWN: in none */
	struct moments moments[SERIES];
	struct events events;
	struct figures figures;
	uint64_t matched;		/* wake-ups whose parts are known, */
	uint64_t matched_to_ns;		/* and the stamp of the last of them */
	uint64_t trace_lost;		/* records that the kernel dropped */

	uint32_t seen_ms[SEEN_KINDS];	/* the total time of each kind, already in the slices */
	unsigned slices;		/* complete ones */
	unsigned buffers_per_slice;	/* 1, 2, 4 ... */
	unsigned open_buffers;		/* in the open slice */
	struct slice open;
	unsigned half;			/* the half of totals->slices that holds them */

	uint64_t bins[HIST_ALL_BINS];
	struct lateness_parts by_lateness[HIST_COARSE_BINS];
};

#define TOTALS_SLICES 1024

/* How many slices each meter may have. The file of 128 CPUs is always smaller than 40 MB: see tests/bench/day.c. */
unsigned totals_share(unsigned meters);

struct totals;

/* slices: a power of two. recordings: keep those of the events, too. Returns NULL with errno: no memory. */
struct totals *totals_create(unsigned slices, bool recordings);

/* Go on with the totals of a process that was killed; or unmap them, where memory is locked. */
void totals_inherit(struct totals *totals);
void totals_forget(struct totals *totals);

/*
 * Add a buffer that the meter has left; or the parts of wake-ups that the totals have already, in the order of their
 * stamps, and the number of records lost so far. What was not added before the keeper was killed stays unknown.
 */
void totals_add(struct totals *totals, const struct counters *live, uint64_t period_ns);
void totals_add_parts(struct totals *totals, const struct parts *parts, unsigned count, uint64_t trace_lost);

/* How long this kind of disturbance has lasted in the run so far; new time counts for the buffer that is added next. */
void totals_see(struct totals *totals, enum seen seen, int64_t ms);
uint32_t totals_seen_ms(const struct totals *totals, enum seen seen);

/* The totals so far; the recording of an event, or NULL; slice 0, 1, ... to the open one, then NULL. */
const struct sums *totals_sums(const struct totals *totals);
const struct recording *totals_recording(const struct totals *totals, const struct event *event);
const struct slice *totals_slice(const struct totals *totals, unsigned index);

/* How many wake-ups have unknown parts, and how many values a series has. */
uint64_t sums_unmatched(const struct sums *sums);
uint64_t sums_count(const struct sums *sums, enum series series);

/* The greatest lateness in any of count sums, in ns; without a sample NO_LATENCY, which is less than any lateness. */
#define NO_LATENCY INT64_MIN
int64_t sums_max(const struct sums *const sums[], unsigned count);

/* How many periods are later than ns? Its whole bin counts if the maximum is later. Is that too many? */
uint64_t sums_above(const struct sums *sums, uint64_t ns);
bool sums_exceed(const struct sums *sums, const struct limit *limit);

/* Quantiles: one period in N is later. */
#define P50 2
#define P99 100
#define P99_9 1000

/*
 * The lateness that only one in N periods of all these sums exceeds: the upper edge of its bin in ns, or the
 * maximum if that is less. NO_LATENCY if no period is later, or if it lies in the open bin. It has support
 * if ten periods or more are beyond it; with fewer it is a matter of chance.
 */
int64_t sums_quantile(const struct sums *const sums[], unsigned count, unsigned quantile);
bool sums_support(const struct sums *const sums[], unsigned count, unsigned quantile);

#endif
