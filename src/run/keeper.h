/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ordinary process that runs the measurement: it forks the meters, empties their buffers, shows the progress,
 * handles the signals, stops the sources and writes the report. Another one, the standby, starts the load, ends it with
 * all of its descendants, and replaces a keeper that is killed.
 */
#ifndef RUN_KEEPER_H
#define RUN_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "host/process.h"
#include "report/report.h"
#include "run/worker.h"

#define FINDINGS_SIZE 2048

struct keeper {
	const struct run *run;
	struct report_file *file;
	int folder;			/* the report's: see privilege_caller() */
	struct monitor *monitor;	/* shared with the standby */

	/* set by keeper_run() */
	struct signals signals;
	struct cpus cpus;		/* those that the measuring processes may run on */
	struct source source;		/* if it cannot be opened, one that does nothing */
	enum exit_status status;	/* of the run, if it cannot begin */
	pid_t pid;			/* of the keeper, also in the standby */
	pid_t standby;			/* 0: this process is the standby */
	int line;			/* to the other of the two; -1: it is dead */
	struct workers workers;
	struct progress progress;

	/* its own, once it runs */
	struct disturbances disturbances;
	struct report *reports;		/* one for each worker */
	uint64_t begun_ns;		/* when the meters were let go; 0: not yet */
	uint64_t checkpoint_ns;		/* when the next one is due; UINT64_MAX: never */
	bool stopping;			/* the meters are to end */
	bool dropped;			/* the keeper has given up its rights */
	bool load_reported;		/* the user knows that the load has ended */
	bool saving;			/* a checkpoint follows once the buffers asked for are there */
	bool checkpoint_failed;		/* the last one failed, and the user knows */
};

/*
 * The whole run, until the report is saved. Warns of each refusal, all at once, and of each flaw of the machine; any
 * refusal ends the run. --check lists everything and measures nothing. The members before signals must be set. Returns
 * the exit status.
 */
enum exit_status keeper_run(struct keeper *keeper);

/* In prepare.c: open or try what the run needs but no meter asks for. Sets the members up to status. */
void prepare(struct keeper *keeper);

/* In findings.c: warn of what the meters were refused, and list it. Returns whether all was granted. */
bool refused_report(const struct keeper *keeper);

/*
 * In recording.c. Some kernels do not record all wakings and switches: trials on each CPU show what is missed. Warn of
 * CPUs where some are missed; list what is recorded on the others. trials: each CPU's, or NULL. For a source that
 * observes other programs: try all CPUs, report, and choose where BPF programs record for it.
 */
void recording_report(const struct options *options, bool observes, const struct trial *const trials[CPUS_MAX]);
void recording_try(const struct options *options, struct source *source);

/*
 * In standby.c. A byte from the standby means that there is news of the load; the first from the keeper, that the load
 * is to start; any other, that it is to end.
 */

/* Fork the standby, before the meters. Returns as fork() does, -1 after a warning. */
pid_t standby_fork(struct keeper *keeper);

/* What the standby does until the keeper is killed. A keeper that ends otherwise kills the standby. */
void standby_serve(struct keeper *keeper);

/* The run begins, so the load is to start. Returns false after a warning if it cannot. */
bool standby_start_load(struct keeper *keeper);

/* The line is readable. If the standby was killed, whatever is left of the load is killed. Has the load ended? */
bool standby_listen(struct keeper *keeper);

/* For the keeper, or the standby in its place: the run is over. Wait until the load is gone, or for some seconds. */
void standby_end_load(struct keeper *keeper);

/*
 * In findings.c: look for all flaws of the machine. Warns of each or, with --quiet, of none. Writes them without their
 * remedies, joined by "; ", or "ok", into the run's preflight, which must be empty.
 */
void findings_look(const struct keeper *keeper);

/* What would spoil the run. The reason begins with the value of the thing that is looked at. */
void finding(const struct keeper *keeper, const char *remedy, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));

/* Would this thing spoil the run? In findings_cpus.c: */
typedef void finding_look(const struct keeper *keeper);
finding_look look_at_timer_thread, look_at_idle_states, look_at_governor, look_at_own_processes, look_at_siblings;

/* The listing of --check: a line for each thing that is looked at or prepared, what is wrong first, then what is ok. */

/* For diag_redirect(): the message is listed, and counts, as a fault of the thing. */
void listing_message(const char *message);

/* Look at one thing after another. is_limit: it is a limit of the machine, not a flaw. */
void listing_begin(const char *thing, bool is_limit);

/* What the thing is now, listed if nothing is wrong with it. The last call counts. */
void listing_value(const char *format, ...) __attribute__((format(printf, 1, 2)));

void listing_end(void);

/* A child process has listed a refusal of the thing. */
void listing_count(void);

/* Print what is ok, and how much is not. Returns what to exit with; status: what the refusals mean. */
enum exit_status listing_close(enum exit_status status);

#endif
