/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report says of a ring beside what it says of every source. */
#ifndef REPORT_RING_H
#define REPORT_RING_H

#include <stdio.h>

#include "report/report.h"

/* Nothing for another source. */
void report_ring(FILE *out, const struct report *report);

#endif
