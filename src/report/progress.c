// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/progress.h"
#include "report/progress_line.h"

#define USUAL_COLUMNS 80
#define USUAL_ROWS 24
#define TABLE_WIDTH 79			/* no line of a table is wider */
#define MINUTE_NS UINT64_C(60000000000)

/* All CPUs together. */
struct overall {
	uint64_t samples, missed;
	uint64_t least;			/* samples of the CPU that has the fewest and still measures */
	unsigned measuring;		/* CPUs */
	const struct progress_row *worst;
};

void progress_begin(struct progress *progress, const struct options *options)
{
	*progress = (struct progress){
		.options = options, .turns = cells_count(&options->cells), .turn = 1,
		.form = options->quiet ? PROGRESS_NONE : isatty(STDERR_FILENO) ? PROGRESS_TERMINAL : PROGRESS_LINES,
	};
}

void progress_begin_turn(struct progress *progress, uint64_t elapsed_ns)
{
	progress->turn++;
	progress->turn_ns = elapsed_ns;
}

void progress_note(struct progress_row *row, const struct sums *sums, const struct live *live, uint64_t elapsed_ns)
{
	if (!live->samples)
		return;
	row->now_ns = live->moments[LATENCY].max;
	if (live->moments[LATENCY].max > sums_max(&sums, 1))
		row->worst_at_ns = elapsed_ns;
}

/* Is it the first, or worse? A CPU without a sample has no worst lateness. */
static bool is_worse(const struct progress_row *row, const struct progress_row *than)
{
	return sums_max(&row->sums, 1) > (than ? sums_max(&than->sums, 1) : UNSUPPORTED);
}

static struct overall sum_up(const struct progress_row *rows, unsigned count)
{
	struct overall all = { .least = UINT64_MAX };

	for (unsigned i = 0; i < count; i++) {
		const struct sums *sums = rows[i].sums;

		all.samples += sums->samples;
		all.missed += sums->missed;
		if (is_worse(&rows[i], all.worst))
			all.worst = &rows[i];
		if (*rows[i].state)
			continue;
		all.measuring++;
		if (sums->samples < all.least)
			all.least = sums->samples;
	}
	return all;
}

/* What part of the run is behind us, 0 to 1; less than 0 when it has no end. All cells count the same. */
static double part_done(const struct progress *progress, const struct overall *all, uint64_t elapsed_ns)
{
	const struct options *options = progress->options;
	double of_turn_ns = elapsed_ns - progress->turn_ns, part = -1;

	if (options->samples)
		part = (double)all->least / options->samples;
	if (options->duration_ns && of_turn_ns / options->duration_ns > part)
		part = of_turn_ns / options->duration_ns;
	if (part > 1)
		part = 1;
	return part < 0 || !progress->turns ? part : (progress->turn - 1 + part) / progress->turns;
}

/* 1:02:03 */
static const char *clock_time(uint64_t seconds, char text[32])
{
	snprintf(text, 32, "%" PRIu64 ":%02d:%02d", seconds / 3600, (int)(seconds / 60 % 60),
		 (int)(seconds % 60));
	return text;
}

static void set_worst(struct line *line, const struct progress_row *worst, unsigned count)
{
	double late_us = worst->sums->moments[LATENCY].max / 1e3;

	if (count == 1) {
		line_set(line, WORST, "worst %.1f us late", late_us);
		return;
	}
	line_set(line, WORST, "worst %.1f us late on CPU %d", late_us, worst->cpu);
	snprintf(line->worst_cpu, sizeof(line->worst_cpu), "worst CPU %d", worst->cpu);
}

static void set_cell(struct line *line, const struct progress *progress, const struct cell *cell)
{
	char name[CELL_NAME_SIZE];

	line_set(line, CELL, "cell %u of %u: %s", progress->turn, progress->turns, cell_name(cell, name));
}

static void fill(struct line *line, const struct progress *progress, const struct overall *all,
		 unsigned count, uint64_t elapsed_ns)
{
	const struct options *options = progress->options;
	double part = part_done(progress, all, elapsed_ns);

	if (progress->turns > 1)
		set_cell(line, progress, all->worst->cell);
	line_set(line, SAMPLES, "%" PRIu64 " samples", all->samples);
	if (part > 0) {
		char left[32];

		line_set(line, PERCENT, "%.0f%%", part * 100);
		line_set(line, TIME_LEFT, "%s left",
		    clock_time(elapsed_ns / 1e9 / part * (1 - part) + 0.5, left));
	}
	set_worst(line, all->worst, count);
	if (options->max_ns && all->worst->sums->moments[LATENCY].max > (int64_t)options->max_ns)
		line_set(line, EXCEEDED, "--max exceeded");
	line_set(line, MISSED, "%" PRIu64 " missed", all->missed);
	if (all->measuring < count)
		line_set(line, MEASURING, "%u of %u CPUs measure", all->measuring, count);
}

static struct winsize window(void)
{
	struct winsize size = { .ws_col = 0 };

	ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
	if (!size.ws_col)
		size.ws_col = USUAL_COLUMNS;
	if (!size.ws_row)
		size.ws_row = USUAL_ROWS;
	return size;
}

/*
 * Where a table begins, there is the next one drawn. One that does not fit the
 * window any more may have been wrapped, into who knows how many lines: it is
 * left where it is.
 */
