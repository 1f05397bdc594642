// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of the series, and the bins of each. */
#include "measure/series.h"

#define PART(part, part_name) \
	[COUNTED_SERIES + (part)] = { \
		.name = { [0 ... MEASURES - 1] = part_name }, \
		.has_bins = true, .zero = PARTS_ZERO + (part) * HIST_BINS, \
	}

const struct series_traits series_traits[SERIES] = {
	[LATENCY] = {
		.name = { [SINCE_DUE] = "lateness", [SINCE_ASKED] = "wakeup", [SINCE_DUE_AND_STAMP] = "lateness",
			  [SINCE_TIMER_OR_WAKING] = "delay" },
		.has_bins = true, .zero = LATENCY_ZERO,
	},
	[INTERVAL] = {
		.name = { [SINCE_DUE] = "interval", [SINCE_DUE_AND_STAMP] = "interval" },
		.negative = "early", .per_wakeup = true, .has_bins = true, .zero = INTERVAL_ZERO,
	},
	[STAMPED] = {
		.name = { [SINCE_DUE_AND_STAMP] = "wakeup", [SINCE_TIMER_OR_WAKING] = "wakeup" },
		.has_bins = true, .zero = STAMPED_ZERO,
	},
	[TIMED] = {
		.name = { [SINCE_TIMER_OR_WAKING] = "lateness" },
		.has_bins = true, .zero = TIMED_ZERO,
	},
	[STAMP_INTERVAL] = { .name = { [SINCE_DUE_AND_STAMP] = "stamp_interval" } },
	PART(PART_EXPIRY, "expiry"),
	PART(PART_WAKING, "waking"),
	PART(PART_SWITCH, "switch"),
	PART(PART_AGAIN, "again"),
	PART(PART_STAMP, "stamp"),
};

const enum series series_in_report[SERIES] = {
	INTERVAL, LATENCY, TIMED, STAMPED, STAMP_INTERVAL,
	COUNTED_SERIES + PART_EXPIRY, COUNTED_SERIES + PART_WAKING, COUNTED_SERIES + PART_SWITCH,
	COUNTED_SERIES + PART_AGAIN, COUNTED_SERIES + PART_STAMP,
};

unsigned series_index(enum series series, int64_t ns)
{
	const struct series_traits *traits = &series_traits[series];

	if (ns >= 0)
		return traits->zero + hist_bin(ns);
	return traits->negative ? traits->zero - 1 - hist_bin(-(uint64_t)ns) : traits->zero;
}

struct span series_span(enum series series, const struct moments *moments)
{
	if (moments->min > moments->max || !series_traits[series].has_bins)
		return (struct span){ 0, 0 };
	return (struct span){
		series_index(series, moments->min), series_index(series, moments->max) + 1,
	};
}
