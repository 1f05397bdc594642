// SPDX-License-Identifier: GPL-2.0-or-later
#include <sched.h>

#include "measure/clock.h"
#include "measure/hist.h"
#include "tap.h"

#define READS 1000000
#define LATCHES 100
#define ONE (UINT64_C(1) << 32)		/* a scale: 1 ns a tick */

/* The same as clock_scale(), bit by bit in 128 bits. */
static uint64_t slow_scale(uint64_t ticks, uint64_t scale)
{
	struct u128 product = u128_from(0), addend = { 0, ticks };

	for (; scale; scale >>= 1) {
		if (scale & 1)
			product = u128_add(product, addend);
		addend = u128_add(addend, addend);
	}
	return product.high << 32 | product.low >> 32;
}

static void test_scale(void)
{
	unsigned wrong = 0;

	for (int i = 0; i < 100000; i++) {
		uint64_t ticks = random_number() >> random_number() % 64;
		uint64_t scale = random_number() >> random_number() % 64;

		wrong += clock_scale(ticks, scale) != slow_scale(ticks, scale);
	}
	is(wrong, 0, "100000 random products are exact");
	is(clock_scale(UINT64_MAX, ONE), UINT64_MAX, "1 GHz: a tick is a nanosecond");
	is(clock_scale(3000000000, ONE / 3), 999999999, "3 GHz: rounded down");
	is(clock_scale(10000000 * UINT64_C(3600), 100 * ONE), UINT64_C(3600000000000),
	   "10 MHz: an hour is an hour");
}

static void test_monotonic(void)
{
	struct clock clock;
	struct timespec before, after;
	uint64_t now;

	is(clock_open(&clock, "auto"), 0, "there is always a clock");
	is_text(clock.name, "monotonic", "it is CLOCK_MONOTONIC");
	clock_gettime(CLOCK_MONOTONIC, &before);
	now = clock_stamp(&clock, clock.ticks);
	clock_gettime(CLOCK_MONOTONIC, &after);
	ok(now >= before.tv_sec * UINT64_C(1000000000) + before.tv_nsec &&
	   now <= after.tv_sec * UINT64_C(1000000000) + after.tv_nsec,
	   "which shows nanoseconds");
	clock_latch(&clock);
	ok(clock_drift_ppm(&clock) == 0, "and does not drift against itself");
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
	ok(last > first, "%s: but forwards", clock->name);
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
		nanosleep(&pause, NULL);
		before = monotonic_ns();
		now = clock_stamp(clock, true);
		after = monotonic_ns();
		error = latched - start + (after - start) / 1000 + 1;
		outside += now + error < before || now > after + error;
	}
	is(outside, 0, "%d times, a latched clock agrees with CLOCK_MONOTONIC", LATCHES);
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
	const struct clock raw = { .name = "raw counter", .ticks = true, .scale = ONE };
	struct clock clock;

	stay_on_this_cpu();
	test_scale();
	test_monotonic();
	if (TSC_EXISTS)
		test_order(&raw);
	else
		is(clock_open(&clock, "tsc"), -1, "a counter that is not supported here is refused");
	if (clock_open(&clock, "tsc") == 0) {
		test_order(&clock);
		test_latch(&clock);
	} else {
		ok(true, "# skip the counter is not to be trusted here, as was said");
	}
	return done();
}
