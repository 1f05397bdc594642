/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that is real-time: it takes its rights, sets the source going,
 * runs the loop, and gives them back.
 */
#ifndef RUN_METER_H
#define RUN_METER_H

#include <sys/types.h>

#include "report/run.h"
#include "run/worker.h"

/* The meter's life, from the fork to its end. It ends early when the keeper does, whose child it is. */
void meter_run(const struct run *run, struct worker *worker, pid_t keeper) __attribute__((noreturn));

#endif
