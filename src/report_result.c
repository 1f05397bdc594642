// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "report_result.h"
#include "text.h"

/* Did the run reach the end that was set for it? One without any is to be interrupted. */
static bool is_complete(const struct result *result)
{
	const struct options *options = result->report->options;

	switch (result->channel->end) {
	case END_SAMPLES:
	case END_DURATION:
	case END_LOAD:
		return true;
	case END_ASKED:
		return !options->samples && !options->duration_ns && !options->load && !result->succeeding;
	default:
		return false;
	}
}

static const char *status_word(const struct result *result)
{
	if (result->running)
		return "checkpoint";
	if (result->channel->end == END_BREAK)
		return "break";
	return is_complete(result) ? "complete" : "interrupted";
}

/* Was a lateness above --max or --break? */
static bool is_exceeded(const struct result *result)
{
	uint64_t max_ns = result->report->options->max_ns;
	const struct sums *sums = totals_sums(result->totals);

	return result->channel->end == END_BREAK ||
	       (max_ns && sums->samples && sums->moments[LATENESS].max > (int64_t)max_ns);
}

static void tell_testimony(const struct result *result, char *lines, size_t size)
{
	const struct channel *channel = result->channel;
	const struct sched_state *began = &channel->began, *now = &result->sched_state;

	monitor_write(result->disturbances, lines, size);
	if (now->cpus && began->migrations >= 0 && now->migrations >= 0)
		text_append(lines, size, "migrations: %" PRId64 "\n", now->migrations - began->migrations);
	else
		text_append(lines, size, "migrations: unknown\n");
	text_append(lines, size, "stopped_ms: %" PRIu32 "\nfrozen: %s\n", channel->stopped_ms,
		    channel->frozen ? "yes" : channel->freezer_hidden ? "unknown" : "no");
}

static void tell_load(const struct result *result, char *text, size_t size)
{
	const struct sums *sums = totals_sums(result->totals);
	const struct options *options = result->report->options;

	load_doubt(result->report->load, sums->from_ns, sums->to_ns,
		   options->samples || options->duration_ns, text, size);
}

/* When the meter has ended meanwhile, it is an ordinary process by now, which says nothing of the run. */
static void look_at_meter(struct result *result)
{
	result->sched_state = result->channel->ended;
	if (!result->running)
		return;
	sched_state_read(result->meter, &result->sched_state);
	if (result->channel->end)
		result->sched_state.cpus = 0;
}

void result_sum_up(struct result *result)
{
	struct channel *channel = result->channel;
	const struct sums *sums = totals_sums(result->totals);
	struct report *report = result->report;
	char load[256], changes[2048] = "";
	struct evidence evidence = {
		.channel = channel, .sums = sums,
		.period_ns = report->source->period_ns, .policy = report->options->policy,
		.priority = report->options->priority, .running = result->running,
		.sched_state = &result->sched_state, .disturbances = result->disturbances,
		.changes = changes, .load = load,
	};

	report->started = channel->started;
	report->anchor_uncertainty_ns = channel->anchor_uncertainty_ns;
	report->granted = channel->granted;
	report->explain_cost_ns = channel->explain_cost_ns;
	report->totals = result->totals;
	report->status = status_word(result);
	report->trace = channel->trace;
	report->traced = channel->traced;
	report->after = result->after;
	evidence.schedule_kept = schedule_kept(result->totals, report->source->period_ns,
					       channel->anchor_uncertainty_ns + sums->clock_error_ns,
					       report->schedule, sizeof(report->schedule));
	look_at_meter(result);
	tell_load(result, load, sizeof(load));
	tell_testimony(result, report->disturbances, sizeof(report->disturbances));
	if (result->after)
		sysinfo_tell_changes(report->machine, result->after, changes, sizeof(changes));
	result->grade = verdict(&evidence, report->verdict, sizeof(report->verdict));
}

/* Pass or fail, for those who asked. */
static void tell_limits(const struct result *result)
{
	const struct options *options = result->report->options;
	bool broken = result->channel->end == END_BREAK;

	if (options->max_ns)
		fprintf(stderr, "; %s: --max is %.1f us", is_exceeded(result) ? "FAIL" : "pass",
			options->max_ns / 1e3);
	if (broken)
		fprintf(stderr, "; stopped: --break is %.1f us; trace: %s", options->break_ns / 1e3,
			result->channel->trace);
}

void result_tell(const struct result *result, const char *where)
{
	const struct sums *sums = totals_sums(result->totals);
	const struct report *report = result->report;

	if (report->options->quiet)
		return;
	fprintf(stderr, "%s; %s: %" PRIu64 " samples of %s at %u Hz, %" PRIu64 " missed",
		report->verdict, report->status, sums->samples, report->source->ops->name,
		report->source->hz, sums->missed);
	if (sums->samples)
		fprintf(stderr, ", lateness %.1f to %.1f us", sums->moments[LATENESS].min / 1e3,
			sums->moments[LATENESS].max / 1e3);
	tell_limits(result);
	fprintf(stderr, "; report: %s\n", where);
}

enum exit_status result_status(const struct result *result, bool saved)
{
	if (!saved || (result->grade == INVALID && !result->report->options->best_effort))
		return EXIT_NOT_MEASURED;
	if (is_exceeded(result))
		return EXIT_EXCEEDED;
	return is_complete(result) ? EXIT_MEASURED : EXIT_INTERRUPTED;
}
