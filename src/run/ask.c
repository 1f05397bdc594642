// SPDX-License-Identifier: GPL-2.0-or-later
/* What the meters ask of the kernel before the run begins, what it records for them, and what the keeper reports. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "run/keeper.h"
#include "run/setup.h"

#define TESTED_WAKEUPS 128		/* on each CPU: enough that a single one that is lost does not count */

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

/*
 * Some kernels do not record all wakings and switches: trials on each CPU show what is missed. Warn of the CPUs where
 * some are missed; list what is recorded on the others. Of each CPU its trial, or NULL.
 */
static void report_recording(const struct options *options, bool observes, const struct trial *const trials[CPUS_MAX])
{
	struct trial whole = { .switches = 0 }, partly = { .switches = 0 };
	struct cpus missing = { .count = 0 };
	char others[64] = "", list[CPUS_TEXT_SIZE];

	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		bool misses = trials[cpu] && trial_misses_some(trials[cpu]);
		struct trial *sum = misses ? &partly : &whole;

		if (!trials[cpu])
			continue;
		sum->switches += trials[cpu]->switches;
		sum->traced += trials[cpu]->traced;
		sum->recorded += trials[cpu]->recorded;
		sum->wakeups += trials[cpu]->wakeups;
		sum->wakings += trials[cpu]->wakings;
		sum->by_programs |= trials[cpu]->by_programs;
		if (misses)
			missing.number[missing.count++] = cpu;
	}
	if (whole.by_programs)
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

/* In a child with fifo 99: others might never let it have the CPU. */
__attribute__((noreturn))
static void try_cpu(int cpu, struct trial *trial)
{
	const struct sched_param most = { .sched_priority = 99 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) == 0 && sched_setscheduler(0, SCHED_FIFO, &most) == 0)
		*trial = trial_of_records(cpu, TESTED_WAKEUPS);
	setup_ordinary();
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
	report_recording(options, true, each);
	if (trials)
		munmap(trials, count * sizeof(*trials));
}

bool ask_report(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	const struct trial *trials[CPUS_MAX] = { NULL };
	bool granted = report_rights(keeper);

	if (!options->explain || *keeper->run->unexplained)
		return granted;
	listing_begin("explain", false);
	for_each_worker(worker, &keeper->workers) {
		if (*worker->refused->explain) {
			warn_of_each(worker->refused->explain);
			return granted && options->best_effort && !options->check;
		}
		if (worker->cpu >= 0)
			trials[worker->cpu] = &worker->channel->tap_state->trial;
	}
	if (!keeper->workers.first->source.threads)	/* or the CPUs were tried before */
		report_recording(options, false, trials);
	listing_end();
	return granted;
}
