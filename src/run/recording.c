// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/cgroup.h"
#include "host/process.h"
#include "run/findings.h"
#include "run/recording.h"
#include "run/setup.h"
#include "source/registry.h"

#define TESTED_WAKEUPS 128		/* on each CPU: enough that a single one that is lost does not count */

/* What a source that observes says in place of --explain. */
static bool observes(const struct options *options)
{
	const struct source_ops *ops = source_find(options->source);

	return ops && ops->observes;
}

static void warn_of_misses(const struct options *options, const struct cpus *cpus, const struct trial *sum)
{
	const char *about = observes(options) ? "warning: --source=task: " : "warning: --explain: ";
	char text[CPUS_TEXT_SIZE];

	cpus_print(cpus, text);
	warn("%sthe kernel records only %" PRIu64 " of %" PRIu64 " wakings and %" PRIu64 " of %" PRIu64
	     " task switches on CPU %s: wake-ups that it misses will stay %s", options->check ? "" : about,
	     sum->wakings, sum->wakeups, sum->recorded, sum->switches, text, observes(options) ?
	     "unmatched; run the threads on another CPU (taskset)" : "unexplained; measure another CPU (--cpu)");
}

static void list_recorded(const struct options *options, const struct trial *sum)
{
	char others[64] = "";

	if (!sum->wakeups)
		return;
	if (sum->by_programs)
		snprintf(others, sizeof(others), ", perf alone %" PRIu64, sum->traced);
	listing_value("%sthe kernel records %" PRIu64 " of %" PRIu64 " task switches%s",
		      observes(options) ? "task; " : "", sum->recorded, sum->switches, others);
}

void recording_report(const struct options *options, const int cpu[], const struct trial *const trials[],
		      unsigned count)
{
	struct trial whole = { .switches = 0 }, partly = { .switches = 0 };
	struct cpus missing = { .count = 0 };

	for (unsigned i = 0; i < count; i++) {
		bool misses = trial_misses_some(trials[i]);
		struct trial *sum = misses ? &partly : &whole;

		sum->switches += trials[i]->switches;
		sum->traced += trials[i]->traced;
		sum->recorded += trials[i]->recorded;
		sum->wakeups += trials[i]->wakeups;
		sum->wakings += trials[i]->wakings;
		sum->by_programs |= trials[i]->by_programs;
		if (misses)
			missing.number[missing.count++] = cpu[i];
	}
	if (!missing.count)
		list_recorded(options, &whole);
	else if (!options->quiet || options->check)
		warn_of_misses(options, &missing, &partly);
}

/* In a child, with fifo 99: others might never let it have the CPU. */
static void try_cpu(const struct options *asked, int cpu, struct trial *trial)
{
	struct rights rights = { .granted = "" };
	struct options options = *asked;
	int unbound;

	options.best_effort = true;
	options.check = false;
	options.policy = "fifo";
	options.priority = 99;
	setup_realtime(&options, cpu, &rights, &unbound);
	if (!*rights.refused)
		*trial = trial_of_records(cpu, TESTED_WAKEUPS);
	setup_ordinary();
}

/* Without this warning, the user would notice only in the report. */
static void warn_of_untried(const struct options *options, const struct cpus *cpus, int error)
{
	char text[CPUS_TEXT_SIZE];

	if (!cpus->count || (options->quiet && !options->check))
		return;
	cpus_print(cpus, text);
	errno = error;
	warn("%swhat the kernel records on CPU %s could not be tried: %m; %s",
	     options->check ? "" : "warning: --source=task: ", text,
	     cgroup_limit_remedy(false, "end some processes, or free some memory"));
}

/* All CPUs at once. A trial that could not be made is all 0. */
static void try_cpus(const struct options *options, unsigned count, struct trial *trials, int error)
{
	struct cpus untried = { .count = 0 };
	pid_t child[CPUS_MAX];

	cgroup_note_limits();
	for (unsigned i = 0; i < count; i++) {
		child[i] = trials ? fork() : -1;
		if (child[i] == 0) {
			try_cpu(options, i, &trials[i]);
			_exit(0);
		}
		if (child[i] > 0)
			continue;
		error = trials ? errno : error;
		untried.number[untried.count++] = i;
	}
	for (unsigned i = 0; i < count; i++)
		while (child[i] > 0 && waitpid(child[i], NULL, 0) < 0 && errno == EINTR)
			;
	warn_of_untried(options, &untried, error);
}

void recording_try(const struct options *options, struct source *source)
{
	static struct cpus by_programs;
	unsigned count = lesser(sysconf(_SC_NPROCESSORS_CONF), CPUS_MAX);
	struct trial *trials = shared_create(count * sizeof(*trials));
	const struct trial *each[CPUS_MAX];
	int cpu[CPUS_MAX];

	try_cpus(options, count, trials, errno);
	source->by_programs = &by_programs;
	if (!trials)
		return;
	for (unsigned i = 0; i < count; i++) {
		cpu[i] = i;
		each[i] = &trials[i];
		if (trials[i].by_programs)
			by_programs.number[by_programs.count++] = i;
	}
	recording_report(options, cpu, each, count);
	munmap(trials, count * sizeof(*trials));
}
