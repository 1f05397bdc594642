// SPDX-License-Identifier: GPL-2.0-or-later
/* What is seen once a second belongs to a slice, and counts if the latest wake-ups are there. */
#include <stdlib.h>

#include "report/outcome.c"
#include "tap.h"

#define PERIOD 1000000
#define ROOM 32

static struct counters *live;

/* A second of wake-ups that are 1 us late, and so many more that are later. */
static void add(struct totals *totals, uint64_t second, int64_t late_ns, unsigned late)
{
	uint64_t start = second * 1000000000;

	counters_clear(live);
	live->from_ns = live->to_ns = start;
	for (unsigned i = 0; i < 1000; i++)
		counters_count(live, start + i * PERIOD, i < late ? late_ns : 1000, 0, 1, PERIOD);
	totals_add(totals, live, PERIOD);
}

/* Ten seconds. In the fifth the hypervisor takes time, and these wake-ups are late; elsewhere there are others. */
static unsigned stolen(int64_t late_ns, unsigned late, int64_t other_ns, unsigned others)
{
	struct totals *totals = totals_create(ROOM, false);

	for (unsigned second = 0; second < 10; second++) {
		if (second == 5)
			totals_see(totals, SEEN_STEAL, 10);
		add(totals, second, second == 5 ? late_ns : other_ns, second == 5 ? late : others);
	}
	return seen_at_worst(totals, 10000);
}

static void test_latest(void)
{
	is(stolen(9000000, 1, 50000, 3), 1 << SEEN_STEAL, "a disturbance at the latest wake-up counts");
	is(stolen(50000, 3, 60000, 1), 0, "a disturbance does not count if wake-ups elsewhere are later");
	is(stolen(50000, 20, 50000, 2), 1 << SEEN_STEAL, "a disturbance at most of the late wake-ups counts");
	is(stolen(50000, 17, 50000, 2), 0, "a disturbance at fewer than half of the late wake-ups does not count");
	is(stolen(1000, 0, 1000, 0), 0, "a disturbance does not count if no wake-up is late");
}

static void test_slices(void)
{
	struct totals *totals = totals_create(ROOM, false);
	const struct slice *slice;
	unsigned with = 0;

	totals_see(totals, SEEN_STEAL, INT64_MIN);
	add(totals, 0, 0, 0);
	is(totals_slice(totals, 0)->seen, 0, "an unknown disturbance marks no slice");
	totals_see(totals, SEEN_TRACED, 1000);
	counters_clear(live);
	totals_add(totals, live, PERIOD);
	totals_see(totals, SEEN_STOPPED, 7);
	totals_see(totals, SEEN_STOPPED, 3);
	is(totals_seen_ms(totals, SEEN_STOPPED), 7, "no time of a disturbance is taken back");
	add(totals, 1, 0, 0);
	is(totals_slice(totals, 1)->seen, 1 << SEEN_TRACED | 1 << SEEN_STOPPED,
	   "a buffer without samples leaves its disturbances to the next");
	for (unsigned second = 2; second < 3 * ROOM; second++)
		add(totals, second, 0, 0);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++)
		with += slice->seen != 0;
	is(with, 1, "merged slices have the disturbance of either");
	ok(totals_slice(totals, 0)->seen, "a merged slice keeps the time of its disturbance");
}

int main(void)
{
	live = calloc(1, sizeof(*live));
	test_latest();
	test_slices();
	return done();
}
