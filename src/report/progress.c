// SPDX-License-Identifier: GPL-2.0-or-later
/* The progress of the run: redrawn in place on a terminal, elsewhere a line a minute. */
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "report/report.h"

#define TABLE_LINE_WIDTH 79		/* of the line below a table */
#define LINE_SIZE 256
#define MINUTE_NS UINT64_C(60000000000)

/* "1:02:03" */
static const char *duration_text(uint64_t seconds, char text[32])
{
	snprintf(text, 32, "%" PRIu64 ":%02d:%02d", seconds / 3600, (int)(seconds / 60 % 60),
		 (int)(seconds % 60));
	return text;
}

/* Add an item to the line if the text then has at most width columns. Returns whether it does. */
__attribute__((format(printf, 3, 4)))
static bool add_item(char line[LINE_SIZE], size_t width, const char *format, ...)
{
	char item[64], printable[4 * sizeof(item)];
	size_t length = strlen(line), gap = length ? 2 : 0;
	va_list args;

	va_start(args, format);
	vsnprintf(item, sizeof(item), format, args);
	va_end(args);
	text_print(printable, sizeof(printable), item);
	if (length + gap + strlen(printable) > width)
		return false;
	text_append(line, LINE_SIZE, "%*s%s", (int)gap, "", printable);
	return true;
}

/* What fits into the line, the most important first. The elapsed share is known if the run has an end. */
static void compose(char line[LINE_SIZE], size_t width, const struct all *all, uint64_t elapsed_ns)
{
	const struct options *options = all->options;
	double share = 0;
	const char *on = all->ops->takes_target ? "in" : "on";
	char time[UNITS_TEXT];

	if (options->samples)
		share = (double)all->fewest / options->samples;
	if (options->duration_ns)
		share = fmax(share, (double)elapsed_ns / options->duration_ns);
	share = fmin(share, 1);
	units_figure(sums_max(all->sums, all->count), time);
	if (all->exceeded && options->max.ns)
		add_item(line, width, "--max exceeded");
	if (share > 0)
		add_item(line, width, "%.0f%%", share * 100);
	if (all->count == 1)
		add_item(line, width, "worst %s late", time);
	else if (!add_item(line, width, "worst %s late %s %s %s", time, on, all->noun, all->worst->name))
		add_item(line, width, "worst %s %s", all->noun, all->worst->name);
	if (all->measuring < all->count)
		add_item(line, width, "%u of %u %ss measure", all->measuring, all->count, all->noun);
	if (share > 0) {
		char left[32];

		add_item(line, width, "%s left", duration_text(elapsed_ns / 1e9 / share * (1 - share) + 0.5, left));
	}
	add_item(line, width, "%" PRIu64 " missed", all->missed);
	add_item(line, width, "%" PRIu64 " samples", all->samples);
}

/*
 * The next table is drawn over the one before. If the window has become too narrow,
 * the old table may be wrapped into an unknown number of lines, and is left there.
 */
static void go_to_start(FILE *out, const struct progress *progress, unsigned columns)
{
	if (progress->lines_above && columns > progress->width)
		fprintf(out, "\r\033[%uA", progress->lines_above);
	else
		fputs(progress->lines_above ? "\r\n" : "\r", out);
}

/*
 * In one write, so that nothing comes between. A load other than a stress-ng job, which is silent, may write on the
 * terminal at any time. With one, we put nothing above the line that it might move, and pad the line to the last
 * column, because a terminal puts what is written after that on a new line.
 */
static void draw(struct progress *progress, const struct all *all, uint64_t elapsed_ns)
{
	const struct winsize size = terminal_size(STDERR_FILENO);
	bool shared = all->options->load && !all->options->job;
	unsigned width = greater(table_width(all), TABLE_LINE_WIDTH);
	unsigned table = all->count > 1 && !shared && size.ws_col > width && size.ws_row > all->count + 1 ?
			 all->count + 1 : 0;
	char line[LINE_SIZE] = "", *drawn = NULL;
	size_t length;
	FILE *out = open_memstream(&drawn, &length);

	if (!out)
		return;
	compose(line, table ? TABLE_LINE_WIDTH : lesser(size.ws_col, LINE_SIZE) - 1, all, elapsed_ns);
	go_to_start(out, progress, size.ws_col);
	if (table)
		table_print(out, all, "\033[K\r\n");
	fprintf(out, "%-*s", shared ? size.ws_col : 0, line);
	if (!shared)
		fputs(progress->lines_above ? "\033[J" : "\033[K", out);
	progress->lines_above = table;
	progress->width = width;
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

void progress_show(struct progress *progress, const struct report *reports, uint64_t elapsed_ns)
{
	const struct all all = all_of(reports);
	char line[LINE_SIZE], time[32];

	if (all.options->quiet || !all.samples || !is_writable())
		return;
	if (progress->terminal) {
		draw(progress, &all, elapsed_ns);
	} else if (elapsed_ns / MINUTE_NS > progress->minutes) {
		progress->minutes = elapsed_ns / MINUTE_NS;
		strcpy(line, duration_text(elapsed_ns / 1000000000, time));
		compose(line, LINE_SIZE - 1, &all, elapsed_ns);
		fprintf(stderr, "%s\n", line);
	}
}

void progress_clear(struct progress *progress)
{
	if (!progress->terminal || !is_writable())
		return;
	go_to_start(stderr, progress, terminal_size(STDERR_FILENO).ws_col);
	fputs(progress->lines_above ? "\033[J" : "\033[K", stderr);
	progress->lines_above = 0;
}
