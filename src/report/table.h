/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of several CPUs or threads. Pure. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "measure/sums.h"

/*
 * Print a row for each of so many CPUs or what the noun says, with its name. The row with the
 * greatest latency is marked with '>'. A quantile without sums_support() is marked with
 * '~'; "-": there is none.
 */
void report_table(FILE *out, const char *noun, const char *const names[], const struct sums *const sums[],
		  unsigned count);

#endif
