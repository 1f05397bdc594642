// SPDX-License-Identifier: GPL-2.0-or-later
/* What a meter asks of the kernel before the run begins, and how the keeper reports what was refused. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "run/findings.h"
#include "run/setup.h"

/* The tap is for the CPU that the meter is on, which may not be the one asked for. Returns false with the refusal. */
static bool open_tap(struct tap *tap, const struct run *run, const struct worker *worker, struct refusal *refusal)
{
	struct tap_state *state = worker->channel->tap_state;
	struct tap_plan plan = {
		.level = run->options->explain, .cpu = trace_find_cpu(refusal), .hz = worker->source.hz,
		.asked = !measures_schedule(worker->source.ops->measures), .handler = worker->source.handler,
		.layout = &state->layout,
	};

	if (plan.cpu < 0)
		return false;
	state->cpu = plan.cpu;
	state->trial = trial_of_records(plan.cpu, TRIAL_WAKEUPS);
	state->without_ns = trial_lateness_ns();
	plan.by_programs = state->trial.by_programs;
	if (tap_open(tap, &plan, refusal) < 0)
		return false;
	tap_enable(tap, true);
	state->with_ns = trial_lateness_ns();
	state->parts_size = tap->parts.size;
	return true;
}

/* Not if the keeper was refused already what the records take, or if there is no CPU or no source to explain. */
static void start_tap(struct tap *tap, const struct run *run, const struct worker *worker)
{
	const struct options *options = run->options;
	struct tap_state *state = worker->channel->tap_state;
	bool observes = worker->source.threads, opened;
	struct refusal refusal;

	strcpy(state->refused, run->unexplained);
	if (!options->explain || *state->refused || worker->refused->unbound || (worker->cpu < 0 && !observes))
		return;
	state->cpu = -1;
	opened = observes ? tap_open_observed(tap, options->explain, run->flights) == 0 :
		 open_tap(tap, run, worker, &refusal);
	if (opened) {
		state->level = tap->level;
		return;
	}
	if (observes)
		trace_refuse_tracepoint(&refusal, "what has the CPUs", errno);
	refusal_clause(&refusal, state->refused, sizeof(state->refused));
	setup_does_without(options, "--explain: ", &refusal);
}

static char *noted;			/* REFUSED_SIZE bytes: where the messages of this meter go */

static void note_message(const char *message)
{
	text_append(noted, REFUSED_SIZE, "%s%s", *noted ? "\n" : "", message);
}

void ask(const struct run *run, struct worker *worker, struct tap *tap, struct loop *loop)
{
	struct channel *channel = worker->channel;

	noted = worker->refused->rights;
	diag_redirect(note_message);
	setup_realtime(run->options, worker->cpu, &channel->rights, &worker->refused->unbound);
	sched_state_read(0, &channel->began);
	/* The CPU that is measured may be unknown: the meter may be bound to none, or observe another process. */
	if (channel->began.cpus == 1 && !worker->source.threads)
		loop->smis = smis_open(channel->began.first_cpu);
	noted = worker->refused->explain;
	start_tap(tap, run, worker);
	diag_redirect(NULL);
}

static void warn_of_each(const char *lines)
{
	for (; *lines; lines += strcspn(lines, "\n"), lines += *lines != '\0')
		warn("%.*s", (int)strcspn(lines, "\n"), lines);
}

/* In one line all CPUs that meters could not be bound to, and what else the first refused meter was refused. */
static bool report_rights(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	struct cpus unbound = { .count = 0 };
	const char *first = "";
	int error = 0;

	listing_begin("rights", false);
	listing_value(options->priority ? "%s %d" : "%s", options->policy, options->priority);
	for_each_worker(worker, &keeper->workers) {
		if (worker->refused->unbound) {
			unbound.number[unbound.count++] = worker->cpu;
			error = worker->refused->unbound;
		}
		first = *first ? first : worker->refused->rights;
	}
	if (error)
		setup_refuse_cpus(&unbound, error, keeper->workers.count > 1);
	warn_of_each(first);
	listing_end();
	return !error && !*first;
}

/* For a source that observes, the CPUs were tried before. */
static bool report_explain(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	const struct trial *trials[CPUS_MAX] = { NULL };
	bool observes = keeper->workers.first->source.threads;

	if (!options->explain || *keeper->run->unexplained)
		return true;
	listing_begin("explain", false);
	for_each_worker(worker, &keeper->workers) {
		if (*worker->refused->explain) {
			warn_of_each(worker->refused->explain);
			return options->best_effort && !options->check;
		}
		if (worker->cpu >= 0)
			trials[worker->cpu] = &worker->channel->tap_state->trial;
	}
	if (!observes)
		recording_report(options, false, trials);
	listing_end();
	return true;
}

bool ask_report(const struct keeper *keeper)
{
	bool granted = report_rights(keeper);

	return report_explain(keeper) && granted;
}
