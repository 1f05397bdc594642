/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The progress of the run, on standard error. On a terminal it is one line,
 * redrawn in place; above it is the table of several CPUs or threads, and --explain adds
 * why the worst wake-up was late. Elsewhere it is a line a minute.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"

struct progress {
	const struct options *options;
	bool terminal;			/* standard error is one */

	unsigned lines_above;		/* how many are drawn above the line with the cursor, */
	unsigned width;			/* and how wide they are */
	uint64_t minutes;		/* how many have been printed */
};

void progress_begin(struct progress *progress, const struct options *options);

/*
 * Show the first reports, when the run has lasted elapsed_ns. What does not fit the
 * terminal, whose size may change, is left out: the table, and of the line the
 * least important items.
 */
void progress_show(struct progress *progress, struct report *reports, unsigned count, uint64_t elapsed_ns);

/* Clear it from the terminal before something else is printed, unless ^S has stopped the terminal. */
void progress_clear(struct progress *progress);

#endif
