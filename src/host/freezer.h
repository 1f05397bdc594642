/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a process was frozen with its control group: cgroup.freeze of version 2, the freezer of version 1. */
#ifndef HOST_FREEZER_H
#define HOST_FREEZER_H

#include <stdbool.h>
#include <sys/types.h>

#include "host/cgroup.h"

struct freezer {
	pid_t pid;
	char groups[1024];		/* of the process, as the kernel lists them */
	int events;			/* file of version 2, to be polled for POLLPRI; -1: none */
	char state[CGROUP_FILE];	/* file of version 1, or "" */

	bool frozen;			/* at the last look, and */
	bool was_frozen;		/* at any, or between two of them */
	bool hidden;			/* it may have been so, and nobody could see it */
};

/* Begin to watch; the first look is taken at once. */
void freezer_watch(struct freezer *freezer, pid_t pid);

/*
 * Look again: when the events can be read, and once a second. What happened
 * since the last look is known in version 2, even if this process was frozen
 * as well; in version 1 it is hidden.
 */
void freezer_look(struct freezer *freezer);

#endif
