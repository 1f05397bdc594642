/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper's side of --explain: joins what the meter logs of its wake-ups
 * with what the kernel records of it, beside the run. Both are looked at now
 * and then, and neither waits. All zero: there is nothing to be read.
 */
#ifndef EXPLAIN_READER_H
#define EXPLAIN_READER_H

#include "explain/parts.h"
#include "measure/totals.h"
#include "measure/wakelog.h"
#include "trace/perf_ring.h"

/* How often to read at that rate: the ring and the log have room for what comes in twice that time and more. */
uint64_t tap_reader_interval_ns(unsigned hz);

struct tap_reader {
	struct perf_ring ring;
	const struct wakelog *log;
	struct parts *parts;		/* of wake-ups, not yet added up, in the order of their stamps */
	unsigned count, room;		/* for so many; what finds none is unknown */
	uint64_t lost;			/* records that found no room in the ring */

	struct lossy_reader logged;
	bool has_oldest;		/* the last that was read is not settled yet: */
	struct wakelog_entry oldest;
	struct parts_search search;
};

/*
 * The ring came as this descriptor, which is the reader's from now on. asked:
 * wake-ups are asked for, and no timer of the meter's own expires. Returns
 * 0, or -1 with errno: then nothing is read.
 */
int tap_reader_open(struct tap_reader *reader, int event, struct trace_layout *layout, size_t size,
		    const struct wakelog *log, unsigned hz, bool asked);

/* Read what there is. */
void tap_reader_read(struct tap_reader *reader);

/* Of which these are the steps: take the next record, as perf_ring_drain() hands it over to the reader; */
void tap_reader_take(void *reader, const struct trace_record *record);

/*
 * and, when all records were taken that the ring held after this count of the
 * log was read, settle the wake-ups up to that.
 */
void tap_reader_settle(struct tap_reader *reader, uint64_t count);

/* Add to the totals the parts of those wake-ups that they have. */
void tap_reader_add(struct tap_reader *reader, struct totals *totals);

/* The meter has ended, and all was read. */
void tap_reader_close(struct tap_reader *reader);

#endif
