/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report's path, and what it leads to. The folder is held open for the whole
 * run, and what is found in it is examined by a descriptor, because a name may
 * lead elsewhere a moment later.
 */
#ifndef REPORT_PATH_H
#define REPORT_PATH_H

#include <limits.h>
#include <stdbool.h>

struct report_path {
	char path[PATH_MAX];		/* "-": standard output */
	char first[PATH_MAX];		/* the path without a number */
	bool named;			/* by the user */
	bool force;			/* an existing file may be replaced */
	bool moved;			/* the folder was moved during the run */
	int folder;			/* descriptor of the path's folder; less than 0: -errno */
	int stream;			/* descriptor of the device or pipe; -1: the report goes to a file */
};

/*
 * Choose the path: name or, if that is NULL, usual, numbered if it is taken.
 * folder: as in struct report_path. Returns 0, or -1 after a warning if the
 * report cannot go there.
 */
int report_path_choose(struct report_path *place, int folder, const char *name, const char *usual, bool force);

/* The name within the folder. */
const char *report_path_base(const struct report_path *place);

/* Does the report go to a device, a pipe or standard output, which are never replaced? */
bool report_path_is_stream(const struct report_path *place);
bool report_path_is_standard_output(const struct report_path *place);

/* Does the name belong to a regular file that --force lets us replace? */
bool report_path_may_replace(const struct report_path *place);

/* Change the path to the first numbered one that is not taken. */
void report_path_take_next(struct report_path *place);

/* Was the folder moved during the run? If so, changes the path to the new one. */
bool report_path_follow(struct report_path *place);

/* Is the path still the one that the user chose? */
bool report_path_is_kept(const struct report_path *place);

#endif
