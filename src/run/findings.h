/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flaws of the machine: with them a run can be had, but its numbers are those
 * of the flaw, not those of the kernel.
 */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include <stdbool.h>

#include "base/refusal.h"
#include "run/preflight.h"

struct finding_look {
	const char *thing;

	/* Is this amiss with the machine, for such a run? Then writes the reason and the remedy. */
	bool (*look)(const struct preflight *preflight, struct refusal *finding);
};

/* All of them; the last has no thing. */
extern const struct finding_look finding_looks[];

#endif
