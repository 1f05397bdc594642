// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts what the fast path does not, so that a kill leaves a buffer that is whole or known not to be. */
#include <stddef.h>
#include <string.h>

#include "measure/counting.h"

static struct span span_of(const struct counters *live, enum series series)
{
	if (series >= STAMPED && !live->stamped)
		return (struct span){ 0, 0 };
	return series_span(series, &live->moments[series]);
}

uint32_t *counters_bins(const struct counters *live, unsigned index)
{
	return index < STAMPED_ZERO ? (uint32_t *)&live->bins[index] : &live->stamped[index - STAMPED_ZERO];
}

void counters_clear(struct counters *live)
{
	for (enum series series = 0; series < COUNTED_SERIES; series++) {
		struct span span = span_of(live, series);

		memset(counters_bins(live, span.first), 0, (span.end - span.first) * sizeof(*live->bins));
	}
	memset(live, 0, offsetof(struct counters, recordings));
	if (live->recordings)
		memset(live->recordings, 0, offsetof(struct recordings, data));
	live->smis = EVENTS_UNKNOWN;
	for (enum series series = 0; series < COUNTED_SERIES; series++)
		moments_clear(&live->moments[series]);
	events_clear(&live->events);
}

static struct range between(int64_t least, int64_t most)
{
	return (struct range){ least, least <= most ? most - least + 1 : 0 };
}

void counters_set_ranges(struct counters *live, uint64_t period_ns)
{
	const struct moments *late = &live->moments[LATENCY], *error = &live->moments[INTERVAL];
	int64_t most = lesser(late->max, events_ordinary(&live->events));

	if (live->stamped)
		return;
	live->fast[LATENCY].range = between(greater(late->min, 0), lesser(most, lesser(HIST_FINE, period_ns) - 1));
	live->fast[INTERVAL].range = between(greater(error->min, 1 - HIST_FINE),
					      lesser(error->max, HIST_FINE - 1));
}

/* Counts one bin at a time, because counting a long stall period by period would take too long. */
static void count_periods(struct counters *live, int64_t late, uint64_t period_ns, uint64_t periods)
{
	moments_add_steps(&live->moments[LATENCY], late, period_ns, periods);
	while (periods) {
		unsigned bin = series_index(LATENCY, late);
		uint64_t alike = bin ? (late - hist_lower_ns(bin)) / period_ns + 1 : periods;

		if (alike > periods)
			alike = periods;
		live->bins[bin] += alike;
		late -= alike * period_ns;
		periods -= alike;
	}
}

/* A kill between begin_change() and end_change() leaves a buffer that is not whole. */
static void begin_change(struct counters *live)
{
	live->changing = true;
	atomic_signal_fence(memory_order_seq_cst);
}

static void end_change(struct counters *live)
{
	atomic_signal_fence(memory_order_seq_cst);
	live->changing = false;
}

/* Nothing is subtracted from HIST_ROOM: that would wrap after the fast path has counted beyond it. */
bool counters_has_room(const struct counters *live, uint64_t periods)
{
	return periods <= HIST_ROOM && live->samples + live->missed + periods <= HIST_ROOM;
}

static void count_value(struct counters *live, enum series series, int64_t ns)
{
	moments_add(&live->moments[series], ns);
	(*counters_bins(live, series_index(series, ns)))++;
}

bool counters_count_wakeup(struct counters *live, uint64_t now, uint64_t periods)
{
	if (!counters_has_room(live, periods))
		return false;
	live->samples++;
	live->missed += periods - 1;
	live->to_ns = now;
	return true;
}

bool counters_count(struct counters *live, uint64_t now, int64_t late, int64_t error,
		    uint64_t periods, uint64_t period_ns)
{
	if (!counters_count_wakeup(live, now, periods))
		return false;
	begin_change(live);
	live->early_wakeups += late < 0;
	count_value(live, INTERVAL, error);
	count_periods(live, late, period_ns, periods);
	end_change(live);
	return true;
}

void counters_count_request(struct counters *live, uint64_t now, uint64_t asked_ns, uint64_t period_ns)
{
	enum series series = live->measures == SINCE_DUE_AND_STAMP ? STAMPED : LATENCY;

	begin_change(live);
	count_value(live, series, now - asked_ns);
	if (series == STAMPED)
		moments_add(&live->moments[STAMP_INTERVAL], asked_ns - live->asked_ns - period_ns);
	live->asked_ns = asked_ns;
	end_change(live);
}

void counters_count_kind(struct counters *live, enum series kind, int64_t ns)
{
	begin_change(live);
	live->timed += kind == TIMED;
	count_value(live, kind, ns);
	end_change(live);
}

int counters_keep(struct counters *live, const struct event *event)
{
	int slot;

	begin_change(live);
	slot = events_add(&live->events, event);
	end_change(live);
	return slot;
}

/* Interval errors need no counted sum: the intervals add up to the time from the first stamp to the last. */
struct moments counters_moments(const struct counters *live, enum series series, uint64_t period_ns)
{
	struct moments moments = live->moments[series];

	if (series > INTERVAL || !measures_schedule(live->measures))
		return moments;
	moments.sum = u128_add(moments.sum, (struct u128){ 0, live->fast[series].sum });
	moments.sumsq = u128_add(moments.sumsq, (struct u128){ 0, live->fast[series].sumsq });
	if (series == INTERVAL)
		moments.sum = u128_from(live->to_ns - live->from_ns - live->samples * period_ns);
	return moments;
}

static uint64_t counted(const struct counters *live, enum series series)
{
	struct span span = span_of(live, series);
	uint64_t sum = 0;

	for (unsigned i = span.first; i < span.end; i++)
		sum += *counters_bins(live, i);
	return sum;
}

bool counters_is_whole(const struct counters *live)
{
	uint64_t periods = live->samples + live->missed;

	return !live->changing && counted(live, LATENCY) == periods &&
	       (!measures_schedule(live->measures) || counted(live, INTERVAL) == live->samples) &&
	       (!live->stamped || counted(live, STAMPED) == periods - live->timed) &&
	       counted(live, TIMED) == live->timed;
}
