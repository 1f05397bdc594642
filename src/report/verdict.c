// SPDX-License-Identifier: GPL-2.0-or-later
/* Can the run be believed, and if not, why? */
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

#define TOLERATED 1000			/* a disturbance may take one part in this many of the run */

const char *const grade_names[] = { "valid", "suspect", "invalid" };

/* The first reason of the worst grade is the cause. With the grade VALID it is a remark. */
__attribute__((format(printf, 3, 4)))
static void add_reason(struct report *report, enum grade grade, const char *format, ...)
{
	struct verdict *verdict = &report->verdict;
	unsigned *count = grade ? &verdict->reason_count : &verdict->remark_count;
	char text[VERDICT_TEXT] = "";
	va_list args;

	va_start(args, format);
	text_append_list(text, sizeof(text), format, args);
	va_end(args);
	text_append(grade ? verdict->reasons : verdict->remarks, VERDICT_TEXT, "%s%s", (*count)++ ? "; " : "", text);
	if (grade > verdict->grade || !*verdict->cause) {
		*verdict->cause = '\0';
		text_append(verdict->cause, VERDICT_CAUSE, "%s", text);
	}
	verdict->grade = greater(grade, verdict->grade);
}

/* The kernel's guard against real-time processes is for those with a priority: a deadline task has its share. */
static bool is_guarded(const struct sched_state *began)
{
	return began->policy == SCHED_FIFO || began->policy == SCHED_RR;
}

/* A refusal gives its own reason; otherwise what was granted is compared with what was asked for. */
static void judge_policy(struct report *report)
{
	const struct options *options = report->run->options;
	const struct channel *channel = report->channel;
	const struct sched_state *began = &channel->began;
	const char *granted = sched_state_policy_name(began->policy);
	bool realtime = began->policy == SCHED_DEADLINE || is_guarded(began);

	if (!channel->measuring)
		return;
	if (*channel->rights.refused)
		add_reason(report, INVALID, "not real-time: %s", channel->rights.refused);
	else if (strcmp(granted, options->policy) || began->priority != options->priority)
		add_reason(report, realtime ? SUSPECT : INVALID, "the kernel granted %s %d, not %s %d", granted,
			   began->priority, options->policy, options->priority);
	else if (!realtime && !report->source->ops->ordinary)
		add_reason(report, SUSPECT, "not real-time: the policy is %s, as requested", granted);
}

static void judge_end(struct report *report)
{
	const struct channel *channel = report->channel;
	const struct source_ops *ops = report->source->ops;
	bool killed = channel->end == END_NONE && (!report->running || *report->over);

	if (killed && channel->measuring)
		add_reason(report, SUSPECT, "the measuring process was killed");
	if (killed && !channel->measuring)
		add_reason(report, SUSPECT, "the measuring process ended before it could measure%s%s",
			   *channel->rights.refused ? ": " : "", channel->rights.refused);
	if (channel->end == END_FAILED)
		add_reason(report, SUSPECT, "the wait failed: %s", strerror(channel->failure));
	if (channel->end == END_RUNAWAY)
		add_reason(report, SUSPECT, "the wait returned without waiting");
	if (channel->end == END_SLEEPLESS)
		add_reason(report, SUSPECT, "the measuring process never slept: its CPU cannot serve %u Hz",
			   report->source->hz);
	if (channel->end == END_SILENT)
		add_reason(report, SUSPECT, ops->matched ? "the kernel did not begin what was requested" :
			   ops->takes_target ? "the thread did not wake up" : "the source stopped waking the process");
	if (channel->end == END_CHILD)
		add_reason(report, SUSPECT, "%s was killed", ops->child);
	if (channel->end == END_FULL)
		add_reason(report, SUSPECT, "ended before its counters could overflow");
}

/* whose is "" for the meter, and a name for its children, such as "the waker: ". */
static void judge_sched_state(struct report *report, const char *whose, const struct sched_state *began,
			      const struct sched_state *ended)
{
	int64_t migrated = began->migrations < 0 ? 0 : ended->migrations - began->migrations;

	if (!ended->cpus)
		return;
	if (ended->policy != began->policy || ended->priority != began->priority)
		add_reason(report, SUSPECT, "%spolicy changed: %s %d -> %s %d", whose,
			   sched_state_policy_name(began->policy), began->priority,
			   sched_state_policy_name(ended->policy), ended->priority);
	if (began->cpus != 1)
		return;
	if (ended->cpus != 1 || ended->first_cpu != began->first_cpu)
		add_reason(report, SUSPECT, "%sno longer bound to CPU %d", whose, began->first_cpu);
	if (migrated == 1)
		add_reason(report, SUSPECT, "%smigrated once while bound to CPU %d", whose, began->first_cpu);
	else if (migrated > 1)
		add_reason(report, SUSPECT, "%smigrated %" PRId64 " times while bound to CPU %d", whose, migrated,
			   began->first_cpu);
}

