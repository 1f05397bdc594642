/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flaws of the machine: a run is possible, but it measures the flaw and not the
 * kernel. The functions only look; they change nothing.
 */
#ifndef RUN_PREFLIGHT_FINDINGS_H
#define RUN_PREFLIGHT_FINDINGS_H

#include <stdbool.h>

#include "base/refusal.h"
#include "run/preflight.h"

struct finding_look {
	const char *thing;

	/* Would this flaw spoil the run? If so, writes the reason and the remedy. */
	bool (*look)(const struct preflight *preflight, struct refusal *finding);
};

/* In the order in which they are reported. The entry that ends the table has no thing. */
extern const struct finding_look finding_looks[];

#endif
