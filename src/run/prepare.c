// SPDX-License-Identifier: GPL-2.0-or-later
/* Open or try what the run needs but no meter asks for. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "run/keeper.h"
#include "run/realtime.h"
#include "source/registry.h"

/* All return whether the run can go on; if not, after a warning for each refusal. */

/* Unless the user names it, the report is named after the kernel release. */
static bool reserve_output(struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	char usual[128];
	int result;

	snprintf(usual, sizeof(usual), "%s.hist", sysinfo_value(keeper->run->machine, "kernel_release"));
	privilege_borrow(keeper->run->caller, true);
	result = report_file_reserve(keeper->file, keeper->folder, options->output, usual, options->force,
				     report_room(options, options_meters(options)));
	privilege_borrow(keeper->run->caller, false);
	return result == 0;
}

static bool open_clock(struct keeper *keeper)
{
	if (clock_open(keeper->run->clock, keeper->run->options->clock) < 0)
		return false;
	listing_value("%s", keeper->run->clock->name);
	return true;
}

#define OBSERVED 8			/* files for each CPU of an observing source: tracepoints and programs */
#define EXPLAINED 36			/* files for each CPU of --explain, which then records every CPU */
#define FILES_OF_ONE 64		/* an upper bound on what else each process opens */

/*
 * The keeper has both ends of each lifeline, and 3 more files per meter. A meter has the pipes of its ring. A source
 * that matches its requests with the kernel's records has a ring of records for each CPU.
 */
static bool check_file_limit(struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	const struct source_ops *ops = source_find(options->source);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	rlim_t needed = greater(5 * options_meters(options), 2 * options->processes) + FILES_OF_ONE;
	struct rlimit limit;

	if (ops && ops->takes_target)
		needed += (OBSERVED + (options->explain >= EXPLAIN_BLAME ? EXPLAINED : 0)) * cpus;
	else if (ops && ops->matched)
		needed += cpus;
	getrlimit(RLIMIT_NOFILE, &limit);
	listing_value("%llu may be open", (unsigned long long)limit.rlim_cur);
	if (limit.rlim_cur < needed)
		warn("one process may have up to %llu files open; raise the limit on open files (ulimit -n, now %llu)",
		     (unsigned long long)needed, (unsigned long long)limit.rlim_cur);
	return limit.rlim_cur >= needed;
}

/* In a child, which becomes the user who will own the load: can stress-ng run the job, and the run survive it? */
static bool can_run_load(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	const char *program = options->load[0], *job = options->job;
	bool realtime = job && job_is_realtime(job);
	char reason[256];

	errno = privilege_become(keeper->run->caller) < 0 ? errno : load_find(program);
	if (errno)
		warn("start %s: %m; %s", program, job ? "install it, as in apt-get install stress-ng" :
		     "name a program that can be run, after --");
	else if (job && !job_is_accepted(options->load, reason, sizeof(reason)))
		warn("stress-ng rejects %s: %s; %s", job, reason, realtime ?
		     "raise the rtprio limit (ulimit -r) of the user who runs it, or correct it" :
		     "correct it, or give another with --load");
	else if (realtime && !monitor_guard_ns())
		warn("%s may occupy every CPU for good: nothing limits real-time processes; "
		     "echo 950000 >/proc/sys/kernel/sched_rt_runtime_us", job);
	else
		return true;
	return false;
}

static bool try_load(struct keeper *keeper)
{
	pid_t child;
	int status;

	if (keeper->run->options->job)
		listing_value("%s", keeper->run->options->job);
	cgroup_note_limits();
	signal(SIGCHLD, SIG_DFL);	/* if SIGCHLD is ignored, the child's status is lost */
	child = fork();
	if (child == 0)
		_exit(!can_run_load(keeper));
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) {
		warn("a preflight process was killed or could not be started; %s",
		     cgroup_limit_remedy(child > 0, "start again"));
		return false;
	}
	if (WEXITSTATUS(status))
		listing_count();
	return !WEXITSTATUS(status);
}

