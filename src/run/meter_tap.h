/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a meter opens for --explain before it measures. */
#ifndef RUN_METER_TAP_H
#define RUN_METER_TAP_H

#include "explain/tap.h"
#include "report/run.h"
#include "run/worker.h"

/*
 * Open and start the tap, if the run is to be explained, and write into the
 * worker's tap_state how. If the preflight was refused, the meter does not try
 * again. Returns false after a warning: the run cannot go on.
 */
bool meter_tap_start(struct tap *tap, const struct run *run, const struct worker *worker);

#endif
