// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "explain/trial.h"
#include "run/preflight_explain.h"
#include "run/setup.h"
#include "source/registry.h"

/* Can the kernel record the CPU that the meter is bound to (-1: to none)? Returns false with the refusal. */
static bool can_record(const struct options *options, int bound, struct refusal *refusal)
{
	struct trace_layout layout = { .count = 0 };
	struct tap_plan plan = {
		.level = options->explain, .hz = options->frequency_hz, .cpu = trace_find_cpu(bound, refusal),
		.rehearsal = true, .layout = &layout,
	};
	struct tap tap;

	if (plan.cpu < 0 || tap_open(&tap, &plan, NULL, refusal) < 0)
		return false;
	tap_close(&tap);
	return true;
}

bool explains_meter(const struct options *options)
{
	const struct source_ops *ops = source_find(options->source);

	return !ops || !ops->observes;
}

bool can_explain(const struct preflight *preflight, struct refusal *refusal)
{
	const struct options *options = preflight->options;
	const struct cpus *cpus = &options->cpus;
	int waker = options->waker.cpu;

	/* A waking is recorded on the CPU where the waker runs. */
	if (waker >= 0 && (cpus->count != 1 || cpus->number[0] != waker)) {
		trace_refuse_waker(refusal, waker);
		return false;
	}
	if (options->explain >= EXPLAIN_STACKS && symbols_load(preflight->symbols, KALLSYMS) < 0) {
		trace_refuse_names(refusal, errno);
		text_append(refusal->remedy, sizeof(refusal->remedy), ", or use --explain=blame");
		return false;
	}
	if (!cpus->count && explains_meter(options) && !can_record(options, -1, refusal))
		return false;
	for (int i = 0; i < cpus->count; i++)
		if (!can_record(options, cpus->number[i], refusal))
			return false;
	return !trace_refuse_namespace(refusal);
}

uint64_t address_of(const struct preflight *preflight, const char *function)
{
	uint64_t address;

	if (preflight->symbols->count)
		return symbols_address(preflight->symbols, function);
	return symbols_look_up(KALLSYMS, &function, &address, 1) < 0 ? 0 : address;
}

#define TESTED_WAKEUPS 128		/* on each CPU: enough that a single one that is lost does not count */

/* Some kernels do not record all. Without this trial, the user would notice only in the report. */
static struct trial test_recording(const struct options *options, int cpu)
{
	struct trial trial = trial_of_records(cpu, TESTED_WAKEUPS);

	if (trial_misses_some(&trial))
		warn("%sthe kernel records only %" PRIu64 " of %" PRIu64 " wakings and %" PRIu64 " of %" PRIu64
		     " task switches on CPU %d, so as many wake-ups will stay unexplained; measure another CPU "
		     "(--cpu)",
		     options->check ? "" : "warning: --explain: ", trial.wakings, trial.wakeups, trial.recorded,
		     trial.switches, cpu);
	return trial;
}

static void tell_recorded(const struct trial *trial)
{
	char others[64] = "";

	if (trial->by_programs)
		snprintf(others, sizeof(others), ", perf alone %" PRIu64, trial->traced);
	preflight_value("the kernel records %" PRIu64 " of %" PRIu64 " task switches%s", trial->recorded,
			trial->switches, others);
}

/* With the rights of a meter: an ordinary process may never get the CPU. */
bool test_recordings(const struct preflight *preflight)
{
	struct options options = *preflight->options;
	struct trial sum = { .switches = 0 };
	struct cpus cpus = options.cpus;
	struct refusal refusal;
	struct rights rights;

	options.best_effort = true;
	if (!cpus.count)
		cpus = (struct cpus){ .count = 1, .number = { trace_find_cpu(-1, &refusal) } };
	for (int i = 0; i < cpus.count; i++) {
		const struct cpus one = { .count = 1, .number = { cpus.number[i] } };
		struct trial trial;

		setup_realtime(&options, &one, &rights);
		trial = test_recording(&options, one.number[0]);
		sum.switches += trial.switches;
		sum.traced += trial.traced;
		sum.recorded += trial.recorded;
		sum.by_programs |= trial.by_programs;
	}
	setup_ordinary();
	tell_recorded(&sum);
	return true;
}
