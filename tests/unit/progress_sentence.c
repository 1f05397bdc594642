// SPDX-License-Identifier: GPL-2.0-or-later
/* Why the worst was late, above the line on a terminal. */
#include <string.h>

#include "progress_rows.h"
#include "tap.h"

static void test_sentence(void)
{
	const struct options options = { .samples = 0 };
	struct progress progress = { .terminal = true };

	run.options = &options;
	fill();
	screen_open(24, 80);
	screen_take("above\n");
	draw(&progress, 1, 10);
	strcpy(rows[0].sentence, "10.0 us late: 'hog' (rt 97) ran for 9.0 us");
	draw(&progress, 1, 11);
	is_text(screen_text(),
		"above\n10.0 us late: 'hog' (rt 97) ran for 9.0 us\nworst 10.00 us late  0 missed  1000 samples",
		"why the worst was late stands above the line");
	strcpy(rows[0].sentence, "21.974 ms late: 'hog' (rt 97) ran for 21.672 ms; timer interrupt 0.257 ms; softirq TIMER 0.031 ms");
	draw(&progress, 1, 12);
	is_text(screen_text(),
		"above\n21.974 ms late: 'hog' (rt 97) ran for 21.672 ms; timer interrupt 0.257 ms; s...\n"
		"worst 10.00 us late  0 missed  1000 samples",
		"a long sentence is cut to one line");
	strcpy(rows[1].sentence, "10.1 us late: woke from idle, 8.0 us");
	draw(&progress, 2, 13);
	is_text(screen_text(),
		"above\n" HEAD
		"    0        1000        4.51        4.51       ~4.51       10.00           0\n"
		">   1        1000        4.51        4.51       ~4.51       10.10           0\n"
		"10.1 us late: woke from idle, 8.0 us\nworst 10.10 us late on CPU 1  0 missed  2000 samples",
		"the sentence of the worst CPU stands below the rows");
	clear(&progress);
	is_text(screen_text(), "above", "the sentence is cleared with the rows");
	screen_open(4, 80);
	draw(&progress, 2, 14);
	is_text(screen_text(),
		HEAD
		"    0        1000        4.51        4.51       ~4.51       10.00           0\n"
		">   1        1000        4.51        4.51       ~4.51       10.10           0\n"
		"worst 10.10 us late on CPU 1  0 missed  2000 samples",
		"no sentence is shown if the terminal has too few rows");
	clear(&progress);
	screen_open(24, 79);
	draw(&progress, 1, 15);
	is_text(screen_text(), "worst 10.00 us late  0 missed  1000 samples",
		"no sentence is shown if the terminal has too few columns");
}

/* Nobody knows where a line above one that a load writes into begins. */
static void test_load(void)
{
	static char *load[] = { NULL };
	const struct options options = { .load = load };
	struct progress progress = { .terminal = true };

	run.options = &options;
	screen_open(24, 80);
	draw(&progress, 1, 16);
	is_text(screen_text(), "worst 10.00 us late  0 missed  1000 samples", "no sentence is shown beside a load");
}

int main(void)
{
	if (!terminal_open()) {
		ok(true, "# SKIP there are no pseudo-terminals here");
		return done();
	}
	test_sentence();
	test_load();
	return done();
}
