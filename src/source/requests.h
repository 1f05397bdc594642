/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that one process makes of another, each with the instant when it
 * was made. An eventfd counts them, so none is lost however late they are
 * taken: a futex wakes, but does not count, and two wakes would be one. The
 * instants stand in memory that both share, in a ring by the number of the
 * request.
 */
#ifndef SOURCE_REQUESTS_H
#define SOURCE_REQUESTS_H

#include <stdatomic.h>
#include <stdint.h>

#define REQUESTS_ROOM 32768	/* 16 s at 2048 Hz */

struct request_stamps {
	_Atomic uint32_t begun;	/* the stamps that were written, and the one that is being; modulo 2^32 */
	uint64_t at_ns[REQUESTS_ROOM];
};

struct requests {
	int counter;
	struct request_stamps *stamps;
	uint64_t next;		/* that this process makes, or takes; from 0 */
};

/* Before the fork. Returns 0, or -1 with errno. */
int requests_open(struct requests *requests);

/* For the one: make so many, now, and wake the other. */
void requests_make(struct requests *requests, uint64_t count, uint64_t now_ns);

/* For the other: sleep until there is one. Returns how many there are, or an errno made negative. */
int64_t requests_await(const struct requests *requests);

/* Take the oldest of them. Returns when it was made, or 0 when that was overwritten. */
uint64_t requests_take(struct requests *requests);

#endif
