/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that starts the load, and ends it with everything that came of it. */
#ifndef WARDEN_H
#define WARDEN_H

#include "load.h"

struct warden {
	struct load *load;
	int line;			/* its own end */
	const struct caller *caller;
	const sigset_t *mask;		/* for the load */
};

/* How long the load is given to end by itself, in seconds. */
#define WARDEN_GRACE_S 5

/* And for how long what does not is killed again and again. */
#define WARDEN_KILLING_S 10

/* The warden's life. It says on the line when the load was started, when it has ended, and when all is gone. */
void warden_run(const struct warden *warden) __attribute__((noreturn));

#endif
