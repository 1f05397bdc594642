/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the wake-ups of one thread, which knows nothing of it, in the kernel's
 * records, and the timer behind each: of the thread's own timers, the one in
 * whose function it was woken. Pure, and of fixed size.
 *
 * Whatever cannot be matched for certain is counted, and not measured.
 */
#ifndef SOURCE_TASK_WAKEUPS_H
#define SOURCE_TASK_WAKEUPS_H

#include "source/task_timers.h"

struct task_wakeup {
	uint64_t due_ns;		/* when its own timer was to wake it; 0: it was not woken by one */
	uint64_t slack_ns;		/* how much later the kernel was allowed to */
	uint64_t expiry_ns;		/* of the timer; 0: none */
	uint64_t waking_ns;
	uint64_t switched_ns;		/* when it had a CPU; the waking, if it still had one */
	int cpu;			/* where it was switched to */
};

struct task_wakeups {
	int thread;
	enum task_state {
		TASK_UNSEEN,		/* since the start, it has not been switched to */
		TASK_GAP,		/* since records were lost, it has not been switched to */
		TASK_RUNS, TASK_WAITS, TASK_ASLEEP,
	} state;			/* since its last switch */
	bool wakings_missing;		/* the kernel has not recorded all of them */
	uint64_t gap_ns;		/* until then, records were lost */
	bool pending;			/* it was woken, and not switched to */
	bool certain;			/* it did not run when it was woken */
	bool blind;			/* its due time cannot be known */
	struct task_wakeup wakeup;	/* the pending one */
	uint64_t switch_ns;		/* the last switch, to it or away from it */
	bool awake, was_preempted;	/* since its last wake-up, it has not slept; and has it lost the CPU? */
	bool held;			/* it has the CPU, but may block once more until its wake-up is over: */
	struct task_wakeup holding;	/* this one */
	struct task_timers timers;
	uint64_t unmatched;		/* wake-ups of which records are missing */
	uint64_t preempted;		/* wake-ups after which it lost the CPU before it slept again, */
	uint64_t preempted_ns;		/* and the longest time until it had one again */
};

/* Nothing is found, nor counted as unmatched, before the thread was switched to for the first time. */
void task_wakeups_init(struct task_wakeups *wakeups, int thread);

/* How far each clock is ahead of CLOCK_MONOTONIC; to be told again when one may have been set. */
void task_wakeups_set_clocks(struct task_wakeups *wakeups, const int64_t offset_ns[TASK_CLOCKS]);

/*
 * Report the next record in the order of time. Returns whether a wake-up is known
 * with it, and then which; they come in the order of switched_ns.
 */
bool task_wakeups_add(struct task_wakeups *wakeups, const struct task_record *record, struct task_wakeup *wakeup);

/* What is pending is unmatched. Whoever has the number from now on, if anybody, is unseen and has no timers yet. */
void task_wakeups_end(struct task_wakeups *wakeups);

#endif
