// SPDX-License-Identifier: GPL-2.0-or-later
/* Open or try what the run cannot do without. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/cgroup.h"
#include "host/idle_latency.h"
#include "host/monitor.h"
#include "host/process.h"
#include "load/load.h"
#include "report/report.h"
#include "run/preflight.h"
#include "run/setup.h"
#include "source/registry.h"

static enum exit_status reserve_output(const struct preflight *preflight)
{
	const struct options *options = preflight->run->options;
	int result;

	privilege_borrow(preflight->run->caller, true);
	result = report_file_reserve(preflight->output, preflight->folder, options->output, preflight->usual_name,
				     options->force, report_room(options, options_meters(options)));
	privilege_borrow(preflight->run->caller, false);
	return result < 0 ? EXIT_NOT_MEASURED : EXIT_MEASURED;
}

static enum exit_status open_clock(const struct preflight *preflight)
{
	if (clock_open(preflight->run->clock, preflight->run->options->clock) < 0)
		return EXIT_NOT_MEASURED;
	preflight_value("%s", preflight->run->clock->name);
	return EXIT_MEASURED;
}

#define OBSERVED 8			/* files for each CPU of an observing source: tracepoints and programs */
#define EXPLAINED 36			/* files for each CPU of --explain, which then records every CPU */
#define FILES_OF_ONE 64		/* an upper bound of what each process opens besides */

/*
 * The most files that any process opens. The keeper has both ends of each
 * lifeline, and three more for each meter. A meter has the pipes of its ring.
 * A source that matches its requests with the kernel's records has a
 * ring of records for each CPU. Each CPU whose idle states are limited has a file.
 */
static rlim_t files_needed(const struct options *options)
{
	const struct source_ops *ops = source_find(options->source);
	rlim_t most = 5 * options_meters(options), ends = 2 * options->processes;

	if (ends > most)
		most = ends;
	if (ops && (ops->matched || ops->takes_target))
		most += (ops->takes_target ? OBSERVED : 1) * sysconf(_SC_NPROCESSORS_CONF);
	if (ops && ops->takes_target && options->explain >= EXPLAIN_BLAME)
		most += EXPLAINED * sysconf(_SC_NPROCESSORS_CONF);
	if (options->limit_idle_latency)
		most += options->cpus.count ? options->cpus.count : sysconf(_SC_NPROCESSORS_CONF);
	return most + FILES_OF_ONE;
}

static enum exit_status check_file_limit(const struct preflight *preflight)
{
	rlim_t needed = files_needed(preflight->run->options);
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	preflight_value("%llu may be open", (unsigned long long)limit.rlim_cur);
	if (limit.rlim_cur >= needed)
		return EXIT_MEASURED;
	warn("one process may have up to %llu files open; raise the limit of open files (ulimit -n, now %llu)",
	     (unsigned long long)needed, (unsigned long long)limit.rlim_cur);
	return EXIT_NOT_MEASURED;
}

/* Run ask() in a child, so that what it is granted ends with the child. Returns the child's exit status. */
static enum exit_status ask_apart(const struct preflight *preflight, bool (*ask)(const struct preflight *))
{
	pid_t child;
	int status;

	cgroup_note_limits();
	signal(SIGCHLD, SIG_DFL);	/* if SIGCHLD is ignored, the child's status is lost */
	child = fork();
	if (child == 0)
		_exit(ask(preflight) ? EXIT_MEASURED : EXIT_NOT_MEASURED);
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) {
		warn("a preflight process was killed or could not be started; %s",
		     cgroup_limit_remedy(child > 0, "start again"));
		return EXIT_NOT_MEASURED;
	}
	return WEXITSTATUS(status);
}

/*
 * In a child: ask for all that the meters will ask for, and the waker, which is
 * another process with a priority of its own. Returns whether it was granted: the
 * only sure way to learn that is to ask. The child is an ordinary process again
 * before it ends, and has no RTC open: a real-time process that closes an RTC can
 * hang a PREEMPT_RT kernel.
 */
