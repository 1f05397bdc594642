// SPDX-License-Identifier: GPL-2.0-or-later
/* Meters on several CPUs keep to one grid, whenever each of them starts. */

#include "base/diag.h"
#include "measure/clock.h"
#include "source/registry.h"
#include "tap.h"

#define METERS 4

static struct source opened(const char *name, unsigned hz)
{
	struct source source = { .ops = NULL };

	ok(source_open(&source, name, NULL, NULL, hz, METERS) == 0, "%s is opened for %d meters at %u Hz", name, METERS, hz);
	return source;
}

/* Start the source and wait once: the timer expires on the schedule that start has set. */
static struct source started(const struct source *opened, uint64_t origin_ns, uint64_t phase_ns)
{
	struct source source = *opened;
	uint64_t due_ns;

	source.origin_ns = origin_ns;
	source.phase_ns = phase_ns;
	ok(source.ops->start(&source) == 0 && source.anchor_uncertainty_ns == 0, "%s starts", source.ops->name);
	due_ns = source.anchor_ns + source.period_ns;
	ok(source.ops->wait(&source, due_ns) >= 0 && monotonic_ns() >= due_ns, "and does not wake before it is due");
	return source;
}

static void test_alone(const char *name)
{
	struct source source = opened(name, 1000);
	uint64_t before = monotonic_ns(), after;

	source = started(&source, 0, 0);
	after = monotonic_ns();
	ok(source.anchor_ns >= before && source.anchor_ns <= after, "%s alone begins when it is started", name);
}

/* By how much the source is due later than the first one, in ns, less than a period. */
static uint64_t phase_behind(const struct source *source, const struct source *first)
{
	return (source->anchor_ns + UINT64_C(1000000000) * source->period_ns - first->anchor_ns) % source->period_ns;
}

static void test_grid(const char *name, unsigned hz, bool aligned)
{
	uint64_t origin_ns = monotonic_ns() - random_number() % 1000000000;
	struct source source = opened(name, hz), each[METERS];

	for (int i = 0; i < METERS; i++) {
		uint64_t phase_ns = aligned ? 0 : i * source.period_ns / METERS, before = monotonic_ns();

		each[i] = started(&source, origin_ns, phase_ns);
		ok(each[i].anchor_ns + source.period_ns > before, "its first period is not over before it starts");
		is((each[i].anchor_ns - origin_ns - phase_ns) % source.period_ns, 0, "its instants are on the grid");
		is(phase_behind(&each[i], &each[0]), phase_ns, "%s: meter %d is due so far behind the first",
		   aligned ? "aligned" : "spread", i);
	}
	if (!source.ops->exclusive && each[0].fd >= 0)
		ok(each[0].fd != each[1].fd, "each meter has a timer of its own");
}

static void test_ahead(const char *name)
{
	struct source source = opened(name, 1000);
	uint64_t origin_ns = monotonic_ns() + UINT64_C(3600000000000);

	for (int i = 0; i < METERS; i++) {
		uint64_t phase_ns = i * source.period_ns / METERS;
		struct source each = source;

		each.origin_ns = origin_ns;
		each.phase_ns = phase_ns;
		each.ops->start(&each);
		is(each.anchor_ns, origin_ns + phase_ns, "%s, meter %d begins at an origin that is ahead", name, i);
	}
}

static void test_choice(void)
{
	struct source source;

	ok(source_open(&source, "auto", NULL, NULL, 1000, METERS) == 0, "auto finds a source for several meters");
	ok(!source.ops->exclusive, "which is for as many as there are");
	ok(source_open(&source, "rtc", NULL, NULL, 1000, METERS) != 0, "which is refused to several");
	is(source_open(&source, "auto", "/no/such", NULL, 1000, METERS), EXIT_NOT_MEASURED, "as it is where a device is named");
	is(source_open(&source, "auto", "/no/such", NULL, 1000, 1), EXIT_NO_DEVICE, "one that is named is not passed over");
}

int main(void)
{
	static const char *const names[] = { "nanosleep", "timerfd" };
	static const unsigned rates[] = { 100, 1000, 3000, 2048, 99991 };

	for (int i = 0; i < 2; i++) {
		test_alone(names[i]);
		test_ahead(names[i]);
		for (unsigned rate = 0; rate < sizeof(rates) / sizeof(*rates); rate++) {
			test_grid(names[i], rates[rate], false);
			test_grid(names[i], rates[rate], true);
		}
	}
	test_choice();
	return done();
}
