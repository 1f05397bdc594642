/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data sets of the report, realfeel(5). */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/options.h"
#include "measure/totals.h"

/* Print all data sets but the records. explained: with the parts of the lateness. */
void report_print_data(FILE *out, const struct totals *totals, enum measures measures, bool explained);

/* Bytes that so many reports of a run may take together: those of a day, or fewer when the run ends sooner. */
off_t report_room(const struct options *options, unsigned reports);

#endif
