// SPDX-License-Identifier: GPL-2.0-or-later
/* What the result says of how often a thread really ran. */
#include "measure/clock.h"
#include "report/summary.c"
#include "tap.h"

static void says(struct figures figures, unsigned threads, const char *expected, const char *name)
{
	static struct counters live;
	struct totals *totals = totals_create(32, false);
	const struct report report = { .totals = totals };
	const struct all all = { .count = threads, .worst = (struct report *)&report };
	struct block block;
	char *text = NULL;
	size_t length;

	live.figures = figures;
	live.left = true;
	totals_add(totals, &live, 0);
	block = block_begin(open_memstream(&text, &length), LABEL_COLUMNS);
	show_rate(&block, &all);
	block_end(&block);
	fclose(block.out);
	is_text(text, expected, name);
	free(text);
}

int main(void)
{
	says((struct figures){ .inferred_period_ns = -1, .inferred_sleep_ns = 19999407, .inferred_hz = 48.3681 }, 1,
	     "rate      48.368 a second, not 50: it sleeps 20.00 ms from when it is done, so its work adds up\n",
	     "a relative loop has its rate and the one that it asks for");
	says((struct figures){ .inferred_period_ns = -1, .inferred_sleep_ns = 999817, .inferred_hz = 882.02 }, 2,
	     "rate      the worst: 882.02 a second, not 1000: it sleeps 1.000 ms from when it is done, so its work adds up\n",
	     "one of several threads is called the worst");
	says((struct figures){ .inferred_period_ns = 5333333, .inferred_hz = 1e9 / 5333333 }, 1,
	     "rate      187.5 a second, on a fixed grid: lateness does not add up\n", "a grid has its rate");
	says((struct figures){ .inferred_period_ns = 5000000, .inferred_missed = 438, .inferred_hz = 179.04 }, 1,
	     "rate      179.04 a second, not 200: it was not asleep at 438 of its periods\n",
	     "a loop that misses periods has its real rate");
	says((struct figures){ .inferred_period_ns = -1, .inferred_missed = 7, .inferred_hz = 187.85 }, 1,
	     "rate      187.85 a second by its own timer, after sleeps that vary\n", "a thread without a grid has a rate");
	says((struct figures){ .inferred_period_ns = 1000000, .inferred_hz = 703.72 }, 1,
	     "rate      703.72 a second by its own timer, after sleeps that vary\n", "a loop that runs in bursts misses nothing");
	says((struct figures){ .inferred_period_ns = -1 }, 1, "\n", "a thread that others wake has no rate");
	return done();
}
