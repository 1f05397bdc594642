// SPDX-License-Identifier: GPL-2.0-or-later
/* The run from its preparation to the report, as the keeper, or the standby in its place, sees it. */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/keeper.h"
#include "run/realtime.h"

#ifndef TICK_NS
#define TICK_NS UINT64_C(1000000000)	/* between two flips */
#endif

/*
 * The timeout of poll() in ms: the kernel must not overwrite its records meanwhile. While a requested buffer is
 * outstanding, it is two periods, or a millisecond without a rate: always when saving, but for a terminal only if that
 * is sooner.
 */
static int patience_ms(const struct keeper *keeper, uint64_t until_ns)
{
	const struct worker *first = keeper->workers.first;
	bool looked_at = keeper->progress.terminal;
	uint64_t now_ns = monotonic_ns(), soon_ns = now_ns + 2 * first->source.period_ns;

	if (first->channel->wakelog)
		until_ns = lesser(until_ns, now_ns + tap_reader_interval_ns(first->source.hz));
	if ((keeper->saving || (looked_at && soon_ns < until_ns)) && workers_await_flips(&keeper->workers))
		until_ns = soon_ns;
	return now_ns <= until_ns ? (until_ns - now_ns) / 1000000 + 1 : 0;
}

/* Save the totals while the meters keep counting. Of consecutive failures only the first is reported. */
static void checkpoint(struct keeper *keeper)
{
	bool failed;

	monitor_report(keeper->monitor, &keeper->disturbances);
	report_sum_up(keeper->reports, true, NULL);
	if (!keeper->dropped)
		privilege_borrow(keeper->run->caller, true);
	failed = report_file_checkpoint(keeper->file, keeper->reports) < 0;
	if (!keeper->dropped)
		privilege_borrow(keeper->run->caller, false);
	if (failed && !keeper->checkpoint_failed) {
		progress_clear(&keeper->progress);
		warn("write %s: %m; the report so far has not been saved, but the run goes on", keeper->file->path);
	}
	keeper->checkpoint_failed = failed;
	keeper->saving = false;
}

/*
 * Collect the buffers left earlier, so that the next ones hold samples up to now. Checkpoints are due at multiples of
 * their interval, however long each takes.
 */
static void want_checkpoint(struct keeper *keeper)
{
	uint64_t every_ns = keeper->run->options->checkpoint_ns, now_ns;

	for_each_worker(worker, &keeper->workers)
		worker_collect(worker);
	now_ns = monotonic_ns();
	if (every_ns)
		keeper->checkpoint_ns = now_ns - (now_ns - keeper->begun_ns) % every_ns + every_ns;
	keeper->saving = true;
}

/* Show and save once all buffers asked for are there. If some are late, save without them. */
static void take_in(struct keeper *keeper, bool late)
{
	struct workers *workers = &keeper->workers;
	bool awaited = workers_await_flips(workers), fresh;

	for_each_worker(worker, workers)
		worker_collect(worker);
	fresh = awaited && !workers_await_flips(workers);
	if (fresh)
		progress_show(&keeper->progress, keeper->reports, monotonic_ns() - keeper->begun_ns);
	if (keeper->saving && (fresh || late) && any_worker(workers, totals_sums(worker->totals)->samples))
		checkpoint(keeper);
}

/* A keeper without rights can signal a meter only if the meter has dropped its own, too. */
static void drop_rights(struct keeper *keeper)
{
	const struct caller *caller = keeper->run->caller;

	if (keeper->dropped || any_worker(&keeper->workers, worker_is_alive(worker) && !worker->measures))
		return;
	privilege_drop(caller, keeper->workers.first->source.ops->needs,
		       keeper->run->load->command && caller->uid != geteuid());
	keeper->dropped = true;
}

/* A run without -n and -d ends with its load; any other goes on. */
static void notice_load(struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	char exit[32];

	if (!standby_listen(keeper) || keeper->load_reported || !options->load)
		return;
	keeper->load_reported = true;
	if (!options->samples && !options->duration_ns) {
		workers_end(&keeper->workers, END_LOAD);
	} else if (!options->quiet) {
		load_tell_exit(keeper->run->load, exit, sizeof(exit));
		progress_clear(&keeper->progress);
		warn("the load has ended: %s; the run goes on without it", exit);
	}
}

