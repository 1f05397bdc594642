/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All processes that descend from this one, whatever groups and sessions they made. */
#ifndef LOAD_DESCENDANTS_H
#define LOAD_DESCENDANTS_H

#include <stddef.h>
#include <sys/types.h>

#include "host/process.h"

struct descendants {
	struct process since;		/* those that were started before this one are left alone */
	const pid_t *spared;		/* children that are left alone with their own, up to a 0; NULL: none */
	unsigned count;			/* how many there were at the last look */
	unsigned long long youngest;	/* when the last of them was started, in ticks of the kernel */
	unsigned pause_ms;		/* until load_descendants_kill() is worth another try */
};

/* Send the signal to each. */
void load_descendants_signal(struct descendants *descendants, int signal);

/*
 * Kill each. The pauses between the tries grow, up to 100 ms, unless processes
 * come up meanwhile: what forks and ends at once is seldom met.
 */
void load_descendants_kill(struct descendants *descendants);

/* "stress-ng (process 1234) and 2 others", or "" when there are none. */
void load_descendants_tell(const struct descendants *descendants, char *text, size_t size);

#endif
