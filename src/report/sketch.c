// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "report/sketch.h"

#define HEIGHTS 8

static const char *const blocks[HEIGHTS + 1] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const plain[HEIGHTS + 1] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };

/* What is less than a bin has no logarithm to speak of: it goes to the first cell. */
static int64_t least_of(const struct sums *const sums[], unsigned count)
{
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < count; i++)
		if (sums[i]->samples)
			least = lesser(least, sums[i]->moments[LATENCY].min);
	return greater(least, HIST_STEP);
}

static unsigned cell_of(double ns, double least, double most)
{
	double share = ns <= least ? 0 : log(ns / least) / log(most / least);

	return lesser(share * SKETCH_CELLS, SKETCH_CELLS - 1);
}

static void count_cells(uint64_t cells[SKETCH_CELLS], const struct sums *const sums[], unsigned count)
{
	int64_t least = least_of(sums, count), most = greater(sums_max(sums, count), least + 1);

	for (unsigned i = 0; i < count; i++) {
		struct span span = series_span(LATENCY, &sums[i]->moments[LATENCY]);

		for (unsigned bin = span.first; bin < span.end; bin++)
			if (sums[i]->bins[bin])
				cells[cell_of(hist_lower_ns(bin - LATENCY_ZERO), least, most)] += sums[i]->bins[bin];
	}
}

/* 1 for a count of one, HEIGHTS for the peak. */
static unsigned height_of(uint64_t value, uint64_t peak)
{
	if (!value)
		return 0;
	return value == peak ? HEIGHTS : 1 + (HEIGHTS - 1) * log(value) / log(peak);
}

void sketch(char text[SKETCH_SIZE], const struct sums *const sums[], unsigned count, bool unicode)
{
	uint64_t cells[SKETCH_CELLS] = { 0 }, peak = 0;

	*text = '\0';
	if (sums_max(sums, count) == NO_LATENCY)
		return;
	count_cells(cells, sums, count);
	for (unsigned i = 0; i < SKETCH_CELLS; i++)
		peak = cells[i] > peak ? cells[i] : peak;
	for (unsigned i = 0; i < SKETCH_CELLS; i++)
		text = stpcpy(text, (unicode ? blocks : plain)[height_of(cells[i], peak)]);
}
