/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A token that goes round a ring of processes, from each to the next over a
 * pipe. A member that receives the token sums an array, stamps the hop, and
 * sends the token on with the same stamp; so a lap is the sum of its hops.
 */
#ifndef SOURCE_RING_TOKEN_H
#define SOURCE_RING_TOKEN_H

#include <stdint.h>

struct hop {
	uint64_t asked_ns;		/* before the token was written */
	uint64_t served_ns;		/* after it was read, and the array summed */
};

struct ring {
	unsigned processes;
	uint32_t array_bytes;
	uint32_t *array;		/* of this process; NULL: array_bytes is 0 */
	int (*pipes)[2];		/* member i reads from pipe i and writes to that of the next */
	struct hop *hops;		/* hop i is the last one to member i; in shared memory */
};

/* Returns 0, or -1 with errno; close it in either case. The array is touched. */
int ring_open(struct ring *ring, unsigned processes, uint32_t array_bytes);
void ring_close(struct ring *ring);

/* After a fork: write the array, so that this process no longer shares its pages with the parent. */
void ring_own_array(struct ring *ring);

/* The descriptors that a member reads from and writes to. */
void ring_ends(const struct ring *ring, unsigned member, int ends[2]);

/* Send the token on with this stamp. Returns 0, or a negative errno. */
int ring_send(const struct ring *ring, unsigned member, uint64_t asked_ns);

/* Await the token, sum the array, stamp the hop. Returns 0, or a negative errno; -EPIPE: the pipe has ended. */
int ring_receive(const struct ring *ring, unsigned member);

/*
 * What a hop costs without a switch of processes: this process plays all
 * members, over the same pipes, for duration_ns. Returns the mean in ns, or -1
 * with errno.
 */
double ring_overhead_ns(const struct ring *ring, uint64_t duration_ns);

#endif
