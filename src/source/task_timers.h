/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The timers that a thread has started, from the kernel's records, and which of
 * them expires. Pure, and of fixed size.
 */
#ifndef SOURCE_TASK_TIMERS_H
#define SOURCE_TASK_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

#define TASK_TIMERS 32			/* the last that it started */
#define TASK_CLOCKS 3			/* CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI */

/* Of any timer that may be the thread's own; otherwise of the thread alone. */
enum task_event {
	TASK_TIMER_START,		/* hrtimer_start, by the thread itself */
	TASK_TIMER_CANCEL,		/* hrtimer_cancel, by the thread itself */
	TASK_TIMER_EXPIRY,		/* hrtimer_expire_entry */
	TASK_TIMER_DONE,		/* hrtimer_expire_exit */
	TASK_WAKING,			/* sched_waking, pid == thread */
	TASK_SWITCHED_IN,		/* sched_switch, next_pid == thread */
	TASK_PREEMPTED,			/* sched_switch, prev_pid == thread, which is runnable */
	TASK_SLEEPS,			/* the same, in any other state */
	TASK_FORK,			/* the thread begins another, or a process */
	TASK_EXIT,			/* it ends, or its number becomes that of another of its process (execve) */
	TASK_LOST,			/* from here until until_ns records are missing, of whatever kind */
};

struct task_record {
	enum task_event event;
	int cpu;
	uint64_t at_ns;			/* CLOCK_MONOTONIC */
	int thread;			/* that it is of; 0: of a timer that expires and may be any thread's, LOST */
	int current;			/* common_pid: the thread that runs, or that was interrupted */
	int child;			/* FORK: the new one, */
	bool sibling;			/* and whether it is of the same process */
	uint64_t timer;			/* TIMER_...: its address */
	int64_t soft_ns, hard_ns;	/* TIMER_START: softexpires and expires, by the timer's clock */
	int64_t now_ns;			/* TIMER_EXPIRY: now, by the timer's clock */
	uint64_t until_ns;		/* LOST */
};

struct task_timer {
	uint64_t address;		/* 0: a free place */
	uint64_t started_ns;
	int64_t soft_ns, hard_ns;	/* by its clock */
	enum { TIMER_STOPPED, TIMER_UNSURE, TIMER_STARTED, TIMER_EXPIRES } state;	/* UNSURE: it may run */
	int cpu, current;		/* EXPIRES: where its function is called, */
	uint64_t expiry_ns, due_ns;	/* and when. CLOCK_MONOTONIC; due_ns 0: not known */
};

struct task_timers {
	int64_t offset_ns[1 + TASK_CLOCKS];	/* how far each clock is ahead of CLOCK_MONOTONIC, the first */
	struct task_timer timer[TASK_TIMERS];
};

/* Report the next record, of one of the TIMER_ events. All 0: there are none. */
void task_timers_add(struct task_timers *timers, const struct task_record *record);

/*
 * The timer in whose function this record was made, on the same CPU: the
 * innermost; NULL: none of the thread's.
 */
struct task_timer *task_timers_around(struct task_timers *timers, const struct task_record *record);

/* Whether the function of the timer that expired then, on this CPU, has not returned yet. */
bool task_timers_expires(const struct task_timers *timers, uint64_t expiry_ns, int cpu);

/* Records were lost: any timer of the thread may have been started, and when is not known. */
void task_timers_forget(struct task_timers *timers);

#endif
