/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make this process real-time, say what was granted, and undo it; and move the other processes out of its way. */
#ifndef RUN_REALTIME_H
#define RUN_REALTIME_H

#include "base/cpus.h"
#include "base/diag.h"
#include "base/options.h"
#include "host/privilege.h"

/*
 * Hold the idle states off, bind to the CPU (-1: to none), lock the memory, take the policy, and see whether the
 * waker could have its own. All are tried, even if one is refused. Warns of each refusal, and then this process is an
 * ordinary one again. The refusal of the CPU is for realtime_refuse_cpus(): *unbound is its errno, or 0. With
 * --best-effort a refusal is only noted in rights.
 */
void realtime_take(const struct options *options, int cpu, struct rights *rights, int *unbound);

/* Warn of the CPUs that processes could not be bound to. several: the user has named others, too. */
void realtime_refuse_cpus(const struct cpus *cpus, int error, bool several);

/* Prints a warning, with the prefix unless this is a check. With --best-effort, a run goes on without the right. */
bool best_effort_goes_without(const struct options *options, const char *prefix, const struct refusal *refusal);

/* Add what a process that asked for this CPU (-1: for none) was granted, once all memory to be locked is mapped. */
void realtime_report_granted(int asked, struct rights *rights);

/* Exits with a message if the stack is limited to less than our processes may use. */
void realtime_check_stack(void);

/* Become an ordinary process: SCHED_OTHER, no memory locked. */
void realtime_leave(void);

/*
 * The CPUs for all of the run but the meters, out of those this process may use: none that is measured or shares a core
 * with a measured one; if there are no others, none that is measured; if all are measured, all.
 */
void realtime_other_cpus(const struct cpus *measured, cpu_set_t *others);

#endif
