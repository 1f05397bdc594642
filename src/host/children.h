/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that a meter has forked, for all who watch them: the meter
 * itself, and those who write its report.
 */
#ifndef HOST_CHILDREN_H
#define HOST_CHILDREN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cells.h"
#include "host/process.h"

struct children {
	pid_t pid[CELLS_MAX_PROCESSES];
	unsigned count;
	struct sched_state began, ended;	/* as children_look() has it: when all had begun, at the end */
	_Atomic uint32_t stopped_ms;		/* for so long one of them or more were stopped by a signal */

	bool stopped[CELLS_MAX_PROCESSES];
	unsigned stopped_count;			/* so many are, and */
	uint64_t stopped_since_ns;		/* the first of them since then */
};

/*
 * How they stand, of which migrations are no part: all as they began or, if
 * one stands otherwise, that one. Where there are none, as one that may run on
 * no CPU.
 */
void children_look(const struct children *children, struct sched_state *now);

/*
 * For the meter, when it gets SIGCHLD, which anybody can send: note which were
 * stopped or go on. Returns whether one has ended. Safe in a signal handler.
 */
bool children_notice(struct children *children);

/* For the meter, at the end of the run: note how they stand, and for how long those that are stopped have been so. */
void children_settle(struct children *children);

#endif
