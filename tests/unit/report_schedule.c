// SPDX-License-Identifier: GPL-2.0-or-later
/* A source whose period is another than was thought, a keeper that adds a slice a second, and what is said of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "fake.h"
#include "totals.h"
#include "report_schedule.h"
#include "tap.h"

static double ppm;		/* by which the true period is longer */
static int64_t load_from;	/* the period from which on wake-ups are later, as under load */
static uint64_t number;

/* Wake-ups are 5 to 15 us late, now and then 100 us. */
static int64_t wrong_wait(struct source *source, uint64_t due_ns)
{
	uint64_t late = 5000 + random_number() % 10000;

	(void)source;
	(void)due_ns;
	number++;
	if (random_number() % 1000 == 0)
		late += 100000;
	if (load_from && (int64_t)number > load_from)
		late += 20000;
	fake_now_ns = FAKE_ANCHOR + (uint64_t)(number * FAKE_PERIOD * (1 + ppm / 1e6)) + late;
	return 1;
}

/* Measures so many seconds, flipping between two calls of the loop as if it were asked to. */
static struct totals *measure(unsigned seconds)
{
	static const struct source_ops wrong = { .name = "wrong", .wait = wrong_wait };
	struct source source = {
		.ops = &wrong, .hz = FAKE_HZ, .period_ns = FAKE_PERIOD, .anchor_ns = FAKE_ANCHOR,
	};
	struct channel *channel = channel_create();
	struct totals *totals = totals_create();

	number = 0;
	for (unsigned second = 0; second < seconds; second++) {
		source.anchor_ns = DUE(number);
		fake_loop(channel, &source, FAKE_HZ);
		totals_add(totals, &channel->live[0], FAKE_PERIOD);
		live_clear(&channel->live[0]);
	}
	munmap(channel, sizeof(*channel));
	return totals;
}

static bool kept(unsigned seconds, char *text, size_t size)
{
	return schedule_check(measure(seconds), 1000, text, size);
}

static void test_drift(double wrong_ppm, unsigned seconds)
{
	char text[128];
	double told = 0;

	ppm = wrong_ppm;
	ok(!kept(seconds, text, sizeof(text)), "%.1f ppm are seen in %u s", wrong_ppm, seconds);
	sscanf(text, "contradicted: the minimum lateness drifts by %lf ppm", &told);
	ok(fabs(told - wrong_ppm) < 0.05 * wrong_ppm, "and told: %s", text);
}

static void test_kept(const char *what, unsigned seconds)
{
	char text[128];

	ppm = 0;
	ok(kept(seconds, text, sizeof(text)), "%s is no contradiction in %u s", what, seconds);
	is_text(text, "kept", "and so it is told");
	load_from = 0;
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
	test_drift(0.5, 120);
	test_drift(5, 20);
	test_drift(50, 10);
	ppm = -50;
	ok(!kept(10, text, sizeof(text)), "a period that is too short, too");
	ok(strstr(text, "before its period was due"), "by wake-ups before they were due: %s", text);
	return done();
}
