// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The meter's loop runs as fast as it can while a keeper flips at least three
 * thousand times. The lateness of every sample is its number modulo 1000, in tens of
 * nanoseconds, so a sample that is lost or counted twice shows in a bin, and
 * the worst are known.
 */
#include <pthread.h>
#include <sched.h>

#include "fake.h"
#include "tap.h"

#define FLIPS 3000
#define PATTERN 1000
#define STOPS 1000
#define BETWEEN_YIELDS 997		/* so that each is elsewhere in the pattern */

static uint64_t wakeups;
static _Atomic unsigned flips;

/*
 * While a load keeps both on one CPU, the meter would count on until it is preempted. Before three of four flips
 * it gives way to the keeper; the fourth then comes at any instruction.
 */
static int64_t fast_wait(struct source *source, uint64_t due_ns)
{
	(void)source;
	if (wakeups % BETWEEN_YIELDS == 0 && flips % 4)
		sched_yield();
	fake_now_ns = due_ns + (wakeups++ % PATTERN) * HIST_STEP;
	return 1;
}

static void *meter(void *argument)
{
	static const struct source_ops fast = { .name = "fast", .wait = fast_wait };

	fake_loop(argument, &fast, FAKE_ANCHOR, 0);
	return NULL;
}

struct sums {
	uint64_t samples, not_whole, misplaced;
	uint64_t bins[PATTERN];
	uint64_t to_ns;
	struct events events;
};

static void drain(struct sums *sums, struct counters *live)
{
	static unsigned drained;

	sums->samples += live->samples;
	if (drained++ % 100 == 0)	/* it takes its time */
		sums->not_whole += !counters_is_whole(live);
	sums->misplaced += sums->to_ns && live->from_ns != sums->to_ns;
	sums->to_ns = live->to_ns;
	for (int i = 0; i < PATTERN; i++)
		sums->bins[i] += live->bins[LATENCY_ZERO + i];
	events_merge(&sums->events, &live->events);
	counters_clear(live);
	events_go_on_from(&live->events, &sums->events);
}

/* The keeper gives the CPU away only if it waits long: beside a load it would get it back late, 3000 times. */
static void flip(struct channel *channel, struct sums *sums, uint32_t number)
{
	unsigned looks = 0;

	flips = number;
	channel_want_flip(channel);
	while (channel_flips(channel) != number)
		if (++looks % 1000 == 0)
			sched_yield();
	drain(sums, &channel->live[(number - 1) % 2]);
}

struct stopper {
	struct channel *channel;
	enum end reason;
	_Atomic unsigned *round;	/* both begin each round together */
	unsigned changed;		/* rounds in which the reason that it found was not the one that stayed */
};

static void meet(_Atomic unsigned *round, unsigned number)
{
	++*round;
	while (*round < 2 * number)
		sched_yield();
}

/* One of two processes that end the run at the same time. */
static void *stop(void *argument)
{
	struct stopper *stopper = argument;

	for (unsigned i = 0; i < STOPS; i++) {
		enum end found;

		meet(stopper->round, 3 * i + 1);
		channel_stop(stopper->channel, stopper->reason);
		found = stopper->channel->stop;
		meet(stopper->round, 3 * i + 2);
		stopper->changed += found != stopper->channel->stop;
		meet(stopper->round, 3 * i + 3);
		stopper->channel->stop = END_NONE;
	}
	return NULL;
}

static void test_two_reasons(void)
{
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	_Atomic unsigned round = 0;
	struct stopper load = { channel, END_LOAD, &round, 0 }, asked = { channel, END_ASKED, &round, 0 };
	pthread_t thread;

	pthread_create(&thread, NULL, stop, &load);
	stop(&asked);
	pthread_join(thread, NULL);
	is(load.changed + asked.changed, 0, "the first of two reasons to end the run counts");
}

int main(void)
{
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	struct sums sums = { .events = { .ordinary_ns = INT64_MIN } };
	uint64_t wrong = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, meter, channel);
	/* On a slow machine there are few samples a flip, and there must be as many of the latest as are kept. */
	for (uint32_t number = 1; number <= FLIPS || sums.samples < EVENTS_MAX * PATTERN; number++)
		flip(channel, &sums, number);
	channel_stop(channel, END_ASKED);
	pthread_join(thread, NULL);
	drain(&sums, &channel->live[channel_flips(channel) % 2]);

	/* The first wake-up is discarded. */
	is(sums.samples, wakeups - 1, "at least %d flips: every sample is counted once", FLIPS);
	is(sums.not_whole, 0, "buffers are whole");
	is(sums.misplaced, 0, "each buffer goes on from the stamp where the last one ended");
	for (int i = 0; i < PATTERN; i++) {
		uint64_t expected = wakeups / PATTERN + ((uint64_t)i < wakeups % PATTERN) - (i == 0);

		wrong += sums.bins[i] != expected;
	}
	is(wrong, 0, "every bin holds what it must");
	events_sort(&sums.events);
	wrong = 0;
	for (uint64_t i = 0; i < EVENTS_MAX; i++)
		wrong += sums.events.worst[i].stamp_ns != DUE((i + 1) * PATTERN) + (PATTERN - 1) * HIST_STEP;
	is(wrong, 0, "the first of the latest are the events, whatever the flips");
	test_two_reasons();
	return done();
}