/* What is the same for all meters. Each opens records of its own, and lists what it is refused. */
static bool prepare_explain(struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	const struct cpus *cpus = &options->cpus;
	int waker = options->waker.cpu;
	struct refusal refusal;

	/* A waking is recorded on the CPU where the waker runs. */
	if (waker >= 0 && (cpus->count != 1 || cpus->number[0] != waker)) {
		refusal = (struct refusal){ .remedy = "leave --waker out" };
		refusal_reason(&refusal, "the waker runs on CPU %d, and only the CPU of the meter is recorded", waker);
	} else if (options->explain >= EXPLAIN_STACKS && symbols_load(keeper->run->symbols, KALLSYMS) < 0) {
		trace_refuse_names(&refusal, errno);
		text_append(refusal.remedy, sizeof(refusal.remedy), ", or use --explain=blame");
	} else if (!trace_refuse_namespace(&refusal)) {
		return true;
	}
	refusal_clause(&refusal, keeper->run->unexplained, REFUSAL_CLAUSE);
	return best_effort_goes_without(options, "--explain: ", &refusal);
}

/* For threads of another program, each with a report; so far there is room for one. Then records what runs. */
static bool prepare_to_observe(const struct keeper *keeper, struct source *source)
{
	const struct options *options = keeper->run->options;
	struct tap_plan plan = {
		.level = options->explain, .threads = source->threads, .thread_count = source->thread_count,
		.asked = true,
	};
	struct refusal refusal;

	recording_try(options, source);
	plan.programs_on = source->by_programs;
	if (source->thread_count > 1 &&
	    report_file_extend(keeper->file, report_room(options, source->thread_count)) < 0)
		return false;
	if (options->explain < EXPLAIN_BLAME || options->check || *keeper->run->unexplained ||
	    flights_open(keeper->run->flights, &plan, &refusal) == 0)
		return true;
	refusal_clause(&refusal, keeper->run->unexplained, REFUSAL_CLAUSE);
	return best_effort_goes_without(options, "--explain: ", &refusal);
}

/*
 * Opening an RTC changes its rate. From here on signals are read and no longer end this process, so that the rate can
 * be restored. Not earlier: the other preparations may take a while, and a signal must be able to end them.
 */
static bool open_source(struct keeper *keeper)
{
	const struct run *run = keeper->run;
	const struct options *options = run->options;
	struct source source = { .ops = NULL };

	if (signals_open(&keeper->signals) < 0) {
		warn("open a descriptor for signals: %m; close some files");
		return false;
	}
	keeper->status = source_open(&source, options->source, options->device, options->threads, options->frequency_hz,
				     options->cpus.count);
	if (keeper->status)
		return false;
	if ((!measures_schedule(source.ops->measures) || series_name(source.ops->measures, STAMPED)) &&
	    run->clock->ticks) {
		warn("--clock=tsc: --source=%s stamps with CLOCK_MONOTONIC; leave --clock out", source.ops->name);
		if (source.ops->stop)
			source.ops->stop(&source);
		return false;
	}
	listing_value(options->frequency_hz ? "%s at %u Hz" : "%s", source.ops->name, options->frequency_hz);
	if (source.threads && !prepare_to_observe(keeper, &source))
		return false;
	source.caller = run->caller;
	source.unlocked = options->ordinary;
	if (source.ops->handler && options->explain)
		symbols_look_up(KALLSYMS, &source.ops->handler, &source.handler, 1);
	keeper->source = source;
	return true;
}

void prepare(struct keeper *keeper)
{
	static const struct source_ops none = { .name = "none" };
	const struct options *options = keeper->run->options;
	const struct {
		const char *thing;
		bool is_needed;
		bool (*prepare)(struct keeper *keeper);
	} preparations[] = {
		{ "output", true, reserve_output },
		{ "clock", true, open_clock },
		{ "files", true, check_file_limit },
		{ "load", options->load, try_load },
		{ "explain", options->explain, prepare_explain },
		{ "source", true, open_source },
	};
	unsigned refused = 0;

	keeper->cpus = options->cpus;
	if (!keeper->cpus.count)
		cpus_parse("all", &keeper->cpus);
	keeper->source = (struct source){ .ops = &none, .fd = -1, .hz = options->frequency_hz };
	if (options->check)
		diag_redirect(listing_message);
	for (size_t i = 0; i < sizeof(preparations) / sizeof(*preparations); i++) {
		if (!preparations[i].is_needed)
			continue;
		listing_begin(preparations[i].thing, false);
		refused += !preparations[i].prepare(keeper);
		if (preparations[i].prepare != prepare_explain)
			listing_end();
	}
	if (refused > 1 || (refused && !keeper->status))
		keeper->status = EXIT_NOT_MEASURED;
}
