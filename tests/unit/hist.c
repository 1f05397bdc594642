// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "measure/counting.h"
#include "tap.h"

#define PERIOD 488281

/* Of each decade: its first value, the width of its bins, and how many bins lie below it. */
static const struct {
	uint64_t ns, width;
	unsigned bins;
} decades[] = {
	{ 0, 10, 0 },
	{ 100000, 100, 10000 },
	{ 1000000, 1000, 19000 },
	{ 10000000, 10000, 28000 },
	{ 100000000, 100000, 37000 },
	{ 1000000000, 1000000, 46000 },
	{ 10000000000, 10000000, 55000 },
	{ 100000000000, 100000000, 64000 },
};

static void test_decades(void)
{
	for (size_t i = 0; i < sizeof(decades) / sizeof(*decades); i++) {
		uint64_t ns = decades[i].ns, width = decades[i].width;

		is(hist_bin(ns), decades[i].bins, "the decade from %llu ns starts a bin",
		   (unsigned long long)ns);
		is(hist_bin(ns + width - 1), decades[i].bins, "the first bin of a decade is %llu ns wide",
		   (unsigned long long)width);
		is(hist_bin(ns + width), decades[i].bins + 1, "the second bin of a decade follows the first");
		is(hist_lower_ns(decades[i].bins), ns, "the lower edge of a decade's first bin is known");
		if (ns)
			is(hist_bin(ns - 1), decades[i].bins - 1, "the bin below a decade ends where it begins");
	}
	is(hist_bin(999999999999), HIST_BINS - 2, "1000 s less 1 ns is in the last bin but one");
	is(hist_bin(1000000000000), HIST_BINS - 1, "1000 s is in the open bin");
	is(hist_bin(UINT64_MAX), HIST_BINS - 1, "everything above 1000 s is in the open bin");
}

static uint64_t any_ns(void)
{
	return random_number() >> (24 + random_number() % 40);
}

/* A value lies between the edges of its bin, whose width is at most a thousandth of it. */
static void test_edges(void)
{
	unsigned outside = 0, wide = 0;

	for (int i = 0; i < 100000; i++) {
		uint64_t ns = any_ns();
		unsigned bin = hist_bin(ns), coarse = hist_coarse_bin(ns);

		if (ns >= 1000000000000)
			continue;
		outside += ns < hist_lower_ns(bin) || ns >= hist_lower_ns(bin + 1);
		outside += ns < hist_coarse_lower_ns(coarse) || ns >= hist_coarse_lower_ns(coarse + 1);
		wide += ns >= 10000 && (hist_lower_ns(bin + 1) - hist_lower_ns(bin)) * 1000 > ns;
	}
	is(outside, 0, "100000 random values lie between the edges of their bins");
	is(wide, 0, "bins are narrower than 0.1 %% above 10 us");
	is(hist_coarse_bin(999), 99, "coarse bins are 10 ns wide below 1 us");
	is(hist_coarse_bin(1000), 100, "coarse bins are 100 ns wide from 1 us on");
	is(hist_coarse_bin(1000000000000), HIST_COARSE_BINS - 1, "the open coarse bin");
}

static void test_wide(void)
{
	char text[U128_DIGITS];
	struct moments moments;
	struct u128 sum;

	moments_clear(&moments);
	moments_add(&moments, INT64_MIN);
	is_text(u128_to_text(moments.sumsq, text), "85070591730234615865843651857942052864", "the largest square");
	is_text(u128_to_text(u128_from(INT64_MIN), text), "-9223372036854775808", "the least number");
	is_text(u128_to_text(u128_from(0), text), "0", "the number zero");
	moments_clear(&moments);
	for (int i = 0; i < 3; i++)
		moments_add(&moments, 4300000000);
	is_text(u128_to_text(moments.sumsq, text), "55470000000000000000", "three squares of 4.3 s");
	sum = u128_add(u128_from(-5), u128_from(3));
	is_text(u128_to_text(sum, text), "-2", "a negative sum");
	ok(u128_to_real(sum) == -2, "a negative sum as a real number");
	ok(u128_to_real((struct u128){ 1, 0 }) == 18446744073709551616.0L, "2^64 as a real number");
}

