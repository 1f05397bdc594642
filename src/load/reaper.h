/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the standby alone: to start the load, and to end it with everything that came of it. */
#ifndef LOAD_REAPER_H
#define LOAD_REAPER_H

#include <signal.h>
#include <stdbool.h>

#include "host/privilege.h"
#include "load/load.h"

/* How long the load is given to end by itself, in seconds. */
#define REAPER_GRACE_S 5

/* And for how long what does not is killed again and again. */
#define REAPER_KILLING_S 10

/*
 * Start it as the user who called, with this signal mask, on the CPUs that this
 * process may run on. Returns 0, or -1 with errno.
 */
int load_reaper_start(struct load *load, const struct caller *caller, const sigset_t *mask);

/* Has the load ended since the last look? Then this is why. Buries everything that has ended. */
bool load_reaper_notices(struct load *load, enum load_end why);

/* End all that is left of it, or tell what cannot be ended. */
void load_reaper_end(struct load *load);

#endif
