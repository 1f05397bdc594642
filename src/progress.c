// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "progress.h"

#define USUAL_COLUMNS 80

/* In the order in which they stand. */
enum part {
	SAMPLES,
	PERCENT,
	TIME_LEFT,
	WORST,
	EXCEEDED,
	MISSED,
	PARTS
};

struct line {
	char part[PARTS][40];		/* "": left out */
};

bool progress_possible(void)
{
	return isatty(STDERR_FILENO);
}

/* What part of the run is behind us, 0 to 1; less than 0 when it has no end. */
static double part_done(const struct progress *progress, const struct sums *sums, double elapsed_ns)
{
	double part = -1;

	if (progress->samples)
		part = (double)sums->samples / progress->samples;
	if (progress->duration_ns && elapsed_ns / progress->duration_ns > part)
		part = elapsed_ns / progress->duration_ns;
	return part > 1 ? 1 : part;
}

__attribute__((format(printf, 3, 4)))
static void set(struct line *line, enum part part, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(line->part[part], sizeof(line->part[part]), format, args);
	va_end(args);
}

static void fill(struct line *line, const struct progress *progress, const struct sums *sums, double elapsed_ns)
{
	double part = part_done(progress, sums, elapsed_ns);

	set(line, SAMPLES, "%" PRIu64 " samples", sums->samples);
	if (part > 0) {
		uint64_t left_s = elapsed_ns / 1e9 / part * (1 - part) + 0.5;

		set(line, PERCENT, "%.0f%%", part * 100);
		set(line, TIME_LEFT, "%" PRIu64 ":%02d:%02d left", left_s / 3600, (int)(left_s / 60 % 60),
		    (int)(left_s % 60));
	}
	set(line, WORST, "worst %.1f us late", sums->moments[LATENESS].max / 1e3);
	if (progress->max_ns && sums->moments[LATENESS].max > (int64_t)progress->max_ns)
		set(line, EXCEEDED, "--max exceeded");
	set(line, MISSED, "%" PRIu64 " missed", sums->missed);
}

static void join(const struct line *line, char *text)
{
	const char *separator = "";

	*text = '\0';
	for (int part = 0; part < PARTS; part++) {
		if (!*line->part[part])
			continue;
		text = stpcpy(stpcpy(text, separator), line->part[part]);
		separator = "  ";
	}
}

static int columns(void)
{
	struct winsize size = { .ws_col = 0 };

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col)
		return USUAL_COLUMNS;
	return size.ws_col;
}

/* Leave out one after the other, what matters least first, until the text is no wider than that. */
static void fit(struct line *line, int width, char *text)
{
	static const enum part least_first[] = { SAMPLES, MISSED, TIME_LEFT, WORST, PERCENT, EXCEEDED };

	join(line, text);
	for (int i = 0; i < PARTS && (int)strlen(text) > width; i++) {
		*line->part[least_first[i]] = '\0';
		join(line, text);
	}
}

/*
 * A terminal that has been written to its last column puts the next character
 * on the next line, and no sooner. So a load's output gets a line of its own,
 * though nobody knows when it comes.
 */
void progress_show(const struct progress *progress, const struct sums *sums, uint64_t elapsed_ns)
{
	struct line line = { 0 };
	char text[sizeof(line) + 2 * PARTS];
	int width = columns();

	if (!progress->on || !sums->samples)
		return;
	fill(&line, progress, sums, elapsed_ns);
	fit(&line, width - 1, text);
	if (progress->shared)
		fprintf(stderr, "\r%-*s", width, text);
	else
		fprintf(stderr, "\r%s\033[K", text);
}

void progress_clear(const struct progress *progress)
{
	if (progress->on)
		fputs("\r\033[K", stderr);
}
