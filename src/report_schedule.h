/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does what was measured agree with the schedule that lateness is measured against? Pure. */
#ifndef REPORT_SCHEDULE_H
#define REPORT_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "totals.h"

/*
 * Two things contradict a schedule: a wake-up that came before its period was
 * due by more than the uncertainty of both, and a least lateness that goes up
 * or down steadily over the run, as it does when the event has another period
 * than was thought. Writes "kept", or "contradicted: " and the reason; returns
 * whether it was kept.
 */
bool schedule_check(const struct totals *totals, uint64_t uncertainty_ns, char *text, size_t size);

#endif