static void same_bins(const struct counters *a, const struct counters *b, const char *name)
{
	ok(!memcmp(a->bins, b->bins, sizeof(a->bins)), "%s: the same bins", name);
	is(a->samples, b->samples, "%s: the same samples", name);
	is(a->missed, b->missed, "%s: the same missed periods", name);
	is(a->moments[LATENCY].min, b->moments[LATENCY].min, "%s: the same least lateness", name);
	is(a->moments[LATENCY].max, b->moments[LATENCY].max, "%s: the same greatest lateness", name);
	is(a->moments[INTERVAL].min, b->moments[INTERVAL].min, "%s: the same least error", name);
	is(a->moments[INTERVAL].max, b->moments[INTERVAL].max, "%s: the same greatest error", name);
}

static struct counters *new_live(void)
{
	struct counters *live = calloc(1, sizeof(*live));

	counters_clear(live);
	return live;
}

/* Whatever the ranges let through, the fast path must come to what the other would. */
static void test_fast_path(void)
{
	struct counters *fast = new_live(), *slow = new_live();
	uint64_t taken = 0;
	char text[2][U128_DIGITS];

	fast->events.ordinary_ns = INT64_MAX;
	for (int i = 0; i < 200000; i++) {
		int64_t late = random_number() % 120000 - 2000;
		int64_t error = (int64_t)(random_number() % 240000) - 120000;

		counters_count(slow, i, late, error, 1, PERIOD);
		if (range_holds(&fast->fast[LATENCY].range, late) && range_holds(&fast->fast[INTERVAL].range, error)) {
			counters_count_fast(fast, i, late, error);
			taken++;
		} else {
			counters_count(fast, i, late, error, 1, PERIOD);
			counters_set_ranges(fast, PERIOD);
		}
	}
	ok(taken > 135000, "more than two thirds of the samples take the fast path (%llu of 200000)",
	   (unsigned long long)taken);
	same_bins(fast, slow, "fast path");
	for (enum series series = 0; series < COUNTED_SERIES; series++) {
		struct moments one = counters_moments(fast, series, PERIOD), other = counters_moments(slow, series, PERIOD);

		is_text(u128_to_text(one.sum, text[0]), u128_to_text(other.sum, text[1]), "fast path: the same sum");
		is_text(u128_to_text(one.sumsq, text[0]), u128_to_text(other.sumsq, text[1]),
			"fast path: the same squares");
	}
	ok(counters_is_whole(fast) && counters_is_whole(slow), "both buffers are whole");
	free(fast);
	free(slow);
}

static void test_ranges(void)
{
	struct counters *live = new_live();

	ok(!range_holds(&live->fast[LATENCY].range, 0) && !range_holds(&live->fast[LATENCY].range, INT64_MIN),
	   "an empty stretch has no fast path");
	counters_count(live, 1, 5000, 0, 1, PERIOD);
	counters_count(live, 2, 700000, -700, 2, PERIOD);
	counters_count(live, 3, -20, 99, 1, PERIOD);
	counters_set_ranges(live, PERIOD);
	ok(!range_holds(&live->fast[LATENCY].range, 5000), "no lateness is ordinary while any is to be kept");
	live->events.ordinary_ns = INT64_MAX;
	counters_set_ranges(live, PERIOD);
	ok(range_holds(&live->fast[LATENCY].range, 0), "a lateness of 0 takes the fast path");
	ok(!range_holds(&live->fast[LATENCY].range, -1), "an early wake-up does not take the fast path");
	ok(range_holds(&live->fast[LATENCY].range, HIST_FINE - 1), "the last fine bin takes the fast path");
	ok(!range_holds(&live->fast[LATENCY].range, HIST_FINE), "a lateness of 100 us does not take the fast path");
	ok(range_holds(&live->fast[INTERVAL].range, -700), "the least error takes the fast path");
	ok(!range_holds(&live->fast[INTERVAL].range, -701), "a new least error does not take the fast path");
	ok(range_holds(&live->fast[INTERVAL].range, 99), "the greatest error takes the fast path");
	ok(!range_holds(&live->fast[INTERVAL].range, 100), "a new greatest error does not take the fast path");
	is(live->early_wakeups, 1, "one wake-up was early");
	live->events.ordinary_ns = 7000;
	counters_set_ranges(live, PERIOD);
	ok(range_holds(&live->fast[LATENCY].range, 7000) && !range_holds(&live->fast[LATENCY].range, 7001),
	   "a lateness above the ordinary does not take the fast path");
	live->events.ordinary_ns = INT64_MAX;
	counters_set_ranges(live, 20000);
	ok(!range_holds(&live->fast[LATENCY].range, 20000),
	   "a whole period, however short, does not take the fast path");
	free(live);
}

