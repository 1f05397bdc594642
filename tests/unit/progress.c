// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The line on a terminal of any width: what is in it, and that it stays one
 * line. The rows of several CPUs, as the terminal shows them in the end. And
 * the lines where there is no terminal.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "progress_rows.h"
#include "tap.h"

#define NARROW 20
#define WIDE 200

static char shown[TERMINAL_SIZE];
static struct options options;
static char *load[] = { NULL };

static struct progress on_terminal(struct options wanted)
{
	options = wanted;
	run.options = &options;
	return (struct progress){ .terminal = true };
}

/* What the terminal gets, without what takes it to the start of the line and clears the rest. */
static void show(struct progress *progress, struct report *report, int columns)
{
	char *end;

	terminal_resize(24, columns);
	report->most = 1;
	progress_show(progress, report, 90000000000);
	terminal_read(shown);
	if ((end = strstr(shown, "\033[K")) && !end[3])
		*end = '\0';
	memmove(shown, shown + (*shown == '\r'), strlen(shown));
}

static void test_parts(struct report *report)
{
	struct progress progress = on_terminal((struct options){ .samples = 5000 });

	show(&progress, report, WIDE);
	is_text(shown, "20%  worst 123.5 us late  0:06:00 left  12 missed  1000 samples",
		"the line has all parts if there is room");
	options.max.ns = 123457;
	show(&progress, report, WIDE);
	is_text(shown, "20%  worst 123.5 us late  0:06:00 left  12 missed  1000 samples",
		"the line says nothing of --max while it is kept");
	options.max.ns = 123455;
	show(&progress, report, WIDE);
	is_text(shown, "--max exceeded  20%  worst 123.5 us late  0:06:00 left  12 missed  1000 samples",
		"the line says when --max is exceeded");
	show(&progress, report, 60);
	is_text(shown, "--max exceeded  20%  worst 123.5 us late  0:06:00 left",
		"the least important part is left out first");
	show(&progress, report, NARROW);
	is_text(shown, "--max exceeded  20%", "all parts but the most important are left out in the end");
	options = (struct options){ .samples = 0 };
	show(&progress, report, NARROW);
	is_text(shown, "worst 123.5 us late", "a run without an end has no share and no time left");
	show(&progress, report, 0);
	is_text(shown, "worst 123.5 us late  12 missed  1000 samples",
		"a terminal of unknown width is taken for one of 80 columns");
}

static void test_widths(struct report *report, bool shared)
{
	struct progress progress = on_terminal((struct options){
		.samples = 5000, .duration_ns = 100000000000, .max.ns = 100000, .load = shared ? load : NULL,
	});
	unsigned wrong = 0, empty = 0, unlike = 0;

	for (int columns = NARROW; columns <= WIDE; columns++) {
		show(&progress, report, columns);
		wrong += shared ? (int)strlen(shown) != columns : (int)strlen(shown) >= columns;
		empty += !strstr(shown, "--max exceeded");
		unlike += !!strpbrk(shown, "\r\n\033");
	}
	is(wrong, 0, shared ? "a line beside a load fills the terminal's width" : "a line alone is narrower than the terminal");
	is(empty, 0, "the line always says that --max is exceeded");
	is(unlike, 0, "the line has no control characters");
}

static void test_rows(void)
{
	struct progress progress = on_terminal((struct options){ .samples = 5000, .max.ns = 10050 });

	fill();
	some[0]->missed = 12;
	screen_open(24, 80);
	screen_take("above\n");
	draw(&progress, 2, 10);
	is_text(screen_text(),
		"above\n" HEAD
		"    0        1000        4.51           -           -       10.00          12\n"
		">   1        1000        4.51        4.51       ~4.51       10.10           0\n"
		"--max exceeded  20%  worst 10.10 us late on CPU 1  0:00:40 left  12 missed",
		"each CPU has a row, the worst is marked, and the line has what fits");
	options.max.ns = 0;
	some[0]->moments[LATENCY].max = 5000000000;
	some[0]->samples = some[0]->missed = 4123456789;
	over[1] = true;
	draw(&progress, 2, 11);
	is_text(screen_text(),
		"above\n" HEAD
		">   0  4123456789           -           -           -     5000000  4123456789\n"
		"    1        1000        4.51        4.51       ~4.51       10.10           0\n"
		"100%  worst 5.000 s late on CPU 0  1 of 2 CPUs measure  0:00:00 left",
		"new rows take the place of old ones");
	clear(&progress);
	is_text(screen_text(), "above", "the rows are cleared");
	draw(&progress, 2, 12);
	ok(strstr(screen_text(), "above\n" HEAD), "the rows are drawn again after they were cleared");
}

