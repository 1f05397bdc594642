/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a run on several CPUs: a row for each and one for all. Or that of the cells of a table. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdio.h>

#include "measure/totals.h"

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
