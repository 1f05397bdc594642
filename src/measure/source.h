/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What wakes the meter. Most sources have a schedule: period k is due at anchor_ns + k * period_ns, k = 1, 2, ... The
 * others serve requests, each stamped when it was made. All times are CLOCK_MONOTONIC. The keeper opens and stops a
 * source; each meter starts its own copy of it, and waits.
 */
#ifndef MEASURE_SOURCE_H
#define MEASURE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/options.h"
#include "host/process.h"
#include "measure/counting.h"

#define OVERHEAD_REPEATS 3		/* how often a hop without a switch is measured */

/* A thread of another program, as it was before the run. */
struct thread {
	pid_t id;
	char name[16];
	unsigned siblings;		/* threads of its process, including itself */
	struct sched_state state;
	unsigned newcomers;		/* for the first one measured: how many began in the process meanwhile, */
	char newcomer[240];		/* and which, or the first of them */
	char cpus[64];			/* on which it may run, as the kernel lists them */
};

struct source_ops;
struct trigger_ops;
struct caller;
struct children;
struct rights;

/* A wake-up of a source without a schedule. */
struct wakeup {
	uint64_t served_ns;		/* when its requests were served */
	int cpu;			/* of a thread of another program: which CPU it got; -1: the meter woke up */

	/* of a thread of another program */
	unsigned which;			/* of all that are measured */
	uint64_t due_ns;		/* when the timer that it had set for itself was due; 0: none woke it */
	uint64_t started_ns;		/* when it had set it */
	uint64_t slack_ns;		/* how much later than due the kernel was allowed to let that timer expire */
	uint64_t expired_ns;		/* when that timer expired, or when it was woken without one */
	uint64_t woken_ns;		/* when it was woken */
};

struct source {
	const struct source_ops *ops;
	const char *target;		/* what follows "task:" in its name; NULL: nothing */
	const char *wanted;		/* of the threads of the target, as --threads has it; NULL: not given */
	const char *device;		/* the file that was opened, initially the one of --device; NULL: none */
	int fd;				/* -1: none */
	unsigned hz;			/* 0: the source has no rate */
	uint64_t period_ns;		/* 1 s / hz, rounded down as in the kernel */

	/* set by the keeper before start */
	uint64_t origin_ns;		/* of the grid that all meters share; 0: the schedule begins with start */
	uint64_t phase_ns;		/* of this meter on that grid, less than a period */
	unsigned processes;		/* of a ring, including the meter */
	uint32_t array_bytes;		/* summed by each process */
	struct waker waker;		/* CPU and priority of the process that wakes the meter */
	pid_t waker_pid;		/* set by start; 0: none */
	bool unlocked;			/* neither the meter nor what start forks locks its memory */
	const struct caller *caller;	/* the user that the meter and the processes forked by start will run as */
	uint64_t handler;		/* address of ops->handler in the kernel; 0: not known */

	struct rights *rights;		/* the meter's; start adds those of the waker */
	struct children *children;	/* start adds the processes that it forks */

	/* set by start */
	uint64_t anchor_ns;		/* never after the true start of the schedule, */
	uint64_t anchor_uncertainty_ns;	/* and before it by at most this */
	double overhead_ns[OVERHEAD_REPEATS];	/* ring: of a hop without a process switch */

	struct figures figures;		/* set by wait or serve */
	uint64_t looked_ns;		/* when the meter last read the kernel's records; 0: never, or it does not */

	/* of threads of another program: set by open, */
	struct thread *threads;		/* all that are measured, ascending by number; each has a source. NULL: none */
	unsigned thread_count;
	struct thread *thread;		/* the one that this is for, in shared memory; set by the keeper */
	const struct cpus *by_programs;	/* where programs record, not perf; NULL: nowhere; set by the keeper */
	struct source **observed;	/* all that one meter measures, for each of the threads; set by the meter */

	bool gone;			/* set by serve: the thread has ended, and all of its wake-ups were served */

	void *private;			/* to the file of ops */
};

struct source_ops {
	const char *name;		/* as in --source */
	enum measures measures;
	unsigned max_hz, usual_hz;	/* usual_hz: the default; both 0: it has no rate */
	const char *child;		/* for messages: what to call a process forked by start; NULL: it forks none */
	bool has_waker;
	bool has_device;		/* --device may name it; else open is called once the rate is accepted */
	bool takes_target;		/* it measures threads of another program, which follow its name, after ":" */
	bool matched;			/* the kernel serves the requests; its records of both ends are matched */
	const struct trigger_ops *trigger;	/* makes the requests of a matched source; else NULL */
	bool exclusive;			/* only one process can open it */
	bool ordinary;			/* without --policy it is SCHED_OTHER, and locks no memory */
	bool is_ring;			/* several processes pass a token */
	uint64_t needs;			/* capabilities that are kept until it is stopped, as bits */
	const char *handler;		/* the kernel's function that its timer calls; NULL: none */
	bool in_thread;			/* on PREEMPT_RT its timer expires in a thread, not in the interrupt */

	/*
	 * Prepare the source, with device, hz and period_ns set; NULL: nothing is to be prepared. Returns
	 * EXIT_MEASURED (0); EXIT_NOT_MEASURED, after a warning for each refusal; or EXIT_NO_DEVICE: with
	 * device and errno set, or after a warning with device NULL.
	 */
	int (*open)(struct source *source);

	/* Set the anchor, and start the schedule. Returns the same as open. */
	int (*start)(struct source *source);

	/*
	 * With a schedule: sleep until the next wake-up; due_ns is when the oldest period not yet served is due.
	 * Returns how many periods the wake-up served; 0: those that are due by its stamp; or a negative errno,
	 * -EINTR for a signal. Without a schedule: serve requests, and set what is known about the wake-up. -ESRCH:
	 * all threads that are measured have ended.
	 */
	int64_t (*wait)(struct source *source, uint64_t due_ns);
	int64_t (*serve)(struct source *source, struct wakeup *wakeup);

	/* The stamps of the periods or requests served last, the oldest first; NULL: there are none. */
	uint64_t (*asked)(struct source *source);

	/* In the meter, as an ordinary process: end what start began. NULL: nothing. */
	void (*finish)(struct source *source);

	/* Restore what open and start changed. Never called by a real-time process: see rtc_stop(). NULL: nothing. */
	void (*stop)(struct source *source);
};

#endif
