/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ordinary process beside the keeper. It starts the load, ends it with all of
 * its descendants, and replaces the keeper if that is killed. A byte on the line
 * from the standby means that there is news of the load; the first one from the
 * keeper that the load is to start, and any other that it is to end.
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

	/* set by standby_fork() */
	pid_t pid;
	int line;			/* this process's end of the lifeline; -1: the other process is dead */
};

/* Fork the standby, before the meters. Returns as fork() does, -1 after a warning. */
pid_t standby_fork(struct standby *standby);

/* For the keeper: the run begins, so the load is to start. Returns false after a warning if it cannot. */
bool standby_start_load(struct standby *standby);

/* What the standby does until the keeper is killed. */
void standby_run(struct standby *standby);

/*
 * For the keeper, when the line is readable. If the standby was killed, the keeper
 * kills what the load has left. Returns true when the load has ended.
 */
bool standby_listen(struct standby *standby);

/* For the keeper, or the standby in its place: the run is over. Wait until the load is gone, or for some seconds. */
void standby_end_load(struct standby *standby);

/* For the keeper: the report is saved, and there is nothing left to stand by for. */
void standby_dismiss(const struct standby *standby);

#endif
