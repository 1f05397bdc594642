/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the run has come to so far: totals with 64-bit counters, and the run's
 * shape over time in slices. It lives in memory that outlives the keeper and
 * that the meter neither maps nor locks. Adding a buffer is all or nothing: a
 * keeper that is killed in the middle leaves the ledger as it was before.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdint.h>

#include "hist.h"

#define LEDGER_SLICES 1024

struct slice {
	uint64_t from_ns, to_ns;	/* stamps */
	uint64_t samples, missed;
	int64_t late_min, late_max, error_max;	/* ns */
	uint64_t bins[HIST_COARSE_BINS];	/* of lateness */
};

struct totals {
	uint64_t buffers;		/* how many were added */
	uint64_t from_ns, to_ns;	/* stamps of the first wake-up and of the last */
	uint64_t samples, missed, early_wakeups;
	struct moments error, late;

	unsigned slices;		/* complete ones */
	unsigned buffers_per_slice;	/* 1, 2, 4 ... */
	unsigned open_buffers;		/* in the open slice */
	struct slice open;
	unsigned half;			/* which of the two arrays holds the slices */

	uint64_t lateness[HIST_BINS];	/* from here on bins alone */
	uint64_t errors[HIST_ERROR_BINS];
};

struct ledger;

/* Both return NULL with errno when there is no memory. */
struct ledger *ledger_create(void);

/*
 * For a process that was forked later, where all but a page of the ledger is
 * missing: go on with it, wherever it is mapped now.
 */
struct ledger *ledger_inherit(struct ledger *ledger);

/* Add a buffer that the meter has left. One without samples changes only the count of buffers. */
void ledger_add(struct ledger *ledger, const struct live *live, uint64_t period_ns);

const struct totals *ledger_totals(const struct ledger *ledger);

/* Slice 0 and up, the open one last; NULL after it. */
const struct slice *ledger_slice(const struct ledger *ledger, unsigned index);

#endif
