/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real-time process: it takes its rights, starts the source, runs the loop,
 * and gives the rights back.
 */
#ifndef RUN_METER_H
#define RUN_METER_H

#include <sys/types.h>

#include "explain/tap.h"
#include "report/report.h"
#include "run/worker.h"

/* The whole life of a meter, from the fork to its exit. It ends early if the keeper, its parent, dies. */
void meter_run(const struct run *run, struct worker *worker, pid_t keeper) __attribute__((noreturn));

/*
 * Open and start the tap, if the run is to be explained, and write into the
 * worker's tap_state how. If the preflight was refused, the meter does not try
 * again. Returns false after a warning: the run cannot go on.
 */
bool meter_tap_start(struct tap *tap, const struct run *run, const struct worker *worker);

#endif
