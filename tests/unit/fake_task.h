/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread whose records are made up, each 10 ns after the one before it. */
#ifndef FAKE_TASK_H
#define FAKE_TASK_H

#include "source/task.h"

#define THREAD 100
#define OTHER 200
#define IDLE 0
#define T1 0xffff8880a0			/* addresses of timers */
#define T2 0xffff8880b0

extern int64_t clocks[TASK_CLOCKS];	/* how far they are ahead */
extern struct task_wakeups wakeups;
extern struct figures figures;	/* what they count */
extern struct wakeup found;	/* the last one */
extern uint64_t now;			/* of the last record; a test may let time pass */

/* The thread runs on CPU 0; with begin(), it was also seen to be switched to. */
void begin_unseen(void);
void begin(void);

/* Each returns whether the record ended a wake-up. */
bool put(struct trace_record record);
bool come(void);			/* the thread is switched to */
bool leave(bool runnable);		/* it is switched away from, and sleeps unless it is runnable */
bool wake(int cpu, int current);

/* Timers; latest_ns of one that starts is 7 ns after it is due. */
void start(uint64_t timer, uint64_t due_ns);
void cancel(uint64_t timer);
void expire(uint64_t timer, int cpu, int current);
void finish(uint64_t timer, int cpu, int current);
void expire_and_wake(uint64_t timer, int cpu, int current);

#endif
