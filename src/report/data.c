// SPDX-License-Identifier: GPL-2.0-or-later
/* The data sets of the report, realfeel(5), but for the kernel's records; and the room that a report takes. */
#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "report/report.h"

/* Double backslashes, and escape what text_character() rejects: the text stays on one line. */
void report_print_text(FILE *out, const char *text, char special, const char *instead)
{
	for (unsigned length; *text; text += length ? length : 1) {
		length = text_character(text);
		if (*text == special)
			fputs(instead, out);
		else if (*text == '\\')
			fputs("\\\\", out);
		else if (length)
			fwrite(text, 1, length, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*text);
	}
}

/* A column of a histogram: a series or, if it has a sign, one side of it. */
struct column {
	const uint64_t *bins;		/* the bin of 0 is the first */
	int step;			/* from a bin to the next one further from 0: 1 or -1 */
};

/* Bin boundaries are multiples of 10 ns, so two decimals are exact. The last of the bins ends at "inf". */
static void print_edges(FILE *out, uint64_t (*lower_ns)(unsigned), unsigned bin, unsigned bins)
{
	fprintf(out, "%.2f %.2f", lower_ns(bin) / 1e3, bin + 1 < bins ? lower_ns(bin + 1) / 1e3 : INFINITY);
}

/*
 * A row for each bin in which a column counts anything. Reading bins after the last non-empty one would allocate memory
 * that was never touched.
 */
static void print_bins(FILE *out, const struct column *columns, unsigned count, int64_t widest)
{
	for (int bin = 0; bin <= (int)hist_bin(widest); bin++) {
		uint64_t all = 0;

		for (unsigned i = 0; i < count; i++)
			all |= columns[i].bins[columns[i].step * bin];
		if (!all)
			continue;
		print_edges(out, hist_lower_ns, bin, HIST_BINS);
		for (unsigned i = 0; i < count; i++)
			fprintf(out, " %" PRIu64, columns[i].bins[columns[i].step * bin]);
		fputc('\n', out);
	}
}

/* Of some series in the order of the report: first to end - 1. */
static void print_histogram(FILE *out, const char *name, const struct sums *sums, enum measures measures,
			    unsigned first, unsigned end)
{
	struct column columns[2 * SERIES];
	unsigned count = 0;
	int64_t widest = 0;

	fprintf(out, "\n\n# %s\n# from_us to_us", name);
	for (unsigned i = first; i < end; i++) {
		const struct series_traits *traits = &series_traits[series_in_report[i]];
		const struct moments *moments = &sums->moments[series_in_report[i]];

		if (!traits->name[measures] || !traits->has_bins)
			continue;
		fprintf(out, " %s", traits->name[measures]);
		columns[count++] = (struct column){ &sums->bins[traits->zero], 1 };
		widest = greater(widest, moments->max);
		if (!traits->negative)
			continue;
		fprintf(out, " %s", traits->negative);
		columns[count++] = (struct column){ &sums->bins[traits->zero - 1], -1 };
		widest = greater(widest, -moments->min);
	}
	fputc('\n', out);
	print_bins(out, columns, count, widest);
}

/* The series that have bins. One that counts each latency again may have none in a slice. */
static bool is_in_slices(enum measures measures, enum series series)
{
	return series_name(measures, series) && series_traits[series].has_bins &&
	       (series == LATENCY || !measures_either(measures));
}

/* unit: how many of the figure's own unit make one of the report's. */
static void print_figure(FILE *out, int64_t figure, double unit)
{
	if (figure == EVENTS_UNKNOWN)
		fputs(" unknown", out);
	else
		fprintf(out, " %.*f", unit == 1 ? 0 : 3, figure / unit);
}

