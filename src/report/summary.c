// SPDX-License-Identifier: GPL-2.0-or-later
/* The result of the run on standard error: a few rows, the figures first and the verdict last. */
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "report/report.h"

#define LABEL_COLUMNS 10
#define GREEN "32"
#define YELLOW "33"
#define RED "31"

static void show_quantiles(struct block *block, const struct all *all, const char *label)
{
	static const struct {
		const char *name;
		unsigned quantile;
	} quantiles[] = { { "p50", P50 }, { "p99", P99 }, { "p99.9", P99_9 } };
	int64_t max_ns = sums_max(all->sums, all->count);
	char text[UNITS_TEXT];

	for (int i = 0; i < 3; i++) {
		int64_t ns = sums_quantile(all->sums, all->count, quantiles[i].quantile);
		bool supported = sums_support(all->sums, all->count, quantiles[i].quantile);

		if (ns == NO_LATENCY)
			continue;
		block_item(block, label, NULL, "%s %s%s", quantiles[i].name, supported ? "" : "~",
			   units_figure(ns, text));
		label = NULL;
	}
	block_item(block, label, NULL, "max %s", units_figure(max_ns, text));
}

/* After the sketch: when and where it was: " at 9.460 s on CPU 1", " at 9.460 s on CPU 1 in thread 4711 loop". */
static void show_latency(struct block *block, const struct all *all, bool unicode)
{
	enum measures measures = all->ops->measures;
	const char *label = measures_either(measures) ? "delay" : measures_schedule(measures) ? "lateness" : "wake-up";
	const struct sums *sums = totals_sums(all->worst->totals);
	struct events events = sums->events;
	char least[UNITS_TEXT], most[UNITS_TEXT], drawn[SKETCH_SIZE];

	show_quantiles(block, all, label);
	histogram_sketch(drawn, all, unicode);
	block_item(block, "histogram", NULL, "%s %s %s", units_figure(all->least_ns, least), drawn,
		   units_figure(sums_max(all->sums, all->count), most));
	events_sort(&events);
	if (events.count)
		block_add(block, " at %.3f s", (events.worst->stamp_ns - sums->from_ns) / 1e9);
	if (events.count && events.worst->cpu >= 0)
		block_add(block, " on CPU %d", events.worst->cpu);
	if (all->count > 1 && all->ops->takes_target)
		block_add(block, " in thread %s", all->worst->name);
}

static void show_missed(struct block *block, const struct all *all)
{
	unsigned hz = all->reports->source->hz;

	block_item(block, "missed", NULL, "%" PRIu64 " of %" PRIu64 " %s of %s", all->missed,
		   all->samples + all->missed, all->counted, all->ops->name);
	if (hz)
		block_add(block, " at %u Hz", hz);
	if (all->count > 1)
		block_add(block, " on %u CPUs", all->count);
}

/*
 * "1234 sleeper, fifo 80, on CPUs 0-1"; of several, the worst: "the worst of 8: 1234 sleeper, ...". Then "; ended
 * after 3.2 s" or, if it slept until then, "; ended"; "; 2 ended", "; 1 began, which is not measured".
 */
static void show_thread(struct block *block, const struct all *all)
{
	const struct thread *thread = &all->worst->channel->thread;
	unsigned newcomers = all->reports->channel->thread.newcomers;
	bool alone = all->count == 1;

	block_item(block, "thread", NULL, "%s", "");
	if (!alone)
		block_add(block, "the worst of %u: ", all->count);
	block_add(block, "%d %s", thread->id, thread->name);
	if (alone && thread->siblings > 1)
		block_add(block, " (one of %u of its process)", thread->siblings);
	block_add(block, ", %s", sched_state_policy_name(thread->state.policy));
	if (thread->state.priority)
		block_add(block, " %d", thread->state.priority);
	block_add(block, ", on CPU%s %s", thread->state.cpus > 1 ? "s" : "", thread->cpus);
	if (all->ended && !alone)
		block_add(block, "; %u ended", all->ended);
	else if (all->ended)
		block_add(block, "; ended");
	if (all->ended && alone && all->samples)
		block_add(block, " after %.1f s", (all->to_ns - all->from_ns) / 1e9);
	if (newcomers)
		block_add(block, "; %u began, which %s not measured", newcomers, newcomers > 1 ? "are" : "is");
}

