// SPDX-License-Identifier: GPL-2.0-or-later
/* What came of a run: its status, the grounds of its verdict, the exit status, what all reports have in common. */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/sysinfo.h"
#include "report/report.h"

/*
 * Did the source keep the schedule that lateness is measured against? It was too fast if a wake-up came more than the
 * uncertainty before its period was due. It was too slow if in a whole slice every wake-up was late by a period and the
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

/*
 * How long interrupts and tasks of at least this priority (the kernel's number) had the CPU between two instants, in
 * ns. Until the first switch, and from the record before a loss to the next switch, no task is known.
 */
static int64_t occupied_ns(const struct trace_record *records, unsigned count, int prio, uint64_t from_ns,
			   uint64_t to_ns)
{
	int has_cpu = INT_MAX;		/* the task's priority; INT_MAX: it is the idle task, or unknown */
	unsigned depth = 0;		/* of nested interrupts */
	int64_t ns = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t at_ns = greater(from_ns, lesser(records[i].at_ns, to_ns));

		ns += records[i].kind != TRACE_LOST && (depth || has_cpu <= prio) ? at_ns - from_ns : 0;
		from_ns = at_ns;
		switch (records[i].kind) {
		case TRACE_SWITCH:
		case TRACE_LOST:		/* it names no task */
			has_cpu = records[i].next.pid ? records[i].next.prio : INT_MAX;
			depth = 0;		/* no task leaves the CPU within an interrupt */
			break;
		case TRACE_IRQ_ENTRY:
		case TRACE_SOFTIRQ_ENTRY:
		case TRACE_VECTOR_ENTRY:
			depth++;
			break;
		case TRACE_IRQ_EXIT:
		case TRACE_SOFTIRQ_EXIT:
		case TRACE_VECTOR_EXIT:
			depth -= depth > 0;
			break;
		default:
			break;
		}
	}
	return ns + (depth || has_cpu <= prio ? to_ns - from_ns : 0);
}

/*
 * How much of the lateness of a wake-up that the guard may have delayed cannot be the guard's doing? A late timer,
 * unless a thread expires it, as on PREEMPT_RT: then that may have been throttled, too. And then what goes before the
 * wake-up.
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
	int prio = deadline ? -1 : began->priority ? TRACE_LEAST_RT - began->priority : TRACE_NICE_0;

	if (in_thread && prio <= TRACE_LEAST_RT)
		prio = TRACE_LEAST_RT;
	for (unsigned i = 0; guard_ns && i < events->count; i++) {
		const struct event *event = &events->worst[i];
		bool in_timer = !in_thread && event->parts.stamp_ns == event->stamp_ns;
		int64_t late_ns = event->late_ns, explained_ns = in_timer ? event->parts.ns[PART_EXPIRY] : 0;
		struct trace_record *records;
		unsigned count;

		if (late_ns < guard_ns / 2)
			continue;
		records = report_decode(report, event, totals_recording(report->totals, event), &count);
		explained_ns += occupied_ns(records, count, prio, event->stamp_ns - late_ns + explained_ns,
					    event->stamp_ns);
		free(records);
		if (late_ns - explained_ns <= evidence->late_ns - evidence->explained_ns)
			continue;
		evidence->late_ns = late_ns;
		evidence->explained_ns = explained_ns;
	}
}

/*
 * Which disturbances may account for the figures? For some bin, at least half of the wake-ups in it or above lie in
 * slices so disturbed. Bins start at that of the limit or, if less, of the value that 1 in 1,000 exceed; with fewer
 * wake-ups, of the worst.
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

/* If the meter has ended meanwhile, the reading may date from after it gave its rights back, and is dropped. */
static void gather(struct report *report)
{
	const struct run *run = report->run;
	const struct options *options = run->options;
	const struct channel *channel = report->channel;
	const struct sums *sums = totals_sums(report->totals);
	struct evidence *evidence = &report->evidence;
	bool limited = options->samples || options->duration_ns;

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

/*
 * Did the run reach the end that the user set? A run without one is complete when it is interrupted. A command that is
 * the load ends the run when it ends; a job of --load goes on for as long as the run.
 */
static const char *status_of(const struct report *report)
{
	const struct options *options = report->run->options;
	bool endless = !options->samples && !options->duration_ns && (!options->load || options->job);

	if (report->running && !*report->over)
		return "checkpoint";
	switch ((enum end)report->channel->end) {	/* clang rejects an atomic one */
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

/* A thread that slept plays no part, and a single wake-up with a record missing is not a measurement. */
void report_sum_up(struct report *reports, bool running, const struct machine *after)
{
	struct report *end = reports + reports->count;
	unsigned parts = 0;
	uint64_t samples = 0;
	time_t first = 0;

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

static void add_report(struct all *all, const struct report *report)
{
	const struct sums *sums = totals_sums(report->totals), *worst = totals_sums(all->worst->totals);
	bool whole = !report->status || !strcmp(report->status, "complete");

	all->sums[all->count++] = sums;
	all->samples += sums->samples;
	all->missed += sums->missed;
	all->least_ns = lesser(all->least_ns, sums->moments[LATENCY].min);
	if (sums_max(&sums, 1) > sums_max(&worst, 1))
		all->worst = report;
	all->exceeded |= report_is_exceeded(report);
	if (!*report->over && !report->channel->end) {
		all->measuring++;
		all->fewest = lesser(all->fewest, sums->samples);
	}
	all->grade = greater(all->grade, report->verdict.grade);
	if (!whole && !all->cut_short)
		all->cut_short = report->status;
	all->ended += report->channel->end == END_GONE;
	all->timed += sums->timed;
	all->slack_ns += sums->slack_ns;
	all->unmatched += sums->figures.unmatched;
	all->preempted += sums->figures.preempted;
	all->preempted_ns = greater(all->preempted_ns, sums->figures.preempted_ns);
	if (!sums->samples)
		return;
	all->from_ns = lesser(all->from_ns, sums->from_ns);
	all->to_ns = greater(all->to_ns, sums->to_ns);
	if (!whole)
		all->cut_ns = greater(all->cut_ns, sums->to_ns);
}

struct all all_of(const struct report *reports)
{
	const struct source_ops *ops = reports->source->ops;
	struct all all = {
		.reports = reports, .options = reports->run->options, .ops = ops,
		.noun = ops->takes_target ? "thread" : "CPU", .worst = reports, .least_ns = INT64_MAX,
		.counted = measures_schedule(ops->measures) ? "periods" :
			   reports->source->hz ? "requests" : "wake-ups",
		.fewest = INT64_MAX, .from_ns = INT64_MAX, .policy_width = ops->takes_target ? 10 : 0,
	};

	for (const struct report *report = reports; report < reports + reports->count; report++)
		add_report(&all, report);
	return all;
}
