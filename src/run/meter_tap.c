// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "explain/tap.h"
#include "run/meter.h"
#include "run/setup.h"

/* The tap is for the CPU that the meter is on, which may not be the one asked for. Returns false with the refusal. */
static bool open_tap(struct tap *tap, const struct run *run, const struct worker *worker,
		     struct refusal *refusal)
{
	struct channel *channel = worker->channel;
	struct tap_plan plan = {
		.level = run->options->explain, .cpu = trace_find_cpu(-1, refusal), .hz = worker->source.hz,
		.asked = !measures_schedule(worker->source.ops->measures), .handler = worker->source.handler,
		.layout = &channel->tap_state->layout,
	};

	if (plan.cpu < 0)
		return false;
	channel->tap_state->trial = trial_of_records(plan.cpu, TRIAL_WAKEUPS);
	channel->tap_state->without_ns = trial_lateness_ns();
	plan.by_programs = channel->tap_state->trial.by_programs;
	if (tap_open(tap, &plan, refusal) < 0)
		return false;
	tap_enable(tap, true);
	channel->tap_state->with_ns = trial_lateness_ns();
	channel->tap_state->level = tap->level;
	channel->tap_state->cpu = plan.cpu;
	channel->tap_state->parts_size = tap->parts.size;
	return true;
}

/* That of a meter which observes a thread of another program. */
static bool open_observed_tap(struct tap *tap, const struct run *run, const struct channel *channel,
			      struct refusal *refusal)
{
	if (tap_open_observed(tap, run->options->explain, run->flights) < 0) {
		trace_refuse_tracepoint(refusal, "what has the CPUs", errno);
		return false;
	}
	channel->tap_state->level = tap->level;
	channel->tap_state->cpu = -1;
	return true;
}

bool meter_tap_start(struct tap *tap, const struct run *run, const struct worker *worker)
{
	struct tap_state *state = worker->channel->tap_state;
	struct refusal refusal;

	strcpy(state->refused, run->unexplained);
	if (!run->options->explain || *state->refused)
		return true;
	if (worker->source.threads ? open_observed_tap(tap, run, worker->channel, &refusal)
					 : open_tap(tap, run, worker, &refusal))
		return true;
	refusal_clause(&refusal, state->refused, sizeof(state->refused));
	return setup_does_without(run->options, "--explain: ", &refusal);
}
