// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop with sources that tell when each request was made: with a schedule beside it, and without one. */
#include <errno.h>
#include <sys/mman.h>

#include "fake.h"
#include "tap.h"

#define ASKED_MAX 8

/* A wake-up, and when the requests that it serves were made. */
struct answer {
	uint64_t served_ns;
	int requests;
	uint64_t asked_ns[ASKED_MAX];
};

static const struct answer *next, *end;
static int told;
static struct channel *to_flip;		/* with each wake-up; NULL: none is */
static struct channel *to_stop;		/* after the first two wake-ups; NULL: none is */

static int64_t asked_serve(struct source *source, struct wakeup *wakeup)
{
	(void)source;
	if (next == end)
		return -ENODATA;
	wakeup->served_ns = fake_now_ns = next->served_ns;
	told = 0;
	next++;
	if (to_flip)
		channel_want_flip(to_flip);
	if (to_stop && next == end - 3)
		channel_stop(to_stop, END_ASKED);
	return next[-1].requests;
}

static int64_t asked_wait(struct source *source, uint64_t due_ns)
{
	struct wakeup wakeup;

	(void)due_ns;
	return asked_serve(source, &wakeup);
}

static uint64_t asked_when(struct source *source)
{
	(void)source;
	return next[-1].asked_ns[told++];
}

static enum end run_in(struct channel *channel, enum measures measures, const struct answer *answers, int count)
{
	const struct source_ops ops = {
		.name = "fake", .measures = measures, .wait = asked_wait, .serve = asked_serve, .asked = asked_when,
	};

	next = answers;
	end = answers + count;
	return fake_loop(channel, &ops, FAKE_ANCHOR, count - 1);
}

static struct channel *run(enum measures measures, const struct answer *answers, int count, enum end *why)
{
	struct channel *channel = channel_create(measures, EXPLAIN_OFF);

	*why = run_in(channel, measures, answers, count);
	return channel;
}

static uint32_t in_bin(const struct counters *live, enum series series, int64_t ns)
{
	return *counters_bins(live, series_index(series, ns));
}

/* The second sample is late for five requests, each of which has a latency of its own. */
static void test_asked(void)
{
	static const struct answer answers[] = {
		{ 900, 2, { 100, 600 } },
		{ 1500, 1, { 1100 } },
		{ 9000, 5, { 2000, 3000, 4100, 5000, 8990 } },
		{ 9500, 1, { 9490 } },
	};
	enum end why;
	struct channel *channel = run(SINCE_ASKED, answers, 4, &why);
	struct counters *live = &channel->live[0];
	struct moments moments = counters_moments(live, LATENCY, FAKE_PERIOD);

	is(why, END_SAMPLES, "three samples were asked for");
	is(live->samples, 3, "the first wake-up is no sample, with all that it served");
	is(live->missed, 4, "four requests were served late");
	ok(counters_is_whole(live), "the bins add up");
	is(in_bin(live, LATENCY, 400), 1, "the first request waited for 400 ns");
	is(in_bin(live, LATENCY, 7000), 1, "the oldest of five requests waited for 7000 ns");
	is(in_bin(live, LATENCY, 6000) + in_bin(live, LATENCY, 4900) + in_bin(live, LATENCY, 4000), 3,
	   "three of the five requests waited for less");
	is(in_bin(live, LATENCY, 10), 2, "the youngest request waited for 10 ns, as did the last");
	is(moments.min, 10, "the least latency");
	is(moments.max, 7000, "the greatest latency");
	is(moments.sum.low, 400 + 7000 + 6000 + 4900 + 4000 + 10 + 10, "the sum of the latencies");
	is(live->moments[INTERVAL].max, INT64_MIN, "requests have no intervals");
	events_sort(&live->events);
	is(live->events.worst[0].late_ns, 7000, "the wake-up that served five requests is the worst");
	is(live->events.worst[0].period, 2, "the worst event is numbered by its oldest request");
	is(live->events.worst[0].periods, 5, "the worst event has all requests that it served");
	is(live->events.worst[2].period, 7, "the last request is the seventh");
	is(live->from_ns, 900, "the stretch starts at the discarded wake-up");
	is(live->to_ns, 9500, "the stretch ends at the last wake-up");
	munmap(channel, sizeof(*channel));
}

