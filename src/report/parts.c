// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "report/lines.h"
#include "report/parts.h"

static const char *const names[PARTS] = { "expiry", "waking", "switch", "again", "stamp" };

void report_explain_header(FILE *out, const struct part_sums *parts, uint64_t samples)
{
	struct u128 sum = u128_from(0);
	char text[U128_DIGITS];

	for (enum part part = 0; part < PARTS; part++)
		sum = u128_add(sum, parts->moments[part].sum);
	print_count(out, "parts_matched", parts->matched);
	print_count(out, "parts_unknown", samples - parts->matched);
	print_count(out, "trace_lost", parts->lost);
	print_value(out, "parts_lateness_sum_ns", u128_to_text(sum, text));
	for (enum part part = 0; part < PARTS; part++)
		print_moments(out, names[part], &parts->moments[part], parts->matched);
}

void report_explain_columns(FILE *out)
{
	for (enum part part = 0; part < PARTS; part++)
		fprintf(out, " %s_us", names[part]);
}

void report_explain_event(FILE *out, const struct part_sums *parts, uint64_t stamp_ns)
{
	const struct parts *known = parts_of_event(parts, stamp_ns);

	for (enum part part = 0; part < PARTS; part++)
		if (known)
			fprintf(out, " %.3Lf", known->ns[part] / 1000.0L);
		else
			fputs(" unknown", out);
}

static void print_columns(FILE *out, const char *set, const char *counted)
{
	fprintf(out, "\n\n# %s\n# from_us to_us%s", set, counted);
	for (enum part part = 0; part < PARTS; part++)
		fprintf(out, " %s", names[part]);
	fputc('\n', out);
}

/* The last that is not empty. Memory beyond it was never used, and is not to be by reading it. */
static unsigned last_bin(const struct part_sums *parts)
{
	int64_t most = 0;

	for (enum part part = 0; part < PARTS; part++)
		if (parts->moments[part].max > most)
			most = parts->moments[part].max;
	return hist_bin(most);
}

static void print_parts(FILE *out, const struct part_sums *parts)
{
	print_columns(out, "parts", "");
	for (unsigned bin = 0, last = last_bin(parts); bin <= last; bin++) {
		uint64_t any = 0;

		for (enum part part = 0; part < PARTS; part++)
			any |= parts->bins[part][bin];
		if (!any)
			continue;
		print_edges(out, hist_lower_ns, bin, HIST_BINS);
		for (enum part part = 0; part < PARTS; part++)
			fprintf(out, " %" PRIu64, parts->bins[part][bin]);
		fputc('\n', out);
	}
}

static void print_by_lateness(FILE *out, const struct part_sums *parts)
{
	print_columns(out, "parts_by_lateness", " wakeups");
	for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++) {
		const struct lateness_parts *late = &parts->by_lateness[bin];

		if (!late->wakeups)
			continue;
		print_edges(out, hist_coarse_lower_ns, bin, HIST_COARSE_BINS);
		fprintf(out, " %" PRIu64, late->wakeups);
		for (enum part part = 0; part < PARTS; part++)
			fprintf(out, " %.3Lf", late->sum_ns[part] / 1000.0L / late->wakeups);
		fputc('\n', out);
	}
}

void report_explain_data(FILE *out, const struct part_sums *parts)
{
	print_parts(out, parts);
	print_by_lateness(out, parts);
}
