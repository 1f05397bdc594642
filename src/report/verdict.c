// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/verdict.h"

void finding_add(struct finding *finding, enum grade grade, const char *format, ...)
{
	unsigned *count = grade ? &finding->reasons : &finding->remarks;
	char *list = grade ? finding->reason : finding->remark, text[VERDICT_TEXT] = "";
	va_list args;

	va_start(args, format);
	text_append_list(text, sizeof(text), format, args);
	va_end(args);
	text_append(list, VERDICT_TEXT, "%s%s", (*count)++ ? "; " : "", text);
	if (grade > finding->grade || !*finding->cause) {
		*finding->cause = '\0';
		text_append(finding->cause, sizeof(finding->cause), "%s", text);
	}
	finding->grade = greater(grade, finding->grade);
}

static void judge_end(struct finding *finding, const struct evidence *evidence)
{
	const struct channel *channel = evidence->channel;
	bool running = evidence->running;

	if (channel->end == END_NONE && !running && channel->measuring)
		finding_add(finding, SUSPECT, "the measuring process was killed");
	if (channel->end == END_NONE && !running && !channel->measuring)
		finding_add(finding, SUSPECT, "the measuring process ended before it could measure%s%s",
			    *channel->rights.refused ? ": " : "", channel->rights.refused);
	if (channel->end == END_FAILED)
		finding_add(finding, SUSPECT, "the wait failed: %s", strerror(channel->failure));
	if (channel->end == END_RUNAWAY)
		finding_add(finding, SUSPECT, "the wait returned without waiting");
	if (channel->end == END_SLEEPLESS)
		finding_add(finding, SUSPECT, "the measuring process never slept: its CPU cannot serve %u Hz",
			    evidence->source->hz);
	if (channel->end == END_SILENT)
		finding_add(finding, SUSPECT,
			    evidence->source->ops->matched ? "the kernel did not begin what was requested" :
			    evidence->source->ops->observes ? "the thread did not wake up" :
			    "the source stopped waking the process");
	if (channel->end == END_CHILD)
		finding_add(finding, SUSPECT, "%s was killed", evidence->source->ops->child);
	if (channel->end == END_FULL)
		finding_add(finding, SUSPECT, "ended before its counters could overflow");
}

/* The kernel's guard against real-time processes is for those with a priority: a deadline task has its share. */
static bool is_guarded(const struct sched_state *began)
{
	return began->policy == SCHED_FIFO || began->policy == SCHED_RR;
}

/* A refusal gives its own reason; otherwise what was granted is compared with what was asked for. */
static void judge_policy(struct finding *finding, const struct evidence *evidence)
{
	const struct sched_state *began = &evidence->channel->began;
	const char *granted = sched_state_policy_name(began->policy);
	bool realtime = began->policy == SCHED_DEADLINE || is_guarded(began);

	if (*evidence->channel->rights.refused)
		finding_add(finding, INVALID, "not real-time: %s", evidence->channel->rights.refused);
	else if (strcmp(granted, evidence->policy) || began->priority != evidence->priority)
		finding_add(finding, realtime ? SUSPECT : INVALID, "the kernel granted %s %d, not %s %d", granted,
			    began->priority, evidence->policy, evidence->priority);
	else if (!realtime && !evidence->source->ops->ordinary)
		finding_add(finding, SUSPECT, "not real-time: the policy is %s, as requested", granted);
}

/* whose is "" for the meter, and a name for its children, such as "the waker: ". */
static void judge_sched_state(struct finding *finding, const char *whose, const struct sched_state *began,
			      const struct sched_state *ended)
{
	int64_t migrated = began->migrations < 0 ? 0 : ended->migrations - began->migrations;

	if (!ended->cpus)
		return;
	if (ended->policy != began->policy || ended->priority != began->priority)
		finding_add(finding, SUSPECT, "%spolicy changed: %s %d -> %s %d", whose,
			    sched_state_policy_name(began->policy), began->priority,
			    sched_state_policy_name(ended->policy), ended->priority);
	if (began->cpus != 1)
		return;
	if (ended->cpus != 1 || ended->first_cpu != began->first_cpu)
		finding_add(finding, SUSPECT, "%sno longer bound to CPU %d", whose, began->first_cpu);
	if (migrated == 1)
		finding_add(finding, SUSPECT, "%smigrated once while bound to CPU %d", whose, began->first_cpu);
	else if (migrated > 1)
		finding_add(finding, SUSPECT, "%smigrated %" PRId64 " times while bound to CPU %d", whose, migrated,
			    began->first_cpu);
}

