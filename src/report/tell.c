// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/block.h"
#include "report/observed.h"
#include "report/result.h"
#include "report/sketch.h"
#include "report/table.h"
#include "report/tell.h"
#include "report/tell_verdict.h"

static struct all take_all(struct report *reports)
{
	struct all all = { .reports = reports, .worst = reports, .count = reports->count };

	for (unsigned i = 0; i < all.count; i++) {
		all.names[i] = reports[i].name;
		all.sums[i] = totals_sums(reports[i].totals);
		all.samples += all.sums[i]->samples;
		all.missed += all.sums[i]->missed;
		if (report_max_ns(&reports[i]) > report_max_ns(all.worst))
			all.worst = &reports[i];
	}
	return all;
}

const char *noun_of_part(const struct all *all)
{
	return all->reports->source->ops->observes ? "thread" : "CPU";
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
		snprintf(text, size, " at %.3f s", (events.worst->stamp_ns - sums->from_ns) / 1e9);
	if (events.count && events.worst->cpu >= 0)
		snprintf(text + strlen(text), size - strlen(text), " on CPU %d", events.worst->cpu);
	if (all->count > 1 && worst->source->ops->observes)
		snprintf(text + strlen(text), size - strlen(text), " in thread %s", worst->name);
}

static int64_t least_of(const struct all *all)
{
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < all->count; i++)
		least = lesser(least, all->sums[i]->moments[LATENCY].min);
	return least;
}

static const char *name_of_latency(enum measures measures)
{
	return measures_either(measures) ? "delay" : measures_schedule(measures) ? "lateness" : "wake-up";
}

static void tell_latency(struct block *block, const struct all *all)
{
	char least[UNITS_TEXT], most[UNITS_TEXT], drawn[SKETCH_SIZE], place[96];

	units_figure(least_of(all), least);
	units_figure(sums_max(all->sums, all->count), most);
	block_row(block, name_of_latency(all->reports->source->ops->measures));
	put_quantile(block, all, "p50", P50);
	put_quantile(block, all, "p99", P99);
	put_quantile(block, all, "p99.9", P99_9);
	block_put(block, "max %s", most);
	block_end_row(block);
	sketch(drawn, all->sums, all->count, block->unicode);
	tell_place(all, place, sizeof(place));
	block_row(block, "");
	block_put(block, "%s %s %s%s", least, drawn, most, place);
	block_end_row(block);
}

/* Who had the CPU longest while the worst was late. */
static void tell_worst(struct block *block, const struct all *all)
{
	const char *sentence = report_sentence(all->worst);

	if (!sentence)
		return;
	block_row(block, "worst");
	block_put(block, "%s", sentence);
	block_end_row(block);
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
	block_end_row(block);
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
		text_append(text, sizeof(text), " %s %s %s", most->source->ops->observes ? "in" : "on",
			    noun_of_part(all), most->name);
	if (limit->share) {
		char percent[LIMIT_TEXT];

		text_append(text, sizeof(text), "; %s %% allow %" PRIu64, limit_percent(limit, percent),
			    limit_allows(limit, count));
	}
	block_row(block, "limit");
	block_paint(block, exceeded ? RED : GREEN);
	block_put(block, "%s", text);
	block_end_row(block);
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
		block_end_row(block);
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
	bool exceeded = false;

	for (unsigned i = 0; i < all->count; i++)
		exceeded |= report_is_exceeded(&all->reports[i]);
	block_row(block, "report");
	block_put(block, "%s", where);
	if (block->terminal && (!options->output || strcmp(options->output, "-")))
		block_put(block, "next: realfeel-analyze %s%s", next_verb(options, exceeded), where);
	block_end_row(block);
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
	if (reports->source->ops->observes)
		observed_tell(&block, reports, all.worst);
	else
		tell_missed(&block, &all);
	tell_limit(&block, &all);
	tell_break(&block, &all);
	tell_report(&block, &all, where);
	tell_verdict(&block, &all);
}
