// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <math.h>

#include "base/text.h"
#include "report/lmbench.h"

#define STRETCHES 3			/* thirds of the run stand in for lat_ctx's repeats */
#define DOUBT 0.1			/* the overhead may vary by this share of the figure */

struct stretch {
	uint64_t hops;
	long double sum_ns;
};

/* A slice belongs to the third of all hops in which its middle hop lies. */
static void divide(const struct totals *totals, struct stretch stretches[STRETCHES])
{
	const uint64_t all = totals_sums(totals)->samples;
	const struct slice *slice;
	uint64_t before = 0;

	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
		struct stretch *stretch = &stretches[(before + slice->samples / 2) * STRETCHES / (all + 1)];

		stretch->hops += slice->samples;
		stretch->sum_ns += u128_to_real(slice->moments[LATENCY].sum);
		before += slice->samples;
	}
}

/* Laps follow each other without a gap, so the mean hop is the mean lap divided by the number of processes. */
static double least_mean(const struct stretch stretches[STRETCHES], unsigned *count)
{
	double least = INFINITY;

	*count = 0;
	for (unsigned i = 0; i < STRETCHES; i++) {
		if (!stretches[i].hops)
			continue;
		++*count;
		least = fmin(least, stretches[i].sum_ns / stretches[i].hops);
	}
	return least;
}

__attribute__((format(printf, 2, 3)))
static void doubt(struct lmbench *lmbench, const char *format, ...)
{
	va_list args;

	text_append(lmbench->doubt, sizeof(lmbench->doubt), "%s", *lmbench->doubt ? "; " : "");
	va_start(args, format);
	text_append_list(lmbench->doubt, sizeof(lmbench->doubt), format, args);
	va_end(args);
}

bool lmbench_sum_up(struct lmbench *lmbench, const struct totals *totals,
		    const double overhead_ns[OVERHEAD_REPEATS])
{
	struct stretch stretches[STRETCHES] = { { .hops = 0 } };
	double least = INFINITY, most = 0;
	unsigned repeats;

	for (unsigned i = 0; i < OVERHEAD_REPEATS; i++) {
		least = fmin(least, overhead_ns[i]);
		most = fmax(most, overhead_ns[i]);
	}
	divide(totals, stretches);
	*lmbench = (struct lmbench){ least_mean(stretches, &repeats) - least, least, "" };
	if (!repeats || !least)
		return false;
	if (repeats < STRETCHES)
		doubt(lmbench, "the run has %u slice%s, too few for three repeats", repeats,
		      repeats == 1 ? "" : "s");
	if (lmbench->ns <= 0)
		doubt(lmbench, "nothing is left without the overhead");
	else if (lmbench->ns < least)
		doubt(lmbench, "the overhead is more than what is left");
	if (most - least > DOUBT * fabs(lmbench->ns))
		doubt(lmbench, "the overhead varied by %.3f us", (most - least) / 1e3);
	return true;
}
