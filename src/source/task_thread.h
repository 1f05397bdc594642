/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which thread of another program is meant. */
#ifndef SOURCE_TASK_THREAD_H
#define SOURCE_TASK_THREAD_H

#include "measure/source.h"

/*
 * Find a thread by its number, or by its name if only one has it; a process stands
 * for its main thread. Returns EXIT_MEASURED (0) or, after a warning, what to exit
 * with.
 */
int task_thread_find(const char *text, struct thread *thread);

/* Has it ended? stat is that of process_open(), or -1. */
bool task_thread_has_ended(int stat);

#endif
