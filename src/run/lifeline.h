/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A socket pair by which one process follows another. A byte, with or without a
 * descriptor, means that the other has reached the agreed point; end of file
 * means that it is dead.
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

/* Is the other process alive? One that is being killed may be for a moment. */
bool lifeline_is_heard(int tells);

/*
 * Wait for a byte. Returns false at end of file. The descriptor is -1 if the byte
 * came without one, LIFELINE_NO_ROOM if too many files are open to receive it.
 */
#define LIFELINE_NO_ROOM -2
bool lifeline_hear(int hears, int *descriptor);

#endif