static bool ask_rights(const struct preflight *preflight)
{
	struct options options = *preflight->run->options;
	const struct cpus waker = { .count = options.waker.cpu >= 0, .number = { options.waker.cpu } };
	struct rights rights = { .granted = "" };
	bool granted = setup_realtime(&options, &options.cpus, &rights) == 0;
	struct deadline deadline;

	if (deadline_granted(&deadline))
		preflight_value("deadline, %.3f of each %.3f us", deadline.runtime_ns / 1e3, deadline.period_ns / 1e3);
	else
		preflight_value(options.priority ? "%s %d" : "%s", options.policy, options.priority);
	setup_ordinary();
	if (!granted || !options.waker.priority)
		return granted;
	options.policy = "fifo";
	options.priority = options.waker.priority;
	granted = setup_realtime(&options, &waker, &rights) == 0;
	setup_ordinary();
	return granted;
}

/* The limit is set when the run begins; a refusal after this one is hardly to be expected. */
static enum exit_status open_idle_latency(const struct preflight *preflight)
{
	const struct options *options = preflight->run->options;
	const struct cpus cpus = preflight_cpus(options);
	struct refusal refusal;

	preflight_value("can be limited to %llu us", (unsigned long long)options->idle_latency_ns / 1000);
	if (idle_latency_open(&cpus, &refusal) == 0)
		return EXIT_MEASURED;
	if (!setup_does_without(options, "", &refusal))
		return EXIT_NOT_MEASURED;
	if (!options->quiet) {
		char line[REFUSAL_LINE];

		warn("warning: %s", refusal_line(&refusal, line));
	}
	return EXIT_MEASURED;
}

/* In the child, which becomes the user who will own the load: can stress-ng run the job, and the run survive it? */
static bool can_run_job(const struct options *options)
{
	const char *job = options->job;
	bool realtime = job_is_realtime(job);
	char reason[256];

	preflight_value("%s", job);
	if (!job_is_accepted(options->load, reason, sizeof(reason))) {
		warn("stress-ng does not take %s: %s; %s", job, reason, realtime ?
		     "raise the rtprio limit (ulimit -r) of who runs it, or mend it" :
		     "mend it, or name another with --load");
		return false;
	}
	if (!realtime || monitor_guard_ns())
		return true;
	warn("%s may take every CPU for good: nothing keeps real-time processes off; "
	     "echo 950000 >/proc/sys/kernel/sched_rt_runtime_us", job);
	return false;
}

static bool can_run_load(const struct preflight *preflight)
{
	const struct options *options = preflight->run->options;
	const char *program = options->load[0];
	int error = privilege_become(preflight->run->caller) < 0 ? errno : load_find(program);

	errno = error;
	if (error)
		warn("start %s: %m; %s", program, options->job ? "install it, as in apt-get install stress-ng" :
		     "name a program that can be run, after --");
	return !error && (!options->job || can_run_job(options));
}

/* Each meter opens records of its own later, and reports a refusal that this trial did not foresee. */
static enum exit_status try_explain(const struct preflight *preflight)
{
	const struct options *options = preflight->run->options;
	struct refusal refusal;

	if (preflight_can_explain(preflight, &refusal)) {
		if (preflight_explains_meter(options) && (!options->quiet || options->check))
			preflight_try_recording(preflight);
		return EXIT_MEASURED;
	}
	refusal_clause(&refusal, preflight->run->unexplained, REFUSAL_CLAUSE);
	return setup_does_without(options, options->check ? "" : "--explain: ", &refusal) ? EXIT_MEASURED
											   : EXIT_NOT_MEASURED;
}

/* Does the source go with the clock? If not, says what to leave out. */
static bool suits_clock(const struct preflight *preflight)
{
	const struct source_ops *ops = preflight->source->ops;

	if (!measures_requests(ops->measures) || !preflight->run->clock->ticks)
		return true;
	warn("--clock=tsc: --source=%s stamps with CLOCK_MONOTONIC; leave --clock out", ops->name);
	return false;
}

