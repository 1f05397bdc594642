/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A source that wakes when the test says, on a clock that shows what the test says. */
#ifndef FAKE_H
#define FAKE_H

#include "measure/loop.h"

#define FAKE_ANCHOR UINT64_C(5000000000)		/* ns */
#define FAKE_HZ 2048
#define FAKE_PERIOD 488281		/* ns */

/* When period k is due. */
#define DUE(k) (FAKE_ANCHOR + (uint64_t)(k) * FAKE_PERIOD)

struct fake_wakeup {
	uint64_t stamp_ns;	/* what the clock shows at the return of the wait */
	uint64_t periods;	/* as ops->wait returns them */
	int error;		/* errno with which the wait fails, or 0 */
};

/* Run the loop over these wake-ups and no more: the wait then fails with ENODATA. */
enum end fake_run(struct channel *channel, const struct fake_wakeup *wakeups, unsigned count,
		  uint64_t samples);

/* The same with another anchor than FAKE_ANCHOR. */
enum end fake_run_from(struct channel *channel, uint64_t anchor_ns, const struct fake_wakeup *wakeups,
		       unsigned count, uint64_t samples);

/* What the loop is given as the lateness to break at; 0: none. */
extern int64_t fake_break_ns;

/* Where the loop is to log its wake-ups; NULL: nowhere. */
extern struct wakelog *fake_log;

/* What counts SMIs, as smis_open() returns it; -1: nothing. */
extern int fake_smis;

/* What the source has counted. */
extern uint64_t fake_other_interrupts;

/* The same with a source of other operations, which is started if it can be. */
enum end fake_loop(struct channel *channel, const struct source_ops *ops, uint64_t anchor_ns, uint64_t samples);

/* What the clock shows; of CLOCK_REALTIME that much more, and so much later once the wake-up has been stamped. */
extern uint64_t fake_now_ns, fake_utc_ns, fake_lag_ns;

/* So much of the time since 0 the process has had the CPU. */
extern unsigned fake_busy_percent;

#endif
