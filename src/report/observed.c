// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "report/lines.h"
#include "report/observed.h"

void observed_print(FILE *out, const struct report *report)
{
	const struct thread *thread = &report->source->thread;
	const struct sums *sums = totals_sums(report->totals);

	print_count(out, "thread", thread->id);
	print_value(out, "thread_name", thread->name);
	print_count(out, "thread_siblings", thread->siblings);
	print_value(out, "thread_policy", sched_state_policy_name(thread->state.policy));
	print_count(out, "thread_priority", thread->state.priority);
	print_value(out, "thread_cpus", thread->cpus);
	print_value(out, "stamp", "switch");
	if (report->channel->end == END_GONE)
		fprintf(out, "# thread_ended_s: %.6f\n", (sums->to_ns - sums->from_ns) / 1e9);
	if (sums->inferred_period_ns > 0) {
		print_count(out, "inferred_period_ns", sums->inferred_period_ns);
		print_count(out, "inferred_missed", sums->inferred_missed);
	}
}

void observed_print_counts(FILE *out, const struct sums *sums)
{
	print_count(out, "deduced", sums->deduced);
	print_count(out, "timed", sums->timed);
}

/* "1234 sleeper, fifo 80, on CPUs 0-1; ended after 3.2 s" */
static void tell_thread(struct block *block, const struct report *report)
{
	const struct thread *thread = &report->source->thread;
	const struct sums *sums = totals_sums(report->totals);
	char text[128] = "";

	text_append(text, sizeof(text), "%d %s", thread->id, thread->name);
	if (thread->siblings > 1)
		text_append(text, sizeof(text), " (one of %u of its process)", thread->siblings);
	text_append(text, sizeof(text), ", %s", sched_state_policy_name(thread->state.policy));
	if (thread->state.priority)
		text_append(text, sizeof(text), " %d", thread->state.priority);
	text_append(text, sizeof(text), ", on CPU%s %s", thread->state.cpus > 1 ? "s" : "", thread->cpus);
	if (report->channel->end == END_GONE)
		text_append(text, sizeof(text), "; ended after %.1f s", (sums->to_ns - sums->from_ns) / 1e9);
	block_row(block, "thread");
	block_put(block, "%s", text);
	block_end_row(block);
}

/* By what it was woken. Without a grid of its timers nothing can be missed. */
static void tell_woken(struct block *block, const struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);
	char text[256] = "";

	text_append(text, sizeof(text), "%" PRIu64 " of %" PRIu64 " times by its own timer", sums->timed,
		    sums->samples);
	if (sums->inferred_period_ns > 0) {
		char period[UNITS_TEXT];

		text_append(text, sizeof(text), ", apparently every %s, %" PRIu64 " missed",
			    units_figure(sums->inferred_period_ns, period), sums->inferred_missed);
	}
	if (sums->deduced)
		text_append(text, sizeof(text), "; %" PRIu64 " deduced", sums->deduced);
	if (sums->unmatched)
		text_append(text, sizeof(text), "; %" PRIu64 " unmatched", sums->unmatched);
	block_row(block, "woken");
	block_put(block, "%s", text);
	block_end_row(block);
}

void observed_tell(struct block *block, const struct report *report)
{
	tell_thread(block, report);
	tell_woken(block, report);
}
