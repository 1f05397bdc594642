/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All processes that descend from this one, whatever groups and sessions they made. */
#ifndef OFFSPRING_H
#define OFFSPRING_H

#include <stddef.h>
#include <sys/types.h>

struct offspring {
	pid_t spared;			/* one child that is left alone with its own; 0: none */
	unsigned count;			/* how many there were at the last look */
	unsigned long long youngest;	/* when the last of them was started, in ticks of the kernel */
	unsigned pause_ms;		/* until offspring_kill() is worth another try */
};

/* Send the signal to each. */
void offspring_signal(struct offspring *offspring, int signal);

/*
 * Kill each. The pauses between the tries grow, up to 100 ms, unless processes
 * come up meanwhile: what forks and ends at once is seldom met.
 */
void offspring_kill(struct offspring *offspring);

/* "stress-ng (process 1234) and 2 others", or "" when there are none. */
void offspring_tell(const struct offspring *offspring, char *text, size_t size);

#endif
