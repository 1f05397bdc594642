// SPDX-License-Identifier: GPL-2.0-or-later
/* What the sums say: quantiles, maxima, how much is beyond a limit. */
#include "measure/totals.h"

#define BEYOND 10			/* periods that must lie beyond a quantile to support it */

uint64_t sums_unmatched(const struct sums *sums)
{
	return sums->samples > sums->matched ? sums->samples - sums->matched : 0;
}

uint64_t sums_count(const struct sums *sums, enum series series)
{
	if (series >= COUNTED_SERIES)
		return sums->matched;
	if (series == TIMED)
		return sums->timed;
	if (series == STAMPED)
		return sums->samples + sums->missed - sums->timed;
	return series_traits[series].per_wakeup ? sums->samples : sums->samples + sums->missed;
}

int64_t sums_max(const struct sums *const sums[], unsigned count)
{
	int64_t max = NO_LATENCY;

	for (unsigned i = 0; i < count; i++)
		if (sums[i]->samples)
			max = greater(max, sums[i]->moments[LATENCY].max);
	return max;
}

uint64_t sums_above(const struct sums *sums, uint64_t ns)
{
	const int64_t max_ns = sums_max(&sums, 1);
	uint64_t above = 0;

	if (max_ns <= (int64_t)ns)
		return 0;
	for (unsigned bin = hist_bin(ns); bin <= hist_bin(max_ns); bin++)
		above += sums->bins[LATENCY_ZERO + bin];
	return above;
}

bool sums_exceed(const struct sums *sums, const struct limit *limit)
{
	return limit->ns && sums_above(sums, limit->ns) > limit_allows(limit, sums->samples + sums->missed);
}

static uint64_t count_periods(const struct sums *const sums[], unsigned count)
{
	uint64_t periods = 0;

	for (unsigned i = 0; i < count; i++)
		periods += sums[i]->samples + sums[i]->missed;
	return periods;
}

bool sums_support(const struct sums *const sums[], unsigned count, unsigned quantile)
{
	return count_periods(sums, count) / quantile >= BEYOND;
}

int64_t sums_quantile(const struct sums *const sums[], unsigned count, unsigned quantile)
{
	uint64_t periods = count_periods(sums, count), up_to = 0;

	if (periods < quantile)
		return NO_LATENCY;
	for (unsigned bin = 0; bin < HIST_BINS - 1; bin++) {
		for (unsigned i = 0; i < count; i++)
			up_to += sums[i]->bins[LATENCY_ZERO + bin];
		if (up_to >= periods - periods / quantile)
			return lesser(hist_lower_ns(bin + 1), sums_max(sums, count));
	}
	return NO_LATENCY;
}
