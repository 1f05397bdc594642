// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "killed.h"
#include "measure/totals.h"
#include "tap.h"

#define PERIOD 488281
#define BUFFERS 2100

/* One second of a run: 2048 wake-ups of the same lateness, one of which served two periods. */
static void fill(struct counters *live, uint64_t second)
{
	uint64_t start = second * 1000000000, late = 1000 + second;

	counters_clear(live);
	live->from_ns = live->to_ns = start;
	for (int i = 1; i <= 2048; i++)
		counters_count(live, start + i * PERIOD, late, 0, 1, PERIOD);
	counters_count(live, start + 1000000000, late + PERIOD, PERIOD, 2, PERIOD);
}

static void test_one_buffer(struct counters *live)
{
	struct totals *totals = totals_create(TOTALS_SLICES, false);
	const struct sums *sums;
	const struct slice *slice;

	fill(live, 7);
	totals_add(totals, live, PERIOD);
	sums = totals_sums(totals);
	slice = totals_slice(totals, 0);
	is(sums->samples, 2049, "samples of one buffer");
	is(sums->missed, 1, "missed periods of one buffer");
	is(sums->bins[series_index(LATENCY, 1007)], 2049, "the bins of one buffer");
	is(sums->bins[series_index(LATENCY, 1007 + PERIOD)], 1, "the bin of one late wake-up");
	is(sums->moments[LATENCY].sum.low, UINT64_C(2050) * 1007 + PERIOD, "the sum of lateness");
	is(sums->moments[INTERVAL].sum.low, 1000000000 - UINT64_C(2049) * PERIOD, "the sum of errors");
	is(slice->samples, 2049, "one slice holds a buffer");
	is(slice->moments[LATENCY].max, 1007 + PERIOD, "a slice has its maximum");
	is(slice->to_ns - slice->from_ns, 1000000000, "a slice has its length");
	is(slice->bins[hist_coarse_bin(1007)], 2049, "a slice has its bins");
	ok(!totals_slice(totals, 1), "one buffer makes one slice");

	counters_clear(live);
	live->figures.unasked = 3;
	live->left = true;
	totals_add(totals, live, PERIOD);
	is(totals_sums(totals)->buffers, 2, "an empty buffer is counted");
	is(totals_sums(totals)->figures.unasked, 3, "an empty buffer adds what it knows of the run");
	ok(!totals_slice(totals, 1), "an empty buffer makes no slice");
}

static void test_many(struct counters *live)
{
	struct totals *totals = totals_create(TOTALS_SLICES, false);
	uint64_t samples = 0, missed = 0, bins = 0, gaps = 0;
	unsigned slices = 0, most = 0;
	const struct slice *slice;
	uint64_t to_ns = 0;

	for (uint64_t second = 0; second < BUFFERS; second++) {
		fill(live, second);
		totals_add(totals, live, PERIOD);
		for (slices = 0; totals_slice(totals, slices); slices++)
			;
		most = slices > most ? slices : most;
	}
	totals_inherit(totals);
	for (slices = 0; (slice = totals_slice(totals, slices)); slices++) {
		samples += slice->samples;
		missed += slice->missed;
		gaps += slice->from_ns != to_ns;
		to_ns = slice->to_ns;
		for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++)
			bins += slice->bins[bin];
	}
	is(most, TOTALS_SLICES, "%d buffers: never more than %d slices", BUFFERS, TOTALS_SLICES);
	is(slices, BUFFERS / 4, "slices are four buffers long in the end");
	is(samples, BUFFERS * 2049, "slices hold every sample");
	is(missed, BUFFERS, "slices hold every missed period");
	is(bins, BUFFERS * 2050, "slices hold every lateness");
	is(gaps, 0, "slices have no gap");
	is(to_ns, BUFFERS * UINT64_C(1000000000), "slices reach to the end");
	is(totals_sums(totals)->samples, BUFFERS * 2049, "an heir of the totals has the sums");
	is(totals_slice(totals, slices - 1)->moments[LATENCY].max, 1000 + BUFFERS - 1 + PERIOD,
	   "the last slice holds the last maximum");
	is(totals_slice(totals, 0)->moments[LATENCY].max, 1000 + 3 + PERIOD, "the first slice holds its own maximum");
}

