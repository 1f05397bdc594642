/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of each wake-up: joins what the meter logs with what the kernel
 * records. Both are looked at now and then; neither waits.
 */
#ifndef EXPLAIN_JOIN_H
#define EXPLAIN_JOIN_H

#include "explain_parts.h"
#include "wakelog.h"

/* A wake-up whose parts are known. */
struct explain_row {
	uint64_t stamp_ns;
	struct parts parts;
};

#define JOIN_AHEAD 64

struct explain_join {
	/* set by who begins; all else is zero then */
	const struct wakelog *log;
	struct explain_row *rows;	/* in the order of their stamps */
	unsigned room;			/* for so many; what finds none is unknown */

	unsigned count;			/* of the rows; the caller takes them out */
	uint64_t lost;			/* records that found no room in the ring */

	uint64_t next;			/* of the log, to be read; */
	uint64_t overrun;		/* and how many were overwritten before they were */
	struct wakelog_entry ahead[JOIN_AHEAD];	/* read */
	unsigned first, end;		/* of these, to be settled */
	struct parts_search search;
};

/* The next record of the ring; join is a struct explain_join, as trace_ring_drain() hands it over. */
void explain_join_take(void *join, const struct trace_record *record);

/*
 * All records were taken that the ring held after this count of the log was
 * read: settle the wake-ups up to that.
 */
void explain_join_settle(struct explain_join *join, uint64_t count);

#endif
