/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the run can be believed, and why not. Pure. */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger.h"
#include "share.h"

enum grade {
	VALID,
	SUSPECT,
	INVALID
};

/* Writes "valid", "suspect: reasons" or "invalid: reasons"; reasons are separated by "; ". */
enum grade verdict(const struct share *share, const struct totals *totals, bool schedule_kept,
		   bool running, const char *load, char *text, size_t size);

#endif
