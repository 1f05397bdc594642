// SPDX-License-Identifier: GPL-2.0-or-later
/* What came of a run: its status, what its verdict is based on, why the worst wake-up was late, and the exit status. */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/sysinfo.h"
#include "report/report.h"

/*
 * Did the source keep the schedule that lateness is measured against? It was too
 * fast if a wake-up came more than the uncertainty before its period was due. It was
 * too slow if in a whole slice every wake-up was late by a period and the
 * uncertainty, or more: the next period was then due, but was not counted as missed.
 */
static void check_schedule(const struct totals *totals, uint64_t period_ns, uint64_t uncertainty_ns, char text[128])
{
	const struct sums *sums = totals_sums(totals);
	const struct slice *slice;

	for (unsigned i = 0; (slice = totals_slice(totals, i)); i++)
		if (slice->moments[LATENCY].min >= (int64_t)(period_ns + uncertainty_ns))
			break;
	if (sums->samples && sums->moments[LATENCY].min < -(int64_t)uncertainty_ns)
		snprintf(text, 128, "contradicted: a wake-up came %" PRId64 " ns before its period was due",
			 -sums->moments[LATENCY].min);
	else if (slice)
		snprintf(text, 128, "contradicted: from %.3f s to %.3f s no wake-up was less than a period late",
			 (slice->from_ns - sums->from_ns) / 1e9, (slice->to_ns - sums->from_ns) / 1e9);
	else
		strcpy(text, "kept");
}

/* How late a wake-up was, and what was recorded before it: the caller frees the records. */
static struct lateness lateness_of(const struct report *report, const struct event *event)
{
	const struct channel *channel = report->channel;
	bool observed = report->source->threads;
	struct lateness lateness = {
		.event = event, .task.pid = observed ? channel->thread.id : channel->meter, .observed = observed,
	};

	strcpy(lateness.task.comm, observed ? channel->thread.name : "");
	lateness.records = report_decode(report, event, totals_recording(report->totals, event), &lateness.count);
	return lateness;
}

/*
 * How much of its lateness do records explain, of a wake-up that the guard may have delayed? Only theirs
 * are decoded. prio is the lowest kernel priority on their path: on PREEMPT_RT a thread may expire the timer.
 */
static void look_at_events(struct report *report)
{
	const struct events *events = &totals_sums(report->totals)->events;
	const struct channel *channel = report->channel;
	struct evidence *evidence = &report->evidence;
	int64_t guard_ns = report->disturbances->guard_ns;
	const struct source_ops *ops = report->source->ops;
	const struct sched_state *began = ops->takes_target ? &channel->thread.state : &channel->began;
	bool in_thread = ops->in_thread && kernel_is_rt(), deadline = began->policy == SCHED_DEADLINE;
	int prio = !deadline && !began->priority ? TRACE_NICE_0 : in_thread ? TRACE_LEAST_RT : deadline ? -1 :
		   TRACE_LEAST_RT - began->priority;

	for (unsigned i = 0; guard_ns && i < events->count; i++) {
		int64_t late_ns = events->worst[i].late_ns, explained_ns;
		struct lateness lateness;

		if (late_ns < guard_ns / 2)
			continue;
		lateness = lateness_of(report, &events->worst[i]);
		explained_ns = reason_not_throttled_ns(&lateness, prio, in_thread);
		free((void *)lateness.records);
		if (late_ns - explained_ns <= evidence->late_ns - evidence->explained_ns)
			continue;
		evidence->late_ns = late_ns;
		evidence->explained_ns = explained_ns;
	}
}

/*
 * Which disturbances may have made the figures? For some bin, at least half of the wake-ups in
 * it or above lie in slices so disturbed. The least bin is that of the limit or, if less, of the value
 * that 1 in 1,000 exceed; with fewer wake-ups, of the worst.
 */
static unsigned seen_at_worst(const struct totals *totals, int64_t limit_ns)
{
	const struct sums *sums = totals_sums(totals);
	int64_t max_ns = sums_max(&sums, 1), ns = sums_quantile(&sums, 1, P99_9);
	uint64_t all = 0, within[SEEN_KINDS] = { 0 };
	const struct slice *slice;
	unsigned at_worst = 0;

	if (ns == NO_LATENCY)
		ns = max_ns;
	if (limit_ns)
		ns = lesser(ns, limit_ns);
	for (unsigned bin = hist_coarse_bin(greater(max_ns, 0)) + 1; bin-- > hist_coarse_bin(greater(ns, 0)); ) {
		for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
			all += slice->bins[bin];
			for (unsigned seen = slice->seen; seen; seen &= seen - 1)
				within[__builtin_ctz(seen)] += slice->bins[bin];
		}
		for (enum seen seen = 0; seen < SEEN_KINDS; seen++)
			at_worst |= (unsigned)(within[seen] && 2 * within[seen] >= all) << seen;
	}
	return at_worst;
}

