/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flaws of the machine: a run is possible, but its numbers are those of the
 * flaw and not those of the kernel. What is here only looks.
 */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include <stdbool.h>

#include "base/refusal.h"
#include "run/preflight.h"

struct finding_look {
	const char *thing;

	/* Would this spoil such a run? Then writes the reason and the remedy. */
	bool (*look)(const struct preflight *preflight, struct refusal *finding);
};

/* In the order in which they are told; the last entry has no thing. */
extern const struct finding_look finding_looks[];

#endif
