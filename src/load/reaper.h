/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts the load, and ends it with all of its descendants, whatever process groups and sessions they created. */
#ifndef LOAD_REAPER_H
#define LOAD_REAPER_H

#include <signal.h>
#include <stdbool.h>

#include "host/privilege.h"
#include "load/load.h"

#define REAPER_GRACE_S 5	/* from SIGTERM to the first SIGKILL */
#define REAPER_KILLING_S 10	/* from there until it gives up */

/*
 * For the standby, a subreaper without other children. Start the load as the
 * invoking user, with this signal mask, on the CPUs that this process may use.
 * Returns 0, or -1 with errno.
 */
int load_reaper_start(struct load *load, const struct caller *caller, const sigset_t *mask);

/*
 * For the standby: reap the children that have ended. Returns true if the load's
 * first process is among them, and notes why it ended.
 */
bool load_reaper_notices(struct load *load, enum load_end why);

/* For the standby: end the load. Sets load->gone, or names in load->left the processes that cannot be killed. */
void load_reaper_end(struct load *load);

/*
 * For the keeper, a subreaper, when the standby is dead and not yet reaped: kill
 * what is left of the load. Sets the same members. Processes that were started
 * before the standby, or belong to the keeper's process group, are spared.
 */
void load_reaper_kill_orphans(struct load *load, pid_t standby);

#endif