/* Whatever held up the meter or the machine accounts for any lateness. */
static bool was_held(const struct evidence *evidence)
{
	const struct channel *channel = evidence->channel;
	const struct disturbances *disturbances = evidence->disturbances;
	bool paused = disturbances->rtc_gap_s != MONITOR_UNKNOWN && disturbances->rtc_gap_s;

	return channel->stopped_ms || channel->children.stopped_ms || channel->frozen || paused ||
	       disturbances->suspended_ns > 0;
}

bool guard_may_delay(const struct disturbances *disturbances, int64_t ns)
{
	return disturbances->guard_ns && ns >= disturbances->guard_ns / 2;
}

/*
 * The kernel does not say when its guard throttles real-time processes, for no
 * longer than guard_ns at a time. A delay of about that length may be the guard's
 * if nothing accounts for most of it. Where the kernel's own work is measured, only
 * the meter's absence counts: the guard does not throttle that work.
 */
static void judge_guard(struct finding *finding, const struct evidence *evidence)
{
	const struct source *source = evidence->source;
	bool matched = source->ops->matched;
	int64_t away_ns = evidence->sums->figures.away_ns;
	int64_t late_ns = matched ? away_ns - (int64_t)source->period_ns : evidence->late_ns;
	int64_t steal_ns = evidence->steal_ms > 0 ? evidence->steal_ms * 1000000 : 0;
	int64_t explained_ns = (matched ? 0 : evidence->explained_ns) + steal_ns, left_ns = late_ns - explained_ns;

	if (!is_guarded(&evidence->channel->began) || was_held(evidence))
		return;
	if (left_ns > explained_ns && guard_may_delay(evidence->disturbances, left_ns) &&
	    left_ns <= 2 * evidence->disturbances->guard_ns)
		finding_add(finding, SUSPECT,
			    "%s was %.1f ms late: the kernel may have throttled real-time processes",
			    matched ? "the measuring process" : "a wake-up", late_ns / 1e6);
}

/* As with requests, but a single one does not count. No figure contains it, however late it was. */
static void judge_wakeups(struct finding *finding, const struct sums *sums)
{
	if (sums->figures.unmatched > 1 && sums->figures.unmatched > sums->samples / 100)
		finding_add(finding, SUSPECT, "%" PRIu64 " of %" PRIu64
			    " wake-ups of the thread have incomplete records", sums->figures.unmatched,
			    sums->samples + sums->figures.unmatched);
}

/* Up to one in a hundred may be chance. A request without a recorded end is in no figure, however long it waited. */
static void judge_requests(struct finding *finding, const struct sums *sums)
{
	uint64_t asked = sums->samples + sums->missed;

	if (sums->figures.unmatched > sums->samples / 100)
		finding_add(finding, SUSPECT, "the kernel recorded both ends of %" PRIu64 " requests, but not of %"
			    PRIu64, sums->samples, sums->figures.unmatched);
	if (sums->figures.unasked > asked / 100)
		finding_add(finding, SUSPECT, "nothing was requested at %" PRIu64 " of %" PRIu64
			    " instants: the measuring process was late, or the kernel took no request",
			    sums->figures.unasked, asked + sums->figures.unasked);
	if (sums->figures.pending_ns && (int64_t)sums->figures.pending_ns > sums->moments[LATENCY].max)
		finding_add(finding, SUSPECT, "a request waited for %.1f ms or longer, but was not measured",
			    sums->figures.pending_ns / 1e6);
}

