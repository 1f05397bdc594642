/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who had the CPU longest in one of the worst wake-ups, by what was recorded. */
#ifndef REPORT_OCCUPANT_H
#define REPORT_OCCUPANT_H

#include "explain/occupant.h"
#include "report/report.h"

/* ns is 0 where it is not known. */
void report_occupant(const struct report *report, const struct event *event, struct occupant *occupant);

/*
 * "21.974 ms late: 'hog' (rt 97) had the CPU for 21.672 ms", with "after the
 * request" where there is no schedule; "" when it is not known.
 */
void report_occupant_sentence(const struct report *report, const struct event *event, char text[SENTENCE_SIZE]);

#endif
