// SPDX-License-Identifier: GPL-2.0-or-later
/* What is kept of each buffer for the row of a CPU. */
#include "report/progress.h"
#include "tap.h"

int main(void)
{
	static struct counters live;
	static struct sums sums;
	struct progress_row row = { .cpu = 0 };

	live.moments[LATENCY].max = INT64_MIN;
	progress_note(&row, &sums, &live, 1);
	is(row.worst_at_ns, 0, "an empty buffer has no worst wake-up");
	live.samples = 1;
	live.moments[LATENCY].max = -5;
	progress_note(&row, &sums, &live, 2);
	is(row.worst_at_ns, 2, "the first of equally late wake-ups is the worst");
	sums.samples = 1;
	sums.moments[LATENCY].max = -5;
	progress_note(&row, &sums, &live, 3);
	is(row.worst_at_ns, 2, "an equally late wake-up is no worse");
	live.moments[LATENCY].max = 7;
	progress_note(&row, &sums, &live, 4);
	is(row.worst_at_ns, 4, "a later wake-up is the worst");
	is(row.now_ns, 7, "the row has the time of its newest buffer");
	return done();
}
