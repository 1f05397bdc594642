// SPDX-License-Identifier: GPL-2.0-or-later
/* Can the run be believed, and if not, why? */
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

#define TOLERATED 1000			/* a disturbance may last for 1/this of the run */

const char *const grade_names[] = { "valid", "suspect", "invalid" };

/* Adds a reason if so is true; the first of the worst grade is the cause. With the grade VALID it is a remark. */
__attribute__((format(printf, 4, 5)))
static void add_reason(struct report *report, bool so, enum grade grade, const char *format, ...)
{
	struct verdict *verdict = &report->verdict;
	unsigned *count = grade ? &verdict->reason_count : &verdict->remark_count;
	char text[VERDICT_TEXT] = "";
	va_list args;

	if (!so)
		return;
	va_start(args, format);
	text_append_list(text, sizeof(text), format, args);
	va_end(args);
	text_append(grade ? verdict->reasons : verdict->remarks, VERDICT_TEXT, "%s%s", (*count)++ ? "; " : "", text);
	if (grade > verdict->grade)
		*verdict->cause = '\0';
	if (!*verdict->cause)
		text_append(verdict->cause, VERDICT_CAUSE, "%s", text);
	verdict->grade = greater(grade, verdict->grade);
}

/* A refusal gives its own reason; otherwise what was granted is compared with what was asked for. */
static void judge_policy(struct report *report)
{
	const struct options *options = report->run->options;
	const struct sched_state *began = &report->channel->began;
	const char *refused = report->channel->rights.refused, *granted = sched_state_policy_name(began->policy);
	bool realtime = began->policy == SCHED_FIFO || began->policy == SCHED_RR;
	bool as_asked = !strcmp(granted, options->policy) && began->priority == options->priority;

	if (!report->channel->measuring)
		return;
	add_reason(report, *refused, INVALID, "not real-time: %s", refused);
	add_reason(report, !*refused && !as_asked, realtime ? SUSPECT : INVALID, "the kernel granted %s %d, not %s %d",
		   granted, began->priority, options->policy, options->priority);
	add_reason(report, !*refused && as_asked && !realtime && !report->source->ops->ordinary, SUSPECT,
		   "not real-time: the policy is %s, as requested", granted);
}

static void judge_end(struct report *report)
{
	const struct channel *channel = report->channel;
	const struct source_ops *ops = report->source->ops;
	const char *refused = channel->rights.refused;
	bool killed = channel->end == END_NONE && (!report->running || *report->over);

	add_reason(report, killed && channel->measuring, SUSPECT, "the measuring process was killed");
	add_reason(report, killed && !channel->measuring, SUSPECT,
		   "the measuring process ended before it could measure%s%s", *refused ? ": " : "", refused);
	add_reason(report, channel->end == END_FAILED, SUSPECT, "the wait failed: %s", strerror(channel->failure));
	add_reason(report, channel->end == END_RUNAWAY, SUSPECT, "the wait returned without waiting");
	add_reason(report, channel->end == END_SLEEPLESS, SUSPECT,
		   "the measuring process never slept: its CPU cannot serve %u Hz", report->source->hz);
	add_reason(report, channel->end == END_SILENT, SUSPECT, ops->matched ?
		   "the kernel did not begin what was requested" : ops->takes_target ?
		   "the thread did not wake up" : "the source stopped waking the process");
	add_reason(report, channel->end == END_CHILD, SUSPECT, "%s was killed", ops->child);
	add_reason(report, channel->end == END_FULL, SUSPECT, "ended before its counters could overflow");
}

/* whose is "" for the meter, and a name for its children, such as "the waker: ". */
static void judge_sched_state(struct report *report, const char *whose, const struct sched_state *began,
			      const struct sched_state *ended)
{
	bool changed = ended->policy != began->policy || ended->priority != began->priority;
	bool moved = ended->cpus != 1 || ended->first_cpu != began->first_cpu;
	int64_t migrated = began->migrations < 0 ? 0 : ended->migrations - began->migrations;

	if (!ended->cpus)
		return;
	add_reason(report, changed, SUSPECT, "%spolicy changed: %s %d -> %s %d", whose,
		   sched_state_policy_name(began->policy), began->priority,
		   sched_state_policy_name(ended->policy), ended->priority);
	if (began->cpus != 1)
		return;
	add_reason(report, moved, SUSPECT, "%sno longer bound to CPU %d", whose, began->first_cpu);
	add_reason(report, migrated == 1, SUSPECT, "%smigrated once while bound to CPU %d", whose, began->first_cpu);
	add_reason(report, migrated > 1, SUSPECT, "%smigrated %" PRId64 " times while bound to CPU %d", whose,
		   migrated, began->first_cpu);
}

