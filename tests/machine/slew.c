// SPDX-License-Identifier: GPL-2.0-or-later
/* The counter of the machine, and a clock that is slewed against it, as NTP does it: stamps by the counter must follow. */
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure/clock.h"
#include "tap.h"

#define READS 100000
#define LATCHES 20
#define STRETCH_NS 100000000

static double slew_ppm;
static uint64_t origin_raw, origin_shown;

static uint64_t raw_ns(void)
{
	struct { long sec, nsec; } now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
	return now.sec * UINT64_C(1000000000) + now.nsec;
}

static uint64_t shown_ns(void)
{
	uint64_t passed = raw_ns() - origin_raw;

	return origin_shown + passed + (int64_t)(passed * slew_ppm / 1e6);
}

/* In place of the C library's. */
int clock_gettime(clockid_t id, struct timespec *now)
{
	uint64_t ns = shown_ns();

	(void)id;
	*now = (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	return 0;
}

static void slew(double ppm)
{
	uint64_t shown = shown_ns();

	origin_raw = raw_ns();
	origin_shown = shown;
	slew_ppm = ppm;
}

/* By how much a stamp by the counter is off after a stretch; the least of a few, for the reads are interrupted. */
static int64_t deviation(const struct clock *clock)
{
	const struct timespec pause = { .tv_nsec = STRETCH_NS };
	int64_t least = INT64_MAX;

	syscall(SYS_nanosleep, &pause, NULL);
	for (int i = 0; i < 100; i++) {
		int64_t before = monotonic_ns(), stamp = clock_stamp(clock, true);
		int64_t off = stamp - (before + (int64_t)monotonic_ns()) / 2;

		off = off < 0 ? -off : off;
		least = off < least ? off : least;
	}
	return least;
}

static void test_order(const struct clock *clock)
{
	uint64_t first = clock_stamp(clock, clock->ticks), last = first;
	unsigned backwards = 0;

	for (int i = 0; i < READS; i++) {
		uint64_t next = clock_stamp(clock, clock->ticks);

		backwards += next < last;
		last = next;
	}
	is(backwards, 0, "%s: never backwards in %d reads", clock->name, READS);
	ok(last > first, "%s: goes forward", clock->name);
}

/*
 * A latch is wrong by no more than it took, and what follows by no more than
 * 1000 ppm of the time since, however long the test is kept from running.
 */
static void test_latch(struct clock *clock)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	unsigned outside = 0;

	for (int i = 0; i < LATCHES; i++) {
		uint64_t start = monotonic_ns(), latched, before, now, after, error;

		clock_latch(clock);
		latched = monotonic_ns();
		syscall(SYS_nanosleep, &pause, NULL);
		before = monotonic_ns();
		now = clock_stamp(clock, true);
		after = monotonic_ns();
		error = latched - start + (after - start) / 1000 + 1;
		outside += now + error < before || now > after + error;
	}
	is(outside, 0, "a latched clock agrees with CLOCK_MONOTONIC %d times", LATCHES);
}

/* The counters of two CPUs may differ where they are not to be trusted. */
static void stay_on_this_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(void)
{
	const struct clock raw = { .name = "raw counter", .ticks = true, .scale = UINT64_C(1) << 32 };
	struct clock clock;
	int64_t unfollowed, followed;

	origin_raw = raw_ns();
	stay_on_this_cpu();
	if (TSC_EXISTS)
		test_order(&raw);
	is(clock_open(&clock, "tsc"), 0, "the counter is trusted");
	test_order(&clock);
	test_latch(&clock);
	slew(400);
	clock_latch(&clock);
	unfollowed = deviation(&clock);
	clock_latch(&clock);
	followed = deviation(&clock);
	clock_latch(&clock);
	ok(unfollowed > STRETCH_NS / 1000000 * 200, "a slew of 400 ppm is seen: %lld ns off",
	   (long long)unfollowed);
	ok(followed < unfollowed / 10, "a slew is followed from the next latch on: %lld ns off",
	   (long long)followed);
	ok(clock.drift_ppm > 300 && clock.drift_ppm < 500, "the drift is reported: %.0f ppm",
	   clock.drift_ppm);
	return done();
}
