// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <time.h>

#include "report_data.h"

/* Bin boundaries are multiples of 10 ns: two decimals are exact. */
static void print_edge(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%02" PRIu64, ns / 1000, ns % 1000 / 10);
}

static void print_edges(FILE *out, uint64_t (*lower_ns)(unsigned), unsigned bin, unsigned bins)
{
	print_edge(out, lower_ns(bin));
	fputc(' ', out);
	if (bin + 1 < bins)
		print_edge(out, lower_ns(bin + 1));
	else
		fputs("inf", out);
}

/* The columns of the histogram: of which bins, where that of 0 stands, and in which direction the others. */
static const struct column {
	const char *name;
	enum series series;
	int zero, step;
} columns[] = {
	{ "interval", INTERVAL, INTERVAL_ZERO, 1 },
	{ "early", INTERVAL, INTERVAL_ZERO - 1, -1 },
	{ "lateness", LATENESS, LATENESS_ZERO, 1 },
};

#define COLUMNS (sizeof(columns) / sizeof(*columns))

/* Fill a row. Returns whether there is anything in it. Memory that was never used is not looked at. */
static bool fill_row(const struct sums *sums, const struct span *spans, int bin, uint64_t *row)
{
	bool any = false;

	for (unsigned i = 0; i < COLUMNS; i++) {
		unsigned index = columns[i].zero + columns[i].step * bin;
		const struct span *span = &spans[columns[i].series];

		row[i] = index >= span->first && index < span->end ? sums->bins[index] : 0;
		any |= row[i] != 0;
	}
	return any;
}

static void print_histogram(FILE *out, const struct sums *sums)
{
	struct span spans[SERIES];
	uint64_t row[COLUMNS];

	for (enum series series = 0; series < SERIES; series++)
		spans[series] = hist_span(series, &sums->moments[series]);
	fputs("\n\n# histogram\n# from_us to_us", out);
	for (unsigned i = 0; i < COLUMNS; i++)
		fprintf(out, " %s", columns[i].name);
	fputc('\n', out);
	for (unsigned bin = 0; bin < HIST_BINS; bin++) {
		if (!fill_row(sums, spans, bin, row))
			continue;
		print_edges(out, hist_lower_ns, bin, HIST_BINS);
		for (unsigned i = 0; i < COLUMNS; i++)
			fprintf(out, " %" PRIu64, row[i]);
		fputc('\n', out);
	}
}

/* Where a slice starts and how long it lasts, in seconds. */
struct when {
	char text[64];
};

static struct when when(const struct slice *slice, uint64_t origin_ns)
{
	struct when when;

	snprintf(when.text, sizeof(when.text), "%.6f %.6f", (slice->from_ns - origin_ns) / 1e9,
		 (slice->to_ns - slice->from_ns) / 1e9);
	return when;
}

static void print_slices(FILE *out, const struct totals *totals, uint64_t origin_ns)
{
	const struct slice *slice;

	fputs("\n\n# slices\n# start_s seconds wakeups periods missed lateness_max_us interval_max_us\n",
	      out);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++)
		fprintf(out, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %.3Lf %.3Lf\n",
			when(slice, origin_ns).text, slice->samples, slice->samples + slice->missed,
			slice->missed, slice->moments[LATENESS].max / 1000.0L,
			slice->moments[INTERVAL].max / 1000.0L);
}

static void print_bins(FILE *out, const struct slice *slice, uint64_t origin_ns)
{
	const struct when at = when(slice, origin_ns);

	for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++) {
		if (!slice->bins[bin])
			continue;
		fprintf(out, "%s ", at.text);
		print_edges(out, hist_coarse_lower_ns, bin, HIST_COARSE_BINS);
		fprintf(out, " %" PRIu64 "\n", slice->bins[bin]);
	}
}

static void print_slice_bins(FILE *out, const struct totals *totals, uint64_t origin_ns)
{
	const struct slice *slice;

	fputs("\n\n# slice_bins\n# start_s seconds from_us to_us lateness\n", out);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++)
		print_bins(out, slice, origin_ns);
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

static void print_event(FILE *out, const struct event *event, uint64_t origin_ns)
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
	print_cpu(out, event->moved.cpu);
	print_figure(out, event->moved.run_delay_ns, 1000);
	print_figure(out, event->moved.switches, 1);
	print_figure(out, event->moved.faults, 1);
	print_figure(out, event->moved.interrupts, 1);
	print_figure(out, event->moved.smis, 1);
	fputc('\n', out);
}

/* The worst first. */
static void print_events(FILE *out, const struct sums *sums)
{
	struct events events = sums->events;

	events_sort(&events);
	fputs("\n\n# events\n# at_s utc period lateness_us interval_us periods cpu_before cpu "
	      "run_delay_us switches faults interrupts smis\n", out);
	for (unsigned i = 0; i < events.count; i++)
		print_event(out, &events.worst[i], sums->from_ns);
}

void report_print_data(FILE *out, const struct totals *totals)
{
	const struct sums *sums = totals_sums(totals);

	print_histogram(out, sums);
	print_slices(out, totals, sums->from_ns);
	print_slice_bins(out, totals, sums->from_ns);
	print_events(out, sums);
}
