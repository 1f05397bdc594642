// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/table.h"

#define NAME_SIZE 160			/* of a thread, each byte of which may be escaped */

/* Four digits, but no more decimals than the bins have; so do the analyzer's tables. */
static int decimals_of(double us)
{
	return us < 99.995 ? 2 : us < 999.95 ? 1 : 0;
}

static void put_latency(FILE *out, int64_t ns, bool doubtful)
{
	char text[32] = "-";

	if (ns != NO_LATENCY)
		snprintf(text, sizeof(text), "%s%.*f", doubtful ? "~" : "", decimals_of(ns / 1e3), ns / 1e3);
	fprintf(out, " %11s", text);
}

static void put_quantile(FILE *out, const struct sums *sums, unsigned quantile)
{
	put_latency(out, sums_quantile(&sums, 1, quantile), !sums_support(&sums, 1, quantile));
}

/* What a thread of another program missed is unknown without a grid of its timers. */
static void put_row(FILE *out, const struct sums *sums)
{
	fprintf(out, " %11" PRIu64, sums->samples);
	put_quantile(out, sums, P50);
	put_quantile(out, sums, P99);
	put_quantile(out, sums, P99_9);
	put_latency(out, sums_max(&sums, 1), false);
	if (sums->figures.inferred_period_ns < 0)
		fprintf(out, " %11s\n", "-");
	else
		fprintf(out, " %11" PRIu64 "\n",
			sums->figures.inferred_period_ns ? sums->figures.inferred_missed : sums->missed);
}

static bool is_worst(const struct sums *sums, const struct sums *const all[], unsigned count)
{
	return sums->samples && sums->moments[LATENCY].max == sums_max(all, count);
}

void report_table(FILE *out, const char *noun, const char *const names[], const struct sums *const sums[],
		  unsigned count)
{
	int width = 4;
	char name[NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		text_print(name, sizeof(name), names[i]);
		width = greater(width, text_width(name, strlen(name)) + 1);
	}
	fprintf(out, "%*s %11s %11s %11s %11s %11s %11s\n", width + 1, noun, "samples", "p50 us",
		"p99 us", "p99.9 us", "max us", "missed");
	for (unsigned i = 0; i < count; i++) {
		text_print(name, sizeof(name), names[i]);
		fprintf(out, "%c%*s%s", is_worst(sums[i], sums, count) ? '>' : ' ',
			width - (int)text_width(name, strlen(name)), "", name);
		put_row(out, sums[i]);
	}
}
