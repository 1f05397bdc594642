/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All threads that a meter measures for other programs, and whose of them a record is. */
#ifndef SOURCE_TASK_GROUP_H
#define SOURCE_TASK_GROUP_H

#include "measure/source.h"
#include "source/task_grid.h"
#include "source/task_records.h"
#include "source/task_wakeups.h"

#define OWNERS 4096			/* a power of 2, */
#define PLACES 4096			/* as this is, which is far more than threads */

/* What is known of one of the threads. */
struct task {
	struct source *source;		/* the one that measures it */
	int stat;			/* of the thread: see process_open() */
	uint64_t opened_ns;		/* when that was opened */
	struct thread first;		/* in a command: what it has from whoever began it */
	uint64_t ended_ns;		/* by then it had ended; 0: it has not */
	struct task_wakeups wakeups;
	struct task_grid grid;
	struct task_wakeup wakeup;	/* the last one that was served */
	uint64_t unmatched;		/* when the last one was served that was due */
	struct task_group *group;
};

/* All threads that a meter measures. Their records are read together. */
struct task_group {
	unsigned count, room;		/* threads that there are, and that there may be */
	unsigned left_out;		/* that found no room */
	unsigned readings;
	struct task *task;		/* in the order of the sources */
	uint16_t place[PLACES];		/* by a hash of its number: the thread, plus 1; 0: none */
	struct task_records records;
	uint16_t owner[OWNERS];		/* by a timer's address: who starts it, plus 1; or NOBODY, ANYBODY */
	int64_t offset_ns[TASK_CLOCKS];	/* how far each clock is ahead of CLOCK_MONOTONIC */
};

/* Measure the thread, which has the next source. */
void task_group_add(struct task_group *group, pid_t thread);

/* The same of one that a command has begun, or a thread of it, whose name it has at first; parent NULL: the command. */
void task_group_begin(struct task_group *group, pid_t thread, const struct task *parent);

/* Look again at what a command began. */
void task_group_look(struct task *task);

/*
 * The number of the thread is no longer its own since then, so what is recorded
 * later with it is another's. It has ended.
 */
void task_group_leave(struct task *task, uint64_t at_ns);

/* Take the next record in the order of time. Returns whether it completes a wake-up, which is then *woken's. */
bool task_group_take(struct task_group *group, const struct task_record *record, struct task **woken);

#endif