static void judge_samples(struct finding *finding, const struct evidence *evidence)
{
	const struct sums *sums = evidence->sums;

	if (!measures_schedule(evidence->source->ops->measures))
		return;
	if (!evidence->schedule_kept)
		finding_add(finding, SUSPECT, "the schedule is contradicted: lateness is unreliable");
	if (sums->missed && sums->moments[LATENCY].max < (int64_t)evidence->source->period_ns)
		finding_add(finding, SUSPECT, "%" PRIu64 " periods were missed, but no wake-up was a period late",
			    sums->missed);
	if (sums->figures.other_interrupts)
		finding_add(finding, SUSPECT, "%" PRIu64 " wake-ups also counted an alarm or update interrupt",
			    sums->figures.other_interrupts);
}

/*
 * A few are always ambiguous. Above 5 %, the explained ones are no fair sample; but
 * the figures do not depend on records.
 */
static void judge_parts(struct finding *finding, const struct evidence *evidence)
{
	uint64_t samples = evidence->sums->samples, unknown = sums_unmatched(evidence->sums);

	if (evidence->explained && unknown > samples / 20)
		finding_add(finding, VALID, "%" PRIu64 " of %" PRIu64
			    " wake-ups are unexplained: their records are missing or ambiguous", unknown, samples);
}

/* The first slice in which every wake-up was late by period_ns or more; NULL if there is none. */
static const struct slice *find_late_slice(const struct totals *totals, int64_t period_ns)
{
	const struct slice *slice = totals_slice(totals, 0);

	for (unsigned i = 0; slice && slice->moments[LATENCY].min < period_ns; i++)
		slice = totals_slice(totals, i + 1);
	return slice;
}

bool schedule_kept(const struct totals *totals, uint64_t period_ns, uint64_t uncertainty_ns,
		   char *text, size_t size)
{
	const struct sums *sums = totals_sums(totals);
	const struct slice *late = find_late_slice(totals, period_ns + uncertainty_ns);

	if (sums->samples && sums->moments[LATENCY].min < -(int64_t)uncertainty_ns)
		snprintf(text, size, "contradicted: a wake-up came %" PRId64 " ns before its period was due",
			 -sums->moments[LATENCY].min);
	else if (late)
		snprintf(text, size, "contradicted: from %.3f s to %.3f s no wake-up was less than a period late",
			 (late->from_ns - sums->from_ns) / 1e9, (late->to_ns - sums->from_ns) / 1e9);
	else
		snprintf(text, size, "kept");
	return !strcmp(text, "kept");
}

void verdict_find(struct verdict *verdict, const struct evidence *evidence)
{
	static const char *const names[] = { "valid", "suspect", "invalid" };
	const struct channel *channel = evidence->channel;
	struct finding finding = { .grade = VALID };
	char whose[64];

	if (!evidence->sums->samples && !evidence->idle)
		finding_add(&finding, INVALID, "nothing was measured");
	if (channel->measuring)
		judge_policy(&finding, evidence);
	judge_end(&finding, evidence);
	judge_sched_state(&finding, "", &channel->began, evidence->sched_state);
	snprintf(whose, sizeof(whose), "%s: ", evidence->source->ops->child);
	if (channel->children.count)
		judge_sched_state(&finding, whose, &channel->children.began, evidence->children_state);
	if (channel_idle_latency_changed(channel))
		finding_add(&finding, SUSPECT, "idle_latency_us changed: %s -> %s", channel->idle_latency,
			    channel->idle_latency_after);
	disturbed_judge(&finding, evidence);
	judge_guard(&finding, evidence);
	if (*evidence->changes)
		finding_add(&finding, SUSPECT, "%s", evidence->changes);
	if (*evidence->load)
		finding_add(&finding, SUSPECT, "%s", evidence->load);
	judge_samples(&finding, evidence);
	if (evidence->source->ops->observes)
		judge_wakeups(&finding, evidence->sums);
	else
		judge_requests(&finding, evidence->sums);
	judge_parts(&finding, evidence);
	*verdict = (struct verdict){
		.grade = finding.grade, .reasons = finding.grade ? finding.reasons : finding.remarks,
	};
	strcpy(verdict->cause, finding.cause);
	strcpy(verdict->remarks, finding.remark);
	text_append(verdict->text, sizeof(verdict->text), "%s%s%s", names[finding.grade],
		    *finding.reason ? ": " : "", finding.reason);
}
