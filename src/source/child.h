/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that the meter forks to ask it, or to answer it. None of them
 * outlives the meter, whatever becomes of that; and when one ends before the
 * run does, SIGCHLD comes to the meter.
 */
#ifndef SOURCE_CHILD_H
#define SOURCE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "measure/source.h"

/*
 * For ops->start, once for each process of a cell at most. In the child the policy, the priority and the CPU are still
 * the meter's, and its memory is locked where that of the meter is; it is of
 * the user whom the meter is going to be, no signal comes to it but SIGKILL and
 * those of faults and job control, and of all descriptors it has these and the
 * standard ones. Returns as fork(); -1 after a warning.
 */
pid_t source_fork(const struct source *source, const int *kept, unsigned count);

/* In a child: is the meter still there? A child asks before each step, in case its signal is lost. */
bool source_child_is_wanted(void);

/* For ops->finish, and where ops->start fails: end all of them, and wait until they are gone. */
void source_end_children(const struct source *source);

#endif
