// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explain/trial.h"
#include "load/load.h"
#include "report/room.h"
#include "run/needs.h"
#include "run/setup.h"
#include "source/registry.h"

static enum exit_status open_output(const struct preflight *preflight)
{
	const struct options *options = preflight->options;
	int result;

	privilege_borrow(preflight->caller, true);
	result = report_file_reserve(preflight->output, preflight->folder, options->output, preflight->usual_name,
				     options->force, report_room(options));
	privilege_borrow(preflight->caller, false);
	return result < 0 ? EXIT_NOT_MEASURED : EXIT_MEASURED;
}

static enum exit_status open_clock(const struct preflight *preflight)
{
	return clock_open(preflight->clock, preflight->options->clock) < 0 ? EXIT_NOT_MEASURED : EXIT_MEASURED;
}

/* Returns whether what is asked for can be had on this CPU (-1: on any). */
static bool explains(enum explain_level level, unsigned hz, int cpu, struct refusal *refusal)
{
	struct trace_layout layout = { .count = 0 };
	struct tap_plan plan = {
		.level = level, .hz = hz, .cpu = trace_find_cpu(cpu, refusal), .layout = &layout,
	};
	struct tap tap;

	if (plan.cpu < 0 || tap_open(&tap, &plan, NULL, refusal) < 0)
		return false;
	tap_close(&tap);
	return true;
}

/* The names are of use to parts and blame, too, but only stacks need them. */
static bool has_names(const struct preflight *preflight, struct refusal *refusal)
{
	if (symbols_load(preflight->symbols, "/proc/kallsyms") == 0 || preflight->options->explain < EXPLAIN_STACKS)
		return true;
	trace_refuse_names(refusal, errno);
	return false;
}

/* Each process opens so many at most for what it does alone. */
#define FILES_OF_ONE 64

/* The keeper has two ends of each lifeline and, in its turn, files that tell of the meter, and its ring. */
static rlim_t files_of_keeper(const struct options *options)
{
	return 2 * options_meters(options) + 3 * (options->cpus.count ? options->cpus.count : 1);
}

/* And a meter the pipes of its own ring. */
static rlim_t files_of_meter(const struct options *options)
{
	rlim_t most = 0;

	for (unsigned i = 0; i < cells_count(&options->cells); i++)
		if (2 * cells_at(&options->cells, i).processes > most)
			most = 2 * cells_at(&options->cells, i).processes;
	return most;
}

/* Where requests are matched with the kernel's records, those of each CPU. */
static rlim_t files_of_records(const struct options *options)
{
	const struct source_ops *ops = source_find(options->source);

	return ops && ops->matched ? sysconf(_SC_NPROCESSORS_CONF) : 0;
}

static enum exit_status count_files(const struct preflight *preflight)
{
	rlim_t keeper = files_of_keeper(preflight->options), meter = files_of_meter(preflight->options);
	rlim_t needed = (keeper > meter ? keeper : meter) + files_of_records(preflight->options) + FILES_OF_ONE;
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur >= needed)
		return EXIT_MEASURED;
	warn("up to %llu would be open in one process; raise the limit of open files (ulimit -n, now %llu)",
	     (unsigned long long)needed, (unsigned long long)limit.rlim_cur);
	return EXIT_NOT_MEASURED;
}

/* A waking is recorded where the waker runs. */
static bool is_woken_there(const struct options *options, struct refusal *refusal)
{
	int cpu = options->waker.cpu;

	if (cpu < 0 || (options->cpus.count == 1 && options->cpus.number[0] == cpu))
		return true;
	trace_refuse_waker(refusal, cpu);
	return false;
}

/* In a process that takes what it was granted with it. Returns what it exits with. */
static enum exit_status ask_apart(const struct preflight *preflight, bool (*ask)(const struct preflight *))
{
	pid_t child;
	int status;

	signal(SIGCHLD, SIG_DFL);	/* else the child's status would be thrown away */
	child = fork();
	if (child == 0)
		_exit(ask(preflight) ? EXIT_MEASURED : EXIT_NOT_MEASURED);
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) {
		warn("a process that looks ahead failed; start again");
		return EXIT_NOT_MEASURED;
	}
	return WEXITSTATUS(status);
}

#define TESTED_WAKEUPS 64		/* on each CPU */

/* What is not recorded is not missed until the report is read. */
static void test_recording(const struct options *options, int cpu)
{
	struct switches switches = trial_count_switches(cpu, TESTED_WAKEUPS);

	if (switches_are_missing(&switches))
		warn("%sthe kernel records only %" PRIu64 " of %" PRIu64 " switches of tasks on CPU %d, so of as many "
		     "wake-ups it stays unknown what made them late; measure another CPU (--cpu)",
		     options->check ? "" : "warning: --explain: ", switches.recorded, switches.all, cpu);
}