/* What woke them. Without a timer grid nothing can be missed; of several threads, the worst is shown. */
static void show_woken(struct block *block, const struct all *all)
{
	const struct figures *figures = &totals_sums(all->worst->totals)->figures;
	bool several = all->count > 1;
	char time[UNITS_TEXT];

	block_item(block, "woken", NULL, "%" PRIu64 " of %" PRIu64 " times by %s", all->timed, all->samples,
		   several ? "their own timers" : "its own timer");
	if (!several && !all->timed && all->to_ns > all->from_ns)
		block_add(block, ", %.5g times a second by others", all->samples * 1e9 / (all->to_ns - all->from_ns));
	if (all->slack_ns)
		block_add(block, ", which the kernel may delay by %s", units_figure(all->slack_ns / all->timed, time));
	if (figures->inferred_period_ns > 0)
		block_add(block, ", %sapparently every %s, %" PRIu64 " missed", several ? "that of the worst " : "",
			  units_figure(figures->inferred_period_ns, time), figures->inferred_missed);
	if (all->unmatched)
		block_add(block, "; %" PRIu64 " more with incomplete records", all->unmatched);
	if (all->preempted)
		block_item(block, "preempted", NULL, "after %" PRIu64 " of these wake-ups, for %s at most",
			   all->preempted, units_figure(all->preempted_ns, time));
}

/* "48.368 a second, not 50: it sleeps 20.00 ms from when it is done, so its work adds up"; for the worst of several. */
static void show_rate(struct block *block, const struct all *all)
{
	const struct figures *figures = &totals_sums(all->worst->totals)->figures;
	uint64_t step_ns = figures->inferred_sleep_ns < 1000000 ? 1000 : 10000;
	uint64_t sleep_ns = (figures->inferred_sleep_ns + step_ns / 2) / step_ns * step_ns;
	double on_grid = figures->inferred_hz * figures->inferred_period_ns / 1e9;	/* below 0: there is none */
	const char *sleep = units_figure(sleep_ns, (char[UNITS_TEXT]){ "" });

	if (figures->inferred_hz <= 0)
		return;
	block_item(block, "rate", NULL, "%s%.5g a second", all->count > 1 ? "the worst: " : "", figures->inferred_hz);
	if (sleep_ns)
		block_add(block, ", not %.5g: it sleeps %s from when it is done, so its work adds up", 1e9 / sleep_ns,
			  sleep);
	else if (on_grid > 0 && on_grid <= 0.9999 && figures->inferred_missed)
		block_add(block, ", not %.5g: it was not asleep at %" PRIu64 " of its periods",
			  1e9 / figures->inferred_period_ns, figures->inferred_missed);
	else
		block_add(block, on_grid > 0.9999 ? ", on a fixed grid: lateness does not add up" :
			  " by its own timer, after sleeps that vary");
}

/* Each CPU must meet the limit; the one with the most above it is shown, or the worst if none is above it. */
static void show_limit(struct block *block, const struct all *all)
{
	const struct limit *limit = &all->options->max;
	const struct report *most = all->worst;
	const struct sums *sums = totals_sums(most->totals);
	char text[LIMIT_TEXT];
	bool exceeded;

	if (!limit->ns)
		return;
	for (unsigned i = 0; i < all->count; i++)
		if (sums_above(all->sums[i], limit->ns) > sums_above(sums, limit->ns)) {
			most = &all->reports[i];
			sums = all->sums[i];
		}
	exceeded = sums_exceed(sums, limit);
	block_item(block, "limit", exceeded ? RED : GREEN, "%s: counted %" PRIu64 " of %" PRIu64 " %s later than %s",
		   exceeded ? "exceeded" : "kept", sums_above(sums, limit->ns), sums->samples + sums->missed,
		   all->counted, units_spell(limit->ns, " ", text));
	if (all->count > 1)
		block_add(block, " %s %s %s", all->ops->takes_target ? "in" : "on", all->noun, most->name);
	if (limit->share)
		block_add(block, "; %s %% allow %" PRIu64, limit_percent(limit, text),
			  limit_allows(limit, sums->samples + sums->missed));
}

