// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report_schedule.h"

#define LEAST_PER_THIRD 3	/* slices; fewer show no trend */
#define LEAST_DRIFT_NS 2000	/* over the run; less is in the nature of wake-ups */

/* A third of the slices: the median of their least latenesses, how far these lie from it, and when. */
struct third {
	int64_t middle_ns, spread_ns;
	uint64_t at_ns;
};

static int ascending(const void *a, const void *b)
{
	int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

	return (first > second) - (first < second);
}

static int64_t median(int64_t *values, unsigned count)
{
	qsort(values, count, sizeof(*values), ascending);
	return values[count / 2];
}

static struct third look_at(const struct totals *totals, unsigned first, unsigned last)
{
	int64_t values[TOTALS_SLICES] = { 0 };
	unsigned count = last - first;
	struct third third;

	for (unsigned i = 0; i < count; i++)
		values[i] = totals_slice(totals, first + i)->moments[LATENESS].min;
	third.middle_ns = median(values, count);
	for (unsigned i = 0; i < count; i++)
		values[i] = llabs(values[i] - third.middle_ns);
	third.spread_ns = median(values, count);
	third.at_ns = totals_slice(totals, (first + last) / 2)->from_ns;
	return third;
}

static unsigned count_slices(const struct totals *totals)
{
	unsigned count = 0;

	while (totals_slice(totals, count))
		count++;
	return count;
}

/* A drift moves the second third as far as the last; a step, such as the start of a load, does not. */
static bool is_steady(int64_t early_ns, int64_t late_ns)
{
	return (early_ns < 0) == (late_ns < 0) && llabs(early_ns) <= 2 * llabs(late_ns) &&
	       llabs(late_ns) <= 2 * llabs(early_ns);
}

static int64_t widest_spread(const struct third *a, const struct third *b, const struct third *c)
{
	int64_t spread_ns = a->spread_ns > b->spread_ns ? a->spread_ns : b->spread_ns;

	return c->spread_ns > spread_ns ? c->spread_ns : spread_ns;
}

static bool drifts(const struct totals *totals, double *ppm)
{
	unsigned slices = count_slices(totals);
	struct third first, middle, last;
	int64_t drift_ns;

	if (slices < 3 * LEAST_PER_THIRD)
		return false;
	first = look_at(totals, 0, slices / 3);
	middle = look_at(totals, slices / 3, slices * 2 / 3);
	last = look_at(totals, slices * 2 / 3, slices);
	drift_ns = last.middle_ns - first.middle_ns;
	*ppm = 1e6 * drift_ns / (last.at_ns - first.at_ns);
	return llabs(drift_ns) > LEAST_DRIFT_NS + 4 * widest_spread(&first, &middle, &last) &&
	       is_steady(middle.middle_ns - first.middle_ns, last.middle_ns - middle.middle_ns);
}

bool schedule_check(const struct totals *totals, uint64_t uncertainty_ns, char *text, size_t size)
{
	const struct sums *sums = totals_sums(totals);
	double ppm;

	if (sums->samples && sums->moments[LATENESS].min < -(int64_t)uncertainty_ns) {
		snprintf(text, size,
			 "contradicted: a wake-up came %" PRId64 " ns before its period was due",
			 -sums->moments[LATENESS].min);
		return false;
	}
	if (drifts(totals, &ppm)) {
		snprintf(text, size, "contradicted: the minimum lateness drifts by %.2f ppm", ppm);
		return false;
	}
	snprintf(text, size, "kept");
	return true;
}
