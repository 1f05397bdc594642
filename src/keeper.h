/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that is not real-time: it forks the meter, empties the buffers,
 * shows how far the run is, takes the signals, stops the source and writes
 * the report. When it is killed, the meter does the last two in its place.
 */
#ifndef KEEPER_H
#define KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "diag.h"
#include "sysfreezer.h"
#include "totals.h"
#include "load.h"
#include "report_file.h"
#include "privilege.h"
#include "report.h"
#include "channel.h"
#include "signals.h"
#include "source.h"
#include "progress.h"
#include "monitor.h"

struct keeper {
	struct channel *channel;
	struct totals *totals;
	struct source *source;
	struct report *report;
	struct report_file *output;
	struct progress progress;
	const struct caller *caller;
	struct load *load;
	struct signals signals;
	int meter_stat;			/* of the meter: see sched_state_open() */
	struct disturbances disturbances;

	/* its own, once it runs */
	int lifeline;			/* to the other process: its end is this one's end of file */
	pid_t meter;
	uint64_t begun_ns;
	uint64_t checkpoint_ns;		/* when the next one is due; UINT64_MAX: never */
	bool stopping;			/* the meter was told to end */
	bool dropped;			/* the rights that are not needed any more */
	bool load_told;			/* that it has ended */
	bool saving;			/* a checkpoint, as soon as the next buffer is left */
	bool checkpoint_failed;		/* the last one, which was told */
	uint32_t flips_asked;
	unsigned silent_ticks;		/* since the meter was seen to be awake */
	struct freezer freezer;		/* of the meter */
	bool succeeding;		/* this is the meter, in the keeper's place */
};

/*
 * Fork the meter. Returns as fork(): 0 in the meter, where lifeline is its end.
 */
pid_t keeper_fork(struct keeper *keeper);

/* The keeper's life, until the report is saved. Returns what to exit with. */
enum exit_status keeper_run(struct keeper *keeper);

/* For the meter, ordinary again, when the keeper was killed: save the report in its place. */
enum exit_status keeper_succeed(struct keeper *keeper);

#endif
