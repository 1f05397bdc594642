/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figure of LMbench's lat_ctx for a ring of processes: the time of a lap,
 * divided by their number, less what one process needs for the same without any
 * switch. Pure.
 */
#ifndef REPORT_LMBENCH_H
#define REPORT_LMBENCH_H

#include <stdbool.h>

#include "base/cells.h"
#include "measure/totals.h"

struct lmbench {
	double ns;			/* the figure, and */
	double overhead_ns;		/* what was subtracted */
	char doubt[256];		/* why it is not to be trusted, or "" */
};

/* By the hops of the run, and the repeats of the overhead. Returns false when there are none. */
bool lmbench_sum_up(struct lmbench *lmbench, const struct totals *totals,
		    const double overhead_ns[OVERHEAD_REPEATS]);

#endif
