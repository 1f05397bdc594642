// SPDX-License-Identifier: GPL-2.0-or-later
/* How far a table of cells is that take turns. */
#include "progress_rows.h"
#include "tap.h"

#define SECOND UINT64_C(1000000000)

static const struct cell cells[] = { { 2, 0 }, { 8, 0 }, { 2, 65536 } };

/* The progress of such a run, whose first cell has been measured for five seconds. */
static struct progress begin(const struct options *options)
{
	struct progress progress;

	progress_begin(&progress, options);
	fill();
	screen_open(24, 100);
	rows[0].cell = &cells[0];
	draw(&progress, 1, 5);
	return progress;
}

static void test_turns(void)
{
	const struct options options = {
		.duration_ns = 10 * SECOND, .cells = { { 2, { 2, 8 } }, { 2, { 0, 65536 } } },
	};
	struct progress progress = begin(&options);

	is_text(screen_text(), "cell 1 of 4: 2x0  1000 samples  12%  0:00:35 left  worst 10.0 us late  0 missed",
		"the half of the first of four");
	progress_begin_turn(&progress, 12 * SECOND);
	rows[0].cell = &cells[1];
	draw(&progress, 1, 12);
	is_text(screen_text(), "cell 2 of 4: 8x0  1000 samples  25%  0:00:36 left  worst 10.0 us late  0 missed",
		"the second begins, by the time that the first has taken");
	progress_begin_turn(&progress, 24 * SECOND);
	rows[0].cell = &cells[2];
	draw(&progress, 1, 60);
	is_text(screen_text(), "cell 3 of 4: 2x64k  1000 samples  75%  0:00:20 left  worst 10.0 us late  0 missed",
		"a turn that takes longer is no more than one");
	screen_open(24, 40);
	draw(&progress, 1, 60);
	is_text(screen_text(), "cell 3 of 4: 2x64k  75%", "a narrow terminal names it, too");
}

static void test_one(void)
{
	const struct options options = { .samples = 4000, .cells = { { 1, { 2 } }, { 1, { 0 } } } };

	begin(&options);
	is_text(screen_text(), "1000 samples  25%  0:00:15 left  worst 10.0 us late  0 missed", "one cell takes no turns");
}

int main(void)
{
	if (!terminal_open()) {
		ok(true, "# SKIP there are no pseudo-terminals here");
		return done();
	}
	test_turns();
	test_one();
	return done();
}
