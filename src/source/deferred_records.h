/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's records of both ends of the requests that one process makes. */
#ifndef SOURCE_DEFERRED_RECORDS_H
#define SOURCE_DEFERRED_RECORDS_H

#include "source/deferred.h"
#include "source/deferred_pairs.h"

/* The records of one end, in one ring of the kernel's for each CPU. */
struct end_records {
	const struct trigger_end *end;
	unsigned count;
	struct cpu_records *cpu;
};

struct deferred_records {
	struct end_records queued;	/* by this process */
	struct end_records executed;	/* by anybody */
	bool common;			/* the rings of executed are those of records_close_common() */
};

/*
 * Record from now on what is requested with the trigger, which is open. Where
 * work is executed anywhere, all meters read the same rings: the first process
 * that calls this opens them, and those that it forks later share them. Returns
 * EXIT_MEASURED (0) or, after a warning, what to exit with; close it in either case.
 */
int records_open(struct deferred_records *records, const struct trigger *trigger);

/* Report to the pairs what was recorded since the last call. */
void records_read(struct deferred_records *records, struct pairs *pairs);

/* Close the records of this process. The common rings stay open. */
void records_close(struct deferred_records *records);

/* Close the rings that all meters share. */
void records_close_common(void);

#endif
