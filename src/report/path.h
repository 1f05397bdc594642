/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name under which the report is to be found, and what is there already.
 * Its folder is held for the whole run, and what is there is looked at by a
 * descriptor: a name may lead elsewhere a moment later.
 */
#ifndef REPORT_PATH_H
#define REPORT_PATH_H

#include <limits.h>
#include <stdbool.h>

struct report_path {
	char path[PATH_MAX];		/* "-": standard output */
	char first[PATH_MAX];		/* the path without a number */
	bool named;			/* by the user */
	bool force;			/* a file that is there may be replaced */
	bool moved;			/* its folder was, during the run */
	int folder;			/* the path's; less than 0: -errno, it cannot be had */
	int stream;			/* the device or pipe that it goes to, held open; -1: a file */
};

/*
 * Choose the path: name, or the usual one, numbered when it is taken, when
 * name is NULL; folder is that of the path. Returns 0, or -1 after a warning
 * when it cannot be had.
 */
int report_path_choose(struct report_path *place, int folder, const char *name, const char *usual, bool force);

/* The name within the folder. */
const char *report_path_base(const struct report_path *place);

/* A device or a pipe that was there when the place was chosen, or standard output: it is not replaced. */
bool report_path_is_stream(const struct report_path *place);
bool report_path_is_standard_output(const struct report_path *place);

/* Is there a regular file under the name, which --force lets us replace? */
bool report_path_may_replace(const struct report_path *place);

/* Go on to the next number whose name is free. */
void report_path_take_next(struct report_path *place);

/* When the folder was moved during the run, the path is that of now. Returns whether it was. */
bool report_path_follow(struct report_path *place);

/* Is the path that of the user's choice? */
bool report_path_is_kept(const struct report_path *place);

#endif
