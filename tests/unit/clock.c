// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/clock.h"
#include "measure/hist.h"
#include "tap.h"

#define ONE (UINT64_C(1) << 32)		/* a scale: 1 ns a tick */

static uint64_t now_ns;

/* In place of the C library's. */
int clock_gettime(clockid_t id, struct timespec *time)
{
	(void)id;
	*time = timespec_from(now_ns);
	return 0;
}

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
	   "10 MHz: an hour of ticks is an hour");
}

static void test_monotonic(void)
{
	struct clock clock;

	is(clock_open(&clock, "auto"), 0, "a clock can always be opened");
	is_text(clock.name, "monotonic", "the clock that is always there is CLOCK_MONOTONIC");
	now_ns = UINT64_C(7000000123);
	is(clock_stamp(&clock, clock.ticks), now_ns, "a stamp of CLOCK_MONOTONIC is in nanoseconds");
	clock_latch(&clock);
	ok(clock.drift_ppm == 0, "CLOCK_MONOTONIC does not drift against itself");
}

int main(void)
{
	test_scale();
	test_monotonic();
	return done();
}
