/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of -s task share: which threads are meant, what is recorded of them, and their wake-ups. */
#ifndef SOURCE_TASK_H
#define SOURCE_TASK_H

#include "measure/source.h"
#include "trace/perf_ring.h"

#define TASK_MOST 64			/* threads of a command that can be measured */
#define TASK_FEW TRACE_FILTERED		/* up to this many threads are recorded alone; else all in the machine are */
#define TASK_TIMERS 32			/* the last that a thread started */
#define TASK_CLOCKS 4			/* CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI */
#define GRID_STEPS 16

/*
 * Find the threads of the source's target, a process or a thread by its number or
 * name: those of that process which are wanted or, if it is not said which, all of a
 * process that is named, else the thread alone. They are put into the source,
 * ascending by their numbers. The threads of a command are not known before it runs, so
 * there is room for TASK_MOST. Returns EXIT_MEASURED (0) or, after a warning, what to exit with.
 */
int task_thread_find(struct source *source);

/* Update what is known of the thread, unless it has ended. */
void task_thread_look(struct thread *thread);

/* A thread that is not measured has begun in the process, all of whose threads are; first is the first of them. */
void task_thread_note(struct thread *first, pid_t thread);

/* Has it ended? stat is from process_open(), or -1. */
bool task_thread_has_ended(int stat);

/*
 * What the wake-ups of a thread are found by. Kinds of record are TIMER_START,
 * TIMER_CANCEL, EXPIRE, EXPIRED, WAKING, SWITCH_IN, SWITCH_OUT, FORK; EXIT, also when
 * the thread's number becomes that of another of its process (execve); and LOST.
 */
struct task_record {
	enum trace_kind kind;
	int cpu;
	uint64_t at_ns;			/* CLOCK_MONOTONIC; LOST: from here */
	uint64_t until_ns;		/* LOST: until here records are missing, of whatever kind */
	int thread;			/* that it is of; 0: of a timer that expires and may be any thread's, LOST */
	int current;			/* as in struct trace_record, like all that follows */
	int child;			/* FORK: the new thread */
	bool sibling, runnable;
	uint64_t timer;
	int64_t expires_ns, latest_ns;
};

/*
 * Finds the wake-ups of one thread, without its cooperation, in the kernel's
 * records, and the timer behind each: of the thread's own timers, the one in
 * whose function it was woken. Pure, and of fixed size.
 *
 * Whatever cannot be matched for certain is counted, and not measured.
 */
struct task_wakeup {
	uint64_t due_ns;		/* when its own timer was to wake it; 0: it was not woken by one */
	uint64_t slack_ns;		/* how much later the kernel was allowed to */
	uint64_t expiry_ns;		/* of the timer; 0: none */
	uint64_t waking_ns;
	uint64_t switched_ns;		/* when it had a CPU; the waking, if it still had one */
	int cpu;			/* where it was switched to */
};

struct task_timer {
	uint64_t address;		/* 0: a free place */
	uint64_t started_ns;
	int64_t soft_ns, hard_ns;	/* from when to when it is to expire, by its clock */
	enum { TIMER_STOPPED, TIMER_UNSURE, TIMER_STARTED, TIMER_EXPIRES } state;	/* UNSURE: it may run */
	int cpu, current;		/* EXPIRES: where its function is called, */
	uint64_t expiry_ns, due_ns;	/* and when. CLOCK_MONOTONIC; due_ns 0: not known */
};

/*
 * All else is 0 at first. Nothing is found, nor counted as unmatched, before the
 * thread was switched to for the first time.
 */
struct task_wakeups {
	int thread;
	const int64_t *offset_ns;	/* how far each of TASK_CLOCKS is ahead of CLOCK_MONOTONIC; one may be set */
	struct task_timer timer[TASK_TIMERS];
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
	uint64_t unmatched;		/* wake-ups that lack records */
	uint64_t preempted;		/* wake-ups after which it lost the CPU before it slept again, */
	uint64_t preempted_ns;		/* and the longest time until it had one again */
};

/*
 * Report the next record in the order of time. Returns true, and sets *wakeup, if this
 * record completes one; they come in the order of switched_ns.
 */
bool task_wakeups_add(struct task_wakeups *wakeups, const struct task_record *record, struct task_wakeup *wakeup);

/* What is pending is unmatched. A thread that has the number from now on is unseen and has no timers yet. */
void task_wakeups_end(struct task_wakeups *wakeups);

/*
 * Whether the instants at which a thread is to be woken lie on a grid: GRID_STEPS
 * of them follow each other by the same time. Pure, and of fixed size.
 */
struct task_grid {
	uint64_t period_ns;		/* the median of the last steps; 0: there is no grid */
	uint64_t missed;		/* instants of the grid at which nothing was due, though later something was */

	uint64_t last_ns;		/* the last instant; of the grid, if there is one; 0: none */
	uint64_t step_ns[GRID_STEPS];	/* from an instant to the next one of the grid */
	unsigned steps;			/* how many there have been, up to GRID_STEPS */
	unsigned next;			/* where the next one is put */
	unsigned outside;		/* more for each instant outside of the grid, less for each on it */
};

/*
 * Add the next instant; all of it is 0 at first. unknown: the number of wake-ups since
 * the last instant whose due time is unknown; they may have been at those that seem
 * missed. Returns how many were missed just before it.
 */
uint64_t task_grid_add(struct task_grid *grid, uint64_t due_ns, uint64_t unknown);

/* Puts the records of several rings in the order of time. */
struct task_order {
	struct task_place {
		struct task_record record;
		uint64_t number;	/* in the order in which they were put here */
	} *place;
	unsigned room, count;
	unsigned taken;			/* of these */
	bool sorted;
	uint64_t put;
	uint64_t taken_ns;		/* up to here all was taken */
	uint64_t lost_ns;		/* behind all records that found no room or came too late; 0: none did */
};

struct task_records {
	const struct source *source;	/* of the first thread */
	bool all;			/* all threads in the machine are recorded; */
	bool command;			/* those that a command begins are measured */
	struct task_cpu {
		struct trace_layout layout;
		struct perf_ring ring;	/* of timers and wakings and, of many threads, of switches */
	} *cpu;
	unsigned cpus;
	struct trace_layout no_layout;	/* switches have no format */
	struct perf_ring switches[TASK_FEW];	/* of each thread, if they are few */
	struct task_order order;
	uint64_t read_ns;		/* all records before it were read */
};

/*
 * Record the source's threads from now on: all threads of the machine if they are
 * many or a command's, which are not known yet. Returns EXIT_MEASURED (0) or,
 * after a warning, what to exit with; close it in either case.
 */
int task_records_open(struct task_records *records, const struct source *source);

/*
 * How far the clocks that timers may be due by are ahead of CLOCK_MONOTONIC, the
 * first; they may be set at any time. What was read before is kept unless it is
 * wrong now, for this may be interrupted.
 */
void task_records_clocks(int64_t offset_ns[TASK_CLOCKS]);

/* Read what was recorded since the last call. */
void task_records_read(struct task_records *records);

/*
 * Take the next record in the order of time. At the same time, a timer's expiry comes
 * before other records, and the return of its function behind them. Returns false when
 * there is no record that no earlier one may follow.
 */
bool task_records_take(struct task_records *records, struct task_record *record);

void task_records_close(struct task_records *records);

#endif
