/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Along the records of a CPU, from one to the next: who had it in between, and what the meter was waiting for. Pure. */
#ifndef EXPLAIN_BLAME_WALK_H
#define EXPLAIN_BLAME_WALK_H

#include "explain_blame.h"

/*
 * One segment up to each record, the first from INT64_MIN, and one to the
 * stamp: tasks, interrupts and softirqs as the records have them, BLAME_LOST,
 * and BLAME_RING_ENDS before the oldest. There is room for them in the blame,
 * which knows the meter's pid and is empty.
 */
void blame_walk(struct blame *blame, const struct trace_record *records, unsigned count, uint64_t due_ns,
		uint64_t stamp_ns);

#endif
