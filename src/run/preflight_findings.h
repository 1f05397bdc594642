/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine would do to a run that is possible. The functions only look; they change nothing. */
#ifndef RUN_PREFLIGHT_FINDINGS_H
#define RUN_PREFLIGHT_FINDINGS_H

#include <stdbool.h>

#include "base/diag.h"
#include "run/preflight.h"

/* Would this thing spoil the run? If so, writes the reason, which has the value, and the remedy. */
typedef bool look_function(const struct preflight *preflight, struct refusal *finding);

enum finding_kind {
	FLAW,				/* the run would measure it and not the kernel: each run warns */
	FLAW_OF_NOW,			/* the same, but it takes a second to see: only --check looks */
	LIMIT,				/* of the machine that is measured: only --check looks, and does not count it */
};

struct finding_look {
	const char *thing;
	look_function *look;
	enum finding_kind kind;
};

/* What spoils most comes first. The entry that ends the table has no thing. */
extern const struct finding_look finding_looks[];

#endif
