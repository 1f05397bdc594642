// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/result.h"
#include "report/tell.h"

struct manner {
	bool lines;			/* standard error is a terminal: one item a line */
	bool colour;
};

static struct manner manner_of_stderr(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	bool lines = isatty(STDERR_FILENO);

	return (struct manner){
		lines, lines && !(no_color && *no_color) && term && *term && strcmp(term, "dumb"),
	};
}

/* The first word is in the colour of the grade. */
static void tell_verdict(const char *verdict, enum grade grade, struct manner manner)
{
	static const char *const colours[] = { [VALID] = "32", [SUSPECT] = "33", [INVALID] = "31" };
	int length = strlen(grade_name(grade));

	if (manner.colour)
		fprintf(stderr, "\033[1;%sm%.*s\033[0m%s", colours[grade], length, verdict, verdict + length);
	else
		fputs(verdict, stderr);
}

static void tell_source(const struct source *source)
{
	fputs(source->ops->name, stderr);
	if (source->hz)
		fprintf(stderr, " at %u Hz", source->hz);
}

static const char *latency_name(const struct report *report)
{
	return measures_schedule(report->source->ops->measures) ? "lateness" : "wake-up latency";
}

static void tell_percentile(const struct sums *sums, const char *name, unsigned quantile)
{
	int64_t ns = sums_quantile(&sums, 1, quantile);

	fprintf(stderr, "%s ", name);
	if (ns == UNSUPPORTED)
		fputs("unknown (too few samples), ", stderr);
	else
		fprintf(stderr, "%.1f us, ", ns / 1e3);
}

static void tell_latency(const struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);
	struct events events = sums->events;
	const struct event *worst = events.worst;

	events_sort(&events);
	fprintf(stderr, "\n%s: ", latency_name(report));
	tell_percentile(sums, "p50", P50);
	tell_percentile(sums, "p99", P99);
	fprintf(stderr, "worst %.1f us", sums->moments[LATENCY].max / 1e3);
	if (events.count)
		fprintf(stderr, " at %.3f s", (worst->stamp_ns - sums->from_ns) / 1e9);
	if (events.count && worst->cpu >= 0)
		fprintf(stderr, " on CPU %d", worst->cpu);
}

static bool is_whole(const struct report *report)
{
	return !strcmp(report->status, "complete");
}

/* The first report that is not complete, or the first of all. */
static const struct report *first_cut_short(const struct report *reports)
{
	for (unsigned i = 0; i < reports->count; i++)
		if (!is_whole(&reports[i]))
			return &reports[i];
	return reports;
}

/* From the first wake-up of the run to the last of the reports that were cut short, or of all when none was. */
static double ended_after_s(const struct report *reports)
{
	uint64_t from_ns = INT64_MAX, cut_ns = 0, to_ns = 0;

	for (unsigned i = 0; i < reports->count; i++) {
		const struct sums *sums = totals_sums(reports[i].totals);

		if (!sums->samples)
			continue;
		from_ns = lesser(from_ns, sums->from_ns);
		to_ns = greater(to_ns, sums->to_ns);
		if (!is_whole(&reports[i]))
			cut_ns = greater(cut_ns, sums->to_ns);
	}
	return to_ns ? ((cut_ns ? cut_ns : to_ns) - from_ns) / 1e9 : 0;
}

/* "complete", "interrupted after 4.0 s". */
static void tell_end(const struct report *reports)
{
	const struct report *cut_short = first_cut_short(reports);

	fputs(cut_short->status, stderr);
	if (!is_whole(cut_short))
		fprintf(stderr, " after %.1f s", ended_after_s(reports));
}

static void tell_one(const struct report *report, struct manner manner)
{
	const struct sums *sums = totals_sums(report->totals);

	tell_verdict(report->verdict.text, report->verdict.grade, manner);
	fputs("; ", stderr);
	tell_end(report);
	fprintf(stderr, ": %" PRIu64 " samples of ", sums->samples);
	tell_source(report->source);
	fprintf(stderr, ", %" PRIu64 " missed", sums->missed);
	if (sums->samples && manner.lines)
		tell_latency(report);
	else if (sums->samples)
		fprintf(stderr, ", %s %.1f to %.1f us", latency_name(report), sums->moments[LATENCY].min / 1e3,
			sums->moments[LATENCY].max / 1e3);
}

static void put_latency(FILE *out, int64_t ns)
{
	if (ns == UNSUPPORTED)
		fprintf(out, " %11s", "-");
	else
		fprintf(out, " %11.1f", ns / 1e3);
}

