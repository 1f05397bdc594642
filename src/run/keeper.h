/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ordinary process that runs the measurement: it forks the meters, empties
 * their buffers, shows the progress, handles the signals, stops the sources and
 * writes the report. If it is killed, the standby stops the sources and writes
 * the report.
 */
#ifndef RUN_KEEPER_H
#define RUN_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "host/monitor.h"
#include "host/process.h"
#include "report/report.h"
#include "run/standby.h"
#include "run/worker.h"

struct keeper {
	const struct run *run;
	struct report_file *file;
	int folder;			/* the report's: see privilege_caller() */
	struct source *source;		/* to be opened */
	struct monitor *monitor;	/* shared with the standby */

	/* set by keeper_run() */
	struct signals signals;
	bool opened;			/* the source is */
	enum exit_status status;	/* of the run, if it cannot begin */
	pid_t pid;			/* of the keeper, also in the standby */
	struct workers workers;
	struct standby standby;
	struct progress progress;

	/* its own, once it runs */
	struct disturbances disturbances;
	struct report *reports;		/* one for each worker */
	uint64_t begun_ns;		/* when the meters were let go; 0: not yet */
	uint64_t checkpoint_ns;		/* when the next one is due; UINT64_MAX: never */
	bool stopping;			/* the meters are to end */
	bool dropped;			/* the keeper has given up its rights */
	bool load_told;			/* the user knows that the load has ended */
	bool saving;			/* a checkpoint follows when the meters have left the buffers asked for */
	bool checkpoint_failed;		/* the last one failed, and the user knows */
};

/*
 * Prepare the run, fork the meters, look for flaws of the machine, start the standby
 * and the load, let the meters go, and watch until the report is saved. Warns of each
 * refusal, all at once, and of each flaw; any refusal ends the run. With --check all is
 * listed, and nothing is measured. The members before signals must be set. Returns the
 * exit status.
 */
enum exit_status keeper_run(struct keeper *keeper);

/*
 * In prepare.c: what the run cannot do without, and no meter asks for, is opened or tried.
 * Sets signals, source and opened. Returns EXIT_MEASURED (0), or what to exit with.
 */
enum exit_status prepare(struct keeper *keeper);

/* In ask.c: warn of what the meters were refused, and list it. Returns whether all was granted. */
bool ask_report(const struct keeper *keeper);

#endif
