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
#include "host/signals.h"
#include "report/file.h"
#include "report/report.h"
#include "run/standby.h"
#include "run/worker.h"

struct keeper {
	const struct run *run;
	struct report_file *file;
	struct signals signals;

	/* set by keeper_run() */
	pid_t pid;			/* of the keeper, also in the standby */
	struct workers workers;
	struct standby standby;
	struct progress progress;
	struct monitor *monitor;	/* shared with the standby */

	/* its own, once it runs */
	struct disturbances disturbances;
	struct report *reports;		/* one for each worker */
	uint64_t begun_ns;
	uint64_t checkpoint_ns;		/* when the next one is due; UINT64_MAX: never */
	bool stopping;			/* the meters were told to end */
	bool dropped;			/* the keeper has given up its rights */
	bool load_told;			/* the user knows that the load has ended */
	bool saving;			/* a checkpoint follows when the meters have left the buffers asked for */
	bool checkpoint_failed;		/* the last one failed, and the user knows */
};

/*
 * Start the standby and the load, fork the meters, and watch until the report is
 * saved. run, file and signals must be set. Returns the exit status.
 */
enum exit_status keeper_run(struct keeper *keeper, struct source *source);

#endif
