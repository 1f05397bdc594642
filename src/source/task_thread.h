/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which threads of another program are meant. */
#ifndef SOURCE_TASK_THREAD_H
#define SOURCE_TASK_THREAD_H

#include "measure/source.h"

/*
 * Find the threads of a process, by its number or its name; or a thread, by its
 * own. wanted: the numbers or names of some of that process, or "all"; NULL: all of
 * a process that is named, else the thread alone. They are put into source,
 * ascending by their numbers. Returns EXIT_MEASURED (0) or, after a warning, what to exit with.
 */
int task_thread_find(const char *text, const char *wanted, struct source *source);

#define TASK_MOST 64			/* threads of a command that can be measured */

/* Make room for threads that are not known yet, TASK_MOST of them. Returns as task_thread_find(). */
int task_thread_expect(struct source *source);

/* Update what is known of the thread, unless it has ended. */
void task_thread_look(struct thread *thread);

/* Has it ended? stat is that of process_open(), or -1. */
bool task_thread_has_ended(int stat);

#endif
