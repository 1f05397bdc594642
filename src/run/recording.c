// SPDX-License-Identifier: GPL-2.0-or-later
/* Which wakings and switches the kernel records on each CPU, and what it misses. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/keeper.h"
#include "run/realtime.h"

#define TESTED_WAKEUPS 128		/* on each CPU: enough that losing a single one does not matter */

/* Adds up the trials of the CPUs where enough is recorded, or of those where some are missed. */
static struct trial add_up(const struct trial *const trials[CPUS_MAX], bool missed, struct cpus *cpus)
{
	struct trial sum = { .switches = 0 };

	cpus->count = 0;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!trials[cpu] || trial_misses_some(trials[cpu]) != missed)
			continue;
		sum.switches += trials[cpu]->switches;
		sum.traced += trials[cpu]->traced;
		sum.recorded += trials[cpu]->recorded;
		sum.wakeups += trials[cpu]->wakeups;
		sum.wakings += trials[cpu]->wakings;
		cpus->number[cpus->count++] = cpu;
	}
	return sum;
}

void recording_report(const struct options *options, bool observes, const struct trial *const trials[CPUS_MAX])
{
	struct cpus missing;
	struct trial whole = add_up(trials, false, &missing), partly = add_up(trials, true, &missing);
	char others[64] = "", list[CPUS_TEXT_SIZE];

	if (whole.traced < whole.recorded)
		snprintf(others, sizeof(others), ", perf alone %" PRIu64, whole.traced);
	if (!missing.count && whole.wakeups)
		listing_value("%sthe kernel records %" PRIu64 " of %" PRIu64 " task switches%s",
			      observes ? "task; " : "", whole.recorded, whole.switches, others);
	if (!missing.count || (options->quiet && !options->check))
		return;
	cpus_print(&missing, list);
	warn("%sthe kernel records only %" PRIu64 " of %" PRIu64 " wakings and %" PRIu64 " of %" PRIu64
	     " task switches on CPU %s: wake-ups that it misses will stay %s", options->check ? "" :
	     observes ? "warning: --source=task: " : "warning: --explain: ", partly.wakings, partly.wakeups,
	     partly.recorded, partly.switches, list, observes ?
	     "unmatched; run the threads on another CPU (taskset)" : "unexplained; measure another CPU (--cpu)");
}

/* In a child with fifo 99: else it might never get the CPU. */
__attribute__((noreturn))
static void try_cpu(int cpu, struct trial *trial)
{
	const struct sched_param most = { .sched_priority = 99 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) == 0 && sched_setscheduler(0, SCHED_FIFO, &most) == 0)
		*trial = trial_of_records(cpu, TESTED_WAKEUPS, true);
	realtime_leave();
	_exit(0);
}

/* All at once. A trial that could not be made is all 0; trials is NULL, with errno, if there was no memory. */
static void try_cpus(const struct options *options, int count, struct trial *trials)
{
	struct cpus untried = { .count = 0 };
	char list[CPUS_TEXT_SIZE];
	pid_t child[CPUS_MAX];
	int error = 0;

	for (int cpu = 0; cpu < count; cpu++) {
		child[cpu] = trials ? fork() : -1;
		if (child[cpu] == 0)
			try_cpu(cpu, &trials[cpu]);
		if (child[cpu] > 0)
			continue;
		error = errno;
		untried.number[untried.count++] = cpu;
	}
	for (int cpu = 0; cpu < count; cpu++)
		while (child[cpu] > 0 && waitpid(child[cpu], NULL, 0) < 0 && errno == EINTR)
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
	const struct trial *each[CPUS_MAX] = { NULL };
	int count = lesser(sysconf(_SC_NPROCESSORS_CONF), CPUS_MAX);
	cpu_set_t set, usable = { { 0 } };	/* by one of the threads */
	struct trial *trials;

	cgroup_note_limits();
	trials = shared_create(count * sizeof(*trials));
	try_cpus(options, count, trials);
	source->by_programs = &by_programs;
	for (unsigned i = 0; i < source->thread_count; i++)
		if (!sched_getaffinity(source->threads[i].id, sizeof(set), &set))
			CPU_OR(&usable, &usable, &set);
	for (int cpu = 0; trials && cpu < count; cpu++) {
		if (CPU_ISSET(cpu, &usable))
			each[cpu] = &trials[cpu];
		if (trials[cpu].by_programs)
			by_programs.number[by_programs.count++] = cpu;
	}
	recording_report(options, true, each);
	if (trials)
		munmap(trials, count * sizeof(*trials));
}
