/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel that is simulated, and a thread in it, of which all is known, that sleeps on random timers. */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include "source/task.h"

#define THREAD 100
#define OTHER 200
#define IDLE 0
#define CPUS 3
#define RINGS (2 * CPUS)		/* for each CPU, one of the thread's own records, and one of all expiries */
#define RING_RECORDS 512
#define SLEEPS_MAX 20000
#define TIMERS 6			/* the first ones on the stack, the others timerfds, which expire unasked, too */
#define STACK_TIMERS 3

struct timer {
	uint64_t due_ns;
	int cpu;
	bool started;
};

extern struct kernel {
	uint64_t now;
	int cpu;			/* where the thread runs, or ran */
	bool runs, waits;		/* waits: it sleeps, and nothing has woken it yet */
	const struct timer *waited;	/* the timer that wakes it, if anything */
	struct timer timer[TIMERS];
	bool (*is_dropped)(const struct trace_record *record);	/* NULL: all are recorded */
	struct trace_record ring[RINGS][RING_RECORDS];
	unsigned count[RINGS];
	struct wakeup truth[SLEEPS_MAX + 1];
	unsigned wakeups;		/* in truth */
	unsigned timed, at_once;	/* of them: by its timer; without a sleep */
	unsigned unseen;		/* its timer woke it on another CPU while it ran on: nobody can know when */
} kernel;

/* The thread begins, and is switched to. */
void kernel_begin(bool (*is_dropped)(const struct trace_record *record));

/* It works, and sleeps once, if it needs to. The records are added to the rings. */
void kernel_sleep(void);

bool chance(unsigned percent);

#endif
