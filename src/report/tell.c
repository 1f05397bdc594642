// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/block.h"
#include "report/report.h"

#define GREEN "32"
#define YELLOW "33"
#define RED "31"

/* All reports of the run, and what they have together. */
struct all {
	struct report *reports;
	const struct sums *sums[CPUS_MAX];
	const char *names[CPUS_MAX];
	unsigned count;
	uint64_t samples, missed;
	struct report *worst;		/* the one with the greatest latency */
	const struct report *cut_short;	/* the first that is not complete; NULL: all are */
	enum grade grade;		/* the worst */
	bool exceeded;
};

static bool is_whole(const struct report *report)
{
	return !strcmp(report->status, "complete");
}

static struct all take_all(struct report *reports)
{
	struct all all = { .reports = reports, .worst = reports, .count = reports->count };
	int64_t max_ns = NO_LATENCY;

	for (unsigned i = 0; i < all.count; i++) {
		all.names[i] = reports[i].name;
		all.sums[i] = totals_sums(reports[i].totals);
		all.samples += all.sums[i]->samples;
		all.missed += all.sums[i]->missed;
		all.grade = greater(all.grade, reports[i].verdict.grade);
		all.exceeded |= report_is_exceeded(&reports[i]);
		if (sums_max(&all.sums[i], 1) > max_ns)
			all.worst = &reports[i];
		max_ns = greater(max_ns, sums_max(&all.sums[i], 1));
		if (!all.cut_short && !is_whole(&reports[i]))
			all.cut_short = &reports[i];
	}
	return all;
}

/* What a report is of. */
static const char *noun_of_part(const struct all *all)
{
	return all->reports->source->threads ? "thread" : "CPU";
}

/* What is counted. */
static const char *noun_of(const struct all *all)
{
	const struct source *source = all->reports->source;

	if (measures_schedule(source->ops->measures))
		return "periods";
	return source->hz ? "requests" : "wake-ups";
}

static void put_quantile(struct block *block, const struct all *all, const char *name, unsigned quantile)
{
	int64_t ns = sums_quantile(all->sums, all->count, quantile);
	bool supported = sums_support(all->sums, all->count, quantile);

	if (ns != NO_LATENCY) {
		char text[UNITS_TEXT];

		block_put(block, "%s %s%s", name, supported ? "" : "~", units_figure(ns, text));
	}
}

/* When and where the worst was: " at 9.460 s on CPU 1", " at 9.460 s on CPU 1 in thread 4711 loop". */
static void tell_place(const struct all *all, char *text, size_t size)
{
	const struct report *worst = all->worst;
	const struct sums *sums = totals_sums(worst->totals);
	struct events events = sums->events;

	*text = '\0';
	events_sort(&events);
	if (events.count)
		text_append(text, size, " at %.3f s", (events.worst->stamp_ns - sums->from_ns) / 1e9);
	if (events.count && events.worst->cpu >= 0)
		text_append(text, size, " on CPU %d", events.worst->cpu);
	if (all->count > 1 && worst->source->threads)
		text_append(text, size, " in thread %s", worst->name);
}

static int64_t least_of(const struct all *all)
{
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < all->count; i++)
		least = lesser(least, all->sums[i]->moments[LATENCY].min);
	return least;
}

static void tell_latency(struct block *block, const struct all *all)
{
	enum measures measures = all->reports->source->ops->measures;
	char least[UNITS_TEXT], most[UNITS_TEXT], drawn[SKETCH_SIZE], place[96];

	units_figure(least_of(all), least);
	units_figure(sums_max(all->sums, all->count), most);
	block_row(block, measures_either(measures) ? "delay" : measures_schedule(measures) ? "lateness" : "wake-up");
	put_quantile(block, all, "p50", P50);
	put_quantile(block, all, "p99", P99);
	put_quantile(block, all, "p99.9", P99_9);
	block_put(block, "max %s", most);
	sketch(drawn, all->sums, all->count, block->unicode);
	tell_place(all, place, sizeof(place));
	block_row(block, "");
	block_put(block, "%s %s %s%s", least, drawn, most, place);
}

/* Who had the CPU longest while the worst was late. */
static void tell_worst(struct block *block, const struct all *all)
{
	const char *sentence = report_sentence(all->worst);

	if (!sentence)
		return;
	block_row(block, "worst");
	block_put(block, "%s", sentence);
}

static void tell_missed(struct block *block, const struct all *all)
{
	const struct source *source = all->reports->source;
	char rate[32] = "", where[32] = "";

	if (source->hz)
		snprintf(rate, sizeof(rate), " at %u Hz", source->hz);
	if (all->count > 1)
		snprintf(where, sizeof(where), " on %u CPUs", all->count);
	block_row(block, "missed");
	block_put(block, "%" PRIu64 " of %" PRIu64 " %s of %s%s%s", all->missed, all->samples + all->missed,
		  noun_of(all), source->ops->name, rate, where);
}

/* The report in which most are above; all.worst if nothing is. */
static const struct report *most_above(const struct all *all, uint64_t ns)
{
	const struct report *most = all->worst;

	for (unsigned i = 0; i < all->count; i++)
		if (sums_above(all->sums[i], ns) > sums_above(totals_sums(most->totals), ns))
			most = &all->reports[i];
	return most;
}

