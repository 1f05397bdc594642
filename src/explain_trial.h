/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Before the run: what recording costs a wake-up, and whether what happens is recorded at all. */
#ifndef EXPLAIN_TRIAL_H
#define EXPLAIN_TRIAL_H

#include "explain.h"

/*
 * For the process that is to be explained, with its rights and on its CPU: some
 * hundred wake-ups, in turns with recording on and off, which take a seventh
 * of a second. Writes what came of them, and leaves it off.
 */
void explain_try(const struct explain *explain, int cpu, struct explained *explained);

#endif
