/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user is told at the end. */
#ifndef REPORT_TELL_H
#define REPORT_TELL_H

#include "report/report.h"

/*
 * Of all parts, on standard error, unless the user asked for quiet: a few lines
 * on a terminal, in colour unless NO_COLOR is set or the terminal is dumb, and
 * one elsewhere; several CPUs have a table before it. where is the name of the
 * report.
 */
void report_tell(struct report *reports, const char *where);

#endif
