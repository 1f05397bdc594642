/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trials before the run: by how much recording delays a wake-up, and whether the kernel misses switches. */
#ifndef EXPLAIN_TRIAL_H
#define EXPLAIN_TRIAL_H

#include "explain/tap.h"

/* Count the switches during so many wake-ups of the calling process, which is on that CPU; 1/4 ms each. */
struct switches trial_count_switches(int cpu, unsigned wakeups);

/* Are more than 5 % not recorded? The two counters do not begin at the same instant. */
bool switches_are_missing(const struct switches *switches);

/*
 * Try some hundred wake-ups of the meter, with its rights and on its CPU:
 * before the tap is opened, which costs time even while it does not record; and
 * with the tap, which does not record afterwards. Both write what they find.
 */
void trial_without_tap(struct tap_state *state);
void trial_with_tap(const struct tap *tap, int cpu, struct tap_state *state);

#endif
