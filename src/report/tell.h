/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user is told at the end. */
#ifndef REPORT_TELL_H
#define REPORT_TELL_H

#include "report/report.h"

/*
 * Tell the result on standard error, unless the user asked for quiet: in a few rows,
 * the figures first and the verdict last. Several reports have a table before them.
 * where: the name of the report's file.
 */
void report_tell(struct report *reports, const char *where);

#endif
