/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that a meter has forked. The meter and the processes that write
 * its report watch them.
 */
#ifndef HOST_CHILDREN_H
#define HOST_CHILDREN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/process.h"

#define CHILDREN_MAX 255

struct children {
	pid_t pid[CHILDREN_MAX];
	unsigned count;
	struct sched_state began, ended;	/* by children_look(): when all had begun, and at the end */
	_Atomic uint32_t stopped_ms;		/* how long at least one of them was stopped by a signal */

	bool stopped[CHILDREN_MAX];
	unsigned stopped_count;			/* how many are stopped now */
	uint64_t stopped_since_ns;		/* CLOCK_MONOTONIC, since when at least one is */
};

/*
 * Write the scheduling of the first child that differs from began or, if none does,
 * the scheduling that all have. Migrations are not counted. If there are no
 * children, cpus is 0.
 */
void children_look(const struct children *children, struct sched_state *now);

/*
 * For the meter, on SIGCHLD: note which children were stopped or go on. Anybody
 * can send the signal, so the kernel is asked. Returns whether one has ended.
 * Safe in a signal handler.
 */
bool children_notice(struct children *children);

/* For the meter, at the end of the run: note their scheduling, and count the time that any are still stopped. */
void children_settle(struct children *children);

#endif
