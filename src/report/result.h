/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a run: status, verdict, exit status, and why the worst wake-up was late. */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include <stdbool.h>

#include "base/diag.h"
#include "report/report.h"

/*
 * Set the status, the verdict and their grounds in all reports of the run, from
 * totals and channels. running: this is a checkpoint; after: the machine after
 * the run, or NULL.
 */
void report_sum_up(struct report *reports, bool running, const struct machine *after);

/* The greatest latency in ns. Without a sample: NO_LATENCY, which is less than any latency. */
int64_t report_max_ns(const struct report *report);

/* Was a latency above --max or --break? */
bool report_is_exceeded(const struct report *report);

/* The worst exit status of all reports. saved: the report is where the user asked for it. */
enum exit_status report_exit_status(const struct report *reports, bool saved);

/*
 * Why the worst wake-up was late: "21.974 ms late: 'hog' (rt 97) had the CPU for
 * 21.672 ms", with "after the request" where there is no schedule. Printable.
 * Returns NULL where it is unknown.
 */
const char *report_sentence(struct report *report);

#endif
