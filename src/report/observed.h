/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the report and the result say of a thread of another program. */
#ifndef REPORT_OBSERVED_H
#define REPORT_OBSERVED_H

#include <stdio.h>

#include "report/block.h"
#include "report/report.h"

/* Lines of the header: who it is. Its stamps are those of the switches to it: it sees each wake-up a little later. */
void observed_print(FILE *out, const struct report *report);

/* Lines of the header: how many of its wake-ups are known by what. */
void observed_print_counts(FILE *out, const struct sums *sums);

/* Rows of the result: which thread it was, or of several the one with the worst delay; and by what they were woken. */
void observed_tell(struct block *block, const struct report *reports, const struct report *worst);

#endif
