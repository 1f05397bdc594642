/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make this process real-time; say what was granted; undo it. */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include "base/cpus.h"
#include "base/options.h"
#include "host/privilege.h"

/*
 * Lock the memory, hold the idle states off, bind to one of the CPUs after the
 * other and stay on the last, take the policy: each of them, whatever becomes
 * of the others. Returns 0; or -1, an ordinary process again, after a warning
 * for each thing that was refused, without --best-effort.
 */
int setup_realtime(const struct options *options, const struct cpus *cpus, struct rights *rights);

/* What this process has of all that, in the kernel's own word: once all is mapped that it locks. */
void setup_tell_granted(const struct cpus *asked, struct rights *rights);

/*
 * For all but the meters, and what they start: leave the measured CPUs to them,
 * unless there is no other.
 */
void setup_leave_cpus(const struct cpus *cpus);

/* Exits, after a message, when the stack is limited to less than our processes use. */
void setup_check_stack(void);

/* Be an ordinary process: SCHED_OTHER, nothing locked. */
void setup_ordinary(void);

#endif
