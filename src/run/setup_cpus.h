/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bind this process to CPUs, and say why a CPU is refused. */
#ifndef RUN_SETUP_CPUS_H
#define RUN_SETUP_CPUS_H

#include "base/cpus.h"
#include "base/refusal.h"

/*
 * Bind to each CPU in turn, and stay on the last. Returns 0; or -1 with one
 * refusal that names all CPUs that were refused.
 */
int setup_cpus_bind(const struct cpus *cpus, struct refusal *refusal);

#endif
