// SPDX-License-Identifier: GPL-2.0-or-later
/* The room for a report: that of a day, or less where the run is shorter. */
#include "base/cpus.h"
#include "report/report.h"
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
	is(explained(EXPLAIN_PARTS, 20480, 0), 0, "the parts of wake-ups need no more room");
	ok(explained(EXPLAIN_BLAME, 20480, 0) >= 256 * 1024, "the records of the worst wake-ups need more room");
	ok(explained(EXPLAIN_BLAME, 2, 0) < 64 * 1024, "the records of two wake-ups need less room");
	ok(explained(EXPLAIN_STACKS, 20480, 1) >= explained(EXPLAIN_STACKS, 20480, 0) + 768 * 1024,
	   "the wake-up that ends a run needs room for a whole ring");
}

int main(void)
{
	test_records();
	is(room(0, 2048, 0, 0), DAY, "a run without an end has the room of a day");
	is(room(4, 2048, 0, 0), 4 * DAY, "a run on four CPUs has the room of four");
	is(report_room(&(struct options){ .samples = 0 }, 5), room(5, 0, 0, 0),
	   "a run of five threads has the room of five CPUs");
	is(room(0, 2048, 0, 86400 * SECOND), DAY, "a run of a day has the room of a day");
	is(room(0, 2048, 5000000, 0), DAY, "a run of five million samples has the room of a day");
	is(room(0, 1, INT64_MAX, INT64_MAX), DAY, "a run as long as can be asked for has the room of a day");
	ok(room(0, 2048, 10, 0) < FEW, "a run of ten samples needs little room");
	ok(room(256, 2048, 10, 0) < 256 * FEW, "a run of ten samples on each CPU needs little room for each");
	ok(room(1, 0, 10, 0) < FEW, "a run of ten samples without a rate needs little room");
	ok(room(1, 10, 0, SECOND) < FEW, "a run of ten samples in a second needs little room");
	ok(room(1, 2048, 0, 10 * SECOND) < DAY / 8, "a run of ten seconds needs less room than a day");
	ok(room(1, 2048, 20480, 0) < DAY / 8, "a run of as many samples as in ten seconds needs less room than a day");
	ok(room(1, 0, 20480, 0) == DAY, "a run without a rate may take long");
	ok(room(1, 2048, 5000000, 10 * SECOND) == room(1, 2048, 0, 10 * SECOND), "the earlier of two ends counts");
	ok(room(1, 2048, 100, 0) < room(1, 2048, 200, 0), "more samples need more");
	return done();
}
