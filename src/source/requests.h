/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that one process makes of another, each stamped when it is made. An
 * eventfd counts them, so none is lost however late they are taken; a futex
 * would wake without counting. The stamps are in a ring: that of a request
 * taken too late is overwritten.
 */
#ifndef SOURCE_REQUESTS_H
#define SOURCE_REQUESTS_H

#include "measure/lossy_ring.h"

#define REQUESTS_SLOTS 32768
#define REQUESTS_ROOM (REQUESTS_SLOTS - 1)	/* stamps that are kept: 16 s at 2048 Hz */

struct request_stamps {
	struct lossy_ring ring;
	uint64_t at_ns[REQUESTS_SLOTS];
};

struct requests {
	int counter;		/* the eventfd */
	struct request_stamps *stamps;
	uint64_t next;		/* number of the next request that this process makes or takes */
};

/* Before the fork. Returns 0, or -1 with errno. */
int requests_open(struct requests *requests);

/* In the asking process: make count requests, stamped now_ns, and wake the other process. */
void requests_make(struct requests *requests, uint64_t count, uint64_t now_ns);

/* In the other process: sleep until there is a request. Returns how many there are, or a negative errno. */
int64_t requests_await(const struct requests *requests);

/* Take the oldest request. Returns its stamp, or 0 when that was overwritten. */
uint64_t requests_take(struct requests *requests);

#endif