/* Requests that were made before the one before them was served: one episode, of which the worst is kept. */
static void test_catching_up(void)
{
	static const struct answer answers[] = {
		{ 900, 1, { 800 } },
		{ 9000, 1, { 2000 } },
		{ 9100, 1, { 3000 } },
		{ 9200, 1, { 9050 } },
		{ 9500, 1, { 9490 } },
	};
	enum end why;
	struct channel *channel = run(SINCE_ASKED, answers, 5, &why);
	struct events *events = &channel->live[0].events;

	events_sort(events);
	is(events->count, 2, "what comes late because the wake-up before it did is no event of its own");
	is(events->worst[0].late_ns, 7000, "the worst of requests that wait for each other is an event");
	is(events->worst[1].late_ns, 10, "a request that is served in time is another event");
	munmap(channel, sizeof(*channel));
}

/* The latency since due and since the stamp; the timer was 40 us late for the third period, and its reader for two. */
static void test_stamped(void)
{
	static const struct answer answers[] = {
		{ DUE(1) + 5000, 1, { DUE(1) + 1000 } },
		{ DUE(2) + 5000, 1, { DUE(2) + 1000 } },
		{ DUE(3) + 45000, 1, { DUE(3) + 41000 } },
		{ DUE(5) + 7000, 2, { DUE(4) + 1000, DUE(5) + 1000 } },
	};
	enum end why;
	struct channel *channel = run(SINCE_DUE_AND_STAMP, answers, 4, &why);
	struct counters *live = &channel->live[0];

	is(live->samples, 3, "three samples are counted");
	is(live->missed, 1, "one period was missed");
	ok(counters_is_whole(live), "the bins of all series add up");
	is(in_bin(live, LATENCY, 45000), 1, "the late timer is in the lateness");
	is(in_bin(live, STAMPED, 4000), 2, "a late timer is not in the wake-up latency, which counts from its stamp");
	is(in_bin(live, STAMPED, 6000), 1, "the younger of two stamps counts");
	is(in_bin(live, STAMPED, FAKE_PERIOD + 6000), 1, "the older of two stamps counts");
	is(live->moments[STAMP_INTERVAL].max, 40000, "the timer was 40 us late from stamp to stamp");
	is(live->moments[STAMP_INTERVAL].min, -40000, "a timer after a late one was 40 us early from stamp to stamp");
	events_sort(&live->events);
	is(live->events.worst[0].stamped_ns, FAKE_PERIOD + 6000,
	   "the worst event has the wake-up latency of its oldest period");
	is(live->events.worst[0].late_ns, FAKE_PERIOD + 7000, "the worst event has the lateness of its oldest period");
	is(channel_flips(channel), 0, "no wake-up was counted in the other buffer");

	counters_clear(live);
	is(in_bin(live, STAMPED, 4000), 0, "clearing a buffer clears the bins of its stamps");
	ok(live->stamped && live->measures == SINCE_DUE_AND_STAMP, "clearing a buffer keeps what it measures");
	munmap(channel, sizeof(*channel));
}

static void test_flips(void)
{
	static const struct answer answers[] = {
		{ DUE(1) + 5000, 1, { DUE(1) + 1000 } },
		{ DUE(2) + 5000, 1, { DUE(2) + 3000 } },
		{ DUE(3) + 5000, 1, { DUE(3) + 4000 } },
	};
	struct channel *channel = to_flip = channel_create(SINCE_DUE_AND_STAMP, EXPLAIN_OFF);

	run_in(channel, SINCE_DUE_AND_STAMP, answers, 3);
	is(channel_flips(channel), 2, "every wake-up flips the buffers");
	is(channel->live[1].moments[STAMP_INTERVAL].max, 2000, "the first stamp is 2 us later than the discarded one");
	is(channel->live[0].moments[STAMP_INTERVAL].max, 1000,
	   "the second stamp is 1 us later than the first, in the other buffer");
	to_flip = NULL;
	munmap(channel, sizeof(*channel));
}

