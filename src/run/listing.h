/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --check prints: a line for each thing that is looked at, first of what is wrong, then of what is ok. */
#ifndef RUN_LISTING_H
#define RUN_LISTING_H

#include <stdbool.h>

#include "base/diag.h"

/* From now on each message is listed, and counts, as what is wrong with the thing. */
void listing_open(void);

/* Look at one thing after the other. is_limit: it is one of the machine that is measured, and no flaw. */
void listing_begin(const char *thing, bool is_limit);

/* What the thing is now, listed if nothing is wrong with it. The last call counts. */
void listing_value(const char *format, ...) __attribute__((format(printf, 1, 2)));

void listing_end(void);

/* A child process has listed a refusal of the thing. */
void listing_count(void);

/* Print what is ok, and how much is not. Returns what to exit with; status: what the refusals mean. */
enum exit_status listing_close(enum exit_status status);

#endif
