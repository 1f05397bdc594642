/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flaws of the machine: a run warns of them, and its report has them. --check also lists the limits of the machine. */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include "run/keeper.h"

#define FINDINGS_SIZE 2048

/*
 * Look for all flaws. Warns of each or, with --quiet, of none. Writes them without their
 * remedies, joined by "; ", or "ok" into the run's preflight, which is empty before.
 */
void findings_look(const struct keeper *keeper);

/* Would this thing spoil the run? If so, writes the reason, which has the value, and the remedy. */
typedef bool finding_look(const struct keeper *keeper, struct refusal *finding);
finding_look look_at_timer_thread, look_at_idle_states, look_at_governor, look_at_own_processes, look_at_siblings;

#endif
