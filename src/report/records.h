/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data set "records" of the report: the kernel's records before the worst wake-ups. */
#ifndef REPORT_RECORDS_H
#define REPORT_RECORDS_H

#include <stdio.h>

#include "explain/tap.h"
#include "measure/totals.h"
#include "trace/perf_ring.h"
#include "trace/symbols.h"

struct report_records {
	const struct totals *totals;
	const struct recording *flight;	/* all that the ring held when an event ended the run; else empty or NULL */
	const struct trace_layout *layout;
	const struct flights *flights;	/* of the CPUs, where each has a layout of its own; else empty */
	const struct symbols *symbols;	/* may be empty without stacks */
	int cpu;			/* of the records, without flights; -1: unknown */
};

void report_print_records(FILE *out, const struct report_records *records);

#endif
