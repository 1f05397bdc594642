/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flaws of the machine: with them a run can be had, but its numbers are those
 * of the flaw, not those of the kernel.
 */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include <stdbool.h>

#include "run/preflight.h"

#define FINDING_SIZE 256

struct preflight_finding {
	char reason[FINDING_SIZE];
	char remedy[FINDING_SIZE];
};

struct preflight_look {
	const char *thing;

	/* Is this amiss with the machine, for such a run? Then writes what it is and what helps. */
	bool (*look)(const struct preflight *preflight, struct preflight_finding *finding);
};

/* All of them; the last has no thing. */
extern const struct preflight_look preflight_looks[];

#endif
