/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that a meter and the keeper share: two live buffers and a flip.
 *
 * The meter counts into one buffer while the keeper reads and clears the
 * other. Now and then the keeper wants the one that is being filled; the
 * meter, between two samples, goes on in the other and says so. A buffer that
 * was left is complete, so whatever the keeper reads is consistent without a
 * lock.
 */
#ifndef MEASURE_CHANNEL_H
#define MEASURE_CHANNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/cells.h"
#include "host/children.h"
#include "host/privilege.h"
#include "host/process.h"
#include "measure/live.h"
#include "measure/wakelog.h"

struct tap_state;

enum end {
	END_NONE,		/* still measuring, or killed while it was */
	END_SAMPLES,		/* --samples were measured */
	END_DURATION,		/* --duration is over */
	END_ASKED,		/* a signal */
	END_BREAK,		/* a lateness above --break */
	END_BREAK_ELSEWHERE,	/* that of another meter */
	END_LOAD,		/* the load has ended, which was to last as long as the run */
	END_FAILED,		/* the wait failed: see failure */
	END_FULL,		/* nobody emptied the buffers before the counters could wrap */
	END_RUNAWAY,		/* the wait returns without waiting */
	END_SLEEPLESS,		/* the CPU cannot serve the rate */
	END_SILENT,		/* the wait does not return */
	END_CHILD,		/* a process that the source has forked has ended */
};

struct channel {
	pid_t meter;			/* for those who did not fork it, and for the report */

	/* written by the meter, with release; flips % 2 is the buffer that it counts into */
	_Atomic uint32_t flips;
	_Atomic bool measuring;		/* the rights are dropped, and what stands below is set, up to tap_state */

	time_t started;			/* wall clock, when the first wake-up was awaited */
	uint64_t anchor_uncertainty_ns;
	double overhead_ns[OVERHEAD_REPEATS];	/* of a ring */
	struct rights rights;
	struct sched_state began;	/* with the rights that were granted */
	struct tap_state *tap_state;	/* what came of --explain */
	pid_t waker;			/* 0: there is none */

	_Atomic uint32_t stopped_ms;	/* for so long wake-ups were held up by SIGSTOP and its like */
	struct children children;	/* that the source has forked */

	/* written by the keeper */
	_Atomic bool frozen;		/* the meter was, with its control group, and */
	_Atomic bool freezer_hidden;	/* if not, it may have been, and nobody could see it */

	_Atomic enum end stop;		/* why the run is to end, as soon as that is known */
	enum end end;			/* why it did */
	struct sched_state ended;		/* before they were given back; without CPUs: not known */
	int failure;			/* errno of the wait */
	char trace[160];		/* END_BREAK: what came of stopping the tracer, */
	char traced[256];		/* and what it recorded */

	struct recording *flight;	/* END_BREAK: of all that was recorded; NULL: nothing is */
	struct wakelog *wakelog;	/* NULL: nobody reads it */
	struct live live[2];
};

/* Returns NULL with errno when there is no memory. */
struct channel *channel_create(void);

/* Measure that. Returns 0, or -1 with errno when there is no memory. */
int channel_measure(struct channel *channel, enum measures measures);

/* Have the meter's wake-ups logged. Returns 0, or -1 with errno when there is no memory. */
int channel_add_wakelog(struct channel *channel);

/* Give both buffers recordings of the worst. Returns 0, or -1 with errno when there is no memory. */
int channel_add_recordings(struct channel *channel);

/* For a process that has no use for it, and locks its memory. */
void channel_forget(struct channel *channel);

/* For the keeper: want the buffer that is being filled. The other one must be clear. */
void channel_want_flip(struct channel *channel);

/* For the keeper: how many buffers the meter has left; the n-th of them is live[(n - 1) % 2]. */
uint32_t channel_flips(const struct channel *channel);

/* For the loop, once a sample: is there something to be done? One load and one branch. */
static inline bool channel_wants(const struct live *live)
{
	return atomic_load_explicit(&live->wanted, memory_order_acquire);
}

/* For the meter: leave the buffer and return the other one, to go on from the same stamp. */
struct live *channel_flip(struct channel *channel);

/* End the run after this wait, for this reason unless there is one already. Safe in a signal handler. */
void channel_stop(struct channel *channel, enum end reason);

#endif