/* Returns the grade of a run in which a disturbance of that kind lasted for ms. */
static enum grade weigh(const struct report *report, enum seen seen, int64_t ms)
{
	const struct sums *sums = totals_sums(report->totals);
	int64_t run_ms = (sums->to_ns - sums->from_ns) / 1000000;

	return report->evidence.at_worst & 1U << seen || ms > run_ms / TOLERATED ? SUSPECT : VALID;
}

/*
 * While it was stopped or frozen, the meter waited for others, not for the kernel. What the once-a-second checks found,
 * from SEEN_SCHED on, has a reason of its own if it lasts to the end of the run.
 */
static void judge_meter(struct report *report)
{
	static const char *const texts[SEEN_KINDS] = {	/* take the seconds, and what the child is */
		[SEEN_STOPPED] = "stopped: a signal stopped the measuring process for %.3f s",
		[SEEN_CHILD_STOPPED] = "stopped: a signal stopped %2$s for %1$.3f s",
		[SEEN_FROZEN] = "frozen: the control group of the measuring process was frozen",
		[SEEN_THROTTLED] =
			"throttled: the control group of the measuring process was out of CPU quota for %.3f s",
		[SEEN_SCHED] = "the measuring process had another policy, priority or CPU for about %.1f s",
		[SEEN_CHILD_SCHED] = "a process of the source had another policy, priority or CPU for about %.1f s",
		[SEEN_TRACED] = "another process traced the measuring process for about %.1f s",
		[SEEN_THREAD_STOPPED] = "the thread was stopped for about %.1f s",
		[SEEN_THREAD_SCHED] = "the thread had another policy, priority or CPUs for about %.1f s",
	};
	const struct channel *channel = report->channel;
	const struct sched_state *meter = &report->evidence.meter, *child = &report->evidence.children;
	uint32_t ms[SEEN_KINDS];

	for (enum seen seen = SEEN_STOPPED; seen < SEEN_KINDS; seen++)
		ms[seen] = totals_seen_ms(report->totals, seen);
	ms[SEEN_STOPPED] = channel->stopped_ms;
	ms[SEEN_CHILD_STOPPED] = channel->children.stopped_ms;
	ms[SEEN_FROZEN] = channel->frozen ? greater(ms[SEEN_FROZEN], 1) : 0;
	if (meter->cpus && sched_state_differs(meter, &channel->began))
		ms[SEEN_SCHED] = 0;
	if (child->cpus && sched_state_differs(child, &channel->children.began))
		ms[SEEN_CHILD_SCHED] = 0;
	for (enum seen seen = SEEN_STOPPED; seen < SEEN_KINDS; seen++)
		add_reason(report, ms[seen], weigh(report, seen, ms[seen]), texts[seen], ms[seen] / 1e3,
			   report->source->ops->child);
}

/* MONITOR_UNKNOWN is below any figure, and raises no doubt. Setting the clock takes no time, so it counts as 1 ms. */
static void judge_machine(struct report *report)
{
	const struct disturbances *disturbances = report->disturbances;
	int64_t steal_ms = disturbances->steal.ms[1 + report->cpu], suspended_ns = disturbances->suspended_ns;
	enum grade clock = weigh(report, SEEN_CLOCK_SET, 1);
	bool moved = disturbances->clock_step_ns > 0;
	bool paused = disturbances->rtc_gap_s != MONITOR_UNKNOWN && disturbances->rtc_gap_s;

	add_reason(report, suspended_ns > 0, weigh(report, SEEN_SUSPENDED, suspended_ns / 1000000),
		   "the machine was suspended for %.3f s", suspended_ns / 1e9);
	add_reason(report, moved, clock, "the wall clock was changed by %.6f s", disturbances->clock_step_ns / 1e9);
	add_reason(report, !moved && disturbances->clock_sets, clock, "the wall clock was set, and soon set back");
	add_reason(report, paused, SUSPECT, "the hardware clock moved %+" PRId64
		   " s against the kernel's: the virtual machine was paused, or the hardware clock was set",
		   disturbances->rtc_gap_s);
	add_reason(report, steal_ms > 0, weigh(report, SEEN_STEAL, steal_ms),
		   "the hypervisor took %" PRId64 " ms of CPU time", steal_ms);
}

/*
 * The kernel does not say when its guard throttles real-time processes, for up to guard_ns at a time. A delay of
 * about that length may be the guard's, unless something accounts for most of it, or anything held up the meter or
 * the machine. The guard does not throttle the kernel's own work: if that is measured, the meter's absence counts.
 */
