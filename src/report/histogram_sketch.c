// SPDX-License-Identifier: GPL-2.0-or-later
/* The row "histogram" of the result: the distribution as a line of characters. */
#include <math.h>
#include <string.h>

#include "report/report.h"

#define HEIGHTS 8

/* Each cell is a range of equal ratio. Anything below one bin has no useful logarithm: it goes into the first cell. */
static void fill_cells(uint64_t cells[SKETCH_CELLS], const struct all *all, int64_t max_ns)
{
	int64_t least = greater(all->least_ns, HIST_STEP);
	double ratio = greater(max_ns, least + 1) / (double)least;

	for (unsigned i = 0; i < all->count; i++) {
		struct span span = series_span(LATENCY, &all->sums[i]->moments[LATENCY]);
		const uint64_t *bins = all->sums[i]->bins;

		for (unsigned bin = span.first; bin < span.end; bin++) {
			double ns = bins[bin] ? hist_lower_ns(bin - LATENCY_ZERO) : 0;
			double share = ns <= least ? 0 : log(ns / least) / log(ratio);

			cells[lesser(share * SKETCH_CELLS, SKETCH_CELLS - 1)] += bins[bin];
		}
	}
}

void histogram_sketch(char text[SKETCH_SIZE], const struct all *all, bool unicode)
{
	static const char *const blocks[HEIGHTS + 1] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const plain[HEIGHTS + 1] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };
	int64_t max_ns = sums_max(all->sums, all->count);
	uint64_t cells[SKETCH_CELLS] = { 0 }, peak = 0;

	*text = '\0';
	if (max_ns == NO_LATENCY)
		return;
	fill_cells(cells, all, max_ns);
	for (unsigned i = 0; i < SKETCH_CELLS; i++)
		peak = greater(cells[i], peak);
	for (unsigned i = 0; i < SKETCH_CELLS; i++) {
		unsigned height = cells[i] ? HEIGHTS : 0;

		if (cells[i] && cells[i] < peak)
			height = 1 + (HEIGHTS - 1) * log(cells[i]) / log(peak);
		text = stpcpy(text, (unicode ? blocks : plain)[height]);
	}
}
