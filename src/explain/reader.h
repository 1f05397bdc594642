/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper's side of --explain: joins the log of the meter's wake-ups with the
 * kernel's records while the run goes on. Neither the meter nor the kernel waits
 * for it. All 0: closed, and nothing is read.
 */
#ifndef EXPLAIN_READER_H
#define EXPLAIN_READER_H

#include "explain/parts.h"
#include "measure/totals.h"
#include "measure/wakelog.h"
#include "trace/perf_ring.h"

/* The time between two readings in ns; ring and log have room for twice as long. hz 0: no rate. */
uint64_t tap_reader_interval_ns(unsigned hz);

struct tap_reader {
	bool told;			/* the log has the parts, and there is no ring */
	struct perf_ring ring;
	const struct wakelog *log;
	struct parts *parts;		/* of wake-ups that are not in the totals yet, by stamp */
	unsigned count, room;		/* of parts; those of wake-ups without room stay unknown */
	uint64_t lost;			/* records that the kernel could not write into the ring */

	struct lossy_reader logged;
	bool has_oldest;		/* the last entry read from the log is not settled yet: */
	struct wakelog_entry oldest;
	struct parts_search search;
};

/*
 * Open a reader of the ring whose event[0] this descriptor is. The reader owns
 * the descriptor, and closes it on failure, too. asked is as in struct tap_plan.
 * Returns 0, or -1 with errno.
 */
int tap_reader_open(struct tap_reader *reader, int event, struct trace_layout *layout, size_t size,
		    const struct wakelog *log, unsigned hz, bool asked);

/* Open a reader of a log whose source tells the parts of each wake-up. Returns 0, or -1 with errno. */
int tap_reader_open_told(struct tap_reader *reader, const struct wakelog *log);

/* Take all records that are there, then settle. */
void tap_reader_read(struct tap_reader *reader);

/* Add the parts of those wake-ups that are already in the totals. */
void tap_reader_add(struct tap_reader *reader, struct totals *totals);

void tap_reader_close(struct tap_reader *reader);

#endif
