/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and check the command line, and choose what the user left open: realfeel(8). */
#ifndef RUN_COMMAND_LINE_H
#define RUN_COMMAND_LINE_H

#include <limits.h>

#include "base/options.h"

/* What options hold until the user, or the defaults, give them a value. */
#define UNSET_RATE UINT_MAX
#define UNSET_ARRAY UINT32_MAX
#define UNSET_LATENCY INT32_MAX		/* no --dma-latency */

/* Exits with EXIT_NOT_MEASURED after one line that says what is wrong; with 0 after --help and --version. */
struct options command_line_read(int argc, char **argv);

/* In conflicts.c, when all are read: exit as above if some do not go together, and choose what depends on others. */
void command_line_complete(struct options *options);

#endif
