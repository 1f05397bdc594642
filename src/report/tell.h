/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user is told at the end. */
#ifndef REPORT_TELL_H
#define REPORT_TELL_H

#include <stdio.h>

#include "report/report.h"

/*
 * Of all parts, on standard error, unless the user asked for quiet: a few lines
 * on a terminal, in colour unless NO_COLOR is set or the terminal is dumb, and
 * one elsewhere; several CPUs have a table before it. where is the name of the
 * report.
 */
void report_tell(struct report *reports, const char *where);

struct report_row {
	const char *name;
	const struct sums *sums;
};

enum report_table {
	TABLE_OF_CPUS,
	TABLE_OF_CELLS			/* together they say nothing */
};

/*
 * Percentiles of lateness that the data do not support are "-", as all figures
 * of a CPU without a sample are. The CPU with the greatest lateness is marked.
 */
void report_table(FILE *out, enum report_table kind, const struct report_row *rows, unsigned count);

#endif
