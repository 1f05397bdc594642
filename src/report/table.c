// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "report/table.h"

/* Of each percentile, the n of "one in n periods lies beyond". */
static const unsigned one_in[] = { 2, 100, 1000 };

static void put_latency(FILE *out, int64_t ns)
{
	if (ns == UNSUPPORTED)
		fprintf(out, " %11s", "-");
	else
		fprintf(out, " %11.1f", ns / 1e3);
}

/* Of that many CPUs together. */
static void put_figures(FILE *out, const struct sums *const sums[], unsigned count)
{
	uint64_t samples = 0, missed = 0;

	for (unsigned i = 0; i < count; i++) {
		samples += sums[i]->samples;
		missed += sums[i]->missed;
	}
	fprintf(out, " %11" PRIu64, samples);
	for (unsigned i = 0; i < sizeof(one_in) / sizeof(*one_in); i++)
		put_latency(out, sums_quantile(sums, count, one_in[i]));
	put_latency(out, sums_max(sums, count));
	fprintf(out, " %11" PRIu64 "\n", missed);
}

/* The CPUs that are as late as the latest. */
static bool is_worst(const struct sums *sums, const struct sums *const all[], unsigned count)
{
	return sums->samples && sums->moments[LATENCY].max == sums_max(all, count);
}

void report_table(FILE *out, enum report_table kind, const struct report_row *rows, unsigned count)
{
	const struct sums *sums[CPU_SETSIZE];
	int width = 4;

	for (unsigned i = 0; i < count; i++) {
		sums[i] = rows[i].sums;
		if ((int)strlen(rows[i].name) >= width)
			width = strlen(rows[i].name) + 1;
	}
	fprintf(out, "%*s %11s %11s %11s %11s %11s %11s\n", width + 1, kind == TABLE_OF_CELLS ? "cell" : "CPU",
		"samples", "p50 us", "p99 us", "p99.9 us", "max us", "missed");
	for (unsigned i = 0; i < count; i++) {
		fprintf(out, "%c%*s", is_worst(sums[i], sums, count) ? '>' : ' ', width, rows[i].name);
		put_figures(out, &sums[i], 1);
	}
	if (kind == TABLE_OF_CELLS)
		return;
	fprintf(out, "%*s", width + 1, "all");
	put_figures(out, sums, count);
}
