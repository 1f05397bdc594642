// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The SMIs of each buffer and slice, by a counter that is a file: each read gives the next count, and behind the last
 * there is none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake.h"
#include "measure/totals.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct fake_wakeup wakeups[] = {
	{ DUE(1) + 100, 1, 0 }, { DUE(2) + 200, 1, 0 }, { DUE(3) + 300, 1, 0 },
};

static void count_from(const uint64_t *counts, size_t size)
{
	FILE *file = tmpfile();

	if (!file || write(fileno(file), counts, size) != (ssize_t)size || lseek(fileno(file), 0, SEEK_SET))
		exit(1);
	fake_smis = fileno(file);
}

/* The counts at the first wake-up and at the end, and what came between. */
static void counted(uint64_t first, uint64_t last, int64_t expected, const char *name)
{
	const uint64_t counts[] = { first, last };
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	count_from(counts, sizeof(counts));
	fake_run(channel, wakeups, COUNT(wakeups), 2);
	is(channel->live[0].smis, expected, "%s", name);
	munmap(channel, sizeof(*channel));
}

/* The flip is wanted before the first sample. */
static void test_empty_buffer(void)
{
	static const uint64_t counts[] = { 40, 43 };
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	count_from(counts, sizeof(counts));
	channel_want_flip(channel);
	fake_run(channel, wakeups, COUNT(wakeups), 2);
	is(channel->live[0].samples, 0, "a buffer without samples");
	is(channel->live[0].smis, EVENTS_UNKNOWN, "a buffer without samples has no count of SMIs");
	is(channel->live[1].smis, 3, "a buffer without samples leaves its SMIs to the next");
	munmap(channel, sizeof(*channel));
}

static void test_unknown(void)
{
	static const uint64_t one = 7;
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	fake_smis = -1;
	fake_run(channel, wakeups, COUNT(wakeups), 2);
	is(channel->live[0].smis, EVENTS_UNKNOWN, "SMIs that nothing counts are unknown");
	counters_clear(&channel->live[0]);
	count_from(&one, sizeof(one));
	fake_run(channel, wakeups, COUNT(wakeups), 2);
	is(channel->live[0].smis, EVENTS_UNKNOWN, "SMIs are unknown if the counter fails later");
	munmap(channel, sizeof(*channel));
}

/* A buffer of one sample, in which there were so many. */
static void add(struct totals *totals, uint64_t number, int64_t smis)
{
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	struct counters *live = &channel->live[0];

	live->from_ns = live->to_ns = DUE(number);
	counters_count(live, DUE(number + 1), 100, 0, 1, FAKE_PERIOD);
	live->smis = smis;
	totals_add(totals, live, FAKE_PERIOD);
	munmap(channel, sizeof(*channel));
}

/* With four slices of a buffer each all room is taken, and they are joined by twos. */
static void test_slices(void)
{
	struct totals *totals = totals_create(4, false);

	add(totals, 0, EVENTS_UNKNOWN);
	is(totals_sums(totals)->smis, EVENTS_UNKNOWN, "a run's SMIs are unknown if a slice's are");
	add(totals, 1, 2);
	is(totals_slice(totals, 1)->smis, 2, "a slice has its SMIs");
	add(totals, 2, 0);
	add(totals, 3, 5);
	is(totals_slice(totals, 0)->smis, EVENTS_UNKNOWN, "joined slices have unknown SMIs if one of them has");
	is(totals_slice(totals, 1)->smis, 5, "joined slices add their SMIs");
	add(totals, 4, 1);
	is(totals_slice(totals, 2)->smis, 1, "the open slice has its SMIs");
	add(totals, 5, 1);
	is(totals_slice(totals, 2)->smis, 2, "the open slice adds the SMIs of each buffer");
	is(totals_sums(totals)->smis, 9, "a run's SMIs are all that are known");
}

int main(void)
{
	counted(100, 100, 0, "no SMI came");
	counted(100, 103, 3, "three SMIs came");
	counted(UINT32_MAX - 1, 3, 5, "the register of SMIs has 32 bits");
	counted(UINT32_MAX, UINT64_C(1) << 32, 1, "the counter of perf has 64 bits");
	test_empty_buffer();
	test_unknown();
	test_slices();
	return done();
}
