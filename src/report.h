/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report, realfeel(5). */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "clock.h"
#include "totals.h"
#include "load.h"
#include "options.h"
#include "source.h"
#include "sysinfo.h"

#define REPORT_VERDICT_SIZE 4096
#define REPORT_DISTURBANCES_SIZE 512
#define REPORT_SCHEDULE_SIZE 128

struct report {
	/* known before the run */
	const struct options *options;
	const struct machine *machine;
	const struct source *source;
	const struct clock *clock;
	const struct load *load;
	const char *preflight;		/* as preflight_run() wrote it */

	/* known when the meter has started */
	time_t started;
	uint64_t anchor_uncertainty_ns;
	const char *granted;		/* as setup_realtime() wrote it */
	uint64_t explain_cost_ns;	/* 0: nothing is explained */

	/* known at the end */
	const struct totals *totals;
	const struct machine *after;	/* the machine again; NULL: not looked at */
	char disturbances[REPORT_DISTURBANCES_SIZE];	/* lines for the header: what happened during the run */
	const char *status;
	const char *trace;		/* what came of stopping the tracer; "" unless it was to be stopped */
	const char *traced;		/* and what it recorded */
	char schedule[REPORT_SCHEDULE_SIZE];
	char verdict[REPORT_VERDICT_SIZE];
};

/* Print all of it. what is a struct report: this is a report_printer. */
void report_print(FILE *out, const void *what);

#endif
