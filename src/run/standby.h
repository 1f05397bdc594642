/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ordinary process that outlives the others. It starts the load, ends it with
 * all of its descendants, and replaces the keeper if that is killed.
 */
#ifndef RUN_STANDBY_H
#define RUN_STANDBY_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "host/privilege.h"
#include "load/load.h"

struct standby {
	struct load *load;
	const struct caller *caller;
	uint64_t needs;			/* capabilities to put the source back, as bits */
	const sigset_t *mask;		/* for the load */
	const pid_t *spared;		/* children of the keeper that do not belong to the load, up to a 0 */

	/* set by standby_fork() */
	pid_t pid;
	int line;			/* our end of what joins keeper and standby; -1: the other is dead */
};

/*
 * Fork it, before the meters. Returns as fork(): to the keeper when the load
 * runs, or -1 after a warning when it does not.
 */
pid_t standby_fork(struct standby *standby);

/* Its life, until the keeper is killed. */
void standby_run(struct standby *standby);

/* For the meters, which have no part in it. */
void standby_forget(struct standby *standby);

/*
 * For the keeper, when the line is readable: take note. If the standby was
 * killed, the keeper kills what the load has left. Returns true when the load
 * has ended.
 */
bool standby_listen(struct standby *standby);

/*
 * For the keeper, or the standby in its place: the run is over, so the load is
 * to end; wait until it is gone, or for some seconds.
 */
void standby_end_load(struct standby *standby);

/* For the keeper: the report is saved, and there is nothing left to stand by for. */
void standby_dismiss(const struct standby *standby);

#endif
