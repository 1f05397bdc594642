// SPDX-License-Identifier: GPL-2.0-or-later
/* LMbench's figure from slices whose hops are known, and when it is doubted. */
#include <string.h>

#include "report/lmbench.h"
#include "tap.h"

static struct counters live;
static struct totals *totals;

/* A second of the run: so many hops, of this time each. */
static void add(unsigned hops, int64_t ns)
{
	static uint64_t now_ns;

	counters_clear(&live);
	live.measures = SINCE_ASKED;
	live.from_ns = live.to_ns = now_ns;
	for (unsigned i = 0; i < hops; i++) {
		counters_count_asked(&live, now_ns += ns, 1);
		counters_count_request(&live, now_ns, now_ns - ns, 0);
	}
	totals_add(totals, &live, 0);
}

static void begin(void)
{
	totals = totals_create(TOTALS_SLICES);
}

static void is_figure(double first_ns, double second_ns, double third_ns, double expected_ns, const char *doubt,
		      const char *name)
{
	const double overhead_ns[OVERHEAD_REPEATS] = { first_ns, second_ns, third_ns };
	struct lmbench lmbench;

	ok(lmbench_sum_up(&lmbench, totals, overhead_ns), "%s", name);
	is(lmbench.ns, expected_ns, "its figure");
	is_text(lmbench.doubt, doubt, "its doubt");
}

static void test_thirds(void)
{
	begin();
	add(100, 5000);
	add(100, 4000);
	add(100, 6000);
	is_figure(1000, 1000, 1000, 3000, "", "the least third");
	is_figure(1200, 1100, 1000, 3000, "", "less the least overhead");
	add(4, 2000);
	is_figure(1000, 1000, 1000, 3000, "", "a short slice counts by its hops");
	begin();
	for (int i = 0; i < 9; i++)
		add(100, i % 3 == 1 ? 2000 : 5000);
	is_figure(1000, 1000, 1000, 3000, "", "no slice alone, of thirds with more of them");
}

static void test_doubts(void)
{
	begin();
	add(100, 5000);
	add(100, 5000);
	is_figure(1000, 1000, 1000, 4000, "the run has 2 slices, too few for three repeats", "a short run");
	add(100, 5000);
	is_figure(1000, 1500, 1000, 4000, "the overhead varied by 0.500 us", "an overhead that varies");
	is_figure(1000, 1400, 1000, 4000, "", "but not by more than a tenth of the figure");
	is_figure(2600, 2600, 2600, 2400, "the overhead is more than what is left", "a large overhead");
	is_figure(5000, 5000, 5000, 0, "nothing is left without the overhead", "all of it");
	is_figure(7000, 7600, 7000, -2000, "nothing is left without the overhead; the overhead varied by 0.600 us", "more than all");
}

static void test_none(void)
{
	static const double overhead_ns[OVERHEAD_REPEATS] = { 1000, 1000, 1000 }, none[OVERHEAD_REPEATS];
	struct lmbench lmbench;

	begin();
	ok(!lmbench_sum_up(&lmbench, totals, overhead_ns), "without a hop there is no figure");
	add(100, 5000);
	ok(!lmbench_sum_up(&lmbench, totals, none), "nor where the overhead was not measured");
}

int main(void)
{
	test_thirds();
	test_doubts();
	test_none();
	return done();
}
