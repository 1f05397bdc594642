/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the run can be believed, and why not. Pure. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/monitor.h"
#include "measure/channel.h"
#include "measure/source.h"
#include "measure/totals.h"

enum grade {
	VALID,
	SUSPECT,
	INVALID
};

/* "valid", "suspect", "invalid". */
const char *grade_name(enum grade grade);

struct evidence {
	const struct channel *channel;
	const struct sums *sums;
	const struct source *source;
	const char *policy;		/* that was asked for: fifo, rr, other; and */
	int priority;			/* its priority */
	bool begun;			/* there was a meter; not before a cell's turn */
	bool running;			/* the run goes on: this is a checkpoint */
	const struct sched_state *sched_state;	/* of the meter, at its end or now; without CPUs: not known */
	const struct sched_state *children_state;	/* the same of those that it has forked */
	int64_t late_ns, explained_ns;	/* of the wake-up of which the records leave most unexplained */
	bool schedule_kept;
	const struct disturbances *disturbances;
	int64_t steal_ms;		/* of its CPU, or MONITOR_UNKNOWN */
	const char *changes;		/* of the environment, or "" */
	const char *load;		/* why the load lets the run be doubted, or "" */
	unsigned lost;			/* meters of which there is nothing, as the keeper was killed */
};

/*
 * Does what was measured agree with the schedule that lateness is measured
 * against? Not when a wake-up came before its period was due by more than the
 * uncertainty of both, as from a source that is too fast; nor when none was
 * less than a period late for a whole slice, as from one that is too slow: the
 * next period had been due, and was not counted as missed. Writes "kept", or
 * "contradicted: " and the reason; returns whether it was kept.
 */
bool schedule_kept(const struct totals *totals, uint64_t period_ns, uint64_t uncertainty_ns,
		   char *text, size_t size);

/*
 * Writes "valid", "suspect: reasons" or "invalid: reasons"; reasons are
 * separated by "; ", and those for which there is no room end in "...".
 */
enum grade verdict(const struct evidence *evidence, char *text, size_t size);

#endif
