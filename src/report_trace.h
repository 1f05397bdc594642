/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data set "trace" of the report: what the kernel did before --break ended the run. */
#ifndef REPORT_TRACE_H
#define REPORT_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "symbols.h"
#include "trace_ring.h"

/*
 * Print each record, the oldest first, its time in us since due_ns. A copy
 * that is NULL or empty prints nothing.
 */
void report_print_trace(FILE *out, const struct recording *copy, const struct trace_layout *layout,
			const struct symbols *symbols, uint64_t due_ns);

/* A stack: "schedule+0x1f<do_nanosleep+0x7a", innermost first; "unknown" for what has no name. */
void report_print_frames(FILE *out, const struct trace_record *record, const struct symbols *symbols);

#endif
