/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the report goes: whole or not at all, and never over a file unasked. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Where a standard descriptor is closed, the next file to be opened would take
 * its place, and messages and reports go into it. Writing to what this puts
 * there fails instead.
 */
void output_guard_descriptors(void);

struct output {
	char path[PATH_MAX];	/* "-": standard output */
	const char *first;	/* the path without a number */
	bool named;		/* by the user */
	bool force;		/* overwrite */
};

/*
 * Choose the path: name, or the usual one, numbered when it is taken, when
 * name is NULL. See that it can be written. Returns 0, or -1 after a warning.
 */
int output_reserve(struct output *output, const char *name, const char *usual, bool force);

typedef void output_printer(FILE *out, const void *what);

/*
 * Print into a file beside the path, which then takes the name. When another
 * file has come up under it, output->path becomes the next number's. When
 * nothing can be saved, print to standard output. Returns 0, or -1 after a
 * warning when the report is not where it was asked for.
 */
int output_save(struct output *output, output_printer *print, const void *what);

/* For people. */
const char *output_name(const struct output *output);

#endif
