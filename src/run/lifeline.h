/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A socket pair by which one process follows another. A byte, with or without a
 * descriptor, means that the other has reached the agreed point; end of file
 * means that it is dead.
 */
#ifndef RUN_LIFELINE_H
#define RUN_LIFELINE_H

#include <stdbool.h>

#define LIFELINE_NO_ROOM -2	/* in place of a descriptor: too many files are open to receive it */

/* Open two ends, closed on exec; each can hear and tell. Returns 0, or -1 with errno. */
int lifeline_open(int ends[2]);

/* Send a byte with this descriptor; -1: with none. Returns false when the other process is dead. */
bool lifeline_tell(int end, int descriptor);

/* Is the other process alive? One that is being killed may be for a moment. */
bool lifeline_is_heard(int end);

/* Wait for a byte. Returns false at end of file. *descriptor is -1 if it came without one. NULL: it does. */
bool lifeline_hear(int end, int *descriptor);

#endif
