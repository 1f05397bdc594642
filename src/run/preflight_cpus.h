/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the CPUs that are measured would do to the run: see run/preflight_findings.h. */
#ifndef RUN_PREFLIGHT_CPUS_H
#define RUN_PREFLIGHT_CPUS_H

#include "base/cpus.h"
#include "run/preflight_findings.h"

/* The CPUs that the measuring processes may run on. */
struct cpus measured_cpus(const struct preflight *preflight);

look_function look_at_governor, look_at_idle_states, look_at_siblings, look_at_own_processes;

#endif
