// SPDX-License-Identifier: GPL-2.0-or-later
/* A source whose period is another than was thought, a keeper that adds a slice a second, and what is said of it. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "fake.h"
#include "report/outcome.c"
#include "tap.h"

static double ppm;		/* by which the true period is longer */
static int64_t load_from;	/* the period from which on wake-ups are later, as under load */
static uint64_t stalled_from;	/* the period from which on none is served for 40, as one wake-up serves all of them */
static uint64_t number;

/* Wake-ups are 5 to 15 us late, now and then 100 us. */
static int64_t wrong_wait(struct source *source, uint64_t due_ns)
{
	uint64_t late = 5000 + random_number() % 10000, periods = 1;

	(void)source;
	(void)due_ns;
	if (number + 1 == stalled_from)
		periods = 40;
	number += periods;
	if (random_number() % 1000 == 0)
		late += 100000;
	if (load_from && (int64_t)number > load_from)
		late += 20000;
	fake_now_ns = FAKE_ANCHOR + (uint64_t)(number * FAKE_PERIOD * (1 + ppm / 1e6)) + late;
	return periods;
}

/* Measures so many seconds, flipping between two calls of the loop as if it were asked to. */
static struct totals *measure(unsigned seconds)
{
	static const struct source_ops wrong = { .name = "wrong", .wait = wrong_wait };
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	struct totals *totals = totals_create(TOTALS_SLICES, false);

	number = 0;
	for (unsigned second = 0; second < seconds; second++) {
		fake_loop(channel, &wrong, DUE(number), FAKE_HZ);
		totals_add(totals, &channel->live[0], FAKE_PERIOD);
		counters_clear(&channel->live[0]);
	}
	munmap(channel, sizeof(*channel));
	return totals;
}

static bool kept(unsigned seconds, char text[128])
{
	check_schedule(measure(seconds), FAKE_PERIOD, 1000, text);
	return !strcmp(text, "kept");
}

/* The least lateness is 5 us, and grows by so many us a second. */
static void test_slow(double slow_ppm)
{
	unsigned seconds = FAKE_PERIOD / 1000 / slow_ppm;
	double from_s, to_s;
	char text[128];

	ppm = slow_ppm;
	ok(kept(seconds - 1, text), "a source that is %.0f ppm too slow for %u s is not a period late",
	   slow_ppm, seconds - 1);
	ok(!kept(seconds + 2, text), "a source that is too slow for %u s is a period late", seconds + 2);
	is(sscanf(text, "contradicted: from %lf s to %lf s no wake-up was less than a period late", &from_s, &to_s), 2,
	   "a contradiction is reported with its times");
	ok(seconds - 1 < from_s && from_s < to_s && to_s < seconds + 3,
	   "a contradiction has the times of its slice: %s", text);
	stalled_from = FAKE_HZ / 2;
	ok(!kept(seconds + 2, text), "missed periods do not hide a contradiction");
	stalled_from = 0;
}

static void test_kept(const char *what, unsigned seconds)
{
	char text[128];

	ppm = 0;
	ok(kept(seconds, text), "%s is no contradiction in %u s", what, seconds);
	ok(!strcmp(text, "kept"), "%s is reported as a schedule that was kept", what);
	load_from = stalled_from = 0;
}

int main(void)
{
	char text[128];

	test_kept("a steady source", 60);
	load_from = 30 * FAKE_HZ;
	test_kept("a load that starts in the middle", 60);
	load_from = 20 * FAKE_HZ;
	test_kept("a load that starts after a third", 60);
	test_kept("a run of three slices", 3);
	stalled_from = FAKE_HZ / 2;
	test_kept("a stall", 3);
	test_slow(5);
	test_slow(50);
	ppm = -50;
	ok(!kept(10, text), "a period that is too short is a contradiction");
	ok(strstr(text, "before its period was due"), "early wake-ups contradict the schedule: %s", text);
	return done();
}
