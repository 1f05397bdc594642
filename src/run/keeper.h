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
#include "report/progress.h"
#include "report/report.h"
#include "report/run.h"
#include "run/standby.h"
#include "run/workers.h"

struct keeper {
	const struct run *run;
	struct report_file *file;
	struct signals signals;

	/* set by keeper_prepare() */
	pid_t pid;			/* of the keeper, for the standby, too */
	struct workers workers;
	struct standby standby;
	struct progress progress;
	struct monitor *monitor;	/* and of the standby */

	/* its own, once it runs */
	struct disturbances disturbances;
	struct report *reports;		/* one of each worker */
	uint64_t begun_ns;
	uint64_t checkpoint_ns;		/* when the next one is due; UINT64_MAX: never */
	bool stopping;			/* the meters were told to end */
	bool dropped;			/* the keeper has given up its rights */
	bool load_told;			/* the user knows that the load has ended */
	bool saving;			/* a checkpoint follows when the meters have left the buffers asked for */
	bool checkpoint_failed;		/* the last one; the user knows */
};

/* One worker for each CPU that is measured; run and file are set. Returns 0, or -1 after a warning. */
int keeper_prepare(struct keeper *keeper, const struct source *source, struct load *load);

/* Start the standby with the load, fork the meters, keep, until the report is saved. Returns what to exit with. */
enum exit_status keeper_run(struct keeper *keeper);

/* A report for each worker. To be called after the fork of the meters, which would lock this memory. */
void keeper_create_reports(struct keeper *keeper);

/* When the meters have ended: stop the sources, save the report, end the load. Returns what to exit with. */
enum exit_status keeper_finish(struct keeper *keeper);

#endif
