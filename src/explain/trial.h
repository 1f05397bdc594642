/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trials before the run: by how much recording delays a wake-up, and what the kernel does not record. */
#ifndef EXPLAIN_TRIAL_H
#define EXPLAIN_TRIAL_H

#include "explain/tap.h"

/* Let the calling process, which runs on cpu, wake up so many times; about 1/4 ms each. */
struct trial trial_of_records(int cpu, unsigned wakeups);

/* Are more than 1 in 100 of the switches or wakings not recorded? A few are lost now and then. */
bool trial_misses_some(const struct trial *trial);

/*
 * Try some hundred wake-ups in the meter, with its rights and on its CPU. The
 * first trial comes before the tap is opened, because an open tap costs time even
 * while it does not record, and because what it finds decides how switches are
 * recorded. The second records, and stops the recording. Both write what they
 * find into the state.
 */
void trial_without_tap(int cpu, struct tap_state *state);
void trial_with_tap(const struct tap *tap, struct tap_state *state);

#endif
