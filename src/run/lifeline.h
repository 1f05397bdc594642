/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How one process hears of another: that it has got somewhere, by a byte with
 * which a descriptor can come, and that it has ended, by the end of file.
 */
#ifndef RUN_LIFELINE_H
#define RUN_LIFELINE_H

#include <stdbool.h>

struct lifeline {
	int hears, tells;		/* descriptors, closed on exec */
};

/* Returns 0, or -1 with errno. */
int lifeline_open(struct lifeline *lifeline);

/* Say something, with this descriptor; -1: with none. Returns false when nobody is left to hear it. */
bool lifeline_tell(int tells, int descriptor);

/*
 * Wait for it. Returns false at the end. The descriptor is -1 when none came,
 * and LIFELINE_NO_ROOM when one did, and is lost: this process has too many
 * open files.
 */
#define LIFELINE_NO_ROOM -2
bool lifeline_hear(int hears, int *descriptor);

#endif
