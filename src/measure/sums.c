// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "measure/sums.h"

#define BEYOND 10			/* periods that must lie beyond a quantile to support it */

void sums_init(struct sums *sums)
{
	sums->buffers_per_slice = 1;
	sums->smis = EVENTS_UNKNOWN;
	for (enum series series = 0; series < SERIES; series++)
		moments_clear(&sums->moments[series]);
	events_clear(&sums->events);
}

void sums_copy(struct sums *to, const struct sums *from)
{
	memcpy(to, from, offsetof(struct sums, bins));
	atomic_signal_fence(memory_order_seq_cst);
	for (enum series series = 0; series < SERIES; series++) {
		struct span span = series_span(series, &from->moments[series]);

		memcpy(&to->bins[span.first], &from->bins[span.first],
		       (span.end - span.first) * sizeof(*to->bins));
	}
	if (from->matched)
		memcpy(to->by_lateness, from->by_lateness, sizeof(to->by_lateness));
}

/* The extremes and matched, which give the span to clear, change before the bins; so no changed bin is missed. */
void sums_clear_bins(struct sums *sums)
{
	for (enum series series = 0; series < SERIES; series++) {
		struct span span = series_span(series, &sums->moments[series]);

		memset(&sums->bins[span.first], 0, (span.end - span.first) * sizeof(*sums->bins));
	}
	if (sums->matched)
		memset(sums->by_lateness, 0, sizeof(sums->by_lateness));
}

/* The extremes change before the bins: see sums_clear_bins(). */
static void add_series(struct sums *sums, const struct counters *live, enum series series,
		       const struct moments *moments)
{
	struct span span = series_span(series, moments);
	const uint32_t *bins = counters_bins(live, span.first);

	moments_merge(&sums->moments[series], moments);
	atomic_signal_fence(memory_order_seq_cst);
	for (unsigned i = span.first; i < span.end; i++)
		sums->bins[i] += *bins++;
}

void sums_add(struct sums *sums, const struct counters *live, uint64_t period_ns)
{
	sums->buffers++;
	figures_merge(&sums->figures, &live->figures);
	if (!live->samples)
		return;
	if (!sums->samples)
		sums->from_ns = live->from_ns;
	sums->to_ns = live->to_ns;
	sums->samples += live->samples;
	sums->missed += live->missed;
	sums->early_wakeups += live->early_wakeups;
	sums->timed += live->timed;
	sums->slack_ns += live->slack_ns;
	if (live->smis != EVENTS_UNKNOWN)
		sums->smis = live->smis + greater(sums->smis, 0);
	events_merge(&sums->events, &live->events);
	for (enum series series = 0; series < COUNTED_SERIES; series++) {
		struct moments moments = counters_moments(live, series, period_ns);

		add_series(sums, live, series, &moments);
	}
}

static void add_wakeup(struct sums *sums, const struct parts *parts)
{
	struct lateness_parts *late;
	int64_t late_ns = 0;

	for (enum part part = 0; part < PARTS; part++)
		late_ns += parts->ns[part];
	late = &sums->by_lateness[hist_coarse_bin(late_ns < 0 ? 0 : late_ns)];
	late->wakeups++;
	for (enum part part = 0; part < PARTS; part++) {
		enum series series = series_of_part(part);

		late->sum_ns[part] += parts->ns[part];
		moments_add(&sums->moments[series], parts->ns[part]);
		atomic_signal_fence(memory_order_seq_cst);
		sums->bins[series_index(series, parts->ns[part])]++;
	}
}

static int compare_stamps(const void *stamp_ns, const void *parts)
{
	uint64_t a = *(const uint64_t *)stamp_ns, b = ((const struct parts *)parts)->stamp_ns;

	return (a > b) - (a < b);
}

/* The heir of a keeper begins to read where the log begins. */
void sums_add_parts(struct sums *sums, const struct parts *parts, unsigned count)
{
	for (; count && parts->stamp_ns <= sums->matched_to_ns; count--)
		parts++;
	if (count)
		sums->matched_to_ns = parts[count - 1].stamp_ns;
	sums->matched += count;
	atomic_signal_fence(memory_order_seq_cst);
	for (unsigned i = 0; i < count; i++)
		add_wakeup(sums, &parts[i]);
	for (unsigned i = 0; i < sums->events.count; i++) {
		struct event *event = &sums->events.worst[i];
		const struct parts *known = bsearch(&event->stamp_ns, parts, count, sizeof(*parts), compare_stamps);

		if (known)
			event->parts = *known;
	}
}

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
