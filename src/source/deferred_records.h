/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's records of both ends of what a trigger asks for. */
#ifndef SOURCE_DEFERRED_RECORDS_H
#define SOURCE_DEFERRED_RECORDS_H

#include <stdbool.h>

#include "source/deferred_pairs.h"
#include "source/deferred_trigger.h"
#include "trace/perf_ring.h"

/* What happens at one end of the requests, on one CPU after the other. */
struct record_rings {
	unsigned count;
	struct trace_layout *layout;	/* of each */
	struct perf_ring *ring;
};

struct records {
	struct record_rings queued, executed;
	bool common;			/* the rings of what is executed are */
	struct pairs *pairs;		/* to which they are told */
};

/*
 * Where work is executed anywhere, one process opens the rings of all CPUs, and
 * those that are forked later record with them. Returns as records_open().
 */
int records_open_common(struct record_rings *common, const struct trigger *trigger);
void records_close_common(struct record_rings *common);

/*
 * Record what this process asks for by the trigger, which is open and has
 * the addresses of its functions; common is of use where work is executed
 * anywhere. Returns EXIT_MEASURED (0) or, after a warning, what to exit with.
 */
int records_open(struct records *records, const struct trigger *trigger, const struct record_rings *common,
		 struct pairs *pairs);

/* Tell the pairs what there is. */
void records_read(struct records *records);

void records_close(struct records *records);

#endif
