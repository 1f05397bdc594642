// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "explain/tap.h"
#include "host/cgroup.h"
#include "host/process.h"
#include "run/preflight.h"
#include "run/setup.h"
#include "source/registry.h"

bool preflight_explains_meter(const struct options *options)
{
	const struct source_ops *ops = source_find(options->source);

	return !ops || !ops->takes_target;
}

bool preflight_can_explain(const struct preflight *preflight, struct refusal *refusal)
{
	const struct options *options = preflight->run->options;
	const struct cpus *cpus = &options->cpus;
	int waker = options->waker.cpu;
	struct trace_layout layout = { .count = 0 };
	const struct tap_plan plan = {
		.level = options->explain, .hz = options->frequency_hz, .cpu = cpus->number[0], .rehearsal = true,
		.layout = &layout,
	};
	struct tap tap;

	/* A waking is recorded on the CPU where the waker runs. */
	if (waker >= 0 && (cpus->count != 1 || cpus->number[0] != waker)) {
		trace_refuse_waker(refusal, waker);
		return false;
	}
	if (options->explain >= EXPLAIN_STACKS && symbols_load(preflight->run->symbols, KALLSYMS) < 0) {
		trace_refuse_names(refusal, errno);
		text_append(refusal->remedy, sizeof(refusal->remedy), ", or use --explain=blame");
		return false;
	}
	for (int i = 0; i < cpus->count; i++)
		if (trace_find_cpu(cpus->number[i], refusal) < 0)
			return false;
	/* What refuses one CPU refuses all, and one after the other they would take long on a large machine. */
	if (cpus->count && tap_open(&tap, &plan, refusal) < 0)
		return false;
	if (cpus->count)
		tap_close(&tap);
	return !trace_refuse_namespace(refusal);
}

#define TESTED_WAKEUPS 128		/* on each CPU: enough that a single one that is lost does not count */

/*
 * Runs in a child with the rights of a meter. A meter that observes other programs
 * has none, and such a child might never get the CPU from them: it gets fifo 99.
 */
static void try_cpu(const struct options *asked, int cpu, struct trial *trial)
{
	const struct cpus one = { .count = 1, .number = { cpu } };
	struct options options = *asked;
	struct rights rights = { .granted = "" };

	options.best_effort = true;
	options.check = false;
	if (!preflight_explains_meter(asked)) {
		options.policy = "fifo";
		options.priority = 99;
	}
	setup_realtime(&options, &one, &rights);
	if (preflight_explains_meter(asked) || !*rights.refused)
		*trial = trial_of_records(cpu, TESTED_WAKEUPS);
	setup_ordinary();
}

/* How a warning begins. */
static const char *prefix(const struct options *options)
{
	if (options->check)
		return "";
	return preflight_explains_meter(options) ? "warning: --explain: " : "warning: --source=task: ";
}

static void warn_of_untried(const struct options *options, const struct cpus *cpus, int error)
{
	char text[CPUS_TEXT_SIZE];

	if (!cpus->count || (options->quiet && !options->check))
		return;
	cpus_print(cpus, text);
	errno = error;
	warn("%swhat the kernel records on CPU %s could not be tried: %m; %s", prefix(options), text,
	     cgroup_limit_remedy(false, "end some processes, or free some memory"));
}

/* Tries all CPUs at once. A trial that could not be made is all 0. Returns NULL if there is no memory. */
static struct trial *try_cpus(const struct options *options, const struct cpus *cpus)
{
	struct trial *trials = shared_create(cpus->count * sizeof(*trials));
	struct cpus untried = { .count = 0 };
	int error = errno;
	pid_t child[CPUS_MAX];

	cgroup_note_limits();
	for (int i = 0; i < cpus->count; i++) {
		child[i] = trials ? fork() : -1;
		if (child[i] == 0) {
			try_cpu(options, cpus->number[i], &trials[i]);
			_exit(0);
		}
		if (child[i] > 0)
			continue;
		error = trials ? errno : error;
		untried.number[untried.count++] = cpus->number[i];
	}
	for (int i = 0; i < cpus->count; i++)
		while (child[i] > 0 && waitpid(child[i], NULL, 0) < 0 && errno == EINTR)
			;
	warn_of_untried(options, &untried, error);
	return trials;
}

/* Without this warning, the user would notice only in the report. */
static void warn_of_misses(const struct options *options, const struct cpus *cpus, const struct trial *sum)
{
	char text[CPUS_TEXT_SIZE];

	cpus_print(cpus, text);
	warn("%sthe kernel records only %" PRIu64 " of %" PRIu64 " wakings and %" PRIu64 " of %" PRIu64
	     " task switches on CPU %s: wake-ups that it misses will stay %s", prefix(options), sum->wakings,
	     sum->wakeups, sum->recorded, sum->switches, text, preflight_explains_meter(options) ?
	     "unexplained; measure another CPU (--cpu)" : "unmatched; run the threads on another CPU (taskset)");
}

static void list_recorded(const struct options *options, const struct trial *sum)
{
	char others[64] = "";

	if (!sum->wakeups)
		return;
	if (sum->by_programs)
		snprintf(others, sizeof(others), ", perf alone %" PRIu64, sum->traced);
	preflight_value("%sthe kernel records %" PRIu64 " of %" PRIu64 " task switches%s",
			preflight_explains_meter(options) ? "" : "task; ", sum->recorded, sum->switches, others);
}

void preflight_try_recording(const struct preflight *preflight)
{
	static struct cpus by_programs;
	const struct options *options = preflight->run->options;
	struct cpus cpus = options->cpus, missing = { .count = 0 };
	struct trial whole = { .switches = 0 }, partly = { .switches = 0 }, *trials;

	if (!preflight_explains_meter(options))
		for (int i = 0; i < sysconf(_SC_NPROCESSORS_CONF) && i < CPUS_MAX; i++)
			cpus.number[cpus.count++] = i;
	trials = try_cpus(options, &cpus);
	for (int i = 0; trials && i < cpus.count; i++) {
		bool misses = trial_misses_some(&trials[i]);
		struct trial *sum = misses ? &partly : &whole;

		sum->switches += trials[i].switches;
		sum->traced += trials[i].traced;
		sum->recorded += trials[i].recorded;
		sum->wakeups += trials[i].wakeups;
		sum->wakings += trials[i].wakings;
		sum->by_programs |= trials[i].by_programs;
		if (misses)
			missing.number[missing.count++] = cpus.number[i];
		if (trials[i].by_programs)
			by_programs.number[by_programs.count++] = cpus.number[i];
	}
	preflight->source->by_programs = &by_programs;
	if (!missing.count)
		list_recorded(options, &whole);
	else if (!options->quiet || options->check)
		warn_of_misses(options, &missing, &partly);
	if (trials)
		munmap(trials, cpus.count * sizeof(*trials));
}
