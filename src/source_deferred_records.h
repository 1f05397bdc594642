/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's records of both ends of what a trigger asks for. */
#ifndef SOURCE_DEFERRED_RECORDS_H
#define SOURCE_DEFERRED_RECORDS_H

#include <stdint.h>

#include "source_deferred_pairs.h"
#include "source_deferred_trigger.h"
#include "trace_ring.h"

/* What happens at one end of the requests, on one CPU after the other. */
struct record_rings {
	unsigned count;
	struct trace_layout *layout;	/* of each */
	struct trace_ring *ring;
};

struct records {
	struct record_rings queued, executed;
	struct pairs *pairs;		/* to which they are told */
};

/*
 * Record what this process asks for by the trigger, which is open and has
 * the addresses of its functions. Returns EXIT_MEASURED (0) or, after a
 * warning, what to exit with.
 */
int records_open(struct records *records, const struct trigger *trigger, struct pairs *pairs);

/* Tell the pairs what there is. */
void records_read(struct records *records);

void records_close(struct records *records);

#endif
