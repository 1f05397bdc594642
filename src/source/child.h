/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that the meter forks, so that they wake it by a request or a token.
 * None of them outlives the meter, however the meter ends. If one ends before
 * the run does, the meter gets SIGCHLD.
 */
#ifndef SOURCE_CHILD_H
#define SOURCE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "measure/source.h"

/*
 * For ops->start; at most CHILDREN_MAX times. The child keeps the
 * meter's policy, priority and CPU, but that of a deadline task is an ordinary
 * process; locks its memory if the meter does; runs as the user that the meter
 * will be; acts on no signal but SIGKILL, faults and job control; and has the
 * standard descriptors and those in kept, no others. Returns as fork(); -1 after a
 * warning.
 */
pid_t source_fork(const struct source *source, const int *kept, unsigned count);

/* In a child: does the meter still live? The parent-death signal to the child may have been lost. */
bool source_child_is_wanted(void);

/* For ops->finish, and where ops->start fails: kill all of them and reap them. */
void source_end_children(const struct source *source);

#endif
