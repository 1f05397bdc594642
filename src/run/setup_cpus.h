/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs of this process: bind it to some, say why a CPU is refused, or leave those that are measured. */
#ifndef RUN_SETUP_CPUS_H
#define RUN_SETUP_CPUS_H

#include "base/cpus.h"
#include "base/diag.h"

/*
 * Of the CPUs that this process may use, those for every process of the run but the
 * meters: none that is measured or shares a core with a measured one; if there are no
 * others, none that is measured; if all are measured, all.
 */
void setup_find_others(const struct cpus *measured, cpu_set_t *others);

/* For every process but the meters: move there. */
void setup_leave_cpus(const struct cpus *measured);

/*
 * Bind to each CPU in turn, and stay on the last. Returns 0; or -1 with one
 * refusal that names all CPUs that were refused.
 */
int setup_cpus_bind(const struct cpus *cpus, struct refusal *refusal);

#endif