/* Returns the grade of a run in which a disturbance of that kind lasted for ms. */
static enum grade weigh(const struct report *report, enum seen seen, int64_t ms)
{
	const struct sums *sums = totals_sums(report->totals);
	int64_t run_ms = (sums->to_ns - sums->from_ns) / 1000000;

	return report->evidence.at_worst & 1U << seen || ms > run_ms / TOLERATED ? SUSPECT : VALID;
}

/* While it was stopped or frozen, the meter waited for others, not for the kernel. */
static void judge_holds(struct report *report)
{
	const struct channel *channel = report->channel;
	uint32_t stopped_ms = channel->stopped_ms, child_ms = channel->children.stopped_ms;
	uint32_t frozen_ms = greater(totals_seen_ms(report->totals, SEEN_FROZEN), 1);
	uint32_t throttled_ms = totals_seen_ms(report->totals, SEEN_THROTTLED);

	if (stopped_ms)
		add_reason(report, weigh(report, SEEN_STOPPED, stopped_ms),
			   "stopped: a signal stopped the measuring process for %.3f s", stopped_ms / 1e3);
	if (child_ms)
		add_reason(report, weigh(report, SEEN_CHILD_STOPPED, child_ms),
			   "stopped: a signal stopped %s for %.3f s", report->source->ops->child, child_ms / 1e3);
	if (channel->frozen)
		add_reason(report, weigh(report, SEEN_FROZEN, frozen_ms),
			   "frozen: the control group of the measuring process was frozen");
	if (throttled_ms)
		add_reason(report, weigh(report, SEEN_THROTTLED, throttled_ms),
			   "throttled: the control group of the measuring process was out of CPU quota for %.3f s",
			   throttled_ms / 1e3);
}

static bool is_changed(const struct sched_state *now, const struct sched_state *began)
{
	return now->cpus && sched_state_differs(now, began);
}

/* Judge what the looks once a second found. What lasts to the end of the run has a reason of its own. */
static void judge_looks(struct report *report)
{
	const struct channel *channel = report->channel;
	const struct {
		enum seen seen;
		const char *text;
		bool lasts;
	} looks[] = {
		{ SEEN_SCHED, "the measuring process had another policy, priority or CPU",
		  is_changed(&report->evidence.meter, &channel->began) },
		{ SEEN_CHILD_SCHED, "a process of the source had another policy, priority or CPU",
		  is_changed(&report->evidence.children, &channel->children.began) },
		{ SEEN_TRACED, "another process traced the measuring process", false },
		{ SEEN_IDLE_LATENCY, "idle_latency_us had another value", channel_idle_latency_changed(channel) },
		{ SEEN_THREAD_STOPPED, "the thread was stopped", false },
		{ SEEN_THREAD_SCHED, "the thread had another policy, priority or CPUs", false },
	};

	for (unsigned i = 0; i < sizeof(looks) / sizeof(*looks); i++) {
		uint32_t ms = totals_seen_ms(report->totals, looks[i].seen);

		if (ms && !looks[i].lasts)
			add_reason(report, weigh(report, looks[i].seen, ms), "%s for about %.1f s", looks[i].text,
				   ms / 1e3);
	}
}

/* MONITOR_UNKNOWN is less than any figure, and raises no doubt. Setting the clock takes no time, so counts 1 ms. */
static void judge_machine(struct report *report)
{
	const struct disturbances *disturbances = report->disturbances;
	int64_t steal_ms = steal_of(&disturbances->steal, report->cpu);

	if (disturbances->suspended_ns > 0)
		add_reason(report, weigh(report, SEEN_SUSPENDED, disturbances->suspended_ns / 1000000),
			   "the machine was suspended for %.3f s", disturbances->suspended_ns / 1e9);
	if (disturbances->clock_step_ns > 0)
		add_reason(report, weigh(report, SEEN_CLOCK_SET, 1), "the wall clock was set by %.6f s",
			   disturbances->clock_step_ns / 1e9);
	else if (disturbances->clock_sets)
		add_reason(report, weigh(report, SEEN_CLOCK_SET, 1), "the wall clock was set, and soon set back");
	if (disturbances->rtc_gap_s != MONITOR_UNKNOWN && disturbances->rtc_gap_s)
		add_reason(report, SUSPECT, "the hardware clock moved %+" PRId64 " s against the kernel's: "
			   "the virtual machine was paused, or the hardware clock was set", disturbances->rtc_gap_s);
	if (steal_ms > 0)
		add_reason(report, weigh(report, SEEN_STEAL, steal_ms), "the hypervisor took %" PRId64
			   " ms of CPU time", steal_ms);
}

/*
 * The kernel does not say when its guard throttles real-time processes, for no
 * longer than guard_ns at a time. A delay of about that length may be the guard's
 * if nothing accounts for most of it. Where the kernel's own work is measured, only
 * the meter's absence counts: the guard does not throttle that work. Whatever held up
 * the meter or the machine accounts for any lateness.
 */
