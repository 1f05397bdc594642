/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open or try what the run cannot do without. Flaws of the machine are in run/preflight_findings.h. */
#ifndef RUN_PREFLIGHT_PREPARE_H
#define RUN_PREFLIGHT_PREPARE_H

#include "run/preflight.h"

struct preparation {
	const char *thing;

	/* Does a run with these options need it? NULL: any run does. */
	bool (*is_needed)(const struct options *options);

	/* Returns EXIT_MEASURED (0); or the status to exit with, after a warning for each thing that was refused. */
	enum exit_status (*prepare)(const struct preflight *preflight);
};

/* In this order, the source last. The entry that ends the table has no thing. */
extern const struct preparation preparations[];

#endif
