// SPDX-License-Identifier: GPL-2.0-or-later
/* Each request has a latency of its own, however late the reader is. The test plays the waker. */
#include <errno.h>
#include <sys/mman.h>

#include "fake.h"
#include "source/thread.c"
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

static const struct step *next_step, *end_step;
static struct requests waker;

static int64_t make_and_serve(struct source *source, struct wakeup *wakeup)
{
	if (next_step == end_step)
		return -ENODATA;
	for (int i = 0; i < AT_ONCE && next_step->made[i].count; i++)
		make_requests(&waker, next_step->made[i].count, next_step->made[i].at_ns);
	fake_now_ns = next_step->served_ns;
	next_step++;
	return source_thread.serve(source, wakeup);
}

static int start(struct source *source)
{
	static struct requests meter;

	meter = (struct requests){ .counter = eventfd(0, EFD_CLOEXEC), .stamps = shared_create(sizeof(*meter.stamps)) };
	source->private = &meter;
	waker = meter;
	return 0;
}

static struct channel *run(const struct step *steps, int count, enum end *why)
{
	const struct source_ops ops = {
		.name = "fake", .measures = SINCE_ASKED, .start = start, .serve = make_and_serve,
		.asked = source_thread.asked,
	};
	struct channel *channel = channel_create(SINCE_ASKED, EXPLAIN_OFF);

	next_step = steps;
	end_step = steps + count;
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

	is(why, END_SAMPLES, "three wake-ups were asked for");
	is(live->samples, 3, "three wake-ups are samples");
	is(live->missed, 4, "one wake-up served five requests");
	ok(counters_is_whole(live), "each of five requests is counted");
	is(in_bin(live, 1000), 1, "the first request waited for 1000 ns");
	is(in_bin(live, 4 * FAKE_PERIOD + 5040), 1, "the first of five requests counts since it was made");
	is(in_bin(live, 3 * FAKE_PERIOD - 1960), 1, "a request that was made late counts since then");
	is(in_bin(live, 5000), 3, "three requests that a late waker made at once count since then");
	is(in_bin(live, 2000), 1, "the last request is served soon");
	is(moments.sum.low, 1000 + 4 * FAKE_PERIOD + 5040 + 3 * FAKE_PERIOD - 1960 + 3 * 5000 + 2000,
	   "the sum of the latencies");
	munmap(channel, sizeof(*channel));
}

/* More requests are made than there is room for stamps. */
static void test_overwritten(void)
{
	static const struct step steps[] = {
		{ .made = { { DUE(1), 1 } }, .served_ns = DUE(1) + 500 },
		{ .made = { { DUE(2) + 10, 1 }, { DUE(3) + 10, 1 }, { DUE(40000), ROOM } },
		  .served_ns = DUE(40000) + 1000 },
		{ .made = { { DUE(40002), ROOM + 2 } }, .served_ns = DUE(40002) + 3000 },
	};
	enum end why;
	struct channel *channel = run(steps, 3, &why);
	struct counters *live = &channel->live[0];

	is(live->missed, 2 * ROOM + 2, "no request is lost");
	ok(counters_is_whole(live), "each request has a latency");
	is(in_bin(live, 1000), ROOM, "requests with room for their stamps count since then");
	is(in_bin(live, DUE(40000) + 1000 - DUE(2)), 1, "a request without room for its stamp counts since it was due");
	is(in_bin(live, DUE(40000) + 1000 - DUE(3)), 1, "a second request without room counts since it was due");
	is(in_bin(live, 3000), ROOM, "requests made at once count since then, as far as there is room");
	is(in_bin(live, DUE(40002) + 3000 - DUE(ROOM + 4)), 2,
	   "the oldest requests made at once count since they were due");
	munmap(channel, sizeof(*channel));
}

int main(void)
{
	test_each();
	test_overwritten();
	return done();
}
