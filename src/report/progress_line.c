// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/progress_line.h"

/* All CPUs together. */
struct overall {
	uint64_t samples, missed;
	uint64_t fewest;		/* samples of a CPU that still measures */
	unsigned measuring;		/* CPUs */
};

const char *duration_text(uint64_t seconds, char text[32])
{
	snprintf(text, 32, "%" PRIu64 ":%02d:%02d", seconds / 3600, (int)(seconds / 60 % 60),
		 (int)(seconds % 60));
	return text;
}

static struct overall sum_up(const struct progress_row *rows, unsigned count)
{
	struct overall all = { .fewest = INT64_MAX };

	for (unsigned i = 0; i < count; i++) {
		const struct sums *sums = rows[i].sums;

		all.samples += sums->samples;
		all.missed += sums->missed;
		if (*rows[i].state)
			continue;
		all.measuring++;
		all.fewest = lesser(all.fewest, sums->samples);
	}
	return all;
}

static const struct progress_row *find_worst(const struct progress_row *rows, unsigned count)
{
	const struct progress_row *worst = NULL;
	int64_t max = NO_LATENCY;

	for (unsigned i = 0; i < count; i++) {
		const struct sums *sums = rows[i].sums;

		if (sums_max(&sums, 1) <= max)
			continue;
		max = sums_max(&sums, 1);
		worst = &rows[i];
	}
	return worst;
}

/* The share of the run that is over, 0 to 1; less than 0 when the run has no end. */
static double share_done(const struct progress *progress, const struct overall *all, uint64_t elapsed_ns)
{
	const struct options *options = progress->options;
	double share = -1;

	if (options->samples)
		share = (double)all->fewest / options->samples;
	if (options->duration_ns)
		share = fmax(share, (double)elapsed_ns / options->duration_ns);
	return fmin(share, 1);
}

__attribute__((format(printf, 3, 4)))
static void set(struct line *line, enum line_item item, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(line->item[item], sizeof(line->item[item]), format, args);
	va_end(args);
}

static void set_worst(struct line *line, bool several)
{
	int64_t late_ns = line->worst->sums->moments[LATENCY].max;

	if (several && line->worst->thread) {
		set(line, WORST, "worst %.1f us late in thread %d", late_ns / 1e3, line->worst->thread);
		snprintf(line->worst_cpu, sizeof(line->worst_cpu), "worst thread %d", line->worst->thread);
	} else if (several) {
		set(line, WORST, "worst %.1f us late on CPU %d", late_ns / 1e3, line->worst->cpu);
		snprintf(line->worst_cpu, sizeof(line->worst_cpu), "worst CPU %d", line->worst->cpu);
	} else {
		set(line, WORST, "worst %.1f us late", late_ns / 1e3);
	}
}

void line_write(struct line *line, const struct progress *progress, const struct progress_row *rows, unsigned count,
		uint64_t elapsed_ns)
{
	const struct overall all = sum_up(rows, count);
	double share = share_done(progress, &all, elapsed_ns);

	*line = (struct line){ .worst = find_worst(rows, count) };
	if (!line->worst)
		return;
	set(line, SAMPLES, "%" PRIu64 " samples", all.samples);
	if (share > 0) {
		char text[32];

		set(line, PERCENT, "%.0f%%", share * 100);
		set(line, TIME_LEFT, "%s left", duration_text(elapsed_ns / 1e9 / share * (1 - share) + 0.5, text));
	}
	set_worst(line, count > 1);
	for (unsigned i = 0; i < count; i++)
		if (sums_exceed(rows[i].sums, &progress->options->max))
			set(line, EXCEEDED, "--max exceeded");
	set(line, MISSED, "%" PRIu64 " missed", all.missed);
	if (all.measuring < count)
		set(line, MEASURING, "%u of %u %s measure", all.measuring, count, rows->thread ? "threads" : "CPUs");
}

void line_join(const struct line *line, char text[LINE_SIZE])
{
	const char *separator = "";

	*text = '\0';
	for (int item = 0; item < LINE_ITEMS; item++) {
		if (!*line->item[item])
			continue;
		text = stpcpy(stpcpy(text, separator), line->item[item]);
		separator = "  ";
	}
}

static void leave_out(struct line *line, enum line_item item)
{
	*line->item[item] = '\0';
	if (item == WORST) {
		strcpy(line->item[WORST], line->worst_cpu);
		*line->worst_cpu = '\0';
	}
}

void line_fit(struct line *line, int width, char text[LINE_SIZE])
{
	static const enum line_item least_first[] = {
		SAMPLES, MISSED, TIME_LEFT, MEASURING, WORST, WORST, PERCENT, EXCEEDED
	};

	line_join(line, text);
	for (unsigned i = 0; i < sizeof(least_first) / sizeof(*least_first) && (int)strlen(text) > width; i++) {
		leave_out(line, least_first[i]);
		line_join(line, text);
	}
}
