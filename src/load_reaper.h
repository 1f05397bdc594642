/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that starts the load, and ends it with everything that came of it. */
#ifndef LOAD_REAPER_H
#define LOAD_REAPER_H

#include "load.h"

struct reaper {
	struct load *load;
	int line;			/* its own end */
	const struct caller *caller;
	const sigset_t *mask;		/* for the load */
};

/* How long the load is given to end by itself, in seconds. */
#define REAPER_GRACE_S 5

/* And for how long what does not is killed again and again. */
#define REAPER_KILLING_S 10

/* The reaper's life. It says on the line when the load was started, when it has ended, and when all is gone. */
void load_reaper_run(const struct reaper *reaper) __attribute__((noreturn));

#endif