/* If the meter has ended meanwhile, it may have been read after it gave its rights back: that is dropped. */
static void gather(struct report *report)
{
	const struct run *run = report->run;
	const struct options *options = run->options;
	const struct channel *channel = report->channel;
	const struct sums *sums = totals_sums(report->totals);
	struct evidence *evidence = &report->evidence;
	bool limited = (options->samples || options->duration_ns) && !options_observes_command(options);

	*evidence = (struct evidence){
		.meter = channel->ended, .children = channel->children.ended,
		.at_worst = seen_at_worst(report->totals, options->max.ns),
	};
	if (report->running && channel->meter) {
		sched_state_read(channel->meter, &evidence->meter);
		children_look(&channel->children, &evidence->children);
		if (channel->end)
			evidence->meter.cpus = evidence->children.cpus = 0;
	}
	check_schedule(report->totals, report->source->period_ns,
		       channel->anchor_uncertainty_ns + sums->figures.clock_error_ns, evidence->schedule);
	look_at_events(report);
	load_doubt(run->load, sums->from_ns, sums->to_ns, limited, evidence->load, sizeof(evidence->load));
	if (report->after)
		sysinfo_tell_changes(run->machine, report->after, evidence->changes, sizeof(evidence->changes));
}

unsigned report_count_begun(const struct report *reports)
{
	unsigned count = reports->most;

	while (reports->source->threads && count > 1 && !reports[count - 1].channel->thread.id)
		count--;
	return count;
}

/*
 * Did the run reach the end that the user set? A run without one is complete when it
 * is interrupted. A command that is the load ends the run with it; a job of --load
 * goes on for as long as the run.
 */
static const char *status_of(const struct report *report)
{
	const struct options *options = report->run->options;
	bool endless = !options->samples && !options->duration_ns && (!options->load || options->job);

	if (report->running && !*report->over)
		return "checkpoint";
	switch (report->channel->end) {
	case END_BREAK:
	case END_BREAK_ELSEWHERE:
		return "break";
	case END_SAMPLES:
	case END_DURATION:
	case END_LOAD:
	case END_GONE:
		return "complete";
	case END_ASKED:
		return endless && !report->taken_over ? "complete" : "interrupted";
	default:
		return "interrupted";
	}
}

/* A thread that slept has no part, and a single wake-up with a record missing is not a measurement. */
void report_sum_up(struct report *reports, bool running, const struct machine *after)
{
	struct report *end = reports + report_count_begun(reports);
	unsigned parts = 0;
	uint64_t samples = 0;
	time_t first = 0;

	reports->count = end - reports;
	for (const struct report *report = reports; report < end; report++) {
		time_t started = report->channel->started;

		samples += totals_sums(report->totals)->samples;
		if (started && (!first || started < first))
			first = started;
	}
	for (struct report *report = reports; report < end; report++) {
		const struct sums *sums = totals_sums(report->totals);

		report->idle = report->source->threads && samples && !sums->samples;
		report->part = report->idle && sums->figures.unmatched <= 1 ? 0 : ++parts;
		report->running = running;
		report->taken_over = reports->taken_over;
		report->started = first;
		report->after = after;
		report->status = status_of(report);
		gather(report);
		report_judge(report);
	}
	for (struct report *report = reports; report < end; report++)
		report->parts = parts;
}

bool report_is_exceeded(const struct report *report)
{
	return report->channel->end == END_BREAK ||
	       sums_exceed(totals_sums(report->totals), &report->run->options->max);
}

/* 1 is the worst, then 2, then 3; 0 is the best. */
enum exit_status report_exit_status(const struct report *reports, bool saved)
{
	enum exit_status worst = saved ? EXIT_MEASURED : EXIT_NOT_MEASURED;

	for (const struct report *report = reports; report < reports + reports->count; report++) {
		enum exit_status status = strcmp(report->status, "complete") ? EXIT_INTERRUPTED : EXIT_MEASURED;

		if (report_is_exceeded(report))
			status = EXIT_EXCEEDED;
		if (report->verdict.grade == INVALID && !report->run->options->best_effort)
			status = EXIT_NOT_MEASURED;
		if (status && (!worst || status < worst))
			worst = status;
	}
	return worst;
}

const char *report_sentence(struct report *report)
{
	const char *since = report->source->ops->measures == SINCE_ASKED ? "after the request" : "late";
	struct events events = totals_sums(report->totals)->events;
	const struct event *worst = events.worst;
	char reason[REASON_SIZE], *text = report->sentence;

	events_sort(&events);
	if (events.count && worst->stamp_ns != report->sentence_ns) {
		struct lateness lateness = lateness_of(report, worst);
		bool long_one = worst->late_ns >= 1000000;

		report->sentence_ns = worst->stamp_ns;
		reason_of(&lateness, reason);
		free((void *)lateness.records);
		snprintf(text, SENTENCE_SIZE, "%.*f %s %s: %s", long_one ? 3 : 1,
			 worst->late_ns / (long_one ? 1e6 : 1e3), long_one ? "ms" : "us", since, reason);
		if (!*reason)
			*text = '\0';
		for (; *text; text++)	/* a task may have any name */
			if (*text < ' ' || *text > '~')
				*text = '?';
	}
	return report->sentence;
}
