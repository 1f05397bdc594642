/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of -s task share: which threads are meant, what is recorded about them, and their wake-ups. */
#ifndef SOURCE_TASK_H
#define SOURCE_TASK_H

#include "measure/source.h"
#include "trace/perf_ring.h"

#define TASK_FEW TRACE_FILTERED		/* up to this many: records only these threads; else all on the machine */
#define TASK_TIMERS 32			/* the last that a thread started */
#define TASK_CLOCKS 4			/* CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI */
#define GRID_STEPS 16

/*
 * Find the threads of the source's target, a process or a thread by its number or name: the wanted ones of that process
 * or, if none are specified, all of the process, or just the thread that is given. They are put into the source in
 * ascending order. Returns EXIT_MEASURED (0) or, after a warning, what to exit with.
 */
int task_thread_find(struct source *source);

/* A thread has begun, unmeasured, in a process whose threads are all measured; first is the first of them. */
void task_thread_note(struct thread *first, pid_t thread);

/* Its state, as proc(5) has it; 'X': it has ended. stat is from process_open(), or -1. */
char task_thread_state(int stat);

/*
 * Finds the wake-ups of one thread, without its cooperation, in the kernel's records, and the timer behind each: of
 * the thread's own timers, the one in whose function it was woken. Pure, and of fixed size.
 *
 * Whatever cannot be matched for certain is counted, and not measured. Nothing is found or counted until the thread is
 * first switched to. All but the first three members are 0 at first.
 */
struct task_wakeups {
	int thread;
	const int64_t *offset_ns;	/* how far each of TASK_CLOCKS is ahead of CLOCK_MONOTONIC; may be set */
	struct figures *figures;	/* counts what is unmatched, and preemptions */
	struct task_timer {
		uint64_t address;	/* 0: a free place */
		uint64_t started_ns;
		int64_t soft_ns, hard_ns;	/* earliest and latest expiry, by its clock */
		enum { TIMER_STOPPED, TIMER_UNSURE, TIMER_STARTED, TIMER_EXPIRES } state;	/* UNSURE: may run */
		int cpu, current;	/* EXPIRES: where its function is called, */
		uint64_t expiry_ns, due_ns;	/* and when. CLOCK_MONOTONIC; due_ns 0: not known */
	} timer[TASK_TIMERS];
	enum task_state {
		TASK_UNSEEN,		/* since the start, it has not been switched to */
		TASK_GAP,		/* since records were lost, it has not been switched to */
		TASK_RUNS, TASK_WAITS, TASK_ASLEEP,
	} state;			/* since its last switch */
	bool wakings_missing;		/* the kernel has not recorded all its wakings */
	uint64_t gap_ns;		/* until then, records were lost */
	bool pending;			/* it was woken, and not switched to */
	bool certain;			/* it did not run when it was woken */
	bool blind;			/* its due time cannot be known */
	struct wakeup wakeup;		/* the pending one; expired_ns 0: no timer expired */
	uint64_t switch_ns;		/* the last switch, to it or away from it */
	bool awake, was_preempted;	/* since its last wake-up, it has not slept; and has it lost the CPU? */
	bool held;			/* it has the CPU, but may block once more before its wake-up is over: */
	struct wakeup holding;		/* this one */
};

/*
 * Report the next record in time order: of the thread; of a timer that expires and may be any thread's; or a loss. EXIT
 * also means that the thread's number passes to another of its process (execve). Returns true, and sets *wakeup,
 * if this record completes one; they come in the order of served_ns.
 */
bool task_wakeups_add(struct task_wakeups *wakeups, const struct trace_record *record, struct wakeup *wakeup);

/* What is pending is unmatched. A thread that has the number from now on is unseen and has no timers yet. */
void task_wakeups_end(struct task_wakeups *wakeups);

/*
 * Whether the instants at which a thread is to be woken lie on a grid: GRID_STEPS of them are equally spaced. Pure, and
 * of fixed size.
 */
struct task_grid {
	uint64_t period_ns;		/* the median of the last steps; 0: there is no grid */
	uint64_t missed;		/* instants of the grid at which nothing was due, though later something was */

	uint64_t last_ns;		/* the last instant; of the grid, if there is one; 0: none */
	uint64_t step_ns[GRID_STEPS];	/* from an instant to the next one of the grid */
	uint64_t set_ns[GRID_STEPS];	/* how long the timer due then was set for */
	unsigned steps;			/* how many there have been, up to GRID_STEPS */
	unsigned next;			/* where the next one is put */
	unsigned outside;		/* more for each instant off the grid, less for each on it */
};

/*
 * Add the next instant, at which this wake-up was due; all members start as 0. unknown: the number of wake-ups with
 * unknown due times since the last instant; they may have been at those that seem missed.
 */
void task_grid_add(struct task_grid *grid, const struct wakeup *wakeup, uint64_t unknown);

/*
 * Whether a thread sleeps for a fixed time after its work: its sleeps, from the timer's start until it is due, then
 * vary less than the steps from one due time to the next. Pure, and of fixed size.
 */
struct task_pace {
	uint64_t sleep_ns;		/* the longest of the last sleeps that were alike, */
	uint64_t longest_ns;		/* the longest of those that may become so */
	uint64_t alike;			/* sleeps varying less than steps, minus the wake-ups without a timer */
	uint64_t wakeups;
	uint64_t first_ns, last_ns;	/* due times; 0: none */
	uint64_t step_ns;		/* the last one */
	uint64_t due;			/* how many due times there were */
};

/* Add a wake-up; all members start as 0. unknown: as above. Returns whether the thread sleeps like that. */
bool task_pace_add(struct task_pace *pace, const struct wakeup *wakeup, uint64_t unknown);

/* The records of several rings, read at once and sorted by time. */
struct task_order {
	unsigned char *kept;		/* what is needed of each record, in the order added */
	struct trace_record **sorted;	/* pointers into kept, sorted by time */
	unsigned room, count;		/* they are added, then sorted, then taken until no more may be */
	unsigned taken;			/* of these, in time order */
	uint64_t taken_ns;		/* all up to here was taken */
	uint64_t lost_ns;		/* after all records that found no room or came too late; 0: none did */
	struct trace_record loss;
};

struct task_records {
	const struct source *source;	/* of the first thread */
	bool all;			/* all threads in the machine are recorded */
	struct perf_rings rings;	/* for timers and wakings and, with many threads, switches */
	struct perf_ring switches[TASK_FEW];	/* with few, the switches of each, wherever it runs */
	struct task_order order;
	uint64_t began_ns;		/* from here on, all rings record */
	uint64_t read_ns;		/* up to here all records have been read */
};

/* Record the source's threads in this process. Returns what to exit with; then close it, or exit, in either case. */
int task_records_open(struct task_records *records, const struct source *source);

/* How far each of TASK_CLOCKS is ahead; a value that can still be right is kept: each reading is a little off. */
void task_records_clocks(int64_t offset_ns[TASK_CLOCKS]);

/* Read what was recorded up to now. */
void task_records_read(struct task_records *records);

/*
 * Take the earliest record, if it is before until_ns; it is valid until the next call. When
 * records were lost, the next one is TRACE_LOST.
 */
const struct trace_record *task_order_take(struct task_order *order, uint64_t until_ns);

void task_records_close(struct task_records *records);

#endif
