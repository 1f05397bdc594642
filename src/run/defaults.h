/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds unless the user says otherwise, and the combinations of options that are refused. */
#ifndef RUN_DEFAULTS_H
#define RUN_DEFAULTS_H

#include <limits.h>

#include "base/options.h"
#include "host/sysinfo.h"

#define OPTIONS_NO_RATE UINT_MAX	/* the user gave no rate */

/* Before the arguments are read. */
struct options defaults_begin(char **argv);

/* The report's name: the kernel release and an ending, 6.1.0-rt.hist. Valid until the next call. */
const char *defaults_output(const struct machine *machine);

/*
 * The defaults that depend on other options, when all arguments have been read.
 * Exits as command_line_read() does.
 */
void defaults_settle(struct options *options);

#endif
