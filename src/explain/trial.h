/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Before the run: what recording costs a wake-up, and whether what happens is recorded at all. */
#ifndef EXPLAIN_TRIAL_H
#define EXPLAIN_TRIAL_H

#include "explain/tap.h"

/* For a process on that CPU: count those of so many wake-ups of its own, a quarter of a millisecond each. */
struct switches trial_count_switches(int cpu, unsigned wakeups);

/* Are more missing than their counters, which begin one after the other, may differ by? */
bool switches_are_missing(const struct switches *switches);

/*
 * For the process that is to be state, with its rights and on its CPU: some
 * hundred wake-ups before anything is opened, which costs time even while
 * nothing is recorded; and with all that was opened, which ends with recording
 * off. Both write what came of them.
 */
void trial_without_tap(struct tap_state *state);
void trial_with_tap(const struct tap *tap, int cpu, struct tap_state *state);

#endif
