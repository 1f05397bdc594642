// SPDX-License-Identifier: GPL-2.0-or-later
/* The room for a report: that of a day, or less where the run is shorter. */
#include "base/cpus.h"
#include "report/data.h"
#include "tap.h"

#define SECOND UINT64_C(1000000000)
#define DAY ((off_t)4 << 20)
#define FEW (64 * 1024)

static off_t room(unsigned cpus, unsigned hz, uint64_t samples, uint64_t duration_ns)
{
	struct options options = {
		.frequency_hz = hz, .samples = samples, .duration_ns = duration_ns, .cpus.count = cpus,
	};

	return report_room(&options, options_meters(&options));
}

/* More than without. */
static off_t explained(enum explain_level level, uint64_t samples, uint64_t break_ns)
{
	struct options options = { .frequency_hz = 2048, .samples = samples, .explain = level, .break_ns = break_ns };

	return report_room(&options, 1) - room(0, 2048, samples, 0);
}

static void test_records(void)
{
	is(explained(EXPLAIN_PARTS, 20480, 0), 0, "the parts of wake-ups need no more");
	ok(explained(EXPLAIN_BLAME, 20480, 0) >= 256 * 1024, "the records of the worst do");
	ok(explained(EXPLAIN_BLAME, 2, 0) < 64 * 1024, "of two there are fewer");
	ok(explained(EXPLAIN_STACKS, 20480, 1) >= explained(EXPLAIN_STACKS, 20480, 0) + 768 * 1024,
	   "and of the one that ends a run the whole ring");
}

int main(void)
{
	test_records();
	is(room(0, 2048, 0, 0), DAY, "a run without an end");
	is(room(4, 2048, 0, 0), 4 * DAY, "on four CPUs");
	is(report_room(&(struct options){ .samples = 0 }, 5), room(5, 0, 0, 0), "of five threads as on five CPUs");
	is(room(0, 2048, 0, 86400 * SECOND), DAY, "one of a day");
	is(room(0, 2048, 5000000, 0), DAY, "one of five million samples");
	is(room(0, 1, INT64_MAX, INT64_MAX), DAY, "one of all that can be asked for");
	ok(room(0, 2048, 10, 0) < FEW, "ten samples");
	ok(room(256, 2048, 10, 0) < 256 * FEW, "ten on each CPU");
	ok(room(1, 0, 10, 0) < FEW, "ten without a rate");
	ok(room(1, 10, 0, SECOND) < FEW, "ten in a second");
	ok(room(1, 2048, 0, 10 * SECOND) < DAY / 8, "ten seconds");
	ok(room(1, 2048, 20480, 0) < DAY / 8, "as many samples");
	ok(room(1, 0, 20480, 0) == DAY, "without a rate they may take long");
	ok(room(1, 2048, 5000000, 10 * SECOND) == room(1, 2048, 0, 10 * SECOND), "the earlier end counts");
	ok(room(1, 2048, 100, 0) < room(1, 2048, 200, 0), "more samples need more");
	return done();
}
