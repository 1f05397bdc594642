/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make this process real-time, say what was granted, and undo it. */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include "base/cpus.h"
#include "base/options.h"
#include "host/privilege.h"

/*
 * Hold the idle states off, bind to each of the CPUs in turn and stay on the
 * last, lock the memory, take the policy. All are tried, even if one is refused.
 * Returns 0; or -1 after a warning for each refusal, and then this process is an
 * ordinary one again. With --best-effort a refusal is only noted in rights.
 */
int setup_realtime(const struct options *options, const struct cpus *cpus, struct rights *rights);

/* Add to rights what the kernel says was granted. Call it when all memory that is to be locked has been mapped. */
void setup_tell_granted(const struct cpus *asked, struct rights *rights);

/* Exits with a message if the stack is limited to less than our processes may use. */
void setup_check_stack(void);

/* Become an ordinary process: SCHED_OTHER, no memory locked. */
void setup_ordinary(void);

#endif
