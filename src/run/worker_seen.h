/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What disturbs a meter, its children or the thread that it measures. */
#ifndef RUN_WORKER_SEEN_H
#define RUN_WORKER_SEEN_H

#include "run/worker.h"

/* When the meter begins to measure. */
void worker_seen_begin(struct worker *worker);

/* Once a second, and before the last buffer is added: note in the totals what is found. */
void worker_seen_look(struct worker *worker);

#endif
