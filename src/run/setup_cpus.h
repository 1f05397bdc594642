/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bind this process to CPUs, and say why one cannot be had. */
#ifndef RUN_SETUP_CPUS_H
#define RUN_SETUP_CPUS_H

#include "base/cpus.h"
#include "base/refusal.h"

/*
 * Bind to one CPU after the other, and stay on the last. Returns 0; or -1, with
 * all CPUs that were refused in one refusal.
 */
int setup_cpus_bind(const struct cpus *cpus, struct refusal *refusal);

#endif
