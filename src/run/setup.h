/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make this process real-time, say what was granted, and undo it. */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include "base/cpus.h"
#include "base/options.h"
#include "host/privilege.h"

/*
 * Hold the idle states off, bind to one of the CPUs after the other and stay on
 * the last, lock the memory, take the policy: each of them, even if others are
 * refused. Returns 0; or -1, an ordinary process again, after a warning for each
 * refusal. With --best-effort a refusal is only noted in rights.
 */
int setup_realtime(const struct options *options, const struct cpus *cpus, struct rights *rights);

/* Add what the kernel says this process has of all that. To be called when all memory is mapped that is locked. */
void setup_tell_granted(const struct cpus *asked, struct rights *rights);

/* For all processes but the meters: leave the measured CPUs to the meters, unless there is no other CPU. */
void setup_leave_cpus(const struct cpus *cpus);

/* Exits, after a message, when the limit of the stack is less than our processes use. */
void setup_check_stack(void);

/* Become an ordinary process: SCHED_OTHER, no memory locked. */
void setup_ordinary(void);

#endif
