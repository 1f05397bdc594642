/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the run has come to: the report summed up, the exit status. */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include <stdbool.h>

#include "base/diag.h"
#include "report/report.h"

/*
 * Set status, verdict and what they come from, by what is in the totals and
 * the channels. running: the run goes on; after: the machine, looked at again.
 */
void report_sum_up(struct report *reports, bool running, const struct machine *after);

/* Was a latency above --max or --break? */
bool report_is_exceeded(const struct report *report);

/* What to exit with, when the report is saved where it was asked for, or is not: the worst of all parts. */
enum exit_status report_exit_status(const struct report *reports, bool saved);

/*
 * Who had the CPU longest before the worst wake-up: "21.974 ms late: 'hog' (rt 97)
 * had the CPU for 21.672 ms", with "after the request" where there is no
 * schedule. Printable. Returns NULL where it is unknown.
 */
const char *report_sentence(struct report *report);

#endif
