/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What options leave to each other: defaults that depend on others, and what does not go together. */
#ifndef RUN_DEFAULTS_H
#define RUN_DEFAULTS_H

#include <limits.h>

#include "base/options.h"

#define OPTIONS_NO_RATE UINT_MAX	/* none is asked for */

/* When all arguments have been read. Exits as command_line_read() does. */
void defaults_settle(struct options *options);

#endif
