/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data set "records" of the report: what the kernel recorded of the worst wake-ups, as it was. */
#ifndef REPORT_RECORDS_H
#define REPORT_RECORDS_H

#include <stdio.h>

#include "measure/totals.h"
#include "trace/perf_ring.h"
#include "trace/symbols.h"

struct report_records {
	const struct totals *totals;
	const struct recording *flight;	/* all there is of the worst, which ended the run; or NULL, or empty */
	const struct trace_layout *layout;
	const struct symbols *symbols;	/* may be empty where there are no stacks */
	int cpu;			/* that recorded them; -1: unknown */
};

void report_print_records(FILE *out, const struct report_records *records);

#endif
