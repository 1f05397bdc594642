// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <time.h>

#include "report_data.h"
#include "report_explain.h"
#include "report_lines.h"

/* The last that is not empty. Memory beyond it was never used, and is not to be by reading it. */
static unsigned last_bin(const struct sums *sums)
{
	int64_t widest = 0;

	for (enum series series = 0; series < SERIES; series++) {
		const struct moments *moments = &sums->moments[series];

		if (moments->max > widest)
			widest = moments->max;
		if (-moments->min > widest)
			widest = -moments->min;
	}
	return hist_bin(widest);
}

static void print_histogram(FILE *out, const struct sums *sums)
{
	fputs("\n\n# histogram\n# from_us to_us interval early lateness\n", out);
	for (unsigned bin = 0, last = last_bin(sums); bin <= last; bin++) {
		uint64_t interval = sums->bins[INTERVAL_ZERO + bin];
		uint64_t early = sums->bins[INTERVAL_ZERO - 1 - bin];
		uint64_t lateness = sums->bins[LATENESS_ZERO + bin];

		if (!interval && !early && !lateness)
			continue;
		print_edges(out, hist_lower_ns, bin, HIST_BINS);
		fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", interval, early, lateness);
	}
}

#define WHEN 64

/* Where a slice starts and how long it lasts, in seconds. */
static const char *when(const struct slice *slice, uint64_t origin_ns, char text[WHEN])
{
	snprintf(text, WHEN, "%.6f %.6f", (slice->from_ns - origin_ns) / 1e9,
		 (slice->to_ns - slice->from_ns) / 1e9);
	return text;
}

static void print_slices(FILE *out, const struct totals *totals, uint64_t origin_ns)
{
	const struct slice *slice;
	char text[WHEN];

	fputs("\n\n# slices\n# start_s seconds wakeups periods missed lateness_max_us interval_max_us\n",
	      out);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++)
		fprintf(out, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %.3Lf %.3Lf\n",
			when(slice, origin_ns, text), slice->samples, slice->samples + slice->missed,
			slice->missed, slice->moments[LATENESS].max / 1000.0L,
			slice->moments[INTERVAL].max / 1000.0L);
}

static void print_slice_bins(FILE *out, const struct totals *totals, uint64_t origin_ns)
{
	const struct slice *slice;
	char text[WHEN];

	fputs("\n\n# slice_bins\n# start_s seconds from_us to_us lateness\n", out);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
		when(slice, origin_ns, text);
		for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++) {
			if (!slice->bins[bin])
				continue;
			fprintf(out, "%s ", text);
			print_edges(out, hist_coarse_lower_ns, bin, HIST_COARSE_BINS);
			fprintf(out, " %" PRIu64 "\n", slice->bins[bin]);
		}
	}
}

/* A figure of an event, which may be unknown; in units of so many. */
static void print_figure(FILE *out, int64_t figure, int64_t unit)
{
	if (figure == EVENTS_UNKNOWN)
		fputs(" unknown", out);
	else if (unit == 1)
		fprintf(out, " %" PRId64, figure);
	else
		fprintf(out, " %.3Lf", (long double)figure / unit);
}

static void print_cpu(FILE *out, int cpu)
{
	print_figure(out, cpu < 0 ? EVENTS_UNKNOWN : cpu, 1);
}

static void print_event(FILE *out, const struct event *event, uint64_t origin_ns, const struct part_sums *parts)
{
	time_t second = event->utc_ns / 1000000000;
	char utc[32];

	strftime(utc, sizeof(utc), "%Y-%m-%dT%H:%M:%S", gmtime(&second));
	fprintf(out, "%.6f %s.%06dZ %" PRIu64, (event->stamp_ns - origin_ns) / 1e9, utc,
		(int)(event->utc_ns % 1000000000 / 1000), event->period);
	print_figure(out, event->late_ns, 1000);
	print_figure(out, event->error_ns, 1000);
	fprintf(out, " %" PRIu64, event->periods);
	print_cpu(out, event->cpu_before);
	print_cpu(out, event->cpu);
	if (parts) {
		print_figure(out, event->smis, 1);
		report_explain_event(out, parts, event->stamp_ns);
	}
	fputc('\n', out);
}

/* The worst first. */
static void print_events(FILE *out, const struct sums *sums, const struct part_sums *parts)
{
	struct events events = sums->events;

	events_sort(&events);
	fputs("\n\n# events\n# at_s utc period lateness_us interval_us periods cpu_before cpu", out);
	if (parts) {
		fputs(" smis", out);
		report_explain_columns(out);
	}
	fputc('\n', out);
	for (unsigned i = 0; i < events.count; i++)
		print_event(out, &events.worst[i], sums->from_ns, parts);
}

void report_print_data(FILE *out, const struct totals *totals, const struct part_sums *parts)
{
	const struct sums *sums = totals_sums(totals);

	print_histogram(out, sums);
	print_slices(out, totals, sums->from_ns);
	print_slice_bins(out, totals, sums->from_ns);
	print_events(out, sums, parts);
	if (parts)
		report_explain_data(out, parts);
}
