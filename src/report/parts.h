/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the lateness was made of, in the report, realfeel(5). */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include <stdint.h>
#include <stdio.h>

#include "explain/composition.h"

/* Lines of the header. The parts of all other samples are unknown. */
void report_explain_header(FILE *out, const struct part_sums *parts, uint64_t samples);

/* The columns of the parts in the line of columns of the events, and of one of them. */
void report_explain_columns(FILE *out);
void report_explain_event(FILE *out, const struct part_sums *parts, uint64_t stamp_ns);

/* Data sets. */
void report_explain_data(FILE *out, const struct part_sums *parts);

#endif