static void judge_guard(struct report *report)
{
	const struct channel *channel = report->channel;
	const struct disturbances *disturbances = report->disturbances;
	bool matched = report->source->ops->matched;
	bool paused = disturbances->rtc_gap_s != MONITOR_UNKNOWN && disturbances->rtc_gap_s;
	bool held = channel->stopped_ms || channel->children.stopped_ms || channel->frozen || paused ||
		    disturbances->suspended_ns > 0;
	int64_t away_ns = totals_sums(report->totals)->figures.away_ns, guard_ns = disturbances->guard_ns;
	int64_t late_ns = matched ? away_ns - (int64_t)report->source->period_ns : report->evidence.late_ns;
	int64_t explained_ns = matched ? 0 : report->evidence.explained_ns, left_ns;

	explained_ns += greater(steal_of(&disturbances->steal, report->cpu), 0) * 1000000;
	left_ns = late_ns - explained_ns;
	if (!guard_ns || !is_guarded(&channel->began) || held)
		return;
	if (left_ns > explained_ns && left_ns >= guard_ns / 2 && left_ns <= 2 * guard_ns)
		add_reason(report, SUSPECT, "%s was %.1f ms late: the kernel may have throttled real-time processes",
			   matched ? "the measuring process" : "a wake-up", late_ns / 1e6);
}

static void judge_schedule(struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);

	if (!measures_schedule(report->source->ops->measures))
		return;
	if (strcmp(report->evidence.schedule, "kept"))
		add_reason(report, SUSPECT, "the schedule is contradicted: lateness is unreliable");
	if (sums->missed && sums->moments[LATENCY].max < (int64_t)report->source->period_ns)
		add_reason(report, SUSPECT, "%" PRIu64 " periods were missed, but no wake-up was a period late",
			   sums->missed);
	if (sums->figures.other_interrupts)
		add_reason(report, SUSPECT, "%" PRIu64 " wake-ups also counted an alarm or update interrupt",
			   sums->figures.other_interrupts);
}

/*
 * Up to one in a hundred may be chance, and so may be a single wake-up of a thread. One without a
 * record of its end is in no figure, however late it was.
 */
static void judge_unmatched(struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);
	uint64_t asked = sums->samples + sums->missed, unmatched = sums->figures.unmatched;
	bool many = unmatched > sums->samples / 100;

	if (report->source->threads && many && unmatched > 1)
		add_reason(report, SUSPECT, "%" PRIu64 " of %" PRIu64 " wake-ups of the thread have incomplete records",
			   unmatched, sums->samples + unmatched);
	if (report->source->threads)
		return;
	if (many)
		add_reason(report, SUSPECT, "the kernel recorded both ends of %" PRIu64
			   " requests, but not of %" PRIu64, sums->samples, unmatched);
	if (sums->figures.unasked > asked / 100)
		add_reason(report, SUSPECT, "nothing was requested at %" PRIu64 " of %" PRIu64
			   " instants: the measuring process was late, or the kernel accepted no requests",
			   sums->figures.unasked, asked + sums->figures.unasked);
	if (sums->figures.pending_ns && (int64_t)sums->figures.pending_ns > sums->moments[LATENCY].max)
		add_reason(report, SUSPECT, "a request waited for %.1f ms or longer, but was not measured",
			   sums->figures.pending_ns / 1e6);
}

/*
 * A few are always ambiguous. Above 5 %, the explained ones are no fair sample; but
 * the figures do not depend on records.
 */
static void judge_parts(struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);
	uint64_t unknown = sums_unmatched(sums);

	if (report->channel->tap_state->level && unknown > sums->samples / 20)
		add_reason(report, VALID, "%" PRIu64 " of %" PRIu64
			   " wake-ups are unexplained: their records are missing or ambiguous", unknown, sums->samples);
}

void report_judge(struct report *report)
{
	const struct channel *channel = report->channel;
	const struct evidence *evidence = &report->evidence;
	char whose[64];

	report->verdict = (struct verdict){ .grade = VALID };
	if (!report->part)
		return;
	if (!totals_sums(report->totals)->samples && !report->idle)
		add_reason(report, INVALID, "nothing was measured");
	judge_policy(report);
	judge_end(report);
	judge_sched_state(report, "", &channel->began, &evidence->meter);
	snprintf(whose, sizeof(whose), "%s: ", report->source->ops->child);
	if (channel->children.count)
		judge_sched_state(report, whose, &channel->children.began, &evidence->children);
	if (channel_idle_latency_changed(channel))
		add_reason(report, SUSPECT, "idle_latency_us changed: %s -> %s", channel->idle_latency,
			   channel->idle_latency_after);
	judge_holds(report);
	judge_looks(report);
	judge_machine(report);
	judge_guard(report);
	if (*evidence->changes)
		add_reason(report, SUSPECT, "%s", evidence->changes);
	if (*evidence->load)
		add_reason(report, SUSPECT, "%s", evidence->load);
	judge_schedule(report);
	judge_unmatched(report);
	judge_parts(report);
}
