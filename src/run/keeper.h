/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ordinary process that runs the measurement: it forks the meters, empties their buffers, shows the progress,
 * handles the signals, stops the sources and writes the report. Another one, the standby, starts the load, ends it with
 * all of its descendants, and replaces the keeper if that is killed.
 */
#ifndef RUN_KEEPER_H
#define RUN_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "host/process.h"
#include "report/report.h"
#include "run/worker.h"

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
	int line;			/* to the other of the two; -1: that is dead */
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
	bool saving;			/* a checkpoint follows when the meters have left the buffers asked for */
	bool checkpoint_failed;		/* the last one failed, and the user knows */
};

/*
 * The whole run, until the report is saved. Warns of each refusal, all at once, and of each
 * flaw of the machine; any refusal ends the run. With --check all is listed, and nothing is
 * measured. The members before signals must be set. Returns the exit status.
 */
enum exit_status keeper_run(struct keeper *keeper);

/* In prepare.c: open or try what the run cannot do without, and no meter asks for. Sets the members up to status. */
void prepare(struct keeper *keeper);

/* In ask.c: warn of what the meters were refused, and list it. Returns whether all was granted. */
bool ask_report(const struct keeper *keeper);

/*
 * In standby.c. A byte from the standby means that there is news of the load; the first
 * one from the keeper that the load is to start, and any other that it is to end.
 */

/* Fork the standby, before the meters. Returns as fork() does, -1 after a warning. */
pid_t standby_fork(struct keeper *keeper);

/* What the standby does until the keeper is killed. A keeper that ends otherwise kills the standby. */
void standby_serve(struct keeper *keeper);

/* The run begins, so the load is to start. Returns false after a warning if it cannot. */
bool standby_start_load(struct keeper *keeper);

/* The line is readable. If the standby was killed, what the load has left is killed. Has the load ended? */
bool standby_listen(struct keeper *keeper);

/* For the keeper, or the standby in its place: the run is over. Wait until the load is gone, or for some seconds. */
void standby_end_load(struct keeper *keeper);

#endif