/* Once a second. */
static void tick(struct keeper *keeper)
{
	uint64_t duration_ns = keeper->run->options->duration_ns;
	bool over = !keeper->begun_ns || (duration_ns && monotonic_ns() - keeper->begun_ns > duration_ns);
	enum end overdue = keeper->stopping ? END_ASKED : over ? END_DURATION : END_NONE;

	monitor_look(keeper->monitor);
	for_each_worker(worker, &keeper->workers)
		worker_look(worker, overdue);
	if (keeper->stopping)
		workers_stop(&keeper->workers);
	if (monotonic_ns() >= keeper->checkpoint_ns && !keeper->saving)
		want_checkpoint(keeper);
}

/* The sources are stopped. A report is saved before the load is ended, which may take a while. */
static enum exit_status save_report(struct keeper *keeper)
{
	struct machine machine;		/* if static, each meter would lock it */
	const char *where = keeper->file->stream == STDOUT_FILENO ? "standard output" : keeper->file->path;
	bool saved;

	monitor_end(keeper->monitor, &keeper->disturbances);
	sysinfo_read(&machine);
	report_sum_up(keeper->reports, true, &machine);
	if (keeper->run->load->command && !keeper->run->load->gone)
		report_file_checkpoint(keeper->file, keeper->reports);
	standby_end_load(keeper);
	report_sum_up(keeper->reports, false, &machine);
	saved = report_file_save(keeper->file, keeper->reports) == 0;
	if (saved)
		report_summarize(keeper->reports, where);
	return report_exit_status(keeper->reports, saved);
}

/* One for each worker, after the meters are forked, or they would lock its memory. Returns false after a warning. */
static bool create_reports(struct keeper *keeper)
{
	const struct workers *workers = &keeper->workers;
	struct report *report = keeper->reports = calloc(workers->count, sizeof(*report));

	if (!report) {
		warn("allocate memory for the report: %m; free some");
		return false;
	}
	for_each_worker(worker, workers)
		*report++ = (struct report){
			.run = keeper->run, .cpu = worker->cpu, .name = worker->name, .source = &worker->source,
			.channel = worker->channel, .totals = worker->totals, .over = &worker->over,
			.disturbances = &keeper->disturbances, .keeper = keeper->pid,
			.standby = keeper->standby ? keeper->standby : getpid(), .taken_over = !keeper->standby,
			.number = worker - workers->first + 1, .count = workers->count,
		};
	return true;
}

/* In the standby. If the keeper is killed: stop the sources before anything else, end the load and write the report. */
static enum exit_status stand_by(struct keeper *keeper)
{
	standby_serve(keeper);
	workers_inherit(&keeper->workers);
	report_file_inherit(keeper->file);
	if (workers_have_measured(&keeper->workers) && create_reports(keeper)) {
		warn("the keeper was killed; the standby writes the report");
		return save_report(keeper);
	}
	standby_end_load(keeper);
	return EXIT_NOT_MEASURED;
}

/* The meters are ready: let them go or, if something is refused, have them end. */
static void begin_run(struct keeper *keeper)
{
	bool granted = refused_report(keeper), check = keeper->run->options->check;

	findings_look(keeper);
	if (!granted || (!keeper->status && !check &&
			 (!create_reports(keeper) || !standby_start_load(keeper))))
		keeper->status = EXIT_NOT_MEASURED;
	if (keeper->status || check)
		return;
	keeper->begun_ns = monotonic_ns();
	if (keeper->run->options->checkpoint_ns)
		keeper->checkpoint_ns = keeper->begun_ns + keeper->run->options->checkpoint_ns;
	for_each_worker(worker, &keeper->workers) {
		munmap(worker->refused, sizeof(*worker->refused));
		if (worker_is_alive(worker) && worker->group)
			lifeline_send(worker->lifeline, -1);
	}
}

/* Wait until a process or the user wants something, and do what the processes want. */
static void poll_processes(struct keeper *keeper, uint64_t until_ns)
{
	struct workers *workers = &keeper->workers;
	struct pollfd events[CPUS_MAX + 2], *event = events;

	for_each_worker(worker, workers)
		*event++ = (struct pollfd){ worker_is_alive(worker) ? worker->lifeline : -1, POLLIN, 0 };
	event[0] = (struct pollfd){ keeper->begun_ns ? keeper->line : -1, POLLIN, 0 };
	event[1] = (struct pollfd){ keeper->signals.fd, POLLIN, 0 };
	poll(events, workers->count + 2, patience_ms(keeper, until_ns));
	for_each_worker(worker, workers) {
		if (!events[worker - workers->first].revents || worker->over)
			continue;
		worker_receive(worker);
		if (worker->over)
			worker_collect_last(worker);
		if (worker->over && worker->channel->end == END_BREAK)
			workers_end(workers, END_BREAK_ELSEWHERE);
	}
	drop_rights(keeper);
	if (event->revents)
		notice_load(keeper);
}

