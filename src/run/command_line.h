/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and check the command line, and settle what the user left open: realfeel(8). */
#ifndef RUN_COMMAND_LINE_H
#define RUN_COMMAND_LINE_H

#include <limits.h>

#include "base/options.h"

/* Exits with EXIT_NOT_MEASURED after one line that says what is wrong; with 0 after --help and --version. */
struct options command_line_read(int argc, char **argv);

#define OPTIONS_NO_RATE UINT_MAX	/* the user gave no rate */

/* Before the arguments are read. */
struct options defaults_begin(char **argv);

/* The defaults that depend on other options, when all are read. Exits as above if some do not go together. */
void defaults_settle(struct options *options);

#endif
