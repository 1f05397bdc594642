/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Along the records of a CPU, from one to the next: who had it in between. Pure. */
#ifndef EXPLAIN_WHO_H
#define EXPLAIN_WHO_H

#include "explain_blame.h"

/*
 * One segment up to each record, the first from INT64_MIN, and one to the
 * stamp: tasks, interrupts and softirqs as the records have them, BLAME_LOST,
 * and BLAME_RING_ENDS before the oldest. There is room for them in the blame,
 * which knows the wake-up and the meter's pid and has no segment yet.
 */
void who_had_cpu(struct blame *blame, const struct trace_record *records, unsigned count);

#endif