static void go_to_start(FILE *out, const struct progress *progress, int columns)
{
	if (progress->lines_above && columns <= TABLE_WIDTH)
		fputs("\r\n", out);
	else if (progress->lines_above)
		fprintf(out, "\r\033[%uA", progress->lines_above);
	else
		fputs("\r", out);
}

static void clear_rest(FILE *out, const struct progress *progress)
{
	fputs(progress->lines_above ? "\033[J" : "\033[K", out);
}

static void latency(int64_t ns, char text[32])
{
	snprintf(text, 32, "%.1f", ns / 1e3);
}

static void put_row(FILE *out, const struct progress_row *row, bool worst)
{
	const struct sums *sums = row->sums;
	int64_t median = sums_quantile(&sums, 1, 2);
	char line[160], now[32] = "-", p50[32] = "-", max[32] = "-", at[32] = "-";

	if (sums->samples) {
		latency(row->now_ns, now);
		latency(sums->moments[LATENCY].max, max);
		clock_time(row->worst_at_ns / 1000000000, at);
	}
	if (median != UNSUPPORTED)
		latency(median, p50);
	snprintf(line, sizeof(line), "%c%4d %11s %11s %11s  %9s %11" PRIu64 "  %s", worst ? '>' : ' ', row->cpu,
		 now, p50, max, at, sums->missed, row->state);
	fprintf(out, "%.*s\033[K\r\n", TABLE_WIDTH, line);
}

/* No longer than a line of the table. A task may have given itself any name. */
static void put_sentence(FILE *out, const char *sentence)
{
	bool cut = strlen(sentence) > TABLE_WIDTH;

	for (int left = TABLE_WIDTH - (cut ? 3 : 0); left && *sentence; left--, sentence++)
		fputc(*sentence < ' ' || *sentence > '~' ? '?' : *sentence, out);
	fprintf(out, "%s\033[K\r\n", cut ? "..." : "");
}

/* Below it stands the line that otherwise stands alone. */
static void put_table(FILE *out, const struct progress_row *rows, unsigned count, const struct progress_row *worst)
{
	fprintf(out, "%5s %11s %11s %11s  %9s %11s\033[K\r\n", "CPU", "now us", "p50 us", "worst us", "at",
		"missed");
	for (unsigned i = 0; i < count; i++)
		put_row(out, &rows[i], &rows[i] == worst);
}

/*
 * A terminal that has been written to its last column puts the next character
 * on the next line, and no sooner. So a load's output gets a line of its own,
 * though nobody knows when it comes.
 */
static void put_line(FILE *out, const struct progress *progress, int columns, const char *text)
{
	if (progress->options->load) {
		fprintf(out, "%-*s", columns, text);
	} else {
		fputs(text, out);
		clear_rest(out, progress);
	}
}

/* So many lines above the line? Of those that a load writes into, nobody knows where they begin. */
static bool lines_fit(const struct progress *progress, const struct winsize *size, unsigned count)
{
	return !progress->options->load && size->ws_col > TABLE_WIDTH && size->ws_row > count;
}

/* At once, so that nothing comes between. */
static void draw(struct progress *progress, const struct progress_row *rows, unsigned count,
		 const struct overall *all, struct line *line)
{
	const struct winsize size = window();
	unsigned table = count > 1 && lines_fit(progress, &size, count + 1) ? count + 1 : 0;
	bool sentence = all->worst->sentence && lines_fit(progress, &size, table + 1);
	char text[LINE_SIZE], *drawn = NULL;
	size_t length;
	FILE *out = open_memstream(&drawn, &length);

	if (!out)
		return;
	if (table)
		*line->part[MEASURING] = '\0';	/* the rows tell */
	line_fit(line, table ? TABLE_WIDTH : size.ws_col - 1, text);
	go_to_start(out, progress, size.ws_col);
	if (table)
		put_table(out, rows, count, all->worst);
	if (sentence)
		put_sentence(out, all->worst->sentence);
	put_line(out, progress, size.ws_col, text);
	progress->lines_above = table + sentence;
	if (fclose(out) == 0)
		fputs(drawn, stderr);
	free(drawn);
}

static void print_minute(struct progress *progress, struct line *line, uint64_t elapsed_ns)
{
	char text[LINE_SIZE], time[32];

	if (elapsed_ns / MINUTE_NS <= progress->minutes)
		return;
	progress->minutes = elapsed_ns / MINUTE_NS;
	line_set(line, ELAPSED, "%s", clock_time(elapsed_ns / 1000000000, time));
	line_join(line, text);
	fprintf(stderr, "%s\n", text);
}

/* Else, with nobody reading or the terminal stopped by ^S, the keeper would wait, and with it the report. */
static bool is_writable(void)
{
	struct pollfd error = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&error, 1, 0) == 1 && error.revents & POLLOUT;
}

void progress_show(struct progress *progress, const struct progress_row *rows, unsigned count,
		   uint64_t elapsed_ns)
{
	const struct overall all = sum_up(rows, count);
	struct line line = { 0 };

	if (progress->form == PROGRESS_NONE || !all.worst || !is_writable())
		return;
	fill(&line, progress, &all, count, elapsed_ns);
	if (progress->form == PROGRESS_TERMINAL)
		draw(progress, rows, count, &all, &line);
	else
		print_minute(progress, &line, elapsed_ns);
}

void progress_clear(struct progress *progress)
{
	if (progress->form != PROGRESS_TERMINAL || !is_writable())
		return;
	go_to_start(stderr, progress, window().ws_col);
	clear_rest(stderr, progress);
	progress->lines_above = 0;
}
