/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a run on several CPUs: a row for each and one for all. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdio.h>

#include "totals.h"

struct report_row {
	int cpu;
	const struct sums *sums;
};

/*
 * Percentiles of lateness that the data do not support are "-", as all figures
 * of a CPU without a sample are. The CPU with the greatest lateness is marked.
 */
void report_table(FILE *out, const struct report_row *rows, unsigned count);

#endif