static void judge_guard(struct report *report)
{
	const struct channel *channel = report->channel;
	const struct disturbances *disturbances = report->disturbances;
	bool realtime = channel->began.policy == SCHED_FIFO || channel->began.policy == SCHED_RR;
	bool matched = report->source->ops->matched;
	bool paused = disturbances->rtc_gap_s != MONITOR_UNKNOWN && disturbances->rtc_gap_s;
	bool held = channel->stopped_ms || channel->children.stopped_ms || channel->frozen || paused ||
		    disturbances->suspended_ns > 0;
	int64_t away_ns = totals_sums(report->totals)->figures.away_ns, guard_ns = disturbances->guard_ns;
	int64_t late_ns = matched ? away_ns - (int64_t)report->source->period_ns : report->evidence.late_ns;
	int64_t explained_ns = (matched ? 0 : report->evidence.explained_ns) +
			       greater(disturbances->steal.ms[1 + report->cpu], 0) * 1000000;
	int64_t left_ns = late_ns - explained_ns;

	if (!guard_ns || !realtime || held)
		return;
	add_reason(report, left_ns > explained_ns && left_ns >= guard_ns / 2 && left_ns <= 2 * guard_ns, SUSPECT,
		   "%s was %.1f ms late: the kernel may have throttled real-time processes",
		   matched ? "the measuring process" : "a wake-up", late_ns / 1e6);
}

/*
 * Is the schedule kept, or are the records complete? Up to one in a hundred may be chance, and so may a single wake-up
 * of a thread. One without a record of its end is in no figure, however late it was.
 */
static void judge_samples(struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);
	const struct figures *figures = &sums->figures;
	uint64_t asked = sums->samples + sums->missed, unmatched = figures->unmatched;
	uint64_t others = figures->other_interrupts;
	bool many = unmatched > sums->samples / 100, observed = report->source->threads;
	bool scheduled = measures_schedule(report->source->ops->measures);

	add_reason(report, scheduled && strcmp(report->evidence.schedule, "kept"), SUSPECT,
		   "the schedule is contradicted: lateness is unreliable");
	add_reason(report, scheduled && sums->missed &&
		   sums->moments[LATENCY].max < (int64_t)report->source->period_ns, SUSPECT,
		   "%" PRIu64 " periods were missed, but no wake-up was a period late", sums->missed);
	add_reason(report, others, SUSPECT, "%" PRIu64 " wake-ups also counted an alarm or update interrupt", others);
	add_reason(report, observed && unmatched > 1, many ? SUSPECT : VALID,
		   "%" PRIu64 " of %" PRIu64 " wake-ups of the thread have incomplete records, and may be the worst",
		   unmatched, sums->samples + unmatched);
	if (observed)
		return;
	add_reason(report, many, SUSPECT, "the kernel recorded both ends of %" PRIu64 " requests, but not of %" PRIu64
		   " others", sums->samples, unmatched);
	add_reason(report, figures->unasked > asked / 100, SUSPECT, "nothing was requested at %" PRIu64 " of %" PRIu64
		   " instants: the measuring process was late, or the kernel accepted no requests",
		   figures->unasked, asked + figures->unasked);
	add_reason(report, figures->pending_ns && (int64_t)figures->pending_ns > sums->moments[LATENCY].max, SUSPECT,
		   "a request waited for %.1f ms or longer, but was not measured", figures->pending_ns / 1e6);
}

void report_judge(struct report *report)
{
	const struct channel *channel = report->channel;
	const struct evidence *evidence = &report->evidence;
	const struct sums *sums = totals_sums(report->totals);
	char whose[64];

	report->verdict = (struct verdict){ .grade = VALID };
	if (!report->part)
		return;
	add_reason(report, !sums->samples && !report->idle, channel->sleepless.late_ns ? SUSPECT : INVALID,
		   "nothing was measured%s", !report->source->threads || sums->figures.unmatched ? "" :
		   channel->sleepless.late_ns ?
		   ", because the thread never slept (what interrupted it: realfeel-analyze explain)" :
		   sums->figures.state != 'R' ? ", because the thread woke up once at most" :
		   ", because the thread slept once at most (--explain shows what interrupts it if bound to a CPU)");
	judge_policy(report);
	judge_end(report);
	judge_samples(report);
	judge_sched_state(report, "", &channel->began, &evidence->meter);
	snprintf(whose, sizeof(whose), "%s: ", report->source->ops->child);
	if (channel->children.count)
		judge_sched_state(report, whose, &channel->children.began, &evidence->children);
	judge_meter(report);
	judge_machine(report);
	judge_guard(report);
	add_reason(report, *evidence->changes, SUSPECT, "%s", evidence->changes);
	add_reason(report, *evidence->load, SUSPECT, "%s", evidence->load);
	/* A few are always ambiguous. Above 5 %, the others are no fair sample; but the figures need no records. */
	add_reason(report, channel->tap_state->level && sums_unmatched(sums) > sums->samples / 20, VALID, "%" PRIu64
		   " of %" PRIu64 " wake-ups are unexplained: their records are missing or ambiguous",
		   sums_unmatched(sums), sums->samples);
}