static void test_no_figures(void)
{
	struct progress progress = on_terminal((struct options){ .samples = 0 });

	fill();
	some[1]->samples = 0;
	some[2]->samples = 19;
	some[2]->moments[LATENCY].max = 4500;
	some[2]->bins[series_index(LATENCY, 4500)] = 19;
	screen_open(24, 80);
	draw(&progress, 3, 10);
	is_text(screen_text(),
		HEAD
		">   0        1000        4.51        4.51       ~4.51       10.00           0\n"
		"    1           0           -           -           -           -           0\n"
		"    2          19       ~4.50           -           -        4.50           0\n"
		"worst 10.00 us late on CPU 0  0 missed  1019 samples",
		"a CPU without samples and one with few have rows");
	for (int i = 0; i < 3; i++)
		some[i]->samples = 0;
	screen_open(24, 80);
	draw(&progress, 3, 10);
	is_text(screen_text(), "", "nothing is shown before the first sample");
}

static void test_room(void)
{
	struct progress progress = on_terminal((struct options){ .samples = 0 });
	const char *line = "worst 12.10 us late on CPU 21  0 missed  22000 samples";

	fill();
	screen_open(24, 80);
	draw(&progress, 22, 10);
	ok(strstr(screen_text(), HEAD) == screen_text(), "the rows may fill the terminal");
	draw(&progress, 22, 11);
	ok(strstr(screen_text(), HEAD) == screen_text(), "rows that fill the terminal are drawn again");
	ok(strstr(screen_text(), line), "rows that fill the terminal leave room for the line");
	clear(&progress);
	is_text(screen_text(), "", "rows that fill the terminal are cleared");

	screen_open(23, 80);
	draw(&progress, 22, 10);
	is_text(screen_text(), line, "one line is shown if the terminal has too few rows");
	screen_open(24, 79);
	draw(&progress, 22, 10);
	is_text(screen_text(), line, "one line is shown if the terminal has too few columns");
	over[3] = true;
	draw(&progress, 22, 10);
	is_text(screen_text(), "worst 12.10 us late on CPU 21  21 of 22 CPUs measure  0 missed  22000 samples",
		"the line says how many CPUs are left");
	screen_open(10, 40);
	draw(&progress, 22, 10);
	is_text(screen_text(), "worst 12.10 us late on CPU 21  0 missed", "a small terminal shows the worst CPU");
	options.samples = 4000;
	options.max.ns = 1;
	draw(&progress, 22, 10);
	is_text(screen_text(), "--max exceeded  25%  worst CPU 21",
		"a smaller terminal shows at least the name of the worst CPU");
}

/* The terminal is made smaller, and greater again. */
static void test_terminal_resize(void)
{
	struct progress progress = on_terminal((struct options){ .samples = 0 });
	const char *line = "worst 10.30 us late on CPU 3  0 missed  4000 samples";
	char expected[512];

	fill();
	screen_open(24, 100);
	screen_take("above\n");
	draw(&progress, 4, 10);
	terminal_resize(5, 100);
	draw(&progress, 4, 11);
	snprintf(expected, sizeof(expected), "above\n%s", line);
	is_text(screen_text(), expected, "the line takes the place of the rows that do not fit any more");
	terminal_resize(24, 100);
	draw(&progress, 4, 12);
	ok(strstr(screen_text(), "above\n" HEAD), "the rows come back when the terminal grows");
	terminal_resize(24, 60);
	draw(&progress, 4, 13);
	snprintf(expected, sizeof(expected), "%s\n%s", line, line);
	ok(strstr(screen_text(), expected), "rows that may have been wrapped stay above");
	draw(&progress, 4, 14);
	ok(strstr(screen_text(), expected), "rows that may have been wrapped are left above once");
}

