/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The signals that could end a process of ours are blocked, and the keeper reads them from a descriptor. */
#ifndef HOST_SIGNALS_H
#define HOST_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd;				/* to be polled */
	sigset_t former;		/* the mask before, for a program that is started */
};

/* What came since the last read. */
struct asked {
	bool end;			/* of the run */
	bool checkpoint;
};

/* Block the signals that could end us. Returns 0, or -1 with errno. */
int signals_open(struct signals *signals);

/* Does not wait. */
struct asked signals_read(const struct signals *signals);

#endif
