// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop logs each wake-up that it counts, however it does so, and no others but the first and those of signals. */
#include <errno.h>
#include <sys/mman.h>

#include "fake.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof(*table))
#define MANY 5000			/* more than a stretch */

static struct wakelog_entry logged[MANY];

/* Returns how many wake-ups were logged. */
static unsigned run(struct channel *channel, const struct fake_wakeup *wakeups, unsigned count)
{
	struct lossy_reader reader = { .next = 0 };

	fake_log = channel->wakelog;
	fake_run(channel, wakeups, count, 0);
	fake_log = NULL;
	while (reader.next < COUNT(logged) && wakelog_read(channel->wakelog, &reader, &logged[reader.next]))
		;
	return reader.next;
}

static bool is_logged(const struct wakelog_entry *entry, uint64_t due_ns, uint64_t stamp_ns, uint64_t periods)
{
	return entry->due_ns == due_ns && entry->stamp_ns == stamp_ns && entry->periods == periods;
}

static void test_kinds(void)
{
	static const struct fake_wakeup wakeups[] = {
		{ DUE(3) + 20, 3, 0 },
		{ DUE(4) + 50, 1, 0 },
		{ 0, 0, EINTR },
		{ DUE(45) + 1000, 41, 0 },
		{ DUE(46) - 200, 1, 0 },
		{ DUE(48) + 7, 0, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_PARTS);

	is(run(channel, wakeups, COUNT(wakeups)), 6, "each wake-up is logged");
	ok(is_logged(&logged[0], DUE(3) + 20, DUE(3) + 20, 0), "the discarded wake-up is logged as no sample");
	ok(is_logged(&logged[1], DUE(4), DUE(4) + 50, 1), "a wake-up of one period is logged");
	ok(is_logged(&logged[2], DUE(5), DUE(4) + 50, 0), "a signal is logged as no sample");
	ok(is_logged(&logged[3], DUE(5), DUE(45) + 1000, 41), "a wake-up of many periods is logged by the oldest");
	ok(is_logged(&logged[4], DUE(46), DUE(46) - 200, 1), "an early wake-up is logged");
	ok(is_logged(&logged[5], DUE(47), DUE(48) + 7, 2), "a wake-up whose periods are found by its stamp is logged");
	is(channel->live[0].samples, 4, "the samples are the wake-ups that have periods");
	munmap(channel, channel->size);
}

/* All but the first few take the fast path. */
static void test_fast(void)
{
	static struct fake_wakeup wakeups[MANY];
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_PARTS);
	unsigned wrong = 0;

	for (unsigned i = 0; i < MANY; i++)
		wakeups[i] = (struct fake_wakeup){ DUE(i + 1) + 70 + 10 * (i % 7), 1, 0 };
	is(run(channel, wakeups, MANY), MANY, "each of many wake-ups that are alike is logged");
	for (unsigned i = 1; i < MANY; i++)
		wrong += !is_logged(&logged[i], DUE(i + 1), wakeups[i].stamp_ns, 1);
	is(wrong, 0, "each of many wake-ups is logged as it was");
	is(channel->live[0].samples, MANY - 1, "each of many wake-ups is counted");
	is(channel->live[0].events.worst[0].smis, EVENTS_UNKNOWN,
	   "the SMIs of an event are unknown where nothing counts them");
	munmap(channel, channel->size);
}

static const struct event *event_of(const struct channel *channel, uint64_t stamp_ns)
{
	static const struct event none = { .late_ns = 0 };
	const struct events *events = &channel->live[0].events;

	for (unsigned i = 0; i < events->count; i++)
		if (events->worst[i].stamp_ns == stamp_ns)
			return &events->worst[i];
	return &none;
}

/* To count a stall takes its time: 700 us here, more than a period. */
static void test_long(void)
{
	static const struct fake_wakeup wakeups[] = {
		{ DUE(1), 1, 0 },
		{ DUE(3000) + 1000, 2999, 0 },
		{ DUE(3002) + 800, 2, 0 },
		{ DUE(3003) + 900, 1, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_PARTS);

	fake_lag_ns = 700000;
	fake_utc_ns = UINT64_C(1700000000000000000);
	run(channel, wakeups, COUNT(wakeups));
	fake_lag_ns = fake_utc_ns = 0;
	for (unsigned i = 1; i < COUNT(wakeups); i++)
		is(event_of(channel, wakeups[i].stamp_ns)->utc_ns - wakeups[i].stamp_ns, 1700000000000000000,
		   "the wall clock's time of the wake-up is that of its stamp");
	is(event_of(channel, wakeups[1].stamp_ns)->counting_ns, 0, "a stall finds nobody counting");
	is(event_of(channel, wakeups[2].stamp_ns)->counting_ns, 700000 + 1000 - FAKE_PERIOD,
	   "the wake-up after a stall waits until the stall is counted");
	is(event_of(channel, wakeups[3].stamp_ns)->counting_ns, 700000 + 800 - FAKE_PERIOD,
	   "the second wake-up after a stall waits, too");
	munmap(channel, channel->size);
}

/* What is not counted is not logged. */
static void test_full(void)
{
	static const struct fake_wakeup wakeups[] = {
		{ DUE(1), 1, 0 },
		{ DUE(2), 1, 0 },
		{ DUE(2) + 1, HIST_ROOM, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_PARTS);

	is(run(channel, wakeups, COUNT(wakeups)), 2, "a wake-up for which the counters have no room is not logged");
	munmap(channel, channel->size);
}

int main(void)
{
	test_kinds();
	test_fast();
	test_long();
	test_full();
	return done();
}