static void test_load(void)
{
	struct progress progress = on_terminal((struct options){ .load = load });

	fill();
	screen_open(24, 80);
	draw(&progress, 4, 10);
	screen_take("hello\r\n");
	draw(&progress, 4, 11);
	is_text(screen_text(),
		"worst 10.30 us late on CPU 3  0 missed  4000 samples\n"
		"hello\n"
		"worst 10.30 us late on CPU 3  0 missed  4000 samples",
		"a load that may print leaves one line, and what it prints is not touched");
	progress = on_terminal((struct options){ .load = load, .job = "kernel.job" });
	screen_open(24, 80);
	draw(&progress, 4, 10);
	ok(strstr(screen_text(), "> "), "a job of stress-ng prints nothing and leaves the rows");
}

/* Standard error is a file from here on. */
static void test_lines(void)
{
	struct progress progress = { .terminal = false };
	FILE *file = tmpfile();
	char text[512];
	size_t length;

	dup2(fileno(file), STDERR_FILENO);
	options = (struct options){ .duration_ns = 240000000000 };
	fill();
	rows->most = 2;
	for (unsigned second = 1; second < 130; second++)
		progress_show(&progress, rows, second * UINT64_C(1000000000));
	progress_clear(&progress);
	rows->most = 1;
	progress_show(&progress, rows, 195000000000);
	progress_show(&progress, rows, 239000000000);
	rewind(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	is_text(text,
		"0:01:00  25%  worst 10.10 us late on CPU 1  0:03:00 left  0 missed  2000 samples\n"
		"0:02:00  50%  worst 10.10 us late on CPU 1  0:02:00 left  0 missed  2000 samples\n"
		"0:03:15  81%  worst 10.00 us late  0:00:45 left  0 missed  1000 samples\n",
		"a line a minute is printed, and does not name the only CPU");
}

/* As by ^S. */
static void test_stopped(struct report *report)
{
	struct progress progress = on_terminal((struct options){ .samples = 5000 });

	show(&progress, report, WIDE);
	tcflow(STDERR_FILENO, TCOOFF);
	progress_clear(&progress);
	tcflow(STDERR_FILENO, TCOON);
	terminal_read(shown);
	is_text(shown, "", "a stopped terminal does not block");
}

/* Standard error is a pipe that is full: a line that waited would wait for ever. */
static void test_nobody_reads(void)
{
	struct progress progress = { .terminal = false };
	static char page[4096];
	int ends[2];
	ssize_t got;

	if (pipe(ends) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
		exit(1);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	do
		got = write(ends[1], page, sizeof(page));
	while (got > 0);
	fcntl(ends[1], F_SETFL, 0);
	rows->most = 2;
	progress_show(&progress, rows, 60000000000);
	for (size_t left = fcntl(ends[0], F_GETPIPE_SZ); left; left -= sizeof(page))
		if (read(ends[0], page, sizeof(page)) != sizeof(page))
			exit(1);
	progress_show(&progress, rows, 61000000000);
	ok(read(ends[0], page, sizeof(page)) > 0 && strncmp(page, "0:01:01  ", 9) == 0,
	   "a full pipe does not block, and the line is tried again");
}

int main(void)
{
	struct report report = fresh_report(0);
	struct sums *sums = sums_of(&report);
	struct progress progress;

	if (!terminal_open()) {
		ok(true, "# SKIP there are no pseudo-terminals here");
		return done();
	}
	sums->samples = 1000;
	sums->missed = 12;
	sums->moments[LATENCY].max = 123456;
	sums->bins[series_index(LATENCY, 123456)] = 1;
	test_parts(&report);
	test_widths(&report, false);
	test_widths(&report, true);
	sums->moments[LATENCY].max = 987654321012;
	sums->bins[series_index(LATENCY, 987654321012)] = 1;
	sums->samples = sums->missed = UINT64_MAX / 2;
	test_widths(&report, false);
	test_widths(&report, true);
	progress = on_terminal((struct options){ .quiet = true });
	show(&progress, &report, WIDE);
	is_text(shown, "", "no progress is shown if none is wanted");
	test_rows();
	test_no_figures();
	test_room();
	test_terminal_resize();
	test_load();
	test_stopped(&report);
	test_lines();
	test_nobody_reads();
	return done();
}
