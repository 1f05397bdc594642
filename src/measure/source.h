/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What wakes us. Most sources have a schedule: period k is due at
 * anchor_ns + k * period_ns on CLOCK_MONOTONIC, k = 1, 2, ... Of the others each
 * request was made at an instant of its own, which they tell.
 *
 * The keeper opens and stops a source, the meter starts it and waits. Where
 * there are several meters, each starts its own copy of what was opened.
 */
#ifndef MEASURE_SOURCE_H
#define MEASURE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cells.h"
#include "base/options.h"
#include "measure/series.h"

struct source_ops;
struct trigger_ops;
struct caller;
struct children;
struct rights;

struct source {
	const struct source_ops *ops;
	const char *device;		/* the file that was opened; NULL when there is none */
	int fd;
	unsigned hz;
	uint64_t period_ns;		/* 1 s / hz, rounded down as the kernel does it */
	bool passed_over;		/* auto passed over one that only one process may have */

	/* set by the keeper, for start */
	uint64_t origin_ns;		/* of the grid that several share; 0: the schedule begins with start */
	uint64_t phase_ns;		/* when in the period this one is due */
	struct cell cell;		/* which one of a table */
	struct waker waker;		/* where the process that wakes the meter runs */
	pid_t waker_pid;		/* set by start; 0: there is none */
	bool unlocked;			/* the meter locks no memory, nor does what start forks */
	const struct caller *caller;	/* whom the meter is going to be, and all that start forks */
	uint64_t handler;		/* the address of ops->handler; 0: not known */

	struct rights *rights;		/* the meter's, by itself: start adds those of the waker */
	struct children *children;	/* to which start adds those that it forks */

	/* set by start */
	uint64_t anchor_ns;		/* no later than the schedule's true start */
	uint64_t anchor_uncertainty_ns;	/* and earlier by no more than this */
	double overhead_ns[OVERHEAD_REPEATS];	/* ring: of a hop without a switch */

	/* set by wait */
	uint64_t served_ns;		/* without a schedule: when the last requests were served */
	uint64_t other_interrupts;	/* wake-ups that counted an alarm or an update, too */
	uint64_t unmatched;		/* of those matched with the kernel's records: requests that could not be, */
	uint64_t unasked;		/* and instants at which none was made, though none was pending */
	uint64_t looked_ns;		/* when the meter looked for them last; 0: only at a wake-up does it */
	uint64_t away_ns;		/* for so long at most it did not */
	uint64_t pending_ns;		/* and so long at most it saw a request wait, since the first that is counted */

	void *own;			/* the backend's, known to its file alone */
};

struct source_ops {
	const char *name;
	enum measures measures;
	unsigned max_hz, usual_hz;	/* where none is asked for; both 0: it has no rate */
	const char *child;		/* what a process that start forks is called; NULL: it forks none */
	bool has_waker;
	bool matched;			/* its requests are, with records of the kernel, and the meter serves none */
	const struct trigger_ops *trigger;	/* what makes these; NULL: they are not matched */
	bool exclusive;			/* only one process may have it */
	bool ordinary;			/* it needs no real-time policy, nor locked memory, unless one is asked for */
	bool in_cells;			/* there are several of its kind: see cells.h */
	uint64_t needs;			/* capabilities that it may need until it is put back, as bits */
	const char *handler;		/* what its timer calls in the kernel */
	bool in_thread;			/* on PREEMPT_RT its timer expires in a thread, not in the interrupt */

	/*
	 * Make ready, with hz and period_ns set. device is NULL or the file
	 * asked for. Returns EXIT_MEASURED (0), or EXIT_NOT_MEASURED after a
	 * warning for each thing that is refused, or EXIT_NO_DEVICE when the
	 * machine has none: with errno, or without a device after a warning.
	 */
	int (*open)(struct source *source, const char *device);

	/* Fix the schedule and set it going. Returns 0, or -1 after a warning. */
	int (*start)(struct source *source);

	/*
	 * Sleep until the next wake-up; the oldest period that was not served
	 * is due at due_ns. Returns how many periods or requests the wake-up
	 * served, 0 for those that are due at its stamp (which without a
	 * schedule there are not), or an errno made negative: -EINTR for a
	 * signal.
	 */
	int64_t (*wait)(struct source *source, uint64_t due_ns);

	/*
	 * With stamps or without a schedule: the instant of the next of the
	 * requests that the last wait served, the oldest first.
	 */
	uint64_t (*asked)(struct source *source);

	/* For the meter, which is an ordinary process again: end what start set going. May be NULL. */
	void (*finish)(struct source *source);

	/* Put everything back. Never called by a real-time process: see rtc_stop(). */
	void (*stop)(struct source *source);
};

#endif
