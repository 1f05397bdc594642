// SPDX-License-Identifier: GPL-2.0-or-later
#include "progress_rows.h"

struct sums some[SCREEN_ROWS];
struct progress_row rows[SCREEN_ROWS];

void fill(void)
{
	for (int i = 0; i < SCREEN_ROWS; i++) {
		some[i] = (struct sums){ .samples = 1000 };
		some[i].bins[series_index(LATENCY, 4500)] = 999;
		some[i].moments[LATENCY].max = 10000 + 100 * i;
		some[i].bins[series_index(LATENCY, some[i].moments[LATENCY].max)]++;
		rows[i] = (struct progress_row){
			.cpu = i, .sums = &some[i], .now_ns = 4600, .worst_at_ns = 3723000000000, .state = "",
		};
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
	progress_show(progress, rows, count, seconds * 1000000000);
	take();
}

void clear(struct progress *progress)
{
	progress_clear(progress);
	take();
}
