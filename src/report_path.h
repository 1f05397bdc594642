/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name under which the report is to be found, and what is there already. */
#ifndef REPORT_PATH_H
#define REPORT_PATH_H

#include <limits.h>
#include <stdbool.h>

struct place {
	char path[PATH_MAX];		/* "-": standard output */
	char first[PATH_MAX];		/* the path without a number */
	const char *usual;		/* what a report is called that nobody named */
	bool named;			/* by the user */
	bool force;			/* what is there may be replaced */
	int stream;			/* where the report goes to no file: what it goes to; else -1 */
};

/*
 * Choose the path: name, or the usual one, numbered when it is taken, when
 * name is NULL. Returns 0, or -1 after a warning when it cannot be had.
 */
int place_choose(struct place *place, const char *name, const char *usual, bool force);

/* A device or a pipe that was there when the place was chosen, or standard output: it is not replaced. */
bool place_is_stream(const struct place *place);
bool place_is_standard_output(const struct place *place);

/*
 * Open the device or the pipe to write to it, whatever is to be found under its
 * name now. Returns a descriptor, or -1 with errno.
 */
int place_open_stream(const struct place *place);

/* Go on to the next number whose name is free. */
void place_take_next(struct place *place);

/* The same name in another folder, where nothing is replaced; in place of a stream the usual one. */
void place_move(struct place *place, const struct place *from, const char *folder);

/* Is the path that of the user's choice? */
bool place_is_kept(const struct place *place);

#endif
