// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "report/block.h"
#include "report/lines.h"
#include "report/report.h"

/* Those of the threads that are not written, by number and name. */
static void print_asleep(FILE *out, const struct report *reports)
{
	char text[1024] = "";

	for (unsigned i = 0; i < reports->count; i++)
		if (!reports[i].part)
			text_append(text, sizeof(text), "%s%s", *text ? ", " : "", reports[i].name);
	if (*text)
		print_value(out, "threads_asleep", text);
}

void observed_print(FILE *out, const struct report *report)
{
	const struct thread *thread = &report->channel->thread;
	const struct thread *first = &report[1 - (int)report->number].channel->thread;
	const struct sums *sums = totals_sums(report->totals);

	print_count(out, "thread", thread->id);
	print_value(out, "thread_name", thread->name);
	print_count(out, "thread_siblings", thread->siblings);
	print_value(out, "thread_policy", sched_state_policy_name(thread->state.policy));
	print_count(out, "thread_priority", thread->state.priority);
	print_value(out, "thread_cpus", thread->cpus);
	print_asleep(out, report - (report->number - 1));
	if (first->newcomers)
		print_value(out, "threads_begun", first->newcomer);
	print_value(out, "stamp", "switch");
	if (report->channel->end == END_GONE && sums->samples)
		fprintf(out, "# thread_ended_s: %.6f\n", (sums->to_ns - sums->from_ns) / 1e9);
	if (sums->figures.inferred_period_ns > 0) {
		print_count(out, "inferred_period_ns", sums->figures.inferred_period_ns);
		print_count(out, "inferred_missed", sums->figures.inferred_missed);
	}
}

void observed_print_counts(FILE *out, const struct sums *sums)
{
	print_count(out, "timed", sums->timed);
	if (sums->timed)
		fprintf(out, "# slack_mean_ns: %.3f\n", (double)sums->slack_ns / sums->timed);
	print_count(out, "preempted", sums->figures.preempted);
	if (sums->figures.preempted)
		print_count(out, "preempted_max_ns", sums->figures.preempted_ns);
}

/* "; ended after 3.2 s" or, if it slept until then, "; ended"; "; 2 ended", "; 1 began, which is not measured" */
static void tell_ended(const struct report *reports, char *text, size_t size)
{
	const struct sums *sums = totals_sums(reports->totals);
	unsigned ended = 0, newcomers = reports->channel->thread.newcomers;

	for (unsigned i = 0; i < reports->count; i++)
		ended += reports[i].channel->end == END_GONE;
	if (ended && reports->count == 1 && sums->samples)
		text_append(text, size, "; ended after %.1f s", (sums->to_ns - sums->from_ns) / 1e9);
	else if (ended && reports->count == 1)
		text_append(text, size, "; ended");
	else if (ended)
		text_append(text, size, "; %u ended", ended);
	if (newcomers)
		text_append(text, size, "; %u began, which %s not measured", newcomers, newcomers > 1 ? "are" : "is");
}

/* "1234 sleeper, fifo 80, on CPUs 0-1"; of several the one with the worst: "the worst of 8: 1234 sleeper, ..." */
static void tell_thread(struct block *block, const struct report *reports, const struct report *worst)
{
	const struct thread *thread = &worst->channel->thread;
	char text[192] = "";

	if (reports->count > 1)
		text_append(text, sizeof(text), "the worst of %u: ", reports->count);
	text_append(text, sizeof(text), "%d %s", thread->id, thread->name);
	if (reports->count == 1 && thread->siblings > 1)
		text_append(text, sizeof(text), " (one of %u of its process)", thread->siblings);
	text_append(text, sizeof(text), ", %s", sched_state_policy_name(thread->state.policy));
	if (thread->state.priority)
		text_append(text, sizeof(text), " %d", thread->state.priority);
	text_append(text, sizeof(text), ", on CPU%s %s", thread->state.cpus > 1 ? "s" : "", thread->cpus);
	tell_ended(reports, text, sizeof(text));
	block_row(block, "thread");
	block_put(block, "%s", text);
}

/* What is known of the wake-ups of all threads. */
struct woken {
	uint64_t samples, timed, slack_ns, unmatched, preempted, preempted_ns;
};

static struct woken add_woken(const struct report *reports)
{
	struct woken woken = { .samples = 0 };

	for (unsigned i = 0; i < reports->count; i++) {
		const struct sums *sums = totals_sums(reports[i].totals);

		woken.samples += sums->samples;
		woken.timed += sums->timed;
		woken.slack_ns += sums->slack_ns;
		woken.unmatched += sums->figures.unmatched;
		woken.preempted += sums->figures.preempted;
		woken.preempted_ns = greater(woken.preempted_ns, sums->figures.preempted_ns);
	}
	return woken;
}

/* By what they were woken. Without a grid of its timers nothing can be missed; of several the worst has its told. */
static void tell_woken(struct block *block, const struct woken *woken, const struct report *worst)
{
	const struct sums *sums = totals_sums(worst->totals);
	bool several = worst->count > 1;
	char text[256] = "";

	text_append(text, sizeof(text), "%" PRIu64 " of %" PRIu64 " times by %s own timer", woken->timed,
		    woken->samples, several ? "the thread's" : "its");
	if (woken->slack_ns) {
		char slack[UNITS_TEXT];

		text_append(text, sizeof(text), ", which the kernel may delay by %s",
			    units_figure(woken->slack_ns / woken->timed, slack));
	}
	if (sums->figures.inferred_period_ns > 0) {
		char period[UNITS_TEXT];

		text_append(text, sizeof(text), ", %sapparently every %s, %" PRIu64 " missed",
			    several ? "that of the worst " : "",
			    units_figure(sums->figures.inferred_period_ns, period), sums->figures.inferred_missed);
	}
	if (woken->unmatched)
		text_append(text, sizeof(text), "; %" PRIu64 " unmatched", woken->unmatched);
	block_row(block, "woken");
	block_put(block, "%s", text);
}

/* What happened to it between two sleeps. */
static void tell_preempted(struct block *block, const struct woken *woken)
{
	char longest[UNITS_TEXT];

	if (!woken->preempted)
		return;
	block_row(block, "preempted");
	block_put(block, "after %" PRIu64 " of these wake-ups, for %s at most", woken->preempted,
		  units_figure(woken->preempted_ns, longest));
}

void observed_tell(struct block *block, const struct report *reports, const struct report *worst)
{
	const struct woken woken = add_woken(reports);

	tell_thread(block, reports, worst);
	tell_woken(block, &woken, worst);
	tell_preempted(block, &woken);
}
