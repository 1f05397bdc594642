/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data sets of the report, realfeel(5). */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include <stdbool.h>
#include <stdio.h>

#include "measure/totals.h"

/* explained: with the parts of the lateness. */
void report_print_data(FILE *out, const struct totals *totals, enum measures measures, bool explained);

#endif