/* In the child, with what a meter is granted: an ordinary process might never get the CPU. */
static bool test_recordings(const struct preflight *preflight)
{
	struct options options = *preflight->options;
	struct cpus cpus = options.cpus;
	struct refusal refusal;
	struct rights rights;

	options.best_effort = true;
	if (!cpus.count)
		cpus = (struct cpus){ .count = 1, .number = { trace_find_cpu(-1, &refusal) } };
	for (int i = 0; i < cpus.count; i++) {
		const struct cpus one = { .count = 1, .number = { cpus.number[i] } };

		setup_realtime(&options, &one, &rights);
		test_recording(&options, one.number[0]);
	}
	setup_ordinary();
	return true;
}

/* Each meter does it again, and tells what is refused in spite of this. */
static enum exit_status try_explain(const struct preflight *preflight)
{
	const struct options *options = preflight->options;
	struct refusal refusal;
	char line[REFUSAL_LINE];
	bool had = is_woken_there(options, &refusal) && has_names(preflight, &refusal);

	for (int i = 0; had && i < options->cpus.count; i++)
		had = explains(options->explain, options->frequency_hz, options->cpus.number[i], &refusal);
	if (!options->cpus.count)
		had = had && explains(options->explain, options->frequency_hz, -1, &refusal);
	had = had && !trace_refuse_namespace(&refusal);
	if (!had)
		refusal_clause(&refusal, preflight->unexplained, REFUSAL_CLAUSE);
	if (had && (options->check || !options->quiet))
		return ask_apart(preflight, test_recordings);
	if (had || (options->best_effort && !options->check))
		return EXIT_MEASURED;
	warn("%s%s, or use --best-effort", options->check ? "" : "--explain: ", refusal_line(&refusal, line));
	return EXIT_NOT_MEASURED;
}

/*
 * Opening an RTC changes its rate, which is to be put back whatever signal
 * comes. Not before, for what was looked at until here may take long.
 */
static enum exit_status open_source(const struct preflight *preflight)
{
	const struct options *options = preflight->options;
	struct source *source = preflight->source;
	enum exit_status status;

	if (signals_open(preflight->signals) < 0) {
		warn("open a descriptor for signals: %m; close some files");
		return EXIT_NOT_MEASURED;
	}
	status = source_open(source, options->source, options->device, options->frequency_hz, options->cpus.count);
	if (status)
		return status;
	if (measures_requests(source->ops->measures) && preflight->clock->ticks) {
		warn("--clock=tsc: --source=%s stamps with CLOCK_MONOTONIC; leave --clock out", source->ops->name);
		source->ops->stop(source);
		return EXIT_NOT_MEASURED;
	}
	if (source->ops->matched && options->explain) {
		warn("--explain: --source=%s measures the kernel's work, not a wake-up; leave --explain out",
		     source->ops->name);
		source->ops->stop(source);
		return EXIT_NOT_MEASURED;
	}
	source->caller = preflight->caller;
	source->unlocked = options->ordinary;
	if (source->ops->handler)
		source->handler = symbols_address(preflight->symbols, source->ops->handler);
	if (source->passed_over && !options->check && !options->quiet)
		warn("--source=auto: takes %s, which several CPUs can have at once", source->ops->name);
	return EXIT_MEASURED;
}

/* What its waker has, which goes before the meter. */
static bool ask_rights_of_waker(struct options options)
{
	const struct cpus cpus = { .count = options.waker.cpu >= 0, .number = { options.waker.cpu } };
	struct rights rights = { .granted = "" };

	options.policy = "fifo";
	options.priority = options.waker.priority;
	return setup_realtime(&options, &cpus, &rights) == 0;
}

/* In the child: all that the meters will ask for. Returns whether it was granted. */
static bool ask_rights(const struct preflight *preflight)
{
	struct options options = *preflight->options;
	struct rights rights = { .granted = "" };
	bool had = true;

	options.best_effort &= !options.check;
	if (setup_realtime(&options, &options.cpus, &rights) < 0)
		had = false;
	if (had && options.waker.priority)
		had = ask_rights_of_waker(options);
	setup_ordinary();
	return had;
}

/*
 * The only sure way to know which rights there are is to ask for them. The
 * process that does so is ordinary again when it ends, and has no RTC open,
 * lest it hang a PREEMPT_RT kernel.
 */
static enum exit_status try_rights(const struct preflight *preflight)
{
	return ask_apart(preflight, ask_rights);
}

/* In the child: as the user whose the load is going to be. */
static bool ask_for_load(const struct preflight *preflight)
{
	const char *program = preflight->options->load[0];
	int error = privilege_become(preflight->caller) < 0 ? errno : load_find(program);

	if (!error)
		return true;
	errno = error;
	warn("start %s: %m; name a program that can be run, after --", program);
	return false;
}

static enum exit_status find_load(const struct preflight *preflight)
{
	return ask_apart(preflight, ask_for_load);
}

static bool is_loaded(const struct options *options)
{
	return options->load;
}

static bool is_explained(const struct options *options)
{
	return options->explain;
}

const struct preflight_need preflight_needs[] = {
	{ "output", NULL, open_output },
	{ "clock", NULL, open_clock },
	{ "rights", NULL, try_rights },		/* before there is an RTC: see there */
	{ "files", NULL, count_files },
	{ "load", is_loaded, find_load },
	{ "explain", is_explained, try_explain },
	{ "source", NULL, open_source },
	{ NULL, NULL, NULL }
};