/* The figures of all these sums together. */
static void put_figures(FILE *out, const struct sums *const sums[], unsigned count)
{
	uint64_t samples = 0, missed = 0;

	for (unsigned i = 0; i < count; i++) {
		samples += sums[i]->samples;
		missed += sums[i]->missed;
	}
	fprintf(out, " %11" PRIu64, samples);
	put_latency(out, sums_quantile(sums, count, P50));
	put_latency(out, sums_quantile(sums, count, P99));
	put_latency(out, sums_quantile(sums, count, P99_9));
	put_latency(out, sums_max(sums, count));
	fprintf(out, " %11" PRIu64 "\n", missed);
}

static bool is_worst(const struct sums *sums, const struct sums *const all[], unsigned count)
{
	return sums->samples && sums->moments[LATENCY].max == sums_max(all, count);
}

void report_table(FILE *out, bool cells, const char *const names[], const struct sums *const sums[], unsigned count)
{
	int width = 4;

	for (unsigned i = 0; i < count; i++)
		width = greater(width, strlen(names[i]) + 1);
	fprintf(out, "%*s %11s %11s %11s %11s %11s %11s\n", width + 1, cells ? "cell" : "CPU", "samples", "p50 us",
		"p99 us", "p99.9 us", "max us", "missed");
	for (unsigned i = 0; i < count; i++) {
		fprintf(out, "%c%*s", is_worst(sums[i], sums, count) ? '>' : ' ', width, names[i]);
		put_figures(out, &sums[i], 1);
	}
	if (cells)
		return;
	fprintf(out, "%*s", width + 1, "all");
	put_figures(out, sums, count);
}

/* A row for each CPU or cell, the verdicts that are not valid, and the worst grade. */
static void tell_several(const struct report *reports, struct manner manner)
{
	bool cells = reports->source->cell.processes;
	const struct sums *sums[CPU_SETSIZE];
	const char *names[CPU_SETSIZE];
	enum grade worst = VALID;

	for (unsigned i = 0; i < reports->count; i++) {
		names[i] = reports[i].name;
		sums[i] = totals_sums(reports[i].totals);
	}
	report_table(stderr, cells, names, sums, reports->count);
	for (unsigned i = 0; i < reports->count; i++) {
		if (reports[i].verdict.grade != VALID)
			fprintf(stderr, "%s %s: %s\n", cells ? "cell" : "CPU", names[i], reports[i].verdict.text);
		worst = greater(worst, reports[i].verdict.grade);
	}
	tell_verdict(grade_name(worst), worst, manner);
	fputs("; ", stderr);
	tell_end(reports);
	fprintf(stderr, ": %u %s, ", reports->count, cells ? "cells" : "CPUs");
	tell_source(reports->source);
}

static void tell_limits(const struct report *reports)
{
	const struct options *options = reports->run->options;
	const struct report *broken = NULL;
	bool exceeded = false;

	for (unsigned i = 0; i < reports->count; i++) {
		exceeded |= report_is_exceeded(&reports[i]);
		if (reports[i].channel->end == END_BREAK)
			broken = &reports[i];
	}
	if (options->max.ns)
		fprintf(stderr, "; %s: --max is %.1f us", exceeded ? "FAIL" : "pass", options->max.ns / 1e3);
	if (broken)
		fprintf(stderr, "; stopped: --break is %.1f us; trace: %s", options->break_ns / 1e3,
			broken->channel->trace);
}

static const char *sentence_of_worst(struct report *reports)
{
	struct report *worst = reports;

	for (unsigned i = 1; i < reports->count; i++)
		if (report_max_ns(&reports[i]) > report_max_ns(worst))
			worst = &reports[i];
	return report_sentence(worst);
}

void report_tell(struct report *reports, const char *where)
{
	const struct options *options = reports->run->options;
	struct manner manner = manner_of_stderr();
	const char *sentence = sentence_of_worst(reports), *next_item = manner.lines ? "\n" : "; ";

	if (options->quiet)
		return;
	if (reports->count > 1)
		tell_several(reports, manner);
	else
		tell_one(reports, manner);
	tell_limits(reports);
	if (sentence)
		fprintf(stderr, "%s%s", next_item, sentence);
	fprintf(stderr, "%sreport: %s\n", next_item, where);
	if (manner.lines && (!options->output || strcmp(options->output, "-")))
		fprintf(stderr, "next: realfeel-analyze %s%s\n", options->explain ? "explain " : "", where);
}
