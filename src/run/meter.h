/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real-time process: it takes its rights, starts the source, runs the loop,
 * and gives the rights back.
 */
#ifndef RUN_METER_H
#define RUN_METER_H

#include <sys/types.h>

#include "measure/loop.h"
#include "report/report.h"
#include "run/worker.h"

/* The whole life of a meter, from the fork to its exit. It ends early if the keeper, its parent, dies. */
void meter_run(const struct run *run, struct worker *worker, pid_t keeper) __attribute__((noreturn));

/*
 * In ask.c: take the rights, and open and start the tap, once and for good. What is refused
 * is in the worker's struct refused, for the keeper to report when all meters have asked.
 */
void ask(const struct run *run, struct worker *worker, struct tap *tap, struct loop *loop);

#endif
