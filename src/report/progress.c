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
#define LINE_SIZE 256
#define MINUTE_NS UINT64_C(60000000000)

/* All CPUs together. */
struct overall {
	uint64_t samples, missed;
	uint64_t fewest;		/* samples of a CPU that still measures */
	unsigned measuring;		/* CPUs */
	bool exceeded;			/* --max, on one of them */
	const struct progress_row *worst;	/* the row with the greatest lateness; NULL: there is no sample yet */
};

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

/* Add an item to the line if it leaves the text at most width columns. Returns whether it does. */
__attribute__((format(printf, 3, 4)))
static bool add(char line[LINE_SIZE], size_t width, const char *format, ...)
{
	size_t length = strlen(line), gap = length ? 2 : 0;
	char item[64];
	va_list args;

	va_start(args, format);
	vsnprintf(item, sizeof(item), format, args);
	va_end(args);
	if (length + gap + strlen(item) > width)
		return false;
	sprintf(line + length, "%*s%s", (int)gap, "", item);
	return true;
}

/* What fits into the line, the most important first. */
static void compose(char line[LINE_SIZE], size_t width, const struct progress *progress, const struct overall *all,
		    const struct progress_row *rows, unsigned count, uint64_t elapsed_ns)
{
	double share = share_done(progress->options, all, elapsed_ns);
	const struct progress_row *worst = all->worst;
	const char *noun = worst->thread ? "thread" : "CPU";
	double us = worst->sums->moments[LATENCY].max / 1e3;
	int number = worst->thread ? worst->thread : worst->cpu;
	char left[32];

	if (all->exceeded)
		add(line, width, "--max exceeded");
	if (share > 0)
		add(line, width, "%.0f%%", share * 100);
	if (count == 1)
		add(line, width, "worst %.1f us late", us);
	else if (!add(line, width, "worst %.1f us late %s %s %d", us, worst->thread ? "in" : "on", noun, number))
		add(line, width, "worst %s %d", noun, number);
	if (all->measuring < count)
		add(line, width, "%u of %u %s measure", all->measuring, count, rows->thread ? "threads" : "CPUs");
	if (share > 0)
		add(line, width, "%s left", duration_text(elapsed_ns / 1e9 / share * (1 - share) + 0.5, left));
	add(line, width, "%" PRIu64 " missed", all->missed);
	add(line, width, "%" PRIu64 " samples", all->samples);
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

static void put_row(FILE *out, const struct progress_row *row, bool worst)
{
	const struct sums *sums = row->sums;
	int64_t median = sums_quantile(&sums, 1, P50);
	char line[160], now[32] = "-", p50[32] = "-", max[32] = "-", at[32] = "-";

	if (sums->samples) {
		snprintf(now, sizeof(now), "%.1f", row->now_ns / 1e3);
		snprintf(max, sizeof(max), "%.1f", sums->moments[LATENCY].max / 1e3);
		duration_text(row->worst_at_ns / 1000000000, at);
	}
	if (median != NO_LATENCY)
		snprintf(p50, sizeof(p50), "%.1f", median / 1e3);
	snprintf(line, sizeof(line), "%c%*d %11s %11s %11s  %9s %11" PRIu64 "  %s", worst ? '>' : ' ',
		 row->thread ? THREAD_WIDTH : CPU_WIDTH, row->thread ? row->thread : row->cpu, now, p50, max, at,
		 sums->missed, row->state);
	fprintf(out, "%.*s\033[K\r\n", TABLE_WIDTH, line);
}

static void put_table(FILE *out, const struct progress_row *rows, unsigned count, const struct progress_row *worst)
{
	fprintf(out, " %*s %11s %11s %11s  %9s %11s\033[K\r\n", rows->thread ? THREAD_WIDTH : CPU_WIDTH,
		rows->thread ? "thread" : "CPU", "now us", "p50 us", "worst us", "at", "missed");
	for (unsigned i = 0; i < count; i++)
		put_row(out, &rows[i], &rows[i] == worst);
}

/*
 * In one write, so that nothing comes between. A load other than a job of stress-ng, which is
 * silent, may write on the terminal at any time. So there is nothing above the line then, which it
 * might move; and the line is padded to the last column, because a terminal puts what is
 * written after that on a new line.
 */
static void draw(struct progress *progress, const struct progress_row *rows, unsigned count, struct overall *all,
		 uint64_t elapsed_ns)
{
	const struct winsize size = terminal_size(STDERR_FILENO);
	bool shared = progress->options->load && !progress->options->job, wide = !shared && size.ws_col > TABLE_WIDTH;
	unsigned table = count > 1 && wide && size.ws_row > count + 1 ? count + 1 : 0;
	const char *sentence = wide && size.ws_row > table + 1 ? all->worst->sentence : NULL;
	bool cut = sentence && strlen(sentence) > TABLE_WIDTH;
	char line[LINE_SIZE] = "", *drawn = NULL;
	size_t length;
	FILE *out = open_memstream(&drawn, &length);

	if (!out)
		return;
	if (table)
		all->measuring = count;		/* the rows say how many measure */
	compose(line, table ? TABLE_WIDTH : lesser(size.ws_col, LINE_SIZE) - 1, progress, all, rows, count, elapsed_ns);
	go_to_start(out, progress, size.ws_col);
	if (table)
		put_table(out, rows, count, all->worst);
	if (sentence)
		fprintf(out, "%.*s%s\033[K\r\n", TABLE_WIDTH - (cut ? 3 : 0), sentence, cut ? "..." : "");
	fprintf(out, "%-*s", shared ? size.ws_col : 0, line);
	if (!shared)
		clear_rest(out, progress);
	progress->lines_above = table + !!sentence;
	if (fclose(out) == 0)
		fputs(drawn, stderr);
	free(drawn);
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
	struct overall all = sum_up(progress, rows, count);
	char line[LINE_SIZE], time[32];

	if (progress->form == PROGRESS_NONE || !all.worst || !is_writable())
		return;
	if (progress->form == PROGRESS_TERMINAL) {
		draw(progress, rows, count, &all, elapsed_ns);
	} else if (elapsed_ns / MINUTE_NS > progress->minutes) {
		progress->minutes = elapsed_ns / MINUTE_NS;
		strcpy(line, duration_text(elapsed_ns / 1000000000, time));
		compose(line, LINE_SIZE - 1, progress, &all, rows, count, elapsed_ns);
		fprintf(stderr, "%s\n", line);
	}
}

void progress_clear(struct progress *progress)
{
	if (progress->form != PROGRESS_TERMINAL || !is_writable())
		return;
	go_to_start(stderr, progress, terminal_size(STDERR_FILENO).ws_col);
	clear_rest(stderr, progress);
	progress->lines_above = 0;
}
