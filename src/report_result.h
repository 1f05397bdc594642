/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the run has come to: the report filled in, the line for the user, the exit status. */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include <stdbool.h>
#include <sys/types.h>

#include "diag.h"
#include "totals.h"
#include "report.h"
#include "channel.h"
#include "report_verdict.h"
#include "monitor.h"

struct result {
	struct channel *channel;
	const struct totals *totals;
	struct report *report;
	const struct disturbances *disturbances;
	const struct machine *after;	/* the machine, looked at again; NULL: not yet */
	bool succeeding;		/* the keeper was killed, and the meter is in its place */
	bool running;			/* the meter is still measuring: this is a checkpoint */
	pid_t meter;

	/* set by result_sum_up() */
	struct sched_state sched_state;	/* of the meter: now, or at its end */
	enum grade grade;
};

/* Fill in the report, verdict and all, from what is in the totals and the channel. */
void result_sum_up(struct result *result);

/* One line on standard error, unless the user asked for quiet; where is the name of the report. */
void result_tell(const struct result *result, const char *where);

/* What to exit with, when the report is saved where it was asked for, or is not. */
enum exit_status result_status(const struct result *result, bool saved);

#endif
