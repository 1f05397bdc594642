/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the run cannot do without: it is opened, or tried. */
#ifndef RUN_NEEDS_H
#define RUN_NEEDS_H

#include "run/preflight.h"

struct preflight_need {
	const char *thing;

	/* Does a run with these options need it? NULL: any does. */
	bool (*is_needed)(const struct options *options);

	/* Returns EXIT_MEASURED (0) or, after a warning for each thing that is refused, what to exit with. */
	enum exit_status (*look)(const struct preflight *preflight);
};

/* All of them, the source as the last; behind it one that has no thing. */
extern const struct preflight_need preflight_needs[];

#endif
