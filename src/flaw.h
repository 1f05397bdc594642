/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flaws of the machine: with them a run can be had, but its numbers are those
 * of the flaw, not those of the kernel.
 */
#ifndef FLAW_H
#define FLAW_H

#include <stdbool.h>

#include "options.h"
#include "source.h"

struct flaw {
	char reason[256];
	char remedy[256];
};

struct flaw_check {
	const char *thing;

	/* Has the machine this flaw, for such a run? Then writes what it is and what helps. */
	bool (*look)(const struct options *options, const struct source *source, struct flaw *flaw);
};

/* All of them; the last has no thing. */
extern const struct flaw_check flaw_checks[];

#endif
