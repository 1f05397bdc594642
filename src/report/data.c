// SPDX-License-Identifier: GPL-2.0-or-later
/* The data sets of the report, realfeel(5). */
#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "report/report.h"

/* A column of a histogram: a series or, if it has a sign, one side of it. */
struct column {
	const char *name;
	unsigned zero;			/* index of the bin of 0 */
	int step;			/* from a bin to the next one further from 0: 1 or -1 */
};

#define COLUMNS_MAX (2 * SERIES)

/*
 * The columns of some series in the order of the report: first to end - 1. Sets the last bin that
 * is not empty: to read later ones would allocate memory that was never touched. Returns their number.
 */
static unsigned columns_of(unsigned first, unsigned end, enum measures measures, const struct sums *sums,
			   struct column columns[COLUMNS_MAX], unsigned *last)
{
	unsigned count = 0;
	int64_t widest = 0;

	for (unsigned i = first; i < end; i++) {
		enum series series = series_in_report[i];
		const struct series_traits *traits = &series_traits[series];

		if (!traits->name[measures] || !traits->has_bins)
			continue;
		columns[count++] = (struct column){ traits->name[measures], traits->zero, 1 };
		widest = greater(widest, sums->moments[series].max);
		if (!traits->negative)
			continue;
		columns[count++] = (struct column){ traits->negative, traits->zero - 1, -1 };
		widest = greater(widest, -sums->moments[series].min);
	}
	*last = hist_bin(widest);
	return count;
}

static uint64_t count_of(const struct sums *sums, const struct column *column, unsigned bin)
{
	return sums->bins[column->zero + column->step * (int)bin];
}

/*
 * Bin boundaries are multiples of 10 ns: two decimals are exact. lower_ns: see hist_lower_ns(). The last of the
 * bins ends at "inf".
 */
static void print_edges(FILE *out, uint64_t (*lower_ns)(unsigned), unsigned bin, unsigned bins)
{
	fprintf(out, "%.2f %.2f", lower_ns(bin) / 1e3, bin + 1 < bins ? lower_ns(bin + 1) / 1e3 : INFINITY);
}

static void print_histogram(FILE *out, const char *name, const struct sums *sums, enum measures measures,
			    unsigned first, unsigned end)
{
	struct column columns[COLUMNS_MAX];
	unsigned last, count = columns_of(first, end, measures, sums, columns, &last);

	fprintf(out, "\n\n# %s\n# from_us to_us", name);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, " %s", columns[i].name);
	fputc('\n', out);
	for (unsigned bin = 0; bin <= last; bin++) {
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

/* Those that have bins. What counts each latency a second time may have none in a slice. */
static bool is_in_slices(enum measures measures, enum series series)
{
	return series_name(measures, series) && series_traits[series].has_bins &&
	       (series == LATENCY || !measures_either(measures));
}

static void print_count(FILE *out, int64_t count)
{
	if (count == EVENTS_UNKNOWN)
		fputs(" unknown", out);
	else
		fprintf(out, " %" PRId64, count);
}

static void print_us(FILE *out, int64_t ns)
{
	if (ns == EVENTS_UNKNOWN)
		fputs(" unknown", out);
	else
		fprintf(out, " %.3f", ns / 1e3);
}

/* Start and length of a slice, in s. */
static void print_when(FILE *out, const struct slice *slice, uint64_t origin_ns)
{
	fprintf(out, "%.6f %.6f ", (slice->from_ns - origin_ns) / 1e9, (slice->to_ns - slice->from_ns) / 1e9);
}

static void print_slices(FILE *out, const struct totals *totals, uint64_t origin_ns, enum measures measures)
{
	bool has_smis = totals_sums(totals)->smis != EVENTS_UNKNOWN;
	const struct slice *slice;

	fputs("\n\n# slices\n# start_s seconds wakeups periods missed", out);
	for (enum series series = 0; series < COUNTED_SERIES; series++)
		if (is_in_slices(measures, series))
			fprintf(out, " %s_max_us", series_name(measures, series));
	fputs(has_smis ? " smis\n" : "\n", out);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
		print_when(out, slice, origin_ns);
		fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64, slice->samples,
			slice->samples + slice->missed, slice->missed);
		for (enum series series = 0; series < COUNTED_SERIES; series++)
			if (is_in_slices(measures, series))
				fprintf(out, " %.3f", slice->moments[series].max / 1e3);
		if (has_smis)
			print_count(out, slice->smis);
		fputc('\n', out);
	}
}

static void print_slice_bins(FILE *out, const struct totals *totals, uint64_t origin_ns, const char *latency)
{
	const struct slice *slice;

	fprintf(out, "\n\n# slice_bins\n# start_s seconds from_us to_us %s\n", latency);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
		for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++) {
			if (!slice->bins[bin])
				continue;
			print_when(out, slice, origin_ns);
			print_edges(out, hist_coarse_lower_ns, bin, HIST_COARSE_BINS);
			fprintf(out, " %" PRIu64 "\n", slice->bins[bin]);
		}
	}
}

