// SPDX-License-Identifier: GPL-2.0-or-later
/* Why the worst was late, above the line on a terminal. */
#include <stdio.h>

#include "progress.h"
#include "tap.h"
#include "terminal.h"

#define HEAD "  CPU      now us      p50 us    worst us         at      missed\n"

static struct sums some[2];
static struct progress_row rows[2];

/* 1000 samples each, late by 4.5 us and, once, by 10 us and on the second CPU a tenth more. */
static void fill(void)
{
	for (int i = 0; i < 2; i++) {
		some[i].samples = 1000;
		some[i].bins[hist_index(LATENESS, 4500)] = 999;
		some[i].moments[LATENESS].max = 10000 + 100 * i;
		some[i].bins[hist_index(LATENESS, some[i].moments[LATENESS].max)]++;
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

static void draw(struct progress *progress, const struct progress_row *shown, unsigned count, uint64_t seconds)
{
	progress_show(progress, shown, count, seconds * 1000000000);
	take();
}

static void clear(struct progress *progress)
{
	progress_clear(progress);
	take();
}

static void test_sentence(void)
{
	const struct options options = { .samples = 0 };
	struct progress progress = { .options = &options, .form = PROGRESS_TERMINAL };

	fill();
	screen_open(24, 80);
	screen_take("above\n");
	draw(&progress, rows, 1, 10);
	rows[0].sentence = "10.0 us late: 'ho\033g' (rt 97) ran 9.0 us";
	draw(&progress, rows, 1, 11);
	is_text(screen_text(),
		"above\n10.0 us late: 'ho?g' (rt 97) ran 9.0 us\n1000 samples  worst 10.0 us late  0 missed",
		"why the worst was late stands above the line");
	rows[0].sentence = "21.974 ms late: 'hog' (rt 97) ran 21.672 ms; timer interrupt 0.257 ms; softirq TIMER 0.031 ms";
	draw(&progress, rows, 1, 12);
	is_text(screen_text(),
		"above\n21.974 ms late: 'hog' (rt 97) ran 21.672 ms; timer interrupt 0.257 ms; softi...\n"
		"1000 samples  worst 10.0 us late  0 missed",
		"in one line");
	rows[1].sentence = "10.1 us late: woke from idle, 8.0 us";
	draw(&progress, rows, 2, 13);
	is_text(screen_text(),
		"above\n" HEAD
		"    0         4.6         4.5        10.0    1:02:03           0\n"
		">   1         4.6         4.5        10.1    1:02:03           0\n"
		"10.1 us late: woke from idle, 8.0 us\n2000 samples  worst 10.1 us late on CPU 1  0 missed",
		"below the rows of several CPUs that of the worst");
	clear(&progress);
	is_text(screen_text(), "above", "and makes way");
	screen_open(4, 80);
	draw(&progress, rows, 2, 14);
	is_text(screen_text(),
		HEAD
		"    0         4.6         4.5        10.0    1:02:03           0\n"
		">   1         4.6         4.5        10.1    1:02:03           0\n"
		"2000 samples  worst 10.1 us late on CPU 1  0 missed",
		"where there is room");
	clear(&progress);
	screen_open(24, 79);
	draw(&progress, rows, 1, 15);
	is_text(screen_text(), "1000 samples  worst 10.0 us late  0 missed", "and columns");
}

/* Nobody knows where a line above one that a load writes into begins. */
static void test_load(void)
{
	static char *load[] = { NULL };
	const struct options options = { .load = load };
	struct progress progress = { .options = &options, .form = PROGRESS_TERMINAL };

	screen_open(24, 80);
	draw(&progress, rows, 1, 16);
	is_text(screen_text(), "1000 samples  worst 10.0 us late  0 missed", "nor is there room beside a load");
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