static void show_break(struct block *block, const struct all *all)
{
	const struct report *report = all->reports;
	char time[UNITS_TEXT];

	while (report < all->reports + all->count && report->channel->end != END_BREAK)
		report++;
	if (report == all->reports + all->count)
		return;
	block_item(block, "break", NULL, "ended at the first delay above %s",
		   units_spell(all->options->break_ns, " ", time));
	block_item(block, NULL, NULL, "trace: %s", report->channel->trace);
}

/* Also print what will be wanted next. If nothing may be above the limit, judge would only repeat what failed. */
static void show_file(struct block *block, const struct all *all, const char *where)
{
	const struct options *options = all->options;
	const char *verb = "";

	block_item(block, "report", NULL, "%s", where);
	if (!isatty(fileno(block->out)) || (options->output && !strcmp(options->output, "-")))
		return;
	if (options->explain && (all->exceeded || !options->max.ns))
		verb = "explain ";
	else if (options->max.ns && (options->max.share || !all->exceeded))
		verb = "judge ";
	block_item(block, NULL, NULL, "next: realfeel-analyze %s%s", verb, where);
}

/*
 * ": CPU 1: the hypervisor took 40 ms of CPU time, and 2 more", without the CPU if all have that cause. It is taken
 * from the first report of the worst grade that has a cause.
 */
static void show_verdict(struct block *block, const struct all *all)
{
	static const struct {
		const char *name, *colour;
	} grades[] = {
		[VALID] = { "valid", GREEN }, [SUSPECT] = { "SUSPECT", YELLOW }, [INVALID] = { "INVALID", RED },
	};
	const struct report *first = all->reports, *end = first + all->count;
	unsigned with_cause = 0, further = 0;

	block_item(block, "run", grades[all->grade].colour, "%s", grades[all->grade].name);
	while (first < end && (first->verdict.grade != all->grade || !*first->verdict.cause))
		first++;
	for (unsigned i = 0; first < end && i < all->count; i++) {
		const struct verdict *verdict = &all->reports[i].verdict;
		unsigned reasons = verdict->grade ? verdict->reason_count : verdict->remark_count;
		bool same = !strcmp(verdict->cause, first->verdict.cause);

		with_cause += same;
		further += reasons - (same && reasons);
	}
	if (first < end) {
		block_add(block, all->grade ? ": " : "; remark: ");
		if (with_cause < all->reports->parts)
			block_add(block, "%s %s: ", all->noun, first->name);
		block_add(block, "%s", first->verdict.cause);
	}
	if (further)
		block_add(block, ", and %u more", further);
}

/* How an incomplete run ended: "interrupted after 4.0 s of 60 s". */
static void show_end(struct block *block, const struct all *all)
{
	uint64_t duration_ns = all->options->duration_ns, to_ns = all->cut_ns ? all->cut_ns : all->to_ns;

	if (!all->cut_short)
		return;
	block_item(block, NULL, NULL, "%s after %.1f s", strcmp(all->cut_short, "break") ? all->cut_short :
		   "ended by --break", to_ns ? (to_ns - all->from_ns) / 1e9 : 0);
	if (duration_ns) {
		char time[UNITS_TEXT];

		block_add(block, " of %s", units_spell(duration_ns, " ", time));
	}
}

/* On a terminal it is in colour unless NO_COLOR is set or the terminal is dumb. */
void report_summarize(const struct report *reports, const char *where)
{
	const struct all all = all_of(reports);
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	struct block block = block_begin(stderr, LABEL_COLUMNS);
	bool terminal = isatty(STDERR_FILENO);

	if (all.options->quiet)
		return;
	setlocale(LC_CTYPE, "");
	block.colour = terminal && !(no_color && *no_color) && term && *term && strcmp(term, "dumb");
	if (all.count > 1)
		table_print(stderr, &all, "\n");
	if (all.samples)
		show_latency(&block, &all, terminal && !strcmp(nl_langinfo(CODESET), "UTF-8"));
	if (all.ops->takes_target) {
		show_thread(&block, &all);
		show_woken(&block, &all);
		show_rate(&block, &all);
	} else {
		show_missed(&block, &all);
	}
	show_limit(&block, &all);
	show_break(&block, &all);
	show_file(&block, &all, where);
	show_verdict(&block, &all);
	show_end(&block, &all);
	block_end(&block);
}
