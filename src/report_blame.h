/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data sets of the report that tell why the worst wake-ups were late: realfeel(5). */
#ifndef REPORT_BLAME_H
#define REPORT_BLAME_H

#include <stdio.h>

#include "explain_event.h"
#include "totals.h"

/* blame, culprits, with stacks also those, and sentences. */
void report_print_blame(FILE *out, const struct totals *totals, const struct explain_context *context, bool stacks);

/*
 * Explain the worst wake-up in the text, unless it is the one with this stamp,
 * of which that was done. Returns its stamp; 0: it was not recorded.
 */
uint64_t report_tell_worst(char text[WORDS_SIZE], const struct totals *totals, const struct explain_context *context,
			   uint64_t told_ns);

#endif
