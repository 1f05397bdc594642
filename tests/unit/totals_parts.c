// SPDX-License-Identifier: GPL-2.0-or-later
/* What the lateness was made of, in the totals. */
#include <stdlib.h>

#include "killed.h"
#include "tap.h"

#define PERIOD 1000000
#define WAKEUPS 2000

static const struct moments *moments_of(const struct sums *sums, enum part part)
{
	return &sums->moments[COUNTED_SERIES + part];
}

static uint64_t bin_of(const struct sums *sums, enum part part, int64_t ns)
{
	return sums->bins[series_index(COUNTED_SERIES + part, ns)];
}

static void test_sums(void)
{
	static const struct parts parts[] = {
		{ 1000, { 8400, 9200, 26600, 0, 10700 } },
		{ 2000, { -600, 9700, 20000, 74400, 13400 } },
		{ 3000, { 62000000, 1000, 2000, 0, 3000 } },
	};
	struct totals *totals = totals_create(TOTALS_SLICES, false);
	const struct sums *sums;

	is(totals_sums(totals)->matched, 0, "no wake-up is explained at first");
	totals_add_parts(totals, parts, 2, 0);
	totals_add_parts(totals, parts + 2, 1, 7);
	sums = totals_sums(totals);
	is(sums->matched, 3, "wake-ups with known parts are counted");
	is(sums_count(sums, COUNTED_SERIES + PART_STAMP), 3, "each part has as many values as wake-ups");
	is(sums->trace_lost, 7, "lost records are counted");
	is(moments_of(sums, PART_EXPIRY)->sum.low, 62007800, "the sum of a part, with its sign");
	is(moments_of(sums, PART_EXPIRY)->min, -600, "the least value of a part");
	is(moments_of(sums, PART_AGAIN)->max, 74400, "the greatest value of a part");
	is(bin_of(sums, PART_EXPIRY, 0), 1, "a part below 0 is in the first bin");
	is(bin_of(sums, PART_EXPIRY, 62000000), 1, "a late part is in its own bin");
	is(bin_of(sums, PART_AGAIN, 0), 2, "most wake-ups are not blocked again");
	is(sums->by_lateness[hist_coarse_bin(54900)].wakeups, 1, "a wake-up is counted by its lateness");
	is(sums->by_lateness[hist_coarse_bin(116900)].sum_ns[PART_AGAIN], 74400,
	   "a wake-up has its parts by its lateness");
	is(sums->by_lateness[hist_coarse_bin(62006000)].sum_ns[PART_EXPIRY], 62000000,
	   "a wake-up is late because of the timer");
}

/* A buffer of one wake-up, which is one of the worst. */
static void add_event(struct totals *totals, struct counters *live, uint64_t stamp_ns)
{
	counters_clear(live);
	counters_count(live, stamp_ns, 1000000, 0, 1, PERIOD);
	counters_keep(live, &(struct event){ .stamp_ns = stamp_ns, .episode = stamp_ns, .late_ns = 1000000 });
	totals_add(totals, live, PERIOD);
}

static void add_parts(struct totals *totals, uint64_t from_ns, unsigned count)
{
	struct parts parts[100];

	for (unsigned i = 0; i < count; i++)
		parts[i] = (struct parts){ from_ns + i, { from_ns + i, 1, 2, 3, 4 } };
	totals_add_parts(totals, parts, count, 0);
}

/* NULL: they are not known. */
static const struct parts *parts_at(const struct totals *totals, uint64_t stamp_ns)
{
	const struct events *events = &totals_sums(totals)->events;

	for (unsigned i = 0; i < events->count; i++)
		if (events->worst[i].stamp_ns == stamp_ns && events->worst[i].parts.stamp_ns == stamp_ns)
			return &events->worst[i].parts;
	return NULL;
}

/* Of some events the parts are known at once, of some later, of some never. */
static void test_worst(struct counters *live)
{
	struct totals *totals = totals_create(TOTALS_SLICES, false);

	add_event(totals, live, 5);
	add_event(totals, live, 99);
	add_event(totals, live, 250);
	add_event(totals, live, 350);
	add_parts(totals, 1, 100);
	is(parts_at(totals, 99)->ns[PART_EXPIRY], 99, "an event has its parts once they are known");
	ok(!parts_at(totals, 250), "an event without known parts has none");
	add_parts(totals, 200, 100);
	is(parts_at(totals, 99)->ns[PART_EXPIRY], 99, "an event keeps its parts");
	is(parts_at(totals, 250)->ns[PART_STAMP], 4, "an event gets its parts later");
	add_event(totals, live, 400);
	add_parts(totals, 0, 0);
	is(parts_at(totals, 250)->ns[PART_STAMP], 4, "an event keeps parts that it got later");
	ok(!parts_at(totals, 350), "an event whose parts never come has none");
}

static bool adds_up(const struct sums *sums)
{
	uint64_t wakeups = 0, bins[PARTS] = { 0 };
	int64_t sum_ns[PARTS] = { 0 };

	for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++)
		wakeups += sums->by_lateness[bin].wakeups;
	for (enum part part = 0; part < PARTS; part++) {
		unsigned zero = series_index(COUNTED_SERIES + part, 0);

		for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++)
			sum_ns[part] += sums->by_lateness[bin].sum_ns[part];
		for (unsigned bin = 0; bin < HIST_BINS; bin++)
			bins[part] += sums->bins[zero + bin];
		if (bins[part] != sums->matched || (int64_t)moments_of(sums, part)->sum.low != sum_ns[part])
			return false;
	}
	return wakeups == sums->matched;
}

/* Wider with each buffer, so that new bins are in use. */
static void add_wider(struct totals *totals, struct counters *live, uint64_t number)
{
	static struct parts parts[WAKEUPS];

	(void)live;
	for (unsigned i = 0; i < WAKEUPS; i++)
		parts[i] = (struct parts){ number * WAKEUPS + i + 1, { number * i * 70, 1, 2, 3, 4 } };
	totals_add_parts(totals, parts, WAKEUPS, number + 1);
}

/* Who goes on finds all of what was added or nothing, and what the killed one left does no harm. */
static bool explains_wrong(struct totals *totals, struct counters *live)
{
	bool wrong = totals_sums(totals)->matched != WAKEUPS * totals_sums(totals)->trace_lost;

	wrong |= !adds_up(totals_sums(totals));
	for (uint64_t number = 2000; number < 2003; number++) {
		add_event(totals, live, number);
		wrong |= !adds_up(totals_sums(totals));
		add_wider(totals, live, number);
		wrong |= !adds_up(totals_sums(totals));
	}
	return wrong;
}

int main(void)
{
	struct counters *live = calloc(1, sizeof(*live));

	test_sums();
	test_worst(live);
	is(killed_wrong(&(struct killed){ add_wider, explains_wrong }, live), 0,
	   "parts are added wholly or not at all after a kill");
	free(live);
	return done();
}
