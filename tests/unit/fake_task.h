/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread whose records are made up, each 10 ns after the one before it. */
#ifndef FAKE_TASK_H
#define FAKE_TASK_H

#include "source/task_wakeups.h"

#define THREAD 100
#define OTHER 200
#define IDLE 0
#define T1 0xffff8880a0			/* addresses of timers */
#define T2 0xffff8880b0

extern struct task_wakeups wakeups;
extern struct task_wakeup found;	/* the last one */
extern uint64_t now;			/* of the last record; a test may let time pass */

/* The thread runs on CPU 0, and was seen to be switched to. */
void begin(void);

/* Each returns whether the record ended a wake-up. */
bool put(struct task_record record);
bool go(enum task_event event);		/* a switch of the thread */
bool wake(int cpu, int current);

/* Timers; hard_ns of one that starts is 7 ns after it is due. */
void start(uint64_t timer, uint64_t due_ns);
void cancel(uint64_t timer);
void expire(uint64_t timer, int cpu, int current);
void finish(uint64_t timer, int cpu, int current);
void expire_and_wake(uint64_t timer, int cpu, int current);

#endif
