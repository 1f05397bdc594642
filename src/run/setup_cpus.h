/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bind this process to CPUs, and say why one cannot be had. */
#ifndef RUN_SETUP_CPUS_H
#define RUN_SETUP_CPUS_H

#include "base/cpus.h"

struct setup_cpus_refusal {
	char what[256];			/* "bind to CPU 3" */
	char reason[512];		/* beyond what errno says; "": unknown */
	char remedy[256];
};

/*
 * Bind to one after the other, and stay on the last. Returns 0; or an errno,
 * with all that were refused in one refusal.
 */
int setup_cpus_bind(const struct cpus *cpus, struct setup_cpus_refusal *refusal);

#endif