/* What has the CPUs, for the wake-ups of other threads. Returns whether the run can go on. */
static bool record_flights(const struct preflight *preflight)
{
	const struct options *options = preflight->run->options;
	const struct tap_plan plan = {
		.level = options->explain, .threads = preflight->source->threads,
		.thread_count = preflight->source->thread_count, .asked = true,
	};
	struct refusal refusal;

	if (options->explain < EXPLAIN_BLAME || options->check || *preflight->run->unexplained ||
	    flights_open(preflight->run->flights, &plan, preflight->source->by_programs, &refusal) == 0)
		return true;
	refusal_clause(&refusal, preflight->run->unexplained, REFUSAL_CLAUSE);
	return setup_does_without(options, "--explain: ", &refusal);
}

/* Each thread has a report. Those of a command are not known yet: room is for one. */
static bool prepare_to_observe(const struct preflight *preflight)
{
	unsigned threads = preflight->source->thread_count;

	preflight_try_recording(preflight);
	if (threads > 1 && report_file_extend(preflight->output, report_room(preflight->run->options, threads)) < 0)
		return false;
	return record_flights(preflight);
}

/*
 * The address of a function of the kernel, for filters; 0: not known. The symbols
 * may have been read already: a kernel takes seconds for that on a slow machine.
 */
static uint64_t address_of(const struct preflight *preflight, const char *function)
{
	uint64_t address;

	if (preflight->run->symbols->count)
		return symbols_address(preflight->run->symbols, function);
	return symbols_look_up(KALLSYMS, &function, &address, 1) < 0 ? 0 : address;
}

/*
 * Opening an RTC changes its rate. From here on signals are read and no longer
 * end this process, so that the rate can be restored. Not earlier: the other
 * preparations may take long, and a signal must be able to end them.
 */
static enum exit_status open_source(const struct preflight *preflight)
{
	const struct options *options = preflight->run->options;
	struct source *source = preflight->source;
	enum exit_status status;

	if (signals_open(preflight->signals) < 0) {
		warn("open a descriptor for signals: %m; close some files");
		return EXIT_NOT_MEASURED;
	}
	status = source_open(source, options->source, options->device,
			     options_observes_command(options) ? SOURCE_COMMAND : options->threads,
			     options->frequency_hz, options->cpus.count);
	if (status)
		return status;
	if (!suits_clock(preflight)) {
		source->ops->stop(source);
		return EXIT_NOT_MEASURED;
	}
	preflight_value(options->frequency_hz ? "%s at %u Hz" : "%s", source->ops->name, options->frequency_hz);
	if (source->threads && !prepare_to_observe(preflight))
		return EXIT_NOT_MEASURED;
	source->caller = preflight->run->caller;
	source->unlocked = options->ordinary;
	if (source->ops->handler && options->explain)
		source->handler = address_of(preflight, source->ops->handler);
	return EXIT_MEASURED;
}

enum exit_status preflight_prepare(const struct preflight *preflight, bool *opened)
{
	const struct options *options = preflight->run->options;
	const struct {
		const char *thing;
		bool is_needed;

		/* Returns EXIT_MEASURED (0); or the status to exit with, after a warning for each refusal. */
		enum exit_status (*prepare)(const struct preflight *preflight);
		bool (*ask)(const struct preflight *preflight);	/* or in a child */
	} preparations[] = {
		{ "output", true, reserve_output, NULL },
		{ "clock", true, open_clock, NULL },
		{ "rights", true, NULL, ask_rights },	/* before an RTC is open: see there */
		{ "files", true, check_file_limit, NULL },
		{ "idle latency", options->limit_idle_latency, open_idle_latency, NULL },
		{ "load", options->load, NULL, can_run_load },
		{ "explain", options->explain, try_explain, NULL },
		{ "source", true, open_source, NULL },
	};
	enum exit_status status = EXIT_MEASURED;
	bool refused = false;

	for (size_t i = 0; i < sizeof(preparations) / sizeof(*preparations); i++) {
		if (!preparations[i].is_needed)
			continue;
		refused |= status != EXIT_MEASURED;
		preflight_begin(preparations[i].thing, false);
		status = preparations[i].ask ? ask_apart(preflight, preparations[i].ask)
					     : preparations[i].prepare(preflight);
		preflight_end();
	}
	*opened = !status;
	return refused ? EXIT_NOT_MEASURED : status;
}
