/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as the kernel would have traced them, at so many us after due. */
#ifndef TRACED_H
#define TRACED_H

#include "explain_event.h"

#define DUE_NS UINT64_C(5000000000)
#define METER 99
#define WAKER 98

extern struct trace_record traced[BLAME_SEGMENTS];
extern unsigned traced_count;
extern bool traced_asked;		/* no timer is due, but somebody asks */

/*
 * By their pids: 0 idle, 10 'dd' and 11 'sh' of nice 0, 20 'hog' rt 97, 21 'low' rt 50, 15 ktimers/0, 14 ksoftirqd/0,
 * METER rt 95, WAKER rt 96.
 */
struct trace_task task_of(int pid);

/* Forget all of them. */
void nothing_traced(void);

void waking(double us);
void preempted(double us, int prev, int next);
void went_to_sleep(double us, int prev, int next);
struct trace_record *entry(double us, enum trace_kind kind, int number, const char *name);
void timer_interrupt(double from_us, double to_us);
void lost(double us);

/* The way of a wake-up that nothing delays, when this task is interrupted; it goes on after so many us more. */
void wake_up(double us, int interrupted, double later_us);
void sleep_and_wake_up(double us, int interrupted, double later_us);

/* Of the wake-up that was stamped then. */
struct blame *blame_of(double stamp_us);

#endif