/* Each CPU must keep it; the one that does so worst is shown. */
static void tell_limit(struct block *block, const struct all *all)
{
	const struct limit *limit = &all->reports->run->options->max;
	const struct report *most = most_above(all, limit->ns);
	const struct sums *sums = totals_sums(most->totals);
	uint64_t count = sums->samples + sums->missed;
	bool exceeded = sums_exceed(sums, limit);
	char time[UNITS_TEXT], text[256] = "";

	if (!limit->ns)
		return;
	text_append(text, sizeof(text), "%s: counted %" PRIu64 " of %" PRIu64 " %s later than %s",
		    exceeded ? "FAIL" : "pass", sums_above(sums, limit->ns), count, noun_of(all),
		    units_spell(limit->ns, " ", time));
	if (all->count > 1)
		text_append(text, sizeof(text), " %s %s %s", most->source->threads ? "in" : "on",
			    noun_of_part(all), most->name);
	if (limit->share) {
		char percent[LIMIT_TEXT];

		text_append(text, sizeof(text), "; %s %% allow %" PRIu64, limit_percent(limit, percent),
			    limit_allows(limit, count));
	}
	block_row(block, "limit");
	block_paint(block, exceeded ? RED : GREEN);
	block_put(block, "%s", text);
}

static void tell_break(struct block *block, const struct all *all)
{
	char time[UNITS_TEXT];

	for (unsigned i = 0; i < all->count; i++) {
		const struct channel *channel = all->reports[i].channel;

		if (channel->end != END_BREAK)
			continue;
		block_row(block, "break");
		block_put(block, "ended at the first above %s",
			  units_spell(all->reports->run->options->break_ns, " ", time));
		block_put(block, "trace: %s", channel->trace);
		return;
	}
}

/* What the reader will want to know next. Where nothing may be above the limit, judge would only repeat what failed. */
static const char *next_verb(const struct options *options, bool exceeded)
{
	if (options->explain && (exceeded || !options->max.ns))
		return "explain ";
	return options->max.ns && (options->max.share || !exceeded) ? "judge " : "";
}

static void tell_report(struct block *block, const struct all *all, const char *where)
{
	const struct options *options = all->reports->run->options;

	block_row(block, "report");
	block_put(block, "%s", where);
	if (block->terminal && (!options->output || strcmp(options->output, "-")))
		block_put(block, "next: realfeel-analyze %s%s", next_verb(options, all->exceeded), where);
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

/* "; interrupted after 4.0 s of 60 s"; nothing where the run is complete. */
static void tell_end(const struct all *all, char *text, size_t size)
{
	uint64_t duration_ns = all->reports->run->options->duration_ns;
	const char *status = all->cut_short ? all->cut_short->status : NULL;

	if (!status)
		return;
	text_append(text, size, "; %s after %.1f s", strcmp(status, "break") ? status : "ended by --break",
		    ended_after_s(all->reports));
	if (duration_ns) {
		char time[UNITS_TEXT];

		text_append(text, size, " of %s", units_spell(duration_ns, " ", time));
	}
}

/* The first report of the worst grade with a reason or a remark; the first of all if there is none. */
static const struct report *first_with_cause(const struct all *all)
{
	for (unsigned i = 0; i < all->count; i++)
		if (all->reports[i].verdict.grade == all->grade && *all->reports[i].verdict.cause)
			return &all->reports[i];
	return all->reports;
}

/* The reasons of all reports, less the cause of this one, which others may have, too. */
static unsigned count_further(const struct all *all, const struct report *first, unsigned *with_cause)
{
	unsigned further = 0;

	*with_cause = 0;
	for (unsigned i = 0; i < all->count; i++) {
		const struct verdict *verdict = &all->reports[i].verdict;
		bool same = !strcmp(verdict->cause, first->verdict.cause);

		*with_cause += same;
		further += verdict->reasons - (same && verdict->reasons);
	}
	return further;
}

/* ": CPU 1: the hypervisor took 40 ms of CPU time, and 2 more"; the CPU is left out if all have that cause. */
static void tell_cause(const struct all *all, const struct report *first, char *text, size_t size)
{
	unsigned with_cause, further = count_further(all, first, &with_cause);

	text_append(text, size, first->verdict.grade ? ": " : "; remark: ");
	if (with_cause < all->reports->parts)
		text_append(text, size, "%s %s: ", noun_of_part(all), first->name);
	text_append(text, size, "%s", first->verdict.cause);
	if (further)
		text_append(text, size, ", and %u more", further);
}

static void tell_verdict(struct block *block, const struct all *all)
{
	static const struct {
		const char *name, *colour;
	} grades[] = {
		[VALID] = { "valid", GREEN }, [SUSPECT] = { "SUSPECT", YELLOW }, [INVALID] = { "INVALID", RED },
	};
	const struct report *first = first_with_cause(all);
	char text[VERDICT_CAUSE + 256] = "";

	text_append(text, sizeof(text), "%s", grades[all->grade].name);
	if (*first->verdict.cause)
		tell_cause(all, first, text, sizeof(text));
	tell_end(all, text, sizeof(text));
	block_row(block, "run");
	block_paint(block, grades[all->grade].colour);
	block_put(block, "%s", text);
}

void report_tell(struct report *reports, const char *where)
{
	const struct all all = take_all(reports);
	struct block block;

	if (reports->run->options->quiet)
		return;
	block = block_begin();
	if (all.count > 1)
		report_table(block.out, noun_of_part(&all), all.names, all.sums, all.count);
	if (all.samples)
		tell_latency(&block, &all);
	tell_worst(&block, &all);
	if (reports->source->threads)
		observed_tell(&block, reports, all.worst);
	else
		tell_missed(&block, &all);
	tell_limit(&block, &all);
	tell_break(&block, &all);
	tell_report(&block, &all, where);
	tell_verdict(&block, &all);
	block_end(&block);
}