/* As the loop over periods does it, one after the other. */
static void count_each(struct counters *live, int64_t late, int64_t error, uint64_t periods, uint64_t period_ns)
{
	counters_count(live, 0, late, error, 1, period_ns);
	live->missed += periods - 1;
	while (--periods) {
		late -= period_ns;
		moments_add(&live->moments[LATENCY], late);
		live->bins[series_index(LATENCY, late)]++;
	}
}

/* Wake-ups that serve any number of periods of any length, not all of them due, must be counted exactly. */
static void test_missed(void)
{
	struct counters *live = new_live(), *each = new_live();
	char text[2][U128_DIGITS];

	for (int i = 0; i < 2000; i++) {
		uint64_t periods = 1 + (random_number() >> (51 + random_number() % 12));
		uint64_t period_ns = 1 + (random_number() >> (34 + random_number() % 30));
		int64_t late = periods * period_ns - random_number() % (2 * period_ns) + any_ns() / 1000;

		counters_count(live, 0, late, 0, periods, period_ns);
		count_each(each, late, 0, periods, period_ns);
	}
	same_bins(live, each, "many periods");
	is_text(u128_to_text(live->moments[LATENCY].sum, text[0]), u128_to_text(each->moments[LATENCY].sum, text[1]),
		"many periods: the same sum");
	is_text(u128_to_text(live->moments[LATENCY].sumsq, text[0]), u128_to_text(each->moments[LATENCY].sumsq, text[1]),
		"many periods: the same squares");
	ok(counters_is_whole(live), "many periods: the buffer is whole");
	free(live);
	free(each);
}

/* What was used, wherever it stands, is empty again. */
static void test_clear(void)
{
	struct counters *live = new_live();
	uint64_t left = 0;

	for (int i = 0; i < 10000; i++)
		counters_count(live, i, any_ns() - any_ns(), any_ns() - any_ns(), 1, PERIOD);
	counters_keep(live, &(struct event){ .late_ns = 1 });
	counters_clear(live);
	for (unsigned i = 0; i < STAMPED_ZERO; i++)
		left += live->bins[i];
	is(left + live->samples + live->missed + live->events.count, 0, "a buffer that was cleared is empty");
	ok(live->moments[INTERVAL].min > live->moments[INTERVAL].max, "a buffer that was cleared has no extremes");
	free(live);
}

/* All that there is room for, a hundred times: one after the other would take minutes. */
static void test_long_stalls(void)
{
	struct counters *live = new_live();

	for (int i = 0; i < 100; i++) {
		counters_clear(live);
		counters_count(live, 0, HIST_ROOM * 10000, 0, HIST_ROOM, 10000);
	}
	ok(counters_is_whole(live), "a stall of %llu periods has its bins", (unsigned long long)HIST_ROOM);
	free(live);
}

static void test_limits(void)
{
	struct counters *live = new_live();

	ok(!counters_count(live, 1, 0, 0, HIST_ROOM + 1, 1), "more periods than fit are refused");
	is(live->samples, 0, "periods that are refused are not counted");
	live->samples = HIST_ROOM;
	ok(!counters_count(live, 1, 0, 0, 1, PERIOD), "a full buffer refuses another period");
	live->samples = HIST_ROOM + 1;
	ok(!counters_count(live, 1, 0, 0, 1, PERIOD),
	   "a buffer that the fast path has overfilled refuses another period");
	ok(!counters_is_whole(live), "a count without its bins is seen");
	counters_clear(live);
	live->changing = true;
	ok(!counters_is_whole(live), "a change that was not completed is seen");
	free(live);
}

int main(void)
{
	test_decades();
	test_edges();
	test_wide();
	test_fast_path();
	test_ranges();
	test_missed();
	test_clear();
	test_long_stalls();
	test_limits();
	return done();
}
