/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The series of values that a run measures, and how they differ. Pure. */
#ifndef MEASURE_SERIES_H
#define MEASURE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/hist.h"

/* Where the latency of a source begins. */
enum measures {
	SINCE_DUE,			/* when each period that the wake-up serves was due */
	SINCE_ASKED,			/* when each request was made: there is no schedule */
	SINCE_DUE_AND_STAMP,		/* when it was due; the source also stamps each request */
	SINCE_TIMER_OR_WAKING,		/* when the thread's own timer was due, or else when it was woken */
	MEASURES
};

/* The parts of a wake-up's lateness by the kernel's records, in order of time. */
enum part {
	PART_EXPIRY,			/* from due to the expiry of the timer; 0 if the wake-up was requested */
	PART_WAKING,			/* to the waking of the meter */
	PART_SWITCH,			/* until it got the CPU */
	PART_AGAIN,			/* until it last got the CPU, if it was blocked or preempted */
	PART_STAMP,			/* to the stamp */
	PARTS
};

/* The sum of the parts is the lateness. */
struct parts {
	uint64_t stamp_ns;		/* of the wake-up; 0: its parts are unknown */
	int64_t ns[PARTS];
};

enum series {
	LATENCY,
	INTERVAL,			/* the time since the previous wake-up, less one period */
	STAMPED,			/* since the source's stamp; for a thread that is not TIMED, since the waking */
	TIMED,				/* of a thread woken by its own timer, since the timer was due */
	STAMP_INTERVAL,			/* as INTERVAL, between two stamps */
	COUNTED_SERIES,			/* the loop counts those before this; the parts follow */
	SERIES = COUNTED_SERIES + PARTS
};

/*
 * All series share one array of bins, each from its ZERO (the bin of 0) on. Below ZERO are the bins of negative values,
 * by magnitude, if the series has a sign; if not, these are counted in the bin of 0.
 */
#define LATENCY_ZERO 0
#define INTERVAL_ZERO (2 * HIST_BINS)
#define STAMPED_ZERO (3 * HIST_BINS)
#define TIMED_ZERO (4 * HIST_BINS)
#define PARTS_ZERO (5 * HIST_BINS)
#define HIST_ALL_BINS (PARTS_ZERO + PARTS * HIST_BINS)

extern const struct series_traits {
	const char *name[MEASURES];	/* in the report; NULL: such a source does not measure it */
	const char *negative;		/* name of the column of values below 0; NULL: the series has no sign */
	bool per_wakeup;		/* one value for each wake-up; else for each period or request */
	bool has_bins;
	unsigned zero;			/* index of the bin of 0 */
} series_traits[SERIES];

/* The order of the columns in the report: first the series that the loop counts, then the parts. */
extern const enum series series_in_report[SERIES];

static inline const char *series_name(enum measures measures, enum series series)
{
	return series_traits[series].name[measures];
}

static inline bool measures_schedule(enum measures measures)
{
	return series_name(measures, INTERVAL);
}

/* Is each latency counted a second time, by what woke the thread: as TIMED or as STAMPED? */
static inline bool measures_either(enum measures measures)
{
	return series_name(measures, TIMED);
}

unsigned series_index(enum series series, int64_t ns);

/* The bins, first to end - 1, into which values between the extremes of moments can fall. */
struct span {
	unsigned first, end;
} series_span(enum series series, const struct moments *moments);

#endif