/* Runs until the meters have ended. Once a second it asks each for its buffer. */
static void watch(struct keeper *keeper)
{
	struct workers *workers = &keeper->workers;
	uint64_t tick_ns = monotonic_ns() + TICK_NS;

	while (!workers_are_over(workers)) {
		struct asked asked;
		bool late;

		poll_processes(keeper, tick_ns);
		late = monotonic_ns() >= tick_ns;
		take_in(keeper, late);
		asked = signals_read(&keeper->signals);
		keeper->stopping |= asked.end && !keeper->run->options->check;
		if (!keeper->begun_ns && !keeper->stopping && !workers_are_over(workers) &&
		    !any_worker(workers, worker_is_alive(worker) && !worker->ready)) {
			begin_run(keeper);
			keeper->stopping = !keeper->begun_ns;
			tick_ns = monotonic_ns() + TICK_NS;
		}
		if (asked.checkpoint)
			want_checkpoint(keeper);
		if (keeper->stopping && (asked.end || !keeper->begun_ns))
			workers_stop(workers);
		if (late)
			tick(keeper);
		if ((late && keeper->begun_ns) || keeper->saving)
			for_each_worker(worker, workers)
				worker_ask_flip(worker);
		tick_ns = late ? monotonic_ns() + TICK_NS : tick_ns;
	}
}

/* Nothing was measured: something was refused, or the meters ended. The keeper exits with the status of the first. */
static enum exit_status pass_on(struct keeper *keeper)
{
	int status = keeper->workers.first->status;

	if (keeper->begun_ns)
		standby_end_load(keeper);
	if (keeper->status || keeper->run->options->check)
		return keeper->status;
	if (keeper->stopping)
		warn("interrupted before the first wake-up; no report is written");
	else if (WIFEXITED(status))
		return WEXITSTATUS(status);
	else
		warn("the measuring process was killed before it could measure; %s",
		     cgroup_limit_remedy(true, "start again"));
	return EXIT_NOT_MEASURED;
}

static enum exit_status keep(struct keeper *keeper)
{
	enum exit_status status = EXIT_NOT_MEASURED;
	struct worker *worker = NULL;
	pid_t meter;

	cgroup_note_limits();
	meter = workers_fork(&keeper->workers, &worker);
	if (meter == 0) {
		close(keeper->line);
		meter_run(keeper->run, worker, keeper->pid);
	}
	if (meter < 0) {
		warn("start a measuring process: %m; %s", cgroup_limit_remedy(false, "end some others"));
		workers_give_up(&keeper->workers);
	} else {
		watch(keeper);
		drop_rights(keeper);
		progress_clear(&keeper->progress);
		workers_restore_machine(&keeper->workers);
		status = !workers_have_measured(&keeper->workers) ? pass_on(keeper) : save_report(keeper);
	}
	if (keeper->line >= 0) {
		kill(keeper->standby, SIGKILL);
		waitpid(keeper->standby, NULL, 0);
	}
	if (keeper->run->options->check_rt && !kernel_is_rt())
		status = EXIT_NO_DEVICE;
	return keeper->run->options->check ? listing_close(status) : status;
}

/* Meters ask for rights even if a preparation failed: the user learns of all refusals at once. */
enum exit_status keeper_run(struct keeper *keeper)
{
	const struct run *run = keeper->run;
	const struct options *options = run->options;
	cpu_set_t others;

	keeper->pid = getpid();
	prepare(keeper);
	keeper->progress.terminal = !options->quiet && isatty(STDERR_FILENO);
	keeper->file->signals = &keeper->signals;
	keeper->checkpoint_ns = UINT64_MAX;
	if (workers_open(&keeper->workers, options, &keeper->source, keeper->monitor) < 0) {
		if (keeper->source.ops->stop)
			keeper->source.ops->stop(&keeper->source);
		return EXIT_NOT_MEASURED;
	}
	realtime_other_cpus(&options->cpus, &others);
	if (CPU_COUNT(&others))
		sched_setaffinity(0, sizeof(others), &others);
	monitor_begin(keeper->monitor, strcmp(sysinfo_value(run->machine, "hypervisor"), "none"),
		      keeper->source.device);
	if (standby_fork(keeper) >= 0)
		return keeper->standby ? keep(keeper) : stand_by(keeper);
	workers_give_up(&keeper->workers);
	return EXIT_NOT_MEASURED;
}
