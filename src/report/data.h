/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data sets of the report, realfeel(5). */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include <stdio.h>

#include "explain/composition.h"
#include "measure/totals.h"

/* parts: what --explain knows of the wake-ups; NULL: nothing. */
void report_print_data(FILE *out, const struct totals *totals, enum measures measures, const struct part_sums *parts);

#endif
