/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Before the run: what recording costs a wake-up, and whether what happens is recorded at all. */
#ifndef EXPLAIN_TRIAL_H
#define EXPLAIN_TRIAL_H

#include "explain.h"

/* For a process on that CPU: count those of some wake-ups of its own, which take a sixtieth of a second. */
struct switches explain_count_switches(int cpu);

/* Are more missing than their counters, which begin one after the other, may differ by? */
bool switches_are_missing(const struct switches *switches);

/*
 * For the process that is to be explained, with its rights and on its CPU: some
 * hundred wake-ups, in turns with recording on and off, which take a seventh
 * of a second. Writes what came of them, and leaves it off.
 */
void explain_try(const struct explain *explain, int cpu, struct explained *explained);

#endif
