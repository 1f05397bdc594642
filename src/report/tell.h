/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user is told at the end. */
#ifndef REPORT_TELL_H
#define REPORT_TELL_H

#include <stdio.h>

#include "report/report.h"

/*
 * Tell the result on standard error, unless the user asked for quiet: on a
 * terminal in a few lines, in colour unless NO_COLOR is set or the terminal is
 * dumb; elsewhere in one line. Several reports have a table before it. where: the
 * name of the report's file.
 */
void report_tell(struct report *reports, const char *where);

/*
 * Print a row for each of so many CPUs, with its name, and one for all of them;
 * or, for cells, a row for each alone. Quantiles of the latency that the samples
 * do not support are "-". The row with the greatest latency is marked.
 */
void report_table(FILE *out, bool cells, const char *const names[], const struct sums *const sums[], unsigned count);

#endif
