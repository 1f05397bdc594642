/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data sets of the report, realfeel(5). */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/options.h"
#include "explain/tap.h"
#include "measure/totals.h"
#include "trace/perf_ring.h"
#include "trace/symbols.h"

/* Print all data sets but the records. explained: with the parts of the lateness. */
void report_print_data(FILE *out, const struct totals *totals, enum measures measures, bool explained);

/* Bytes that so many reports of a run may take together: those of a day, or fewer when the run ends sooner. */
off_t report_room(const struct options *options, unsigned reports);

/* The data set "records": the kernel's records before the worst wake-ups. */
struct report_records {
	const struct totals *totals;
	const struct recording *flight;	/* all that the ring held when an event ended the run; else empty or NULL */
	const struct trace_layout *layout;
	const struct perf_rings *flights;	/* of the CPUs, where each has a layout of its own; else empty */
	const struct symbols *symbols;	/* may be empty without stacks */
	int cpu;			/* of the records, without flights; -1: unknown */
};

void report_print_records(FILE *out, const struct report_records *records);

#endif