/* All meters share what one of a few may have, down to what shows a shape. */
static void test_share(struct counters *live)
{
	struct totals *totals = totals_create(totals_share(128), false);
	unsigned slices, wrong = 0;

	for (unsigned meters = 1; meters <= 4; meters++)
		is(totals_share(meters), TOTALS_SLICES, "%u meters have all slices", meters);
	is(totals_share(5), TOTALS_SLICES / 2, "each of five meters has half of the slices");
	is(totals_share(128), 32, "each of 128 meters has 32 slices");
	is(totals_share(100000), 32, "any number of meters have 32 slices each");
	for (unsigned second = 0; second < BUFFERS; second++) {
		fill(live, second);
		totals_add(totals, live, PERIOD);
		wrong += totals_slice(totals, 32) != NULL;
	}
	is(wrong, 0, "a meter's slices never exceed its share");
	for (slices = 0; totals_slice(totals, slices); slices++)
		;
	is(slices, BUFFERS / 128 + 1, "slices are 128 buffers long in the end");
	is(totals_slice(totals, slices - 1)->moments[LATENCY].max, 1000 + BUFFERS - 1 + PERIOD,
	   "the last of few slices holds the last maximum");
	is(totals_sums(totals)->samples, BUFFERS * 2049, "no sample of 128 meters is lost");
}

/* A million slices, of one sample each: eleven and a half days of seconds. */
static void test_million(struct counters *live)
{
	const unsigned million = 1000000;
	struct totals *totals = totals_create(TOTALS_SLICES, false);
	const struct slice *slice;
	uint64_t samples = 0;
	unsigned slices;

	counters_clear(live);
	counters_count(live, PERIOD, 1000, 0, 1, PERIOD);
	for (uint64_t i = 0; i < million; i++) {
		live->from_ns = i * 1000000000;
		live->to_ns = live->from_ns + 1000000000;
		totals_add(totals, live, PERIOD);
	}
	for (slices = 0; (slice = totals_slice(totals, slices)); slices++)
		samples += slice->samples;
	is(slices, million / 1024 + 1, "a million slices become some of 1024 each");
	is(samples, million, "a million slices keep all samples");
	is(totals_slice(totals, slices - 1)->to_ns, million * UINT64_C(1000000000),
	   "a million slices reach to the end");
}

/* Five full buffers hold more than 2^32 samples of one bin. */
static void test_large_counts(struct counters *live)
{
	struct totals *totals = totals_create(TOTALS_SLICES, false);
	const struct sums *sums;

	counters_clear(live);
	counters_count(live, PERIOD, 1000, 0, 1, PERIOD);
	live->samples = HIST_ROOM;
	live->bins[series_index(LATENCY, 1000)] = live->bins[series_index(INTERVAL, 0)] = HIST_ROOM;
	live->to_ns = HIST_ROOM * PERIOD;
	ok(counters_is_whole(live), "a full buffer is whole");
	for (int i = 0; i < 5; i++)
		totals_add(totals, live, PERIOD);
	sums = totals_sums(totals);
	is(sums->samples, 5 * HIST_ROOM, "the sums hold more than 2^32 samples");
	is(sums->bins[series_index(LATENCY, 1000)], 5 * HIST_ROOM, "a bin holds more than 2^32 samples");
	is(totals_slice(totals, 4)->bins[hist_coarse_bin(1000)], HIST_ROOM, "the bins of slices hold full buffers");
}

/* Bins that no buffer before had: the further on, the later and the more of them. */
static void fill_wider(struct counters *live, uint64_t second)
{
	counters_clear(live);
	live->from_ns = second * 1000000000;
	for (uint64_t i = 0; i < 2000; i++)
		counters_count(live, live->from_ns + i, second * i * 100, second * i * 90, 1, PERIOD);
	live->to_ns = live->from_ns + 1000000000;
}

static void add_wider(struct totals *totals, struct counters *live, uint64_t second)
{
	fill_wider(live, second);
	totals_add(totals, live, PERIOD);
}

/* Whatever a process was at when it was killed, who goes on finds all of a buffer or nothing. */
static bool counts_wrong(struct totals *totals, struct counters *live)
{
	uint64_t bins = 0, errors = 0;
	const struct sums *sums;

	fill(live, 1000);
	totals_add(totals, live, PERIOD);
	totals_add(totals, live, PERIOD);
	sums = totals_sums(totals);
	for (unsigned i = 0; i < HIST_ALL_BINS; i++)
		*(i < HIST_BINS ? &bins : &errors) += sums->bins[i];
	return bins != sums->samples + sums->missed || errors != sums->samples;
}

int main(void)
{
	struct counters *live = calloc(1, sizeof(*live));

	test_one_buffer(live);
	test_many(live);
	test_share(live);
	test_million(live);
	test_large_counts(live);
	is(killed_wrong(&(struct killed){ add_wider, counts_wrong }, live), 0, "nothing is counted twice after a kill");
	free(live);
	return done();
}
