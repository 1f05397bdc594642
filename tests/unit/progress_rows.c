// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "progress_rows.h"

struct sums *some[SCREEN_ROWS];
struct report rows[SCREEN_ROWS];
bool over[SCREEN_ROWS];
struct run run;

struct report fresh_report(unsigned i)
{
	static const struct source_ops ops = { .name = "fake" };
	static const struct source source = { .ops = &ops };
	static struct channel channel;
	static char names[SCREEN_ROWS][4];

	over[i] = false;
	snprintf(names[i], sizeof(names[i]), "%u", i);
	return (struct report){
		.run = &run, .name = names[i], .totals = totals_create(32, false), .over = &over[i], .source = &source,
		.channel = &channel,
	};
}

struct sums *sums_of(const struct report *report)
{
	return (struct sums *)totals_sums(report->totals);
}

void fill(void)
{
	for (int i = 0; i < SCREEN_ROWS; i++) {
		rows[i] = fresh_report(i);
		some[i] = sums_of(&rows[i]);
		some[i]->samples = 1000;
		some[i]->bins[series_index(LATENCY, 4500)] = 999;
		some[i]->moments[LATENCY].max = 10000 + 100 * i;
		some[i]->bins[series_index(LATENCY, some[i]->moments[LATENCY].max)]++;
	}
}

static void take(void)
{
	static char shown[TERMINAL_SIZE];

	terminal_read(shown);
	screen_take(shown);
}

void draw(struct progress *progress, unsigned count, uint64_t seconds)
{
	rows->count = count;
	progress_show(progress, rows, seconds * 1000000000);
	take();
}

void clear(struct progress *progress)
{
	progress_clear(progress);
	take();
}