static bool timed;			/* of the next wake-up */

static int64_t thread_serve(struct source *source, struct wakeup *wakeup)
{
	timed = !timed;
	wakeup->due_ns = timed;
	wakeup->woken_ns = next->served_ns - 5;
	return asked_serve(source, wakeup);
}

/* Every second wake-up is by a timer; each counts twice. */
static void test_either(void)
{
	static const struct answer answers[] = {
		{ 900, 1, { 100 } }, { 1500, 1, { 1495 } }, { 3000, 1, { 2000 } }, { 4000, 1, { 3995 } },
	};
	static const struct source_ops ops = {
		.name = "fake", .measures = SINCE_TIMER_OR_WAKING, .serve = thread_serve, .asked = asked_when,
	};
	struct channel *channel = channel_create(ops.measures, EXPLAIN_OFF);
	const struct counters *live = &channel->live[0];

	next = answers;
	end = answers + 4;
	is(fake_loop(channel, &ops, FAKE_ANCHOR, 3), END_SAMPLES, "a thread is woken three times");
	is(live->timed, 1, "one of three wake-ups is by a timer");
	ok(counters_is_whole(live), "the bins add up");
	is(in_bin(live, LATENCY, 1000) + in_bin(live, LATENCY, 5), 3, "each wake-up has a delay");
	is(in_bin(live, TIMED, 1000), 1, "the delay since a timer was due is lateness");
	is(in_bin(live, STAMPED, 5), 2, "the delay since a waking is a wake-up latency");
	is(live->moments[TIMED].max, 1000, "lateness has a maximum of its own");
	is(live->moments[STAMPED].max, 5, "the wake-up latency has a maximum of its own");
	is(live->events.worst[0].stamped_ns, 5, "the worst event has its wake-up latency, too");
	((struct counters *)live)->timed++;
	ok(!counters_is_whole(live), "no wake-up counts as lateness and as wake-up latency");
	munmap(channel, sizeof(*channel));
}

static int start_thread(struct source *source)
{
	static struct thread thread;

	source->threads = &thread;
	return 0;
}

/* Another program's wake-ups are read now and then, so some of before the end may be to come. */
static void test_rest(void)
{
	static const struct answer answers[] = {
		{ 900, 1, { 800 } }, { 1900, 1, { 1800 } }, { 2900, 1, { 2800 } }, { 3900, 1, { 3800 } }, { 4900, 1, { 4800 } },
	};
	const struct source_ops ops = {
		.name = "fake", .measures = SINCE_ASKED, .start = start_thread, .serve = asked_serve, .asked = asked_when,
	};
	struct channel *channel = to_stop = channel_create(SINCE_ASKED, EXPLAIN_OFF);

	next = answers;
	end = answers + 5;
	is(fake_loop(channel, &ops, FAKE_ANCHOR, 0), END_ASKED, "a run that measures another program is ended");
	is(channel->live[0].samples, 4, "wake-ups that were recorded before the end are counted");
	to_stop = NULL;
	munmap(channel, sizeof(*channel));
}

static void test_failure(void)
{
	static const struct answer answers[] = { { 900, 1, { 100 } }, { 1000, 1, { 990 } }, { 1001, 0, { 0 } } };
	enum end why;
	struct channel *channel = run(SINCE_ASKED, answers, 3, &why);

	is(why, END_FAILED, "a wait that serves nothing ends the run");
	is(channel->live[0].samples, 1, "a run whose wait failed keeps what it measured");
	munmap(channel, sizeof(*channel));
}

int main(void)
{
	test_asked();
	test_catching_up();
	test_stamped();
	test_flips();
	test_either();
	test_rest();
	test_failure();
	return done();
}
