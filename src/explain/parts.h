/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the parts of a wake-up's lateness in the kernel's records of one CPU: when
 * the timer expired, when the meter was woken, and when it got the CPU, once or
 * more often. Pure.
 *
 * The parts of a wake-up are known only if all its records are there and their
 * order leaves no doubt. Unknown ones are not guessed.
 */
#ifndef EXPLAIN_PARTS_H
#define EXPLAIN_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/series.h"
#include "measure/wakelog.h"
#include "trace/record.h"

/* The records since the last wake-up. All 0 at first. Instants are 0 where there was none. */
struct parts_search {
	bool asked;			/* set by the owner: no timer expires, the wake-up is due when asked for */
	uint64_t expiry_ns;		/* the last expiry before the waking */
	uint64_t waking_ns;		/* the first waking */
	uint64_t before_ns;		/* the last switch to the meter before the waking */
	uint64_t first_ns, last_ns;	/* the first and the last switch to the meter after it */
	bool woken;			/* no switch to the meter has followed the last waking yet */
	bool doubtful;			/* records are missing */
	bool losing;			/* the last record was a loss, so the next wake-up may miss records, too */
};

/* Take the next record of the ring: EXPIRE, WAKING of the meter, SWITCH to it, or LOST. */
void parts_take(struct parts_search *search, const struct trace_record *record);

/* Records or wake-ups are missing: the parts of the next wake-up are unknown. */
void parts_doubt(struct parts_search *search);

/*
 * The meter woke up, and all records up to its stamp were taken. Writes the
 * parts and begins the next search. Returns false when they are unknown.
 */
bool parts_settle(struct parts_search *search, uint64_t due_ns, uint64_t stamp_ns, struct parts *parts);

/* The parts of a wake-up whose source tells them, up to the switch, which is its stamp. */
void parts_told(const struct wakelog_entry *wakeup, struct parts *parts);

#endif
