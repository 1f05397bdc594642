/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name under which the report is to be found, and what is there already. */
#ifndef REPORT_PATH_H
#define REPORT_PATH_H

#include <limits.h>
#include <stdbool.h>

struct report_path {
	char path[PATH_MAX];		/* "-": standard output */
	char first[PATH_MAX];		/* the path without a number */
	bool named;			/* by the user */
	bool force;			/* what is there may be replaced */
	int stream;			/* the device or pipe that it goes to, held open; -1: a file */
};

/*
 * Choose the path: name, or the usual one, numbered when it is taken, when
 * name is NULL. Returns 0, or -1 after a warning when it cannot be had.
 */
int report_path_choose(struct report_path *place, const char *name, const char *usual, bool force);

/* A device or a pipe that was there when the place was chosen, or standard output: it is not replaced. */
bool report_path_is_stream(const struct report_path *place);
bool report_path_is_standard_output(const struct report_path *place);

/*
 * Open the device or the pipe to write to it, whatever is to be found under its
 * name now. Returns a descriptor, or -1 with errno.
 */
int report_path_open_stream(const struct report_path *place);

/* Go on to the next number whose name is free. */
void report_path_take_next(struct report_path *place);

/* Is the path that of the user's choice? */
bool report_path_is_kept(const struct report_path *place);

#endif