static void print_event(FILE *out, const struct event *event, uint64_t origin_ns, enum measures measures,
			bool explained)
{
	time_t second = event->utc_ns / 1000000000;
	char utc[32];

	strftime(utc, sizeof(utc), "%Y-%m-%dT%H:%M:%S", gmtime(&second));
	fprintf(out, "%.6f %s.%06dZ %" PRIu64, (event->stamp_ns - origin_ns) / 1e9, utc,
		(int)(event->utc_ns % 1000000000 / 1000), event->period);
	print_us(out, event->late_ns);
	if (series_name(measures, INTERVAL))
		print_us(out, event->error_ns);
	fprintf(out, " %" PRIu64, event->periods);
	print_count(out, event->cpu_before < 0 ? EVENTS_UNKNOWN : event->cpu_before);
	print_count(out, event->cpu < 0 ? EVENTS_UNKNOWN : event->cpu);
	if (series_name(measures, STAMPED))
		print_us(out, event->stamped_ns);
	if (explained) {
		print_count(out, event->smis);
		print_us(out, event->counting_ns);
	}
	for (enum part part = 0; explained && part < PARTS; part++)
		print_us(out, event->parts.stamp_ns ? event->parts.ns[part] : EVENTS_UNKNOWN);
	fputc('\n', out);
}

static void print_part_names(FILE *out, enum measures measures, const char *unit)
{
	for (enum part part = 0; part < PARTS; part++)
		fprintf(out, " %s%s", series_name(measures, series_of_part(part)), unit);
}

/* The worst first. */
static void print_events(FILE *out, const struct sums *sums, enum measures measures, bool explained)
{
	struct events events = sums->events;

	events_sort(&events);
	fprintf(out, "\n\n# events\n# at_s utc period %s_us", series_name(measures, LATENCY));
	if (series_name(measures, INTERVAL))
		fprintf(out, " %s_us", series_name(measures, INTERVAL));
	fputs(" periods cpu_before cpu", out);
	if (series_name(measures, STAMPED))
		fprintf(out, " %s_us", series_name(measures, STAMPED));
	if (explained) {
		fputs(" smis counting_us", out);
		print_part_names(out, measures, "_us");
	}
	fputc('\n', out);
	for (unsigned i = 0; i < events.count; i++)
		print_event(out, &events.worst[i], sums->from_ns, measures, explained);
}

/* The mean of each part, by lateness. */
static void print_parts_by_lateness(FILE *out, const struct sums *sums, enum measures measures)
{
	fputs("\n\n# parts_by_lateness\n# from_us to_us wakeups", out);
	print_part_names(out, measures, "");
	fputc('\n', out);
	for (unsigned bin = 0; sums->matched && bin < HIST_COARSE_BINS; bin++) {
		const struct lateness_parts *late = &sums->by_lateness[bin];

		if (!late->wakeups)
			continue;
		print_edges(out, hist_coarse_lower_ns, bin, HIST_COARSE_BINS);
		fprintf(out, " %" PRIu64, late->wakeups);
		for (enum part part = 0; part < PARTS; part++)
			fprintf(out, " %.3Lf", late->sum_ns[part] / 1000.0L / late->wakeups);
		fputc('\n', out);
	}
}

void report_print_data(FILE *out, const struct totals *totals, enum measures measures, bool explained)
{
	const struct sums *sums = totals_sums(totals);

	print_histogram(out, "histogram", sums, measures, 0, COUNTED_SERIES);
	print_slices(out, totals, sums->from_ns, measures);
	print_slice_bins(out, totals, sums->from_ns, series_name(measures, LATENCY));
	print_events(out, sums, measures, explained);
	if (!explained)
		return;
	print_histogram(out, "parts", sums, measures, COUNTED_SERIES, SERIES);
	print_parts_by_lateness(out, sums, measures);
}

#define NS_PER_S UINT64_C(1000000000)

/* Mean sizes in bytes. The report of a day on one CPU has 3 MB, mostly slices; on many CPUs, each has fewer slices. */
#define HEADER_BYTES (16 * 1024)
#define SAMPLE_BYTES 1024		/* of a sample, if there are few: each has a row in each data set */
#define BINS_BYTES (256 * 1024)		/* of the header and of many samples, which share rows */
#define SLICE_BYTES 3840
#define RECORDS_BYTES (16 * 1024)	/* of the records of an event; a storm of interrupts has more */
#define RING_BYTES (1024 * 1024)	/* of the records that fill a ring, with stacks */

/* A slice is a second or longer. Where half of the periods are missed, the samples take twice as long. */
off_t report_room(const struct options *options, unsigned reports)
{
	int64_t samples = options->samples ? options->samples : INT64_MAX, slices = totals_share(reports), bytes;
	int64_t seconds = options->duration_ns / NS_PER_S + 1;

	if (options->duration_ns)
		slices = lesser(slices, seconds);
	if (options->samples && options->frequency_hz)
		slices = lesser(slices, 2 * lesser(slices, options->samples / options->frequency_hz) + 1);
	if (options->duration_ns && options->frequency_hz)
		samples = lesser(samples, seconds * options->frequency_hz);
	bytes = BINS_BYTES + slices * SLICE_BYTES;
	if (samples < bytes / SAMPLE_BYTES)
		bytes = lesser(bytes, HEADER_BYTES + samples * SAMPLE_BYTES);
	if (options->explain >= EXPLAIN_BLAME)
		bytes += lesser(samples, EVENTS_MAX) * RECORDS_BYTES + (options->break_ns ? RING_BYTES : 0);
	return reports * bytes;
}
