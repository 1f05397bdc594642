/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals come to the keeper as something to be read, and to no process of ours by surprise. */
#ifndef HOST_SIGNALS_H
#define HOST_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd;				/* to be polled */
	sigset_t former;		/* the mask of before, for a program that is started */
};

/* What came since the last look. */
struct asked {
	bool end;			/* of the run */
	bool checkpoint;
};

/* Block the signals that could end us. Returns 0, or -1 with errno. */
int signals_open(struct signals *signals);

struct asked signals_read(const struct signals *signals);

#endif
