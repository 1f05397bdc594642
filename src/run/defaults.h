/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that depend on each other: their defaults, and the combinations that are refused. */
#ifndef RUN_DEFAULTS_H
#define RUN_DEFAULTS_H

#include <limits.h>

#include "base/options.h"

#define OPTIONS_NO_RATE UINT_MAX	/* the user gave no rate */

/* To be called when all arguments have been read. Exits as command_line_read() does. */
void defaults_settle(struct options *options);

#endif
