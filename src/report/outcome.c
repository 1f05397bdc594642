// SPDX-License-Identifier: GPL-2.0-or-later
/* What came of a run: its status, what its verdict is based on, why the worst wake-up was late, and the exit status. */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/sysinfo.h"
#include "report/report.h"
#include "trace/record.h"

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
	unsigned i = 0;

	do
		slice = totals_slice(totals, i++);
	while (slice && slice->moments[LATENCY].min < (int64_t)(period_ns + uncertainty_ns));
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
	const struct recording *recording = totals_recording(report->totals, event);
	const struct cpu_ring *flight = flights_of(report->run->flights, event->cpu);
	const struct trace_layout *layout = flight ? &flight->layout : &channel->tap_state->layout;
	bool observed = report->source->threads;
	struct lateness lateness = {
		.event = event, .task.pid = observed ? channel->thread.id : channel->meter, .observed = observed,
	};

	strcpy(lateness.task.comm, observed ? channel->thread.name : "");
	if (recording)
		lateness.records = trace_decode(layout, recording->data, recording->used, &lateness.count);
	return lateness;
}

/*
 * How much of their lateness do records explain, of the wake-ups that the guard may have
 * delayed? Only theirs are decoded: a checkpoint does this once a minute. prio is the lowest
 * kernel priority on their path: on PREEMPT_RT a thread may expire the timer.
 */
static void look_at_events(struct report *report)
{
	const struct events *events = &totals_sums(report->totals)->events;
	int64_t guard_ns = report->disturbances->guard_ns;
	struct evidence *evidence = &report->evidence;
	const struct source_ops *ops = report->source->ops;
	const struct sched_state *began = ops->takes_target ? &report->channel->thread.state : &report->channel->began;
	bool in_thread = ops->in_thread && kernel_is_rt();
	int prio = began->policy == SCHED_DEADLINE ? -1 : TRACE_LEAST_RT - began->priority;

	if (began->policy != SCHED_DEADLINE && !began->priority)
		prio = TRACE_NICE_0;
	else if (in_thread)
		prio = TRACE_LEAST_RT;
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

/* For some bin from first on, do at least half of the wake-ups in it or above lie in slices so disturbed? */
static bool is_at_latest(const struct totals *totals, enum seen seen, unsigned first)
{
	uint64_t all = 0, within = 0;
	const struct slice *slice;

	for (unsigned bin = HIST_COARSE_BINS; bin-- > first && !(within && 2 * within >= all); ) {
		for (unsigned i = 0; (slice = totals_slice(totals, i)); i++) {
			all += slice->bins[bin];
			if (slice->seen & 1U << seen)
				within += slice->bins[bin];
		}
	}
	return within && 2 * within >= all;
}

/*
 * Which disturbances may have made the figures? Those in whose slices at least half of
 * the wake-ups lie that are later than some value: the limit, or that of 999 in
 * 1,000. With fewer wake-ups it is the latest.
 */
static unsigned seen_at_latest(const struct totals *totals, int64_t limit_ns)
{
	const struct sums *sums = totals_sums(totals);
	int64_t ns = sums_quantile(&sums, 1, P99_9);
	unsigned at_latest = 0;

	if (ns == NO_LATENCY)
		ns = sums_max(&sums, 1);
	if (limit_ns)
		ns = lesser(ns, limit_ns);
	for (enum seen seen = 0; seen < SEEN_KINDS; seen++)
		if (totals_seen_ms(totals, seen) && is_at_latest(totals, seen, hist_coarse_bin(greater(ns, 0))))
			at_latest |= 1U << seen;
	return at_latest;
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
		.at_latest = seen_at_latest(report->totals, options->max.ns),
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

/*
 * Did the run reach the end that the user set? A run without one is complete when it
 * is interrupted. A command that is the load ends the run with it; a job of --load
 * goes on for as long as the run.
 */
static bool is_complete(const struct report *report)
{
	const struct options *options = report->run->options;
	enum end end = report->channel->end;

	switch (end) {
	case END_SAMPLES:
	case END_DURATION:
	case END_LOAD:
	case END_GONE:
		return true;
	case END_ASKED:
		return !options->samples && !options->duration_ns && (!options->load || options->job) &&
		       !report->taken_over;
	default:
		return false;
	}
}

unsigned report_count_begun(const struct report *reports)
{
	unsigned count = reports->most;

	while (reports->source->threads && count > 1 && !reports[count - 1].channel->thread.id)
		count--;
	return count;
}

/* A thread that slept has no part, and a single wake-up of which a record is missing is no measurement. */
void report_sum_up(struct report *reports, bool running, const struct machine *after)
{
	unsigned parts = 0, count = report_count_begun(reports);
	uint64_t samples = 0;
	time_t first = 0;

	for (unsigned i = 0; i < reports->most; i++)
		reports[i].count = count;
	for (unsigned i = 0; i < count; i++) {
		time_t started = reports[i].channel->started;

		samples += totals_sums(reports[i].totals)->samples;
		if (started && (!first || started < first))
			first = started;
	}
	for (struct report *report = reports; report < reports + count; report++) {
		const struct sums *sums = totals_sums(report->totals);

		report->idle = report->source->threads && samples && !sums->samples;
		report->part = report->idle && sums->figures.unmatched <= 1 ? 0 : ++parts;
		report->running = running;
		report->taken_over = reports->taken_over;
		report->started = first;
		report->after = after;
		report->status = is_complete(report) ? "complete" : "interrupted";
		if (report->channel->end == END_BREAK || report->channel->end == END_BREAK_ELSEWHERE)
			report->status = "break";
		if (running && !*report->over)
			report->status = "checkpoint";
		gather(report);
		report_judge(report);
	}
	for (unsigned i = 0; i < count; i++)
		reports[i].parts = parts;
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
		enum exit_status status = is_complete(report) ? EXIT_MEASURED : EXIT_INTERRUPTED;

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
	struct lateness lateness;

	events_sort(&events);
	if (events.count && worst->stamp_ns != report->sentence_ns) {
		bool long_one = worst->late_ns >= 1000000;

		report->sentence_ns = worst->stamp_ns;
		lateness = lateness_of(report, worst);
		reason_of(&lateness, reason);
		free((void *)lateness.records);
		*text = '\0';
		if (*reason)
			snprintf(text, SENTENCE_SIZE, "%.*f %s %s: %s", long_one ? 3 : 1,
				 worst->late_ns / (long_one ? 1e6 : 1e3), long_one ? "ms" : "us", since, reason);
		for (; *text; text++)	/* a task may have any name */
			if (*text < ' ' || *text > '~')
				*text = '?';
	}
	return *report->sentence ? report->sentence : NULL;
}
