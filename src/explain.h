/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The meter's side of --explain: what it keeps of each wake-up, and of the worst. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stdint.h>

#include "events.h"
#include "explained.h"
#include "wakelog.h"

struct explain {
	enum explain_level level;	/* EXPLAIN_OFF: none of the following is set */
	struct wakelog *log;
	int smis;			/* a counter of the CPU; -1: the machine has none */
};

/* For the process that is to be explained. */
void explain_open(struct explain *explain, enum explain_level level, int cpu, struct wakelog *log);

/* Keep a wake-up. */
static inline void explain_note(const struct explain *explain, uint64_t due_ns, uint64_t stamp_ns, uint64_t periods)
{
	wakelog_add(explain->log, due_ns, stamp_ns, periods);
}

/*
 * How many system management interrupts the CPU has had, in all and since then;
 * EVENTS_UNKNOWN, without a system call, where the machine does not count them.
 */
int64_t explain_smis(const struct explain *explain);
int64_t explain_smis_since(const struct explain *explain, int64_t before);

#endif
