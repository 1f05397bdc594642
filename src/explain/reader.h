/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper's side of --explain: joins the log of the meter's wake-ups with the kernel's records of
 * its CPU while the run goes on, and so finds the parts of each wake-up's lateness. Neither the meter
 * nor the kernel waits for it. The parts of a wake-up are known only if all its records are there and
 * their order is plain. Unknown ones are not guessed.
 */
#ifndef EXPLAIN_READER_H
#define EXPLAIN_READER_H

#include "measure/lossy_ring.h"
#include "measure/totals.h"
#include "trace/perf_ring.h"

/* The records since the last wake-up. Instants are 0 where there was none. */
struct parts_search {
	bool asked;			/* no timer expires, the wake-up is due when asked for */
	uint64_t expiry_ns;		/* the last expiry before the waking */
	uint64_t waking_ns;		/* the first waking */
	uint64_t before_ns;		/* the last switch to the meter before the waking */
	uint64_t first_ns, last_ns;	/* the first and the last switch to the meter after it */
	bool woken;			/* no switch to the meter has followed the last waking yet */
	bool incomplete;		/* records or wake-ups are missing */
	bool losing;			/* the last record was a loss, so the next wake-up may miss records, too */
};

/* All 0: closed, and nothing is read. */
struct tap_reader {
	bool reported;			/* the source reports the parts in the log, and there is no ring */
	struct perf_ring ring;
	const struct wakelog *log;
	struct parts *parts;		/* of wake-ups that are not in the totals yet, by stamp */
	unsigned count, room;		/* of parts; those of wake-ups without room stay unknown */
	uint64_t lost;			/* records that the kernel could not write into the ring */

	struct lossy_reader logged;
	bool has_oldest;		/* the last entry read from the log is not matched yet: */
	struct wakelog_entry oldest;
	struct parts_search search;
};

/* The time between two readings in ns; ring and log have room for twice as long. hz 0: no rate. */
uint64_t tap_reader_interval_ns(unsigned hz);

/*
 * Open a reader of the ring whose event[0] this descriptor is, and own it; -1: there is no ring, and the
 * source reports the parts. asked is as in struct tap_plan. Returns 0, or -1 with errno, and event is closed.
 */
int tap_reader_open(struct tap_reader *reader, int event, struct trace_layout *layout, size_t size,
		    const struct wakelog *log, unsigned hz, bool asked);

/* Take all records that are there, and match the wake-ups. */
void tap_reader_read(struct tap_reader *reader);

/* Add the parts of those wake-ups that are already in the totals. */
void tap_reader_add(struct tap_reader *reader, struct totals *totals);

void tap_reader_close(struct tap_reader *reader);

#endif
