// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>

#include "fake.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof(*table))

static uint32_t late(const struct channel *channel, uint64_t ns)
{
	return channel->live[0].bins[series_index(LATENCY, ns)];
}

static uint32_t interval(const struct channel *channel, uint64_t ns)
{
	return channel->live[0].bins[series_index(INTERVAL, ns)];
}

static uint32_t early(const struct channel *channel, int64_t ns)
{
	return channel->live[0].bins[series_index(INTERVAL, -ns)];
}

static int non_empty(const uint32_t *bins, unsigned count)
{
	int found = 0;

	for (unsigned i = 0; i < count; i++)
		found += bins[i] != 0;
	return found;
}

/* Five wake-ups written by hand; the fourth serves 41 periods, the last is early. */
static void test_by_hand(void)
{
	static const struct fake_wakeup wakeups[] = {
		{ DUE(1) + 3000, 1, 0 },
		{ DUE(2) + 2500, 1, 0 },
		{ DUE(3) + 2500, 1, 0 },
		{ DUE(44) + 1000, 41, 0 },
		{ DUE(45) - 200, 1, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	const struct counters *live = &channel->live[0];
	int found = 0;

	is(fake_run(channel, wakeups, COUNT(wakeups), 4), END_SAMPLES, "four samples were asked for");
	is(live->samples, 4, "the first wake-up is no sample");
	is(live->missed, 40, "forty periods were missed");
	is(live->early_wakeups, 1, "one wake-up was early");
	ok(counters_is_whole(live), "the bins add up");

	is(interval(channel, 0), 1, "one error is 0");
	is(interval(channel, 40 * FAKE_PERIOD - 1500), 1,
	   "one error of forty periods for the wake-up that served 41");
	is(early(channel, 500), 1, "one wake-up was 500 ns early after the last");
	is(early(channel, 1200), 1, "one wake-up was 1200 ns early after the last");
	is(non_empty(&live->bins[HIST_BINS], 2 * HIST_BINS), 4, "no other errors");

	is(late(channel, 2500), 2, "two periods were 2500 ns late");
	is(late(channel, 0), 1, "the early wake-up counts as 0");
	for (int i = 0; i <= 40; i++)
		found += late(channel, i * FAKE_PERIOD + 1000) == 1;
	is(found, 41, "all latenesses of a stall are one period apart");
	is(non_empty(live->bins, HIST_BINS), 43, "no other latenesses");

	is(live->moments[LATENCY].min, -200, "the least lateness keeps its sign");
	is(live->moments[LATENCY].max, 40 * FAKE_PERIOD + 1000, "the greatest lateness");
	is(live->moments[INTERVAL].min, -1200, "the least error");
	is(live->moments[INTERVAL].max, 40 * FAKE_PERIOD - 1500, "the greatest error");
	is(live->from_ns, DUE(1) + 3000, "the stretch starts at the discarded wake-up");
	is(live->to_ns, DUE(45) - 200, "the stretch ends at the last wake-up");

	events_sort(&channel->live[0].events);
	is(channel->live[0].events.count, 4, "few wake-ups are all among the worst");
	is(channel->live[0].events.worst[0].stamp_ns, DUE(44) + 1000,
	   "the wake-up that served 41 periods is the worst");
	is(channel->live[0].events.worst[0].period, 3,
	   "the worst event is numbered by its oldest period, from the first measured");
	is(channel->live[0].events.worst[0].periods, 41, "the worst event has all periods that it served");
	is(channel->live[0].events.worst[0].late_ns, 40 * FAKE_PERIOD + 1000, "the worst event has its lateness");
	is(channel->live[0].events.worst[0].error_ns, 40 * FAKE_PERIOD - 1500,
	   "the worst event has its interval error");
	is(channel->live[0].events.worst[0].smis, EVENTS_UNKNOWN,
	   "the worst event's SMIs are unknown where nothing counts them");
	is(channel->live[0].events.worst[3].period, 44, "the early wake-up is the last of the worst");
	munmap(channel, sizeof(*channel));
}

/* The discarded wake-up brings four periods that were pending; the schedule goes on behind them. */
static void test_pending(void)
{
	static const struct fake_wakeup wakeups[] = {
		{ DUE(4) + 700, 4, 0 },
		{ DUE(5) + 900, 1, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	fake_run(channel, wakeups, COUNT(wakeups), 1);
	is(channel->live[0].samples + channel->live[0].missed, 1,
	   "periods that were pending at the start are not counted");
	is(late(channel, 900), 1, "periods that were pending at the start advance the schedule");
	munmap(channel, sizeof(*channel));
}

/* A source that cannot count served what was due at the stamp: at 3.5 periods three are late. */
static void test_derived(void)
{
	static const struct fake_wakeup wakeups[] = {
		{ DUE(1) + 100, 0, 0 },
		{ DUE(4) + FAKE_PERIOD / 2, 0, 0 },
		{ DUE(5) + FAKE_PERIOD - 1, 0, 0 },
		{ DUE(7), 0, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	const struct counters *live = &channel->live[0];

	fake_run(channel, wakeups, COUNT(wakeups), 3);
	is(live->missed, 3, "wake-ups that do not count serve what was due at their stamps");
	is(live->moments[LATENCY].max, 2 * FAKE_PERIOD + FAKE_PERIOD / 2,
	   "the oldest of several periods was the latest");
	is(late(channel, 0), 1, "a wake-up that is late by a whole period serves two");
	is(late(channel, FAKE_PERIOD), 2, "a wake-up that is late by a nanosecond less serves one");
	munmap(channel, sizeof(*channel));
}

static void test_long_stall(void)
{
	const uint64_t periods = UINT64_C(300000000000) / FAKE_PERIOD;
	const struct fake_wakeup wakeups[] = {
		{ DUE(1), 1, 0 },
		{ DUE(1 + periods) + 50, periods, 0 },
		{ DUE(2 + periods) + 50, 1, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	const struct counters *live = &channel->live[0];
	struct u128 sum = u128_from(50);
	char got[U128_DIGITS], expected[U128_DIGITS];

	is(fake_run(channel, wakeups, COUNT(wakeups), 2), END_SAMPLES, "a stall of 300 s does not end the run");
	is(live->samples + live->missed, periods + 1, "every period of a stall is counted");
	ok(counters_is_whole(live), "every period of a stall has its bin");
	is(live->moments[LATENCY].max, (periods - 1) * FAKE_PERIOD + 50, "the first period of a stall was the latest");
	for (uint64_t i = 0; i < periods; i++)
		sum = u128_add(sum, u128_from(i * FAKE_PERIOD + 50));
	is_text(u128_to_text(live->moments[LATENCY].sum, got), u128_to_text(sum, expected),
		"the sum over a stall is exact");
	munmap(channel, sizeof(*channel));
}

/* The schedule goes over the edges of seconds, and late in the life of a clock of 63 bits. */
static void test_far_clock(uint64_t anchor)
{
	struct fake_wakeup wakeups[5000];
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	const struct counters *live = &channel->live[0];

	for (unsigned i = 0; i < COUNT(wakeups); i++)
		wakeups[i] = (struct fake_wakeup){ anchor + (i + 1) * (uint64_t)FAKE_PERIOD + 70, 0, 0 };
	fake_run_from(channel, anchor, wakeups, COUNT(wakeups), COUNT(wakeups) - 1);
	is(live->samples, COUNT(wakeups) - 1, "2 s are measured from %llu ns on", (unsigned long long)anchor);
	is(live->missed, 0, "no period is missed however far the clock is");
	is(late(channel, 70), COUNT(wakeups) - 1, "all periods are late by the same time however far the clock is");
	is(interval(channel, 0), COUNT(wakeups) - 1, "all wake-ups are a period apart however far the clock is");
	munmap(channel, sizeof(*channel));
}

static void test_ends(void)
{
	static const struct fake_wakeup interrupted[] = {
		{ 0, 0, EINTR },
		{ DUE(1) + 10, 1, 0 },
		{ 0, 0, EINTR },
		{ DUE(2) + 10, 1, 0 },
		{ 0, 0, EIO },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	is(fake_run(channel, interrupted, COUNT(interrupted), 0), END_FAILED, "a failing wait ends the run");
	is(channel->failure, EIO, "a failing wait leaves its reason");
	is(channel->live[0].samples, 1, "signals alone neither end the run nor count");
	counters_clear(&channel->live[0]);
	is(fake_run(channel, interrupted, 4, 1), END_SAMPLES, "a run of one sample goes on after a signal");
	is(channel->live[0].samples, 1, "a signal is none of the samples that were asked for");
	is(channel->live[0].moments[INTERVAL].max, 0, "a signal divides no interval");

	counters_clear(&channel->live[0]);
	channel_stop(channel, END_ASKED);
	is(fake_run(channel, interrupted, COUNT(interrupted), 0), END_ASKED,
	   "a stop before the first wake-up ends the run");
	is(channel->live[0].samples, 0, "a stop before the first wake-up measures nothing");
	is(fake_run(channel, interrupted + 1, 4, 0), END_ASKED, "a stop after the first wake-up ends the run");
	is(channel->live[0].samples, 0, "a stop after the first wake-up ends the run at once");
	munmap(channel, sizeof(*channel));
}

static uint64_t returns_after_ns;

/* A wait that returns after that time, whatever is due. */
static int64_t never_wait(struct source *source, uint64_t due_ns)
{
	(void)source;
	(void)due_ns;
	fake_now_ns += returns_after_ns;
	return 1;
}

static void test_runaway(void)
{
	static const struct source_ops never = { .name = "never", .wait = never_wait };
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	fake_now_ns = FAKE_ANCHOR;
	returns_after_ns = 100;
	is(fake_loop(channel, &never, FAKE_ANCHOR, 0), END_RUNAWAY, "a wait that does not wait ends the run");
	is(channel->live[0].samples, 100, "a wait that does not wait is noticed with its hundredth sample");
	counters_clear(&channel->live[0]);
	fake_now_ns = FAKE_ANCHOR;
	returns_after_ns = FAKE_PERIOD / 2 + 1;
	is(fake_loop(channel, &never, FAKE_ANCHOR, 200), END_SAMPLES, "a wait of more than half a period is no runaway");
	munmap(channel, sizeof(*channel));
}

static void test_full(void)
{
	static const struct fake_wakeup wakeups[] = {
		{ DUE(1), 1, 0 },
		{ DUE(2), 1, 0 },
		{ DUE(2) + 1, HIST_ROOM, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	is(fake_run(channel, wakeups, COUNT(wakeups), 0), END_FULL, "counters that would wrap end the run");
	is(channel->live[0].samples, 1, "counters that would wrap keep what was measured before");
	munmap(channel, sizeof(*channel));
}

/* Wake-ups that are all alike, so that all but the first take the fast path, come into a buffer that is almost full. */
static void test_full_fast(void)
{
	static struct fake_wakeup wakeups[2 * FAKE_HZ];
	const uint64_t before = HIST_ROOM - FAKE_HZ - FAKE_HZ / 2;
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	for (unsigned i = 0; i < COUNT(wakeups); i++)
		wakeups[i] = (struct fake_wakeup){ DUE(i + 1) + 70, 1, 0 };
	channel->live[0].samples = before;
	is(fake_run(channel, wakeups, COUNT(wakeups), 0), END_FULL, "the fast path ends in time, too");
	is(channel->live[0].samples, before + FAKE_HZ, "the fast path fills the last stretch that has room");
	is(late(channel, 70), FAKE_HZ, "the fast path counts all of its last stretch");
	munmap(channel, sizeof(*channel));
}

/* More than the worst that are kept come first, so that an ordinary wake-up is not looked at any more. */
static void test_break(void)
{
	struct fake_wakeup wakeups[100];
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	const struct counters *live = &channel->live[0];

	for (unsigned i = 0; i < COUNT(wakeups); i++)
		wakeups[i] = (struct fake_wakeup){ DUE(i + 1) + 5000, 1, 0 };
	wakeups[60].stamp_ns = DUE(61) + 7000;
	wakeups[70].stamp_ns = DUE(71) + 7001;
	fake_break_ns = 7000;
	is(fake_run(channel, wakeups, COUNT(wakeups), 0), END_BREAK, "a lateness above --break ends the run");
	fake_break_ns = 0;
	is(live->samples, 70, "a lateness equal to --break does not end the run");
	is(live->moments[LATENCY].max, 7001, "the wake-up above --break is counted");
	ok(counters_is_whole(live), "the wake-up above --break has its bins");
	events_sort(&channel->live[0].events);
	is(channel->live[0].events.worst[0].late_ns, 7001, "the wake-up above --break is the first of the events");
	munmap(channel, sizeof(*channel));
}

/* What the buffer that is left says of the run, the source and the clock know. */
static void test_leave(void)
{
	static const struct fake_wakeup wakeups[] = {
		{ DUE(1) + 10, 1, 0 },
		{ DUE(2) + 30, 1, 0 },
	};
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	fake_other_interrupts = 3;
	fake_run(channel, wakeups, COUNT(wakeups), 1);
	is(channel->live[0].figures.other_interrupts, 3, "other interrupts are counted at the end");
	fake_other_interrupts = 0;
	munmap(channel, sizeof(*channel));
}

/* Always late, so that the wait returns at once, with all that was due. */
static int64_t be_late(struct source *source, uint64_t due_ns)
{
	(void)source;
	(void)due_ns;
	fake_now_ns += 3 * FAKE_PERIOD;
	return 3;
}

static void test_sleepless(int policy, unsigned busy_percent, enum end expected, const char *name)
{
	static const struct source_ops never_sleeps = { .name = "late", .wait = be_late };
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	channel->began.policy = policy;
	fake_now_ns = FAKE_ANCHOR + 100 * (uint64_t)FAKE_PERIOD;
	fake_busy_percent = busy_percent;
	is(fake_loop(channel, &never_sleeps, FAKE_ANCHOR, 10 * FAKE_HZ), expected, "%s", name);
	is(channel->live[0].samples, expected == END_SLEEPLESS ? FAKE_HZ : 10 * FAKE_HZ, "%s: samples", name);
	fake_busy_percent = 0;
	munmap(channel, sizeof(*channel));
}

int main(void)
{
	test_by_hand();
	test_pending();
	test_derived();
	test_long_stall();
	test_far_clock(UINT64_C(999999999));
	test_far_clock(UINT64_C(1000000000) * 4294967296 - 1);
	test_far_clock(INT64_MAX - UINT64_C(10000000000));
	test_ends();
	test_full();
	test_full_fast();
	test_runaway();
	test_sleepless(SCHED_FIFO, 100, END_SLEEPLESS, "a real-time process that never sleeps is ended");
	test_sleepless(SCHED_RR, 99, END_SLEEPLESS,
		       "a real-time process of the other policy that never sleeps is ended");
	test_sleepless(SCHED_FIFO, 95, END_SAMPLES, "a real-time process that is throttled now and then is not ended");
	test_sleepless(SCHED_OTHER, 100, END_SAMPLES, "an ordinary process that never sleeps is not ended");
	test_break();
	test_leave();
	return done();
}
