/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What disturbed a run, and whether its figures may be made by that. Pure. */
#ifndef REPORT_DISTURBED_H
#define REPORT_DISTURBED_H

#include "report/finding.h"

/*
 * Which disturbances may have made the figures? Those in whose slices at least half
 * of the wake-ups lie that are later than some value, which is ns or more. Returns
 * bits 1 << enum seen.
 */
unsigned disturbed_at_latest(const struct totals *totals, int64_t ns);

/* Add a reason or a remark for each. */
void disturbed_judge(struct finding *finding, const struct evidence *evidence);

#endif
