/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trials before the run: by how much recording delays a wake-up, and whether the kernel misses switches. */
#ifndef EXPLAIN_TRIAL_H
#define EXPLAIN_TRIAL_H

#include "explain/tap.h"

/* Count the switches during so many wake-ups of the calling process, which runs on cpu; about 1/4 ms each. */
struct switches trial_count_switches(int cpu, unsigned wakeups);

/* Are more than 5 % not recorded? Fewer may be the counters' doing: they do not begin at the same instant. */
bool switches_are_missing(const struct switches *switches);

/*
 * Try some hundred wake-ups in the meter, with its rights and on its CPU. The
 * first trial comes before the tap is opened, because an open tap costs time even
 * while it does not record. The second records, and stops the recording. Both
 * write what they find into the state.
 */
void trial_without_tap(struct tap_state *state);
void trial_with_tap(const struct tap *tap, int cpu, struct tap_state *state);

#endif
