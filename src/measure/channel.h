/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that a meter and the keeper share. The meter counts into one buffer while the keeper reads and
 * clears the other. When the keeper wants the buffer that is being filled, the meter changes to the other
 * between two samples, and then counts the flip: what it left is complete, and is read without a lock.
 */
#ifndef MEASURE_CHANNEL_H
#define MEASURE_CHANNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "host/privilege.h"
#include "host/process.h"
#include "measure/counting.h"
#include "measure/lossy_ring.h"
#include "measure/source.h"

struct tap_state;

enum end {
	END_NONE,		/* still measuring, or killed while it was */
	END_SAMPLES,		/* --samples were measured */
	END_DURATION,		/* --duration is over */
	END_ASKED,		/* a signal */
	END_BREAK,		/* a lateness above --break */
	END_BREAK_ELSEWHERE,	/* another meter's */
	END_LOAD,		/* the load has ended, and the run has no limit of its own */
	END_FAILED,		/* the wait failed: see failure */
	END_FULL,		/* the counters have no more room: the keeper did not empty a buffer in time */
	END_RUNAWAY,		/* the wait returned without waiting */
	END_SLEEPLESS,		/* the CPU cannot serve the rate */
	END_SILENT,		/* the wait did not return */
	END_GONE,		/* the thread that is measured has ended */
	END_CHILD,		/* a process that the source forked has ended */
};

struct channel {
	size_t size;			/* including what follows it */
	_Atomic pid_t meter;		/* 0: not forked yet */

	/* written by the meter, with release */
	_Atomic uint32_t flips;		/* flips % 2 is the buffer that it counts into */
	_Atomic bool measuring;		/* its rights are dropped, and the members from started to waker are set */

	time_t started;			/* wall clock, when the first wait began */
	uint64_t anchor_uncertainty_ns;
	double overhead_ns[OVERHEAD_REPEATS];	/* of a ring */
	struct rights rights;
	struct sched_state began;	/* its scheduling, with the rights that were granted */
	struct thread thread;		/* the one measured, of another program; written by the keeper, or the meter */
	struct tap_state *tap_state;	/* what came of --explain */
	pid_t waker;			/* 0: there is none */

	_Atomic uint32_t stopped_ms;	/* how long SIGSTOP and the like held up wake-ups */
	struct children children;	/* the processes that the source forked */
	_Atomic bool left;		/* the keeper is dead, and the meter has nothing more to write */

	/* written by the standby */
	_Atomic bool restored;		/* the machine is as before, so the meter may end */

	/* written by the keeper */
	_Atomic bool frozen;		/* the meter's control group was frozen */

	_Atomic enum end stop;		/* why the run is to end; END_NONE: it is not */
	_Atomic enum end end;		/* why it ended */
	struct sched_state ended;	/* its scheduling before it gave the rights back; cpus 0: unknown */
	int failure;			/* errno of the wait */
	char trace[160];		/* END_BREAK: where the trace is, or why there is none */

	struct recording *flight;	/* END_BREAK, or sleepless: all that the ring held; NULL: nothing is recorded */
	struct event sleepless;		/* the whole run of a thread that never slept; else all 0 */
	struct wakelog *wakelog;	/* NULL: without --explain */
	struct counters live[2];
	_Alignas(8) char room[];	/* for what only some runs need; its atomic members need the alignment */
};

/* Returns NULL with errno when there is no memory. Unmap it where it is not needed and memory is locked. */
struct channel *channel_create(enum measures measures, enum explain_level level);

/* For the keeper: ask for the buffer that is being filled, when the other one is empty. */
void channel_want_flip(struct channel *channel);

/* How many buffers the meter has completed; the n-th is live[(n - 1) % 2]. */
uint32_t channel_flips(const struct channel *channel);

/* Is a flip or the end of the run wanted? One load and one branch for each sample. */
static inline bool channel_wants(const struct counters *live)
{
	return atomic_load_explicit(&live->wanted, memory_order_acquire);
}

/* Leave the buffer. Returns the other one, which begins at the last stamp of the first. */
struct counters *channel_flip(struct channel *channel);

/* End the run after the current wait; the first reason counts. Safe in a signal handler. */
void channel_stop(struct channel *channel, enum end reason);

#endif
