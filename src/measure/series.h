/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The series of values that a run measures, and all that sets one apart from the others. Pure. */
#ifndef MEASURE_SERIES_H
#define MEASURE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/hist.h"

/*
 * What a source measures. Latency is since the periods that a wake-up serves
 * were due, or, of requests that follow no schedule of ours, since they were
 * made. A source that has a schedule may also stamp its requests.
 */
enum measures {
	SINCE_DUE,
	SINCE_ASKED,
	SINCE_DUE_AND_STAMP,
	MEASURES
};

/* What the lateness of a wake-up is made of, in the order of time, by the kernel's records. */
enum part {
	PART_EXPIRY,			/* from due to the expiry of the timer; 0 if the wake-up was asked for */
	PART_WAKING,			/* to the waking of the meter */
	PART_SWITCH,			/* until it had the CPU; */
	PART_AGAIN,			/* for the last time: it was blocked or preempted meanwhile */
	PART_STAMP,			/* to the stamp */
	PARTS
};

/* Together they are the lateness. */
struct parts {
	uint64_t stamp_ns;		/* of the wake-up; 0: its parts are unknown */
	int64_t ns[PARTS];
};

enum series {
	LATENCY,
	INTERVAL,			/* by how much the interval before was longer than a period */
	STAMPED,			/* since the source's stamp */
	STAMP_INTERVAL,			/* as INTERVAL, between two stamps */
	COUNTED_SERIES,			/* so many the loop counts; the others are the parts */
	SERIES = COUNTED_SERIES + PARTS
};

static inline enum series series_of_part(enum part part)
{
	return COUNTED_SERIES + part;
}

/*
 * The bins of all series stand in one array. From the bin of 0 upwards stand
 * those of 0 and more; of a series that has a sign, below it the negative ones by
 * their magnitude. Of the others, values below 0 are in the bin of 0.
 */
#define LATENCY_ZERO 0
#define INTERVAL_ZERO (2 * HIST_BINS)
#define STAMPED_ZERO (3 * HIST_BINS)
#define PARTS_ZERO (4 * HIST_BINS)
#define HIST_ALL_BINS (PARTS_ZERO + PARTS * HIST_BINS)

extern const struct series_traits {
	const char *name[MEASURES];	/* in the report; NULL: such a source does not measure it */
	const char *negative;		/* of the column of its values below 0; NULL: it has no sign */
	bool per_wakeup;		/* a value for each, and not for each period or request */
	bool has_bins;
	unsigned zero;			/* where the bin of 0 stands */
} series_traits[SERIES];

/* The order of their columns in the report: those that the loop counts, and then the parts. */
extern const enum series series_in_report[SERIES];

static inline const char *series_name(enum measures measures, enum series series)
{
	return series_traits[series].name[measures];
}

static inline bool measures_schedule(enum measures measures)
{
	return series_name(measures, INTERVAL);
}

/* Of each request, when it was made. */
static inline bool measures_requests(enum measures measures)
{
	return !measures_schedule(measures) || series_name(measures, STAMPED);
}

/* Where the bin of a value stands. */
unsigned series_index(enum series series, int64_t ns);

/* The bins that values between these extremes can be in: first to end - 1. */
struct span {
	unsigned first, end;
};

struct span series_span(enum series series, const struct moments *moments);

#endif
