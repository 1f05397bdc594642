/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and check the command line: realfeel(8). */
#ifndef RUN_COMMAND_LINE_H
#define RUN_COMMAND_LINE_H

#include "base/options.h"

/* Exits with EXIT_NOT_MEASURED after one line that says what is wrong; with 0 after --help and --version. */
struct options command_line_read(int argc, char **argv);

#endif
