/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run cannot do without is opened, or tried. Flaws of the machine are looked for elsewhere: run/findings.h. */
#ifndef RUN_PREPARE_H
#define RUN_PREPARE_H

#include "run/preflight.h"

struct preparation {
	const char *thing;

	/* Does a run with these options need it? NULL: any run does. */
	bool (*is_needed)(const struct options *options);

	/* Returns EXIT_MEASURED (0); or the status to exit with, after a warning for each thing that was refused. */
	enum exit_status (*prepare)(const struct preflight *preflight);
};

/* In the order in which they are made, the source last; the entry behind it has no thing. */
extern const struct preparation preparations[];

#endif
