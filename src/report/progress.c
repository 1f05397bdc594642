// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "report/progress.h"
#include "report/progress_line.h"

#define TABLE_WIDTH 79			/* no line of a table is wider */
#define CPU_WIDTH 4
#define THREAD_WIDTH 7
#define MINUTE_NS UINT64_C(60000000000)

void progress_begin(struct progress *progress, const struct options *options)
{
	*progress = (struct progress){
		.options = options,
		.form = options->quiet ? PROGRESS_NONE : isatty(STDERR_FILENO) ? PROGRESS_TERMINAL : PROGRESS_LINES,
	};
}

void progress_note(struct progress_row *row, const struct sums *sums, const struct counters *live, uint64_t elapsed_ns)
{
	if (!live->samples)
		return;
	row->now_ns = live->moments[LATENCY].max;
	if (live->moments[LATENCY].max > sums_max(&sums, 1))
		row->worst_at_ns = elapsed_ns;
}

/*
 * The next table is drawn over the one before. If the window has become too narrow,
 * the old table may be wrapped into an unknown number of lines, and is left there.
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
	int64_t median = sums_quantile(&sums, 1, P50);
	char line[160], now[32] = "-", p50[32] = "-", max[32] = "-", at[32] = "-";

	if (sums->samples) {
		latency(row->now_ns, now);
		latency(sums->moments[LATENCY].max, max);
		duration_text(row->worst_at_ns / 1000000000, at);
	}
	if (median != NO_LATENCY)
		latency(median, p50);
	snprintf(line, sizeof(line), "%c%*d %11s %11s %11s  %9s %11" PRIu64 "  %s", worst ? '>' : ' ',
		 row->thread ? THREAD_WIDTH : CPU_WIDTH, row->thread ? row->thread : row->cpu, now, p50, max, at,
		 sums->missed, row->state);
	fprintf(out, "%.*s\033[K\r\n", TABLE_WIDTH, line);
}

/* Cut to the width of the table, and printable: a task may have any name. */
static void put_sentence(FILE *out, const char *sentence)
{
	bool cut = strlen(sentence) > TABLE_WIDTH;

	for (int left = TABLE_WIDTH - (cut ? 3 : 0); left && *sentence; left--, sentence++)
		fputc(*sentence < ' ' || *sentence > '~' ? '?' : *sentence, out);
	fprintf(out, "%s\033[K\r\n", cut ? "..." : "");
}

static void put_table(FILE *out, const struct progress_row *rows, unsigned count, const struct progress_row *worst)
{
	fprintf(out, " %*s %11s %11s %11s  %9s %11s\033[K\r\n", rows->thread ? THREAD_WIDTH : CPU_WIDTH,
		rows->thread ? "thread" : "CPU", "now us", "p50 us", "worst us", "at", "missed");
	for (unsigned i = 0; i < count; i++)
		put_row(out, &rows[i], &rows[i] == worst);
}

/* May something else write on the terminal at any time? A job of stress-ng is silent. */
static bool is_shared(const struct progress *progress)
{
	return progress->options->load && !progress->options->job;
}

/*
 * After the last column is written, a terminal puts the next character on a new
 * line. So where a load may write, the line is padded to the last column: what the load
 * writes next begins on a new line.
 */
static void put_line(FILE *out, const struct progress *progress, int columns, const char *text)
{
	if (is_shared(progress)) {
		fprintf(out, "%-*s", columns, text);
	} else {
		fputs(text, out);
		clear_rest(out, progress);
	}
}

/* Is there room for so many lines above the line? Not where a load may write among them and move them. */
static bool lines_fit(const struct progress *progress, const struct winsize *size, unsigned count)
{
	return !is_shared(progress) && size->ws_col > TABLE_WIDTH && size->ws_row > count;
}

/* In one write, so that nothing comes between. */
static void draw(struct progress *progress, const struct progress_row *rows, unsigned count, struct line *line)
{
	const struct winsize size = terminal_size(STDERR_FILENO);
	unsigned table = count > 1 && lines_fit(progress, &size, count + 1) ? count + 1 : 0;
	bool sentence = line->worst->sentence && lines_fit(progress, &size, table + 1);
	char text[LINE_SIZE], *drawn = NULL;
	size_t length;
	FILE *out = open_memstream(&drawn, &length);

	if (!out)
		return;
	if (table)
		*line->item[MEASURING] = '\0';	/* the rows say it */
	line_fit(line, table ? TABLE_WIDTH : size.ws_col - 1, text);
	go_to_start(out, progress, size.ws_col);
	if (table)
		put_table(out, rows, count, line->worst);
	if (sentence)
		put_sentence(out, line->worst->sentence);
	put_line(out, progress, size.ws_col, text);
	progress->lines_above = table + sentence;
	if (fclose(out) == 0)
		fputs(drawn, stderr);
	free(drawn);
}

static void print_minute(struct progress *progress, struct line *line, uint64_t elapsed_ns)
{
	char text[LINE_SIZE];

	if (elapsed_ns / MINUTE_NS <= progress->minutes)
		return;
	progress->minutes = elapsed_ns / MINUTE_NS;
	duration_text(elapsed_ns / 1000000000, line->item[ELAPSED]);
	line_join(line, text);
	fprintf(stderr, "%s\n", text);
}

/* If nobody reads, or ^S has stopped the terminal, a write would hold up the keeper, and with it the report. */
static bool is_writable(void)
{
	struct pollfd error = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&error, 1, 0) == 1 && error.revents & POLLOUT;
}

void progress_show(struct progress *progress, const struct progress_row *rows, unsigned count,
		   uint64_t elapsed_ns)
{
	struct line line;

	line_write(&line, progress, rows, count, elapsed_ns);
	if (progress->form == PROGRESS_NONE || !line.worst || !is_writable())
		return;
	if (progress->form == PROGRESS_TERMINAL)
		draw(progress, rows, count, &line);
	else
		print_minute(progress, &line, elapsed_ns);
}

void progress_clear(struct progress *progress)
{
	if (progress->form != PROGRESS_TERMINAL || !is_writable())
		return;
	go_to_start(stderr, progress, terminal_size(STDERR_FILENO).ws_col);
	clear_rest(stderr, progress);
	progress->lines_above = 0;
}
