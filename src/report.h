/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report, realfeel(5): write it whole or not at all. */
#ifndef REPORT_H
#define REPORT_H

#include <limits.h>
#include <stdint.h>
#include <time.h>

#include "clock.h"
#include "ledger.h"
#include "options.h"
#include "source.h"
#include "sysinfo.h"

struct report {
	/* known before the run */
	const struct options *options;
	const struct machine *machine;
	const struct source *source;
	const struct clock *clock;
	char path[PATH_MAX];		/* where to; "-": standard output */

	/* known when the meter has started */
	time_t started;
	uint64_t anchor_uncertainty_ns;
	const char *granted;		/* as setup_realtime() wrote it */

	/* known at the end */
	const char *status;
	char verdict[768];
};

/*
 * Choose the path, and see that a report can be written there. Returns 0, or
 * -1 after a warning.
 */
int report_reserve(struct report *report);

/*
 * Write the report: into a file beside it first, which then takes the name.
 * A file that has come up under the name in the meantime is left alone: the
 * report takes the next number. When it cannot be saved, it goes to standard
 * output. Returns 0, or -1 after a warning when it is not where it was asked.
 */
int report_save(struct report *report, const struct ledger *ledger);

#endif
