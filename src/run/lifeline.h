/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A socket pair from one process to another. A byte, which may carry a
 * descriptor, says that the first has got so far; end of file, that it is dead.
 */
#ifndef RUN_LIFELINE_H
#define RUN_LIFELINE_H

#include <stdbool.h>

struct lifeline {
	int hears, tells;		/* descriptors, closed on exec */
};

/* Returns 0, or -1 with errno. */
int lifeline_open(struct lifeline *lifeline);

/* Send a byte with this descriptor; -1: with none. Returns false when the other process is dead. */
bool lifeline_tell(int tells, int descriptor);

/*
 * Wait for a byte. Returns false at end of file. The descriptor is -1 when none
 * came, and LIFELINE_NO_ROOM when it was lost: too many files are open.
 */
#define LIFELINE_NO_ROOM -2
bool lifeline_hear(int hears, int *descriptor);

#endif
