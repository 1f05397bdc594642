/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meter's side of --explain: it has the kernel record what happens on its
 * CPU, logs its wake-ups, and keeps what was recorded before the worst.
 */
#ifndef EXPLAIN_TAP_H
#define EXPLAIN_TAP_H

#include <stdint.h>

#include "base/options.h"
#include "measure/listener.h"
#include "trace/refusal.h"
#include "trace/perf_ring.h"

struct tap {
	struct listener listener;	/* for the loop; without a log when it is off */
	enum explain_level level;	/* EXPLAIN_OFF: none of the following is set */
	struct perf_ring parts;	/* for another process, which drains it: a few events of the meter's own */
	struct perf_ring flight;	/* from EXPLAIN_BLAME on: all that may hold the CPU; it is overwritten */
};

/* Of a CPU: how many switches of tasks there were, and how many of them were recorded. */
struct switches {
	uint64_t all, recorded;
};

/* What came of it for one meter: written by it before it measures, in memory that others read. */
struct tap_state {
	enum explain_level level;	/* that was granted */
	char refused[REFUSAL_CLAUSE];	/* why none was, though it was asked for */
	int cpu;			/* whose records are kept */
	int64_t with_ns, without_ns;	/* the median lateness of trials, with events and without */
	uint32_t parts_size;		/* of the ring of the parts' events, in bytes */
	struct switches switches;	/* of tasks during the trials */
	struct trace_layout layout;	/* of the kernel's records */
};

/* What the kernel is to record, for a meter on this CPU. */
struct tap_plan {
	enum explain_level level;
	int cpu;
	unsigned hz;
	bool asked;			/* somebody wakes it, and no timer of its own */
	uint64_t handler;		/* the address of what its timer calls; 0: not known */
	struct trace_layout *layout;	/* all 0; memory that others share */
};

/*
 * For the calling process, when it is on that CPU. Nothing is recorded until
 * tap_enable(). Returns 0; or -1 with the reason and a remedy, and nothing
 * is open.
 */
int tap_open(struct tap *tap, const struct tap_plan *plan, struct wakelog *log,
	     struct refusal *refusal);
void tap_close(struct tap *tap);

/* From now on the kernel records, or does not. */
void tap_enable(const struct tap *tap, bool on);

#endif
