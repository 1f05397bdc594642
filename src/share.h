/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that meter and keeper share: two live buffers and a flip.
 *
 * The meter counts into one buffer while the keeper reads and clears the
 * other. Now and then the keeper asks for a flip; the meter, between two
 * samples, goes on in the other buffer and says so. A buffer that was left
 * is complete, so whatever the keeper reads is consistent without a lock.
 */
#ifndef SHARE_H
#define SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "hist.h"

enum end {
	END_NONE,		/* still measuring, or killed while it was */
	END_SAMPLES,		/* --samples were measured */
	END_DURATION,		/* --duration is over */
	END_ASKED,		/* a signal */
	END_FAILED,		/* the wait failed: see failure */
	END_FULL,		/* nobody emptied the buffers before the counters could wrap */
};

#define SHARE_STOP 1u		/* in asked: end the run */
#define SHARE_FLIP 2u		/* in asked: one flip more */

struct share {
	/*
	 * written by the keeper and by the meter's signal handler, read by the
	 * loop once a sample
	 */
	_Alignas(64) _Atomic uint32_t asked;

	/* written by the meter, with release; flips % 2 is the buffer that it counts into */
	_Alignas(64) _Atomic uint32_t flips;
	_Atomic bool measuring;		/* what stands below was set, up to failure */

	time_t started;			/* wall clock, when the first wake-up was awaited */
	uint64_t anchor_uncertainty_ns;
	char granted[512];		/* lines for the report's header: the rights that were granted */
	char refused[256];		/* and a clause on those that were not, or "" */

	enum end end;
	enum end stopped_by;		/* set with SHARE_STOP by the meter's signal handler */
	int failure;			/* errno of the wait */
	uint64_t other_interrupts;

	struct live live[2];
};

/* Returns NULL with errno when there is no memory. */
struct share *share_create(void);

/* For the keeper: ask for a flip. The buffer that is to be next must be clear. */
void share_ask_flip(struct share *share);

/* For the keeper: how many buffers the meter has left; the n-th of them is live[(n - 1) % 2]. */
uint32_t share_flips(const struct share *share);

/* For the meter: what was asked; another value than before means that something is to be done. */
static inline uint32_t share_asked(const struct share *share)
{
	return atomic_load_explicit(&share->asked, memory_order_acquire);
}

/* For the meter: leave the buffer and return the other one, to go on from the same stamp. */
struct live *share_flip(struct share *share);

/* For the meter's signal handler: end the run after this wait. */
void share_stop(struct share *share, enum end reason);

#endif
