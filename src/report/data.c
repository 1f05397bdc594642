// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <time.h>

#include "report/data.h"
#include "report/lines.h"
#include "report/parts.h"

/* Of the histogram: a series, or one side of it, by its name in the report. */
struct column {
	const char *name;
	unsigned zero;			/* where its bin of 0 stands, from which the others go up or down */
	int step;
};

#define COLUMNS_MAX (2 * SERIES)

static unsigned columns_of(enum measures measures, struct column columns[COLUMNS_MAX])
{
	unsigned count = 0;

	for (int i = 0; i < SERIES; i++) {
		const struct series_traits *traits = &series_traits[series_in_report[i]];

		if (!traits->name[measures] || !traits->has_bins)
			continue;
		columns[count++] = (struct column){ traits->name[measures], traits->zero, 1 };
		if (traits->negative)
			columns[count++] = (struct column){ traits->negative, traits->zero - 1, -1 };
	}
	return count;
}

/* The last that is not empty. Memory beyond it was never used, and is not to be by reading it. */
static unsigned last_bin(const struct sums *sums)
{
	int64_t widest = 0;

	for (enum series series = 0; series < SERIES; series++) {
		const struct moments *moments = &sums->moments[series];

		if (!series_traits[series].has_bins)
			continue;
		if (moments->max > widest)
			widest = moments->max;
		if (-moments->min > widest)
			widest = -moments->min;
	}
	return hist_bin(widest);
}

static uint64_t count_of(const struct sums *sums, const struct column *column, unsigned bin)
{
	return sums->bins[column->zero + column->step * (int)bin];
}

static void print_histogram(FILE *out, const struct sums *sums, enum measures measures)
{
	struct column columns[COLUMNS_MAX];
	unsigned count = columns_of(measures, columns);

	fputs("\n\n# histogram\n# from_us to_us", out);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, " %s", columns[i].name);
	fputc('\n', out);
	for (unsigned bin = 0, last = last_bin(sums); bin <= last; bin++) {
		uint64_t all = 0;

		for (unsigned i = 0; i < count; i++)
			all |= count_of(sums, &columns[i], bin);
		if (!all)
			continue;
		print_edges(out, hist_lower_ns, bin, HIST_BINS);
		for (unsigned i = 0; i < count; i++)
			fprintf(out, " %" PRIu64, count_of(sums, &columns[i], bin));
		fputc('\n', out);
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

/* Only series that have bins are told of slices and events. */
static bool is_told(enum measures measures, enum series series)
{
	return series_name(measures, series) && series_traits[series].has_bins;
}

static void print_slice(FILE *out, const struct slice *slice, const char *when, enum measures measures)
{
	fprintf(out, "%s %" PRIu64 " %" PRIu64 " %" PRIu64, when, slice->samples, slice->samples + slice->missed,
		slice->missed);
	for (enum series series = 0; series < SERIES; series++)
		if (is_told(measures, series))
			fprintf(out, " %.3Lf", slice->moments[series].max / 1000.0L);
	fputc('\n', out);
}

static void print_slices(FILE *out, const struct totals *totals, uint64_t origin_ns, enum measures measures)
{
	const struct slice *slice;
	char text[WHEN];

	fputs("\n\n# slices\n# start_s seconds wakeups periods missed", out);
	for (enum series series = 0; series < SERIES; series++)
		if (is_told(measures, series))
			fprintf(out, " %s_max_us", series_name(measures, series));
	fputc('\n', out);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++)
		print_slice(out, slice, when(slice, origin_ns, text), measures);
}

static void print_slice_bins(FILE *out, const struct totals *totals, uint64_t origin_ns, const char *latency)
{
	const struct slice *slice;
	char text[WHEN];

	fprintf(out, "\n\n# slice_bins\n# start_s seconds from_us to_us %s\n", latency);
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

static void print_event(FILE *out, const struct event *event, uint64_t origin_ns, enum measures measures,
			const struct part_sums *parts)
{
	time_t second = event->utc_ns / 1000000000;
	char utc[32];

	strftime(utc, sizeof(utc), "%Y-%m-%dT%H:%M:%S", gmtime(&second));
	fprintf(out, "%.6f %s.%06dZ %" PRIu64, (event->stamp_ns - origin_ns) / 1e9, utc,
		(int)(event->utc_ns % 1000000000 / 1000), event->period);
	print_figure(out, event->late_ns, 1000);
	if (is_told(measures, INTERVAL))
		print_figure(out, event->error_ns, 1000);
	fprintf(out, " %" PRIu64, event->periods);
	print_cpu(out, event->cpu_before);
	print_cpu(out, event->cpu);
	if (is_told(measures, STAMPED))
		print_figure(out, event->stamped_ns, 1000);
	if (parts) {
		print_figure(out, event->smis, 1);
		print_figure(out, event->counting_ns, 1000);
		report_explain_event(out, parts, event->stamp_ns);
	}
	fputc('\n', out);
}

/* The worst first. */
static void print_events(FILE *out, const struct sums *sums, enum measures measures,
			 const struct part_sums *parts)
{
	struct events events = sums->events;

	events_sort(&events);
	fprintf(out, "\n\n# events\n# at_s utc period %s_us", series_name(measures, LATENCY));
	if (is_told(measures, INTERVAL))
		fprintf(out, " %s_us", series_name(measures, INTERVAL));
	fputs(" periods cpu_before cpu", out);
	if (is_told(measures, STAMPED))
		fprintf(out, " %s_us", series_name(measures, STAMPED));
	if (parts) {
		fputs(" smis counting_us", out);
		report_explain_columns(out);
	}
	fputc('\n', out);
	for (unsigned i = 0; i < events.count; i++)
		print_event(out, &events.worst[i], sums->from_ns, measures, parts);
}

void report_print_data(FILE *out, const struct totals *totals, enum measures measures, const struct part_sums *parts)
{
	const struct sums *sums = totals_sums(totals);

	print_histogram(out, sums, measures);
	print_slices(out, totals, sums->from_ns, measures);
	print_slice_bins(out, totals, sums->from_ns, series_name(measures, LATENCY));
	print_events(out, sums, measures, parts);
	if (parts)
		report_explain_data(out, parts);
}
