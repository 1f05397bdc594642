/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figure of LMbench's lat_ctx for a ring of processes: the time of a lap
 * divided by the number of processes, less the overhead, which is the time that
 * one process needs for the same work without a switch. Pure.
 */
#ifndef REPORT_LMBENCH_H
#define REPORT_LMBENCH_H

#include <stdbool.h>

#include "base/cells.h"
#include "measure/totals.h"

struct lmbench {
	double ns;			/* the figure */
	double overhead_ns;		/* that was subtracted */
	char doubt[256];		/* why the figure is unreliable, or "" */
};

/* Computed from the hops in the totals and the repeats of the overhead. Returns false if one of them is missing. */
bool lmbench_sum_up(struct lmbench *lmbench, const struct totals *totals,
		    const double overhead_ns[OVERHEAD_REPEATS]);

#endif
