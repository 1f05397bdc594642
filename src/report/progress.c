// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "report/progress.h"

#define TABLE_WIDTH 79			/* no line of a table is wider */
#define CPU_WIDTH 4
#define THREAD_WIDTH 7
#define MINUTE_NS UINT64_C(60000000000)

/* All CPUs together. */
struct overall {
	uint64_t samples, missed;
	uint64_t fewest;		/* samples of a CPU that still measures */
	unsigned measuring;		/* CPUs */
	bool exceeded;			/* --max, on one of them */
	const struct progress_row *worst;	/* the row with the greatest lateness; NULL: there is no sample yet */
};

/* In the order of the line. */
enum line_item {
	ELAPSED,
	SAMPLES,
	PERCENT,
	TIME_LEFT,
	WORST,
	EXCEEDED,
	MISSED,
	MEASURING,
	LINE_ITEMS
};

struct line {
	char item[LINE_ITEMS][48];	/* "": left out */
	char worst_cpu[24];		/* replaces item[WORST] if that has no room */
};

#define LINE_SIZE (sizeof(struct line) + 2 * LINE_ITEMS)

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

static struct overall sum_up(const struct progress *progress, const struct progress_row *rows, unsigned count)
{
	struct overall all = { .fewest = INT64_MAX };
	int64_t max = NO_LATENCY;

	for (const struct progress_row *row = rows; row < rows + count; row++) {
		const struct sums *sums = row->sums;

		all.samples += sums->samples;
		all.missed += sums->missed;
		all.exceeded |= sums_exceed(sums, &progress->options->max);
		if (sums_max(&sums, 1) > max)
			all.worst = row;
		max = greater(max, sums_max(&sums, 1));
		if (*row->state)
			continue;
		all.measuring++;
		all.fewest = lesser(all.fewest, sums->samples);
	}
	return all;
}

/* The share of the run that is over, 0 to 1; less than 0 when the run has no end. */
static double share_done(const struct options *options, const struct overall *all, uint64_t elapsed_ns)
{
	double share = -1;

	if (options->samples)
		share = (double)all->fewest / options->samples;
	if (options->duration_ns)
		share = fmax(share, (double)elapsed_ns / options->duration_ns);
	return fmin(share, 1);
}

/* "1:02:03" */
static const char *duration_text(uint64_t seconds, char text[32])
{
	snprintf(text, 32, "%" PRIu64 ":%02d:%02d", seconds / 3600, (int)(seconds / 60 % 60),
		 (int)(seconds % 60));
	return text;
}

__attribute__((format(printf, 3, 4)))
static void set(struct line *line, enum line_item item, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(line->item[item], sizeof(line->item[item]), format, args);
	va_end(args);
}

static void set_worst(struct line *line, const struct progress_row *worst, bool several)
{
	const char *noun = worst->thread ? "thread" : "CPU";
	int number = worst->thread ? worst->thread : worst->cpu;
	double us = worst->sums->moments[LATENCY].max / 1e3;

	set(line, WORST, "worst %.1f us late", us);
	if (!several)
		return;
	set(line, WORST, "worst %.1f us late %s %s %d", us, worst->thread ? "in" : "on", noun, number);
	snprintf(line->worst_cpu, sizeof(line->worst_cpu), "worst %s %d", noun, number);
}

/* What the line has where there is room, but for the time since the start. */
static void set_line(struct line *line, const struct overall *all, double share, const struct progress_row *rows,
		     unsigned count, uint64_t elapsed_ns)
{
	*line = (struct line){ .worst_cpu = "" };
	set(line, SAMPLES, "%" PRIu64 " samples", all->samples);
	if (share > 0) {
		char text[32];

		set(line, PERCENT, "%.0f%%", share * 100);
		set(line, TIME_LEFT, "%s left", duration_text(elapsed_ns / 1e9 / share * (1 - share) + 0.5, text));
	}
	set_worst(line, all->worst, count > 1);
	if (all->exceeded)
		set(line, EXCEEDED, "--max exceeded");
	set(line, MISSED, "%" PRIu64 " missed", all->missed);
	if (all->measuring < count)
		set(line, MEASURING, "%u of %u %s measure", all->measuring, count, rows->thread ? "threads" : "CPUs");
}

/* Returns the length of the text. */
static int join(const struct line *line, char text[LINE_SIZE])
{
	char *end = text;

	*text = '\0';
	for (int item = 0; item < LINE_ITEMS; item++)
		if (*line->item[item])
			end = stpcpy(stpcpy(end, end == text ? "" : "  "), line->item[item]);
	return end - text;
}

/* Leave out one item after the other, the least important first, until the text has at most width columns. */
static void fit(struct line *line, int width, char text[LINE_SIZE])
{
	static const enum line_item least_first[] = {
		SAMPLES, MISSED, TIME_LEFT, MEASURING, WORST, WORST, PERCENT, EXCEEDED
	};
	const enum line_item *next = least_first;

	while (join(line, text) > width && next < least_first + sizeof(least_first) / sizeof(*least_first)) {
		set(line, *next, "%s", *next == WORST ? line->worst_cpu : "");
		if (*next++ == WORST)
			*line->worst_cpu = '\0';
	}
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

/* Cut to the width of the table. */
static void put_sentence(FILE *out, const char *sentence)
{
	bool cut = strlen(sentence) > TABLE_WIDTH;

	fprintf(out, "%.*s%s\033[K\r\n", TABLE_WIDTH - (cut ? 3 : 0), sentence, cut ? "..." : "");
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
static void draw(struct progress *progress, const struct progress_row *rows, unsigned count, struct line *line,
		 const struct progress_row *worst)
{
	const struct winsize size = terminal_size(STDERR_FILENO);
	unsigned table = count > 1 && lines_fit(progress, &size, count + 1) ? count + 1 : 0;
	bool sentence = worst->sentence && lines_fit(progress, &size, table + 1);
	char text[LINE_SIZE], *drawn = NULL;
	size_t length;
	FILE *out = open_memstream(&drawn, &length);

	if (!out)
		return;
	if (table)
		*line->item[MEASURING] = '\0';	/* the rows say it */
	fit(line, table ? TABLE_WIDTH : size.ws_col - 1, text);
	go_to_start(out, progress, size.ws_col);
	if (table)
		put_table(out, rows, count, worst);
	if (sentence)
		put_sentence(out, worst->sentence);
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
	join(line, text);
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
	const struct overall all = sum_up(progress, rows, count);
	struct line line;

	if (progress->form == PROGRESS_NONE || !all.worst || !is_writable())
		return;
	set_line(&line, &all, share_done(progress->options, &all, elapsed_ns), rows, count, elapsed_ns);
	if (progress->form == PROGRESS_TERMINAL)
		draw(progress, rows, count, &line, all.worst);
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
