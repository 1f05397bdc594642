/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make this process real-time, say what was granted, and undo it; and move the other processes out of its way. */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include "base/cpus.h"
#include "base/diag.h"
#include "base/options.h"
#include "host/privilege.h"

/*
 * Hold the idle states off, bind to each of the CPUs in turn and stay on the
 * last, lock the memory, take the policy. All are tried, even if one is refused.
 * Returns 0; or -1 after a warning for each refusal, and then this process is an
 * ordinary one again. With --best-effort a refusal is only noted in rights.
 */
int setup_realtime(const struct options *options, const struct cpus *cpus, struct rights *rights);

/* With --best-effort a run, but no check, does without what was refused. Else warns, beginning with prefix. */
bool setup_does_without(const struct options *options, const char *prefix, const struct refusal *refusal);

/* Add to rights what the kernel says was granted. Call it when all memory that is to be locked has been mapped. */
void setup_tell_granted(const struct cpus *asked, struct rights *rights);

/* Exits with a message if the stack is limited to less than our processes may use. */
void setup_check_stack(void);

/* Become an ordinary process: SCHED_OTHER, no memory locked. */
void setup_ordinary(void);

/* Bind to each CPU in turn, and stay on the last. Returns 0; or -1 with one refusal that names all refused CPUs. */
int setup_bind(const struct cpus *cpus, struct refusal *refusal);

/*
 * Of the CPUs that this process may use, those for every process of the run but the
 * meters: none that is measured or shares a core with a measured one; if there are no
 * others, none that is measured; if all are measured, all.
 */
void setup_other_cpus(const struct cpus *measured, cpu_set_t *others);

/* For every process but the meters: move there. */
void setup_leave_cpus(const struct cpus *measured);

#endif
