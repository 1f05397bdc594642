// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <string.h>

#include "live.h"

/* All the other bins are 0. */
static struct span span_of(const struct live *live, enum series series)
{
	return hist_span(series, &live->moments[series]);
}

void live_clear(struct live *live)
{
	struct recording *recordings = live->recordings;

	for (enum series series = 0; series < SERIES; series++) {
		struct span span = span_of(live, series);

		memset(&live->bins[span.first], 0, (span.end - span.first) * sizeof(*live->bins));
	}
	memset(live, 0, offsetof(struct live, bins));
	live->recordings = recordings;
	for (enum series series = 0; series < SERIES; series++)
		moments_clear(&live->moments[series]);
	events_clear(&live->events);
}

static struct range between(int64_t least, int64_t most)
{
	return (struct range){ least, least <= most ? most - least + 1 : 0 };
}

static int64_t at_least(int64_t value, int64_t bound)
{
	return value > bound ? value : bound;
}

static int64_t at_most(int64_t value, int64_t bound)
{
	return value < bound ? value : bound;
}

void live_set_ranges(struct live *live, uint64_t period_ns)
{
	const struct moments *late = &live->moments[LATENESS], *error = &live->moments[INTERVAL];
	int64_t most = at_most(late->max, events_ordinary(&live->events));

	live->fast[LATENESS].range = between(at_least(late->min, 0),
					     at_most(most, at_most(HIST_FINE, period_ns) - 1));
	live->fast[INTERVAL].range = between(at_least(error->min, 1 - HIST_FINE),
					     at_most(error->max, HIST_FINE - 1));
}

/* A bin at a time, for a stall may have more periods than anybody could wait for. */
static void count_periods(struct live *live, int64_t late, uint64_t period_ns, uint64_t periods)
{
	moments_add_steps(&live->moments[LATENESS], late, period_ns, periods);
	while (periods) {
		unsigned bin = hist_index(LATENESS, late);
		uint64_t alike = bin ? (late - hist_lower_ns(bin)) / period_ns + 1 : periods;

		if (alike > periods)
			alike = periods;
		live->bins[bin] += alike;
		late -= alike * period_ns;
		periods -= alike;
	}
}

/* Who is killed between the two leaves a buffer that is not whole. */
static void begin_change(struct live *live)
{
	live->changing = true;
	atomic_signal_fence(memory_order_seq_cst);
}

static void end_change(struct live *live)
{
	atomic_signal_fence(memory_order_seq_cst);
	live->changing = false;
}

/* Added up, for what the fast path counted since may be more than there was room for. */
bool live_has_room(const struct live *live, uint64_t periods)
{
	return periods <= HIST_ROOM && live->samples + live->missed + periods <= HIST_ROOM;
}

bool live_count(struct live *live, uint64_t now, int64_t late, int64_t error,
		uint64_t periods, uint64_t period_ns)
{
	if (!live_has_room(live, periods))
		return false;
	begin_change(live);
	live->samples++;
	live->missed += periods - 1;
	live->early_wakeups += late < 0;
	live->to_ns = now;
	moments_add(&live->moments[INTERVAL], error);
	live->bins[hist_index(INTERVAL, error)]++;
	count_periods(live, late, period_ns, periods);
	end_change(live);
	return true;
}

struct recording *live_keep(struct live *live, const struct event *event)
{
	int slot;

	begin_change(live);
	slot = events_add(&live->events, event);
	end_change(live);
	return slot >= 0 && live->recordings ? &live->recordings[slot] : NULL;
}

/* The intervals of a stretch add up to the time from its first stamp to its last. */
struct moments live_moments(const struct live *live, enum series series, uint64_t period_ns)
{
	const struct fast *fast = &live->fast[series];
	struct moments moments = live->moments[series];

	moments.sum = u128_add(moments.sum, (struct u128){ 0, fast->sum });
	moments.sumsq = u128_add(moments.sumsq, (struct u128){ 0, fast->sumsq });
	if (series == INTERVAL)
		moments.sum = u128_from(live->to_ns - live->from_ns - live->samples * period_ns);
	return moments;
}

static uint64_t counted(const struct live *live, enum series series)
{
	struct span span = span_of(live, series);
	uint64_t sum = 0;

	for (unsigned i = span.first; i < span.end; i++)
		sum += live->bins[i];
	return sum;
}

bool live_is_whole(const struct live *live)
{
	return !live->changing && counted(live, INTERVAL) == live->samples &&
	       counted(live, LATENESS) == live->samples + live->missed;
}
