/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the run can be believed, and why not. Pure. */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger.h"
#include "share.h"
#include "witness.h"

enum grade {
	VALID,
	SUSPECT,
	INVALID
};

struct evidence {
	const struct share *share;
	const struct totals *totals;
	uint64_t period_ns;
	const char *policy;		/* that was asked for: fifo, rr, other; and */
	int priority;			/* its priority */
	bool running;			/* the run goes on: this is a checkpoint */
	const struct standing *standing;	/* of the meter, at its end or now; without CPUs: not known */
	bool schedule_kept;
	uint64_t other_interrupts;
	const struct testimony *testimony;
	const char *changes;		/* of the environment, or "" */
	const char *load;		/* why the load lets the run be doubted, or "" */
};

/*
 * Writes "valid", "suspect: reasons" or "invalid: reasons"; reasons are
 * separated by "; ", and those for which there is no room end in "...".
 */
enum grade verdict(const struct evidence *evidence, char *text, size_t size);

#endif
