/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the lateness of a wake-up is made of, from the kernel's records of one
 * CPU: the timer expired, the meter was woken, and was switched to; often once,
 * sometimes again. Pure.
 *
 * A wake-up is known only if its records are all there and in an order that
 * leaves no doubt. Of what is not known, nothing is guessed.
 */
#ifndef EXPLAIN_PARTS_H
#define EXPLAIN_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/series.h"
#include "trace/record.h"

/* What was seen since the wake-up before. All zero at first. */
struct parts_search {
	bool asked;			/* it is due when it is asked for, and no timer is to expire: it stays */
	uint64_t expiry_ns;		/* the last before the waking; 0, here and below: none */
	uint64_t waking_ns;		/* the first */
	uint64_t before_ns;		/* the last switch to the meter before it was woken */
	uint64_t first_ns, last_ns;	/* those after it */
	bool woken;			/* and not switched to since */
	bool doubtful;			/* records are missing */
	bool losing;			/* up to now */
};

/* The next record, in the order of the ring: EXPIRE, or WAKING of the meter, or SWITCH to it, or LOST. */
void parts_take(struct parts_search *search, const struct trace_record *record);

/* Records, or wake-ups, up to the next wake-up are not known. */
void parts_doubt(struct parts_search *search);

/*
 * The meter woke up, and all records up to the stamp were taken: what were the
 * parts? Begins the search for the next. Returns false when they are not known.
 */
bool parts_settle(struct parts_search *search, uint64_t due_ns, uint64_t stamp_ns, struct parts *parts);

#endif
