// SPDX-License-Identifier: GPL-2.0-or-later
/* The counter of the machine that the test runs on, beside CLOCK_MONOTONIC. */
#include <sched.h>

#include "measure/clock.h"
#include "tap.h"

#define READS 1000000
#define LATCHES 100
#define ONE (UINT64_C(1) << 32)		/* a scale: 1 ns a tick */

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
		nanosleep(&pause, NULL);
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
	const struct clock raw = { .name = "raw counter", .ticks = true, .scale = ONE };
	struct clock clock;

	stay_on_this_cpu();
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
