/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the run can be believed, and why not. Pure. */
#ifndef VERDICT_H
#define VERDICT_H

#include "ledger.h"
#include "share.h"

enum grade {
	VALID,
	SUSPECT,
	INVALID
};

#define VERDICT_SIZE 768

/* Writes "valid", "suspect: reasons" or "invalid: reasons"; reasons are separated by "; ". */
enum grade verdict(const struct share *share, const struct totals *totals,
		   char text[VERDICT_SIZE]);

#endif
