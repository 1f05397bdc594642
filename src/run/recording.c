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

static bool observes(const struct options *options)
{
	const struct source_ops *ops = source_find(options->source);

	return ops && ops->takes_target;
}

void recording_report(const struct options *options, const int cpu[], const struct trial *const trials[],
		      unsigned count)
{
	struct trial whole = { .switches = 0 }, partly = { .switches = 0 };
	struct cpus missing = { .count = 0 };
	char others[64] = "", list[CPUS_TEXT_SIZE];

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
	if (whole.by_programs)
		snprintf(others, sizeof(others), ", perf alone %" PRIu64, whole.traced);
	if (!missing.count && whole.wakeups)
		listing_value("%sthe kernel records %" PRIu64 " of %" PRIu64 " task switches%s",
			      observes(options) ? "task; " : "", whole.recorded, whole.switches, others);
	if (!missing.count || (options->quiet && !options->check))
		return;
	cpus_print(&missing, list);
	warn("%sthe kernel records only %" PRIu64 " of %" PRIu64 " wakings and %" PRIu64 " of %" PRIu64
	     " task switches on CPU %s: wake-ups that it misses will stay %s", options->check ? "" :
	     observes(options) ? "warning: --source=task: " : "warning: --explain: ", partly.wakings, partly.wakeups,
	     partly.recorded, partly.switches, list, observes(options) ?
	     "unmatched; run the threads on another CPU (taskset)" : "unexplained; measure another CPU (--cpu)");
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

/* All CPUs at once. A trial that could not be made is all 0. */
static void try_cpus(const struct options *options, unsigned count, struct trial *trials, int error)
{
	struct cpus untried = { .count = 0 };
	char list[CPUS_TEXT_SIZE];
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
	cpus_print(&untried, list);
	errno = error;
	if (untried.count && (!options->quiet || options->check))
		warn("%swhat the kernel records on CPU %s could not be tested: %m; %s",
		     options->check ? "" : "warning: --source=task: ", list,
		     cgroup_limit_remedy(false, "end some processes, or free some memory"));
}

void recording_try(const struct options *options, struct source *source)
{
	static struct cpus by_programs;
	unsigned count = lesser(sysconf(_SC_NPROCESSORS_CONF), CPUS_MAX);
	struct trial *trials = shared_create(count * sizeof(*trials));
	const struct trial *each[CPUS_MAX];
	cpu_set_t set, usable = { { 0 } };	/* by one of the threads; those of a command will have our CPUs */
	unsigned reported = 0;
	int cpu[CPUS_MAX];

	try_cpus(options, count, trials, errno);
	source->by_programs = &by_programs;
	if (!trials)
		return;
	for (unsigned i = 0; i < source->thread_count; i++)
		if (!sched_getaffinity(source->threads[i].id, sizeof(set), &set))
			CPU_OR(&usable, &usable, &set);
	for (unsigned i = 0; i < count; i++) {
		cpu[reported] = i;
		each[reported] = &trials[i];
		reported += !CPU_COUNT(&usable) || CPU_ISSET(i, &usable);
		if (trials[i].by_programs)
			by_programs.number[by_programs.count++] = i;
	}
	recording_report(options, cpu, each, reported);
	munmap(trials, count * sizeof(*trials));
}