static void print_slices(FILE *out, const struct totals *totals, enum measures measures)
{
	uint64_t origin_ns = totals_sums(totals)->from_ns;
	bool has_smis = totals_sums(totals)->smis != EVENTS_UNKNOWN;
	const struct slice *slice;

	fputs("\n\n# slices\n# start_s seconds wakeups periods missed", out);
	for (enum series series = 0; series < COUNTED_SERIES; series++)
		if (is_in_slices(measures, series))
			fprintf(out, " %s_max_us", series_name(measures, series));
	fputs(has_smis ? " smis\n" : "\n", out);
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
		fprintf(out, "%.6f %.6f %" PRIu64 " %" PRIu64 " %" PRIu64, (slice->from_ns - origin_ns) / 1e9,
			(slice->to_ns - slice->from_ns) / 1e9, slice->samples, slice->samples + slice->missed,
			slice->missed);
		for (enum series series = 0; series < COUNTED_SERIES; series++)
			if (is_in_slices(measures, series))
				fprintf(out, " %.3f", slice->moments[series].max / 1e3);
		if (has_smis)
			print_figure(out, slice->smis, 1);
		fputc('\n', out);
	}
}

static void print_slice_bins(FILE *out, const struct totals *totals, enum measures measures)
{
	uint64_t origin_ns = totals_sums(totals)->from_ns;
	const struct slice *slice;

	fprintf(out, "\n\n# slice_bins\n# start_s seconds from_us to_us %s\n", series_name(measures, LATENCY));
	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
		for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++) {
			if (!slice->bins[bin])
				continue;
			fprintf(out, "%.6f %.6f ", (slice->from_ns - origin_ns) / 1e9,
				(slice->to_ns - slice->from_ns) / 1e9);
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
	print_figure(out, event->late_ns, 1000);
	if (series_name(measures, INTERVAL))
		print_figure(out, event->error_ns, 1000);
	fprintf(out, " %" PRIu64, event->periods);
	print_figure(out, event->cpu_before < 0 ? EVENTS_UNKNOWN : event->cpu_before, 1);
	print_figure(out, event->cpu < 0 ? EVENTS_UNKNOWN : event->cpu, 1);
	if (series_name(measures, STAMPED))
		print_figure(out, event->stamped_ns, 1000);
	if (explained) {
		print_figure(out, event->smis, 1);
		print_figure(out, event->counting_ns, 1000);
	}
	for (enum part part = 0; explained && part < PARTS; part++)
		print_figure(out, event->parts.stamp_ns ? event->parts.ns[part] : EVENTS_UNKNOWN, 1000);
	fputc('\n', out);
}

/* The worst first. */
static void print_events(FILE *out, const struct sums *sums, enum measures measures, bool explained)
{
	const char *interval = series_name(measures, INTERVAL), *stamped = series_name(measures, STAMPED);
	struct events events = sums->events;

	events_sort(&events);
	fprintf(out, "\n\n# events\n# at_s utc period %s_us", series_name(measures, LATENCY));
	if (interval)
		fprintf(out, " %s_us", interval);
	fputs(" periods cpu_before cpu", out);
	if (stamped)
		fprintf(out, " %s_us", stamped);
	fputs(explained ? " smis counting_us" : "", out);
	for (enum part part = 0; explained && part < PARTS; part++)
		fprintf(out, " %s_us", series_name(measures, COUNTED_SERIES + part));
	fputc('\n', out);
	for (unsigned i = 0; i < events.count; i++)
		print_event(out, &events.worst[i], sums->from_ns, measures, explained);
}

/* The last set has the mean of each part, by lateness. */
void report_print_data(FILE *out, const struct totals *totals, enum measures measures, bool explained)
{
	const struct sums *sums = totals_sums(totals);

	print_histogram(out, "histogram", sums, measures, 0, COUNTED_SERIES);
	print_slices(out, totals, measures);
	print_slice_bins(out, totals, measures);
	print_events(out, sums, measures, explained);
	if (!explained)
		return;
	print_histogram(out, "parts", sums, measures, COUNTED_SERIES, SERIES);
	fputs("\n\n# parts_by_lateness\n# from_us to_us wakeups", out);
	for (enum part part = 0; part < PARTS; part++)
		fprintf(out, " %s", series_name(measures, COUNTED_SERIES + part));
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

/* Mean sizes in bytes. A day on one CPU takes 3 MB, mostly slices; on many CPUs, each has fewer slices. */
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
	int64_t seconds = options->duration_ns / 1000000000 + 1;

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
