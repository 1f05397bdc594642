/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Take SCHED_DEADLINE at the rate of the source, and say why it is refused. */
#ifndef RUN_SETUP_DEADLINE_H
#define RUN_SETUP_DEADLINE_H

#include "base/diag.h"

/* Take it for this process, which wakes hz times a second. Returns 0; or -1 with the refusal. */
int setup_deadline_take(unsigned hz, struct refusal *refusal);

#endif
