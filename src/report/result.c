// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/reason.h"
#include "explain/tap.h"
#include "host/sysinfo.h"
#include "report/report.h"
#include "trace/record.h"

/*
 * Did the run reach the end that the user set? A run without one is complete when it
 * is interrupted. A command that is the load ends the run with it; a job of --load
 * goes on for as long as the run.
 */
static bool is_complete(const struct report *report)
{
	const struct options *options = report->run->options;

	switch (report->channel->end) {
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

static const char *status_word(const struct report *report)
{
	enum end end = report->channel->end;

	if (report->running && !*report->over)
		return "checkpoint";
	if (end == END_BREAK || end == END_BREAK_ELSEWHERE)
		return "break";
	return is_complete(report) ? "complete" : "interrupted";
}

bool report_is_exceeded(const struct report *report)
{
	return report->channel->end == END_BREAK ||
	       sums_exceed(totals_sums(report->totals), &report->run->options->max);
}

/* If the meter has ended meanwhile, it may have been read after it gave its rights back: that is dropped. */
static void look_at_meter(struct report *report)
{
	const struct channel *channel = report->channel;

	report->sched_state = channel->ended;
	report->children_state = channel->children.ended;
	if (!report->running || !channel->meter)
		return;
	sched_state_read(channel->meter, &report->sched_state);
	children_look(&channel->children, &report->children_state);
	if (channel->end)
		report->sched_state.cpus = report->children_state.cpus = 0;
}

/* How late a wake-up was, and what was recorded before it; the caller frees the records. NULL: nothing. */
static struct lateness lateness_of(const struct report *report, const struct event *event,
				   struct trace_record **records)
{
	const struct channel *channel = report->channel;
	const struct recording *recording = totals_recording(report->totals, event);
	const struct flight *flight = flights_of(report->run->flights, event->cpu);
	const struct trace_layout *layout = flight ? &flight->layout : &channel->tap_state->layout;
	bool observed = report->source->ops->observes;
	struct lateness lateness = {
		.event = event, .task.pid = observed ? channel->thread.id : channel->meter, .observed = observed,
	};

	strcpy(lateness.task.comm, observed ? channel->thread.name : "");
	*records = recording ? trace_decode(layout, recording->data, recording->used, &lateness.count) : NULL;
	lateness.records = *records;
	return lateness;
}

/* The lowest kernel priority on the path of a wake-up: on PREEMPT_RT a thread may expire the timer. */
static int last_prio(const struct report *report)
{
	const struct channel *channel = report->channel;
	const struct sched_state *began = report->source->ops->observes ? &channel->thread.state : &channel->began;
	int prio = TRACE_NICE_0;

	if (began->policy == SCHED_DEADLINE)
		prio = -1;
	else if (began->priority)
		prio = TRACE_LEAST_RT - began->priority;
	return prio < TRACE_NICE_0 && report->source->ops->in_thread && kernel_is_rt() ? TRACE_LEAST_RT : prio;
}

/* The records are decoded only of wake-ups that are late enough: a checkpoint does this once a minute. */
static void look_at_events(const struct report *report, struct evidence *evidence)
{
	const struct events *events = &totals_sums(report->totals)->events;
	bool in_thread = report->source->ops->in_thread && kernel_is_rt();
	int prio = last_prio(report);

	for (unsigned i = 0; i < events->count; i++) {
		int64_t late_ns = events->worst[i].late_ns, explained_ns;
		struct trace_record *records;
		struct lateness lateness;

		if (!guard_may_delay(report->disturbances, late_ns))
			continue;
		lateness = lateness_of(report, &events->worst[i], &records);
		explained_ns = reason_not_throttled_ns(&lateness, prio, in_thread);
		if (late_ns - explained_ns > evidence->late_ns - evidence->explained_ns) {
			evidence->late_ns = late_ns;
			evidence->explained_ns = explained_ns;
		}
		free(records);
	}
}

/* Wake-ups count that are later than 999 in 1,000, or than the limit. With fewer it is the latest. */
static void look_at_disturbances(const struct report *report, struct evidence *evidence)
{
	const struct sums *sums = totals_sums(report->totals);
	int64_t limit_ns = report->run->options->max.ns, ns = sums_quantile(&sums, 1, P99_9);

	if (ns == NO_LATENCY)
		ns = sums_max(&sums, 1);
	if (limit_ns)
		ns = lesser(ns, limit_ns);
	evidence->at_latest = disturbed_at_latest(report->totals, ns);
	for (enum seen seen = 0; seen < SEEN_KINDS; seen++)
		evidence->seen_ms[seen] = totals_seen_ms(report->totals, seen);
}

/* Nothing woke this thread of another program, but others of it. */
static bool is_idle(const struct report *report)
{
	const struct report *first = report - (report->number - 1);
	uint64_t samples = 0;

	for (unsigned i = 0; i < report->count; i++)
		samples += totals_sums(first[i].totals)->samples;
	return report->source->ops->observes && samples && !totals_sums(report->totals)->samples;
}

static void sum_up(struct report *report)
{
	const struct run *run = report->run;
	const struct options *options = run->options;
	const struct sums *sums = totals_sums(report->totals);
	char load[256], changes[2048] = "";
	struct evidence evidence = {
		.channel = report->channel, .sums = sums,
		.source = report->source, .policy = options->policy,
		.priority = options->priority, .idle = is_idle(report),
		.running = report->running && !*report->over,
		.sched_state = &report->sched_state, .children_state = &report->children_state,
		.disturbances = report->disturbances,
		.steal_ms = steal_of(&report->disturbances->steal, report->cpu),
		.changes = changes, .load = load,
		.explained = report->channel->tap_state->level,
	};

	report->status = status_word(report);
	evidence.schedule_kept = schedule_kept(report->totals, report->source->period_ns,
					       report->channel->anchor_uncertainty_ns + sums->figures.clock_error_ns,
					       report->schedule, sizeof(report->schedule));
	look_at_meter(report);
	look_at_events(report, &evidence);
	look_at_disturbances(report, &evidence);
	load_doubt(run->load, sums->from_ns, sums->to_ns, (options->samples || options->duration_ns) &&
		   !options_observes_command(options), load, sizeof(load));
	if (report->after)
		sysinfo_tell_changes(run->machine, report->after, changes, sizeof(changes));
	if (report->part)
		verdict_find(&report->verdict, &evidence);
	else
		report->verdict = (struct verdict){ .grade = VALID, .text = "valid" };
}

/* 0: no meter has started. */
static time_t first_start(const struct report *reports)
{
	time_t first = 0;

	for (unsigned i = 0; i < reports->count; i++) {
		time_t started = reports[i].channel->started;

		if (started && (!first || started < first))
			first = started;
	}
	return first;
}

/* Those of a command are threads, up to the last that has begun. */
static unsigned count_begun(const struct report *reports)
{
	unsigned count = reports->most;

	while (reports->source->ops->observes && count > 1 && !reports[count - 1].channel->thread.id)
		count--;
	return count;
}

void report_sum_up(struct report *reports, bool running, const struct machine *after)
{
	const time_t started = first_start(reports);
	unsigned parts = 0, count = count_begun(reports);

	for (unsigned i = 0; i < reports->most; i++)
		reports[i].count = count;
	for (unsigned i = 0; i < reports->count; i++) {
		/* A single wake-up of which a record is missing is no measurement. */
		bool asleep = is_idle(&reports[i]) && totals_sums(reports[i].totals)->figures.unmatched <= 1;

		reports[i].part = asleep ? 0 : ++parts;
		reports[i].running = running;
		reports[i].taken_over = reports->taken_over;
		reports[i].started = started;
		reports[i].after = after;
		sum_up(&reports[i]);
	}
	for (unsigned i = 0; i < reports->count; i++)
		reports[i].parts = parts;
}

static enum exit_status status_of(const struct report *report)
{
	if (report->verdict.grade == INVALID && !report->run->options->best_effort)
		return EXIT_NOT_MEASURED;
	if (report_is_exceeded(report))
		return EXIT_EXCEEDED;
	return is_complete(report) ? EXIT_MEASURED : EXIT_INTERRUPTED;
}

/* 1 is the worst, then 2, then 3; 0 is the best. */
enum exit_status report_exit_status(const struct report *reports, bool saved)
{
	enum exit_status worst = saved ? EXIT_MEASURED : EXIT_NOT_MEASURED;

	for (unsigned i = 0; i < reports->count; i++) {
		enum exit_status status = status_of(&reports[i]);

		if (status && (!worst || status < worst))
			worst = status;
	}
	return worst;
}

static void write_sentence(const struct report *report, const struct event *event, char text[SENTENCE_SIZE])
{
	const char *since = report->source->ops->measures == SINCE_ASKED ? "after the request" : "late";
	struct trace_record *records;
	struct lateness lateness = lateness_of(report, event, &records);
	bool long_one = event->late_ns >= 1000000;
	char reason[REASON_SIZE];

	reason_of(&lateness, reason);
	free(records);
	*text = '\0';
	if (*reason)
		snprintf(text, SENTENCE_SIZE, "%.*f %s %s: %s", long_one ? 3 : 1,
			 event->late_ns / (long_one ? 1e6 : 1e3), long_one ? "ms" : "us", since, reason);
	for (; *text; text++)		/* a task may have any name */
		if (*text < ' ' || *text > '~')
			*text = '?';
}

const char *report_sentence(struct report *report)
{
	struct events events = totals_sums(report->totals)->events;

	events_sort(&events);
	if (events.count && events.worst->stamp_ns != report->told_ns) {
		write_sentence(report, events.worst, report->sentence);
		report->told_ns = events.worst->stamp_ns;
	}
	return *report->sentence ? report->sentence : NULL;
}
