// SPDX-License-Identifier: GPL-2.0-or-later
/* Each request has a latency of its own, however late the reader is. The test plays the waker. */
#include <errno.h>
#include <sys/mman.h>

#include "fake.h"
#include "source/requests.h"
#include "source/registry.h"
#include "tap.h"

#define AT_ONCE 3

/* count requests, stamped at_ns. */
struct made {
	uint64_t at_ns, count;
};

/* The requests made before a wake-up, and when that is. */
struct step {
	struct made made[AT_ONCE];
	uint64_t served_ns;
};

static const struct step *next, *end;
static struct requests waker;

static int64_t make_and_wait(struct source *source, uint64_t due_ns)
{
	if (next == end)
		return -ENODATA;
	for (int i = 0; i < AT_ONCE && next->made[i].count; i++)
		requests_make(&waker, next->made[i].count, next->made[i].at_ns);
	fake_now_ns = next->served_ns;
	next++;
	return source_thread.wait(source, due_ns);
}

static int start(struct source *source)
{
	static struct requests meter;
	int result = requests_open(&meter);

	source->own = &meter;
	waker = meter;
	return result;
}

static struct channel *run(const struct step *steps, int count, enum end *why)
{
	const struct source_ops ops = {
		.name = "fake", .measures = SINCE_ASKED, .start = start, .wait = make_and_wait,
		.asked = source_thread.asked,
	};
	struct channel *channel = channel_create();

	channel_measure(channel, SINCE_ASKED);
	next = steps;
	end = steps + count;
	*why = fake_loop(channel, &ops, FAKE_ANCHOR, count - 1);
	return channel;
}

static uint32_t in_bin(const struct counters *live, int64_t ns)
{
	return *counters_bins(live, series_index(LATENCY, ns));
}

static void test_each(void)
{
	static const struct step steps[] = {
		{ .made = { { DUE(1), 1 } }, .served_ns = DUE(1) + 500 },
		{ .made = { { DUE(2) + 10, 1 } }, .served_ns = DUE(2) + 1010 },
		{ .made = { { DUE(3), 1 }, { DUE(4) + 7000, 1 }, { DUE(7) + 40, 3 } }, .served_ns = DUE(7) + 5040 },
		{ .made = { { DUE(8), 1 } }, .served_ns = DUE(8) + 2000 },
	};
	enum end why;
	struct channel *channel = run(steps, 4, &why);
	struct counters *live = &channel->live[0];
	struct moments moments = counters_moments(live, LATENCY, FAKE_PERIOD);

	is(why, END_SAMPLES, "three wake-ups");
	is(live->samples, 3, "are samples");
	is(live->missed, 4, "one served five requests");
	ok(counters_is_whole(live), "of which each is counted");
	is(in_bin(live, 1000), 1, "the first waited for 1000 ns");
	is(in_bin(live, 4 * FAKE_PERIOD + 5040), 1, "of the five, the first since it was made");
	is(in_bin(live, 3 * FAKE_PERIOD - 1960), 1, "the second, which was made late, since then");
	is(in_bin(live, 5000), 3, "three that a waker made at once, when it was late itself, since then");
	is(in_bin(live, 2000), 1, "the last is on time");
	is(moments.sum.low, 1000 + 4 * FAKE_PERIOD + 5040 + 3 * FAKE_PERIOD - 1960 + 3 * 5000 + 2000, "their sum");
	munmap(channel, sizeof(*channel));
}

/* More requests are made than there is room for stamps. */
static void test_overwritten(void)
{
	static const struct step steps[] = {
		{ .made = { { DUE(1), 1 } }, .served_ns = DUE(1) + 500 },
		{ .made = { { DUE(2) + 10, 1 }, { DUE(3) + 10, 1 }, { DUE(40000), REQUESTS_ROOM } },
		  .served_ns = DUE(40000) + 1000 },
		{ .made = { { DUE(40002), REQUESTS_ROOM + 2 } }, .served_ns = DUE(40002) + 3000 },
	};
	enum end why;
	struct channel *channel = run(steps, 3, &why);
	struct counters *live = &channel->live[0];

	is(live->missed, 2 * REQUESTS_ROOM + 2, "no request is lost");
	ok(counters_is_whole(live), "each has a latency");
	is(in_bin(live, 1000), REQUESTS_ROOM, "those for whose stamps there was room, since then");
	is(in_bin(live, DUE(40000) + 1000 - DUE(2)), 1, "the others since they were due");
	is(in_bin(live, DUE(40000) + 1000 - DUE(3)), 1, "each of them");
	is(in_bin(live, 3000), REQUESTS_ROOM, "so when a waker makes more at once than there is room for");
	is(in_bin(live, DUE(40002) + 3000 - DUE(REQUESTS_ROOM + 4)), 2, "of these the oldest");
	munmap(channel, sizeof(*channel));
}

int main(void)
{
	test_each();
	test_overwritten();
	return done();
}
