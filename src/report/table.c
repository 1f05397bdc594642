// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of CPUs or threads. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

#define NAME_SIZE 160			/* of a thread, if each byte is escaped */

/* Four digits, but no more decimals than the bins have, as in the analyzer's tables. */
static void put_latency(FILE *out, int64_t ns, bool supported)
{
	double us = ns / 1e3;
	char text[32] = "-";

	if (ns != NO_LATENCY)
		snprintf(text, sizeof(text), "%s%.*f", supported ? "" : "~", us < 99.995 ? 2 : us < 999.95 ? 1 : 0, us);
	fprintf(out, " %11s", text);
}

#define FIGURES_WIDTH (6 * 12)

unsigned table_width(const struct all *all)
{
	unsigned width = 5;
	char name[NAME_SIZE];

	for (unsigned i = 0; i < all->count; i++) {
		text_print(name, sizeof(name), all->reports[i].name);
		width = greater(width, text_width(name, strlen(name)) + 2);
	}
	return width + all->policy_width + FIGURES_WIDTH;
}

/* What a thread of another program missed is unknown without a timer grid. */
static void print_row(FILE *out, const struct all *all, unsigned i, int width, int64_t max_ns)
{
	const struct sums *sums = all->sums[i];
	bool worst = sums->samples && sums->moments[LATENCY].max == max_ns;
	int64_t period_ns = sums->figures.inferred_period_ns;
	char name[NAME_SIZE];

	text_print(name, sizeof(name), all->reports[i].name);
	fprintf(out, "%c%*s%s", worst ? '>' : ' ', width - 1 - (int)text_width(name, strlen(name)), "", name);
	if (all->policy_width) {
		const struct sched_state *state = &all->reports[i].channel->thread.state;

		snprintf(name, sizeof(name), state->priority ? "%s %d" : "%s",
			 sched_state_policy_name(state->policy), state->priority);
		fprintf(out, "%*s", all->policy_width, name);
	}
	fprintf(out, " %11" PRIu64, sums->samples);
	if (!sums->samples && sums->figures.state == 'R')
		fprintf(out, " %11s", "never slept");
	else
		put_latency(out, sums_quantile(&sums, 1, P50), sums_support(&sums, 1, P50));
	put_latency(out, sums_quantile(&sums, 1, P99), sums_support(&sums, 1, P99));
	put_latency(out, sums_quantile(&sums, 1, P99_9), sums_support(&sums, 1, P99_9));
	put_latency(out, sums_max(&sums, 1), true);
	if (period_ns < 0 || (all->policy_width && !period_ns))
		fprintf(out, " %11s", "-");
	else
		fprintf(out, " %11" PRIu64, period_ns ? sums->figures.inferred_missed : sums->missed);
}

void table_print(FILE *out, const struct all *all, const char *end)
{
	int64_t max_ns = sums_max(all->sums, all->count);
	int policy = all->policy_width, width = table_width(all) - policy - FIGURES_WIDTH;

	fprintf(out, "%*s%*s %11s %11s %11s %11s %11s %11s%s", width, all->noun, policy, policy ? "policy" : "",
		"samples", "p50 us", "p99 us", "p99.9 us", "max us", "missed", end);
	for (unsigned i = 0; i < all->count; i++) {
		print_row(out, all, i, width, max_ns);
		fputs(end, out);
	}
}
