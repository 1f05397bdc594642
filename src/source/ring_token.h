/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A token that goes round a ring of processes, from one to the next over pipes.
 * Each member, when it gets the token, sums an array, stamps the hop, and hands
 * the token on with the same stamp; so a lap is the sum of its hops.
 */
#ifndef SOURCE_RING_TOKEN_H
#define SOURCE_RING_TOKEN_H

#include <stdint.h>

#include "base/cells.h"

struct hop {
	uint64_t asked_ns;		/* before the token was written */
	uint64_t served_ns;		/* after it was read, and the array summed */
};

struct ring {
	struct cell cell;
	uint32_t *array;		/* of this process; NULL: it is empty */
	int (*pipes)[2];		/* member i reads from the i-th, and writes to the next */
	struct hop *hops;		/* in memory that all members share: the last one to each of them */
};

/* Returns 0, or -1 with errno; close it in either case. The array has been written to. */
int ring_open(struct ring *ring, const struct cell *cell);
void ring_close(struct ring *ring);

/* In a process that was forked since: have an array of its own, not the pages of another's. */
void ring_own_array(struct ring *ring);

/* The descriptors that a member reads from and writes to. */
void ring_ends(const struct ring *ring, unsigned member, int ends[2]);

/* Hand on the token with this stamp. Returns 0, or an errno made negative. */
int ring_send(const struct ring *ring, unsigned member, uint64_t asked_ns);

/* Await the token, sum the array, stamp the hop. Returns 0, or an errno made negative: -EPIPE at the pipe's end. */
int ring_receive(const struct ring *ring, unsigned member);

/*
 * What a hop takes besides the switch from one process to another: this one
 * does all of it, over the same pipes, for so long. Returns the mean in ns, or
 * -1 with errno.
 */
double ring_overhead_ns(const struct ring *ring, uint64_t duration_ns);

#endif
