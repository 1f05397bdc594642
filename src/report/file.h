/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's file is written as a whole or not at all, and replaces another file only on request. */
#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "host/signals.h"
#include "report/report.h"

/*
 * The folder is held open for the whole run, and what is found in it is examined by a
 * descriptor, because a name may lead elsewhere a moment later. In memory that
 * keeper and standby share.
 */
struct report_file {
	char path[PATH_MAX];		/* "-": standard output */
	char *base;			/* its last part, the name in the folder */
	char first[PATH_MAX];		/* the path without a number */
	bool named;			/* by the user */
	bool force;			/* an existing file may be replaced */
	int folder;			/* descriptor of the path's folder; less than 0: -errno */
	int stream;			/* of a pipe, a device or standard output, never replaced; -1: it is a file */
	bool streamed;			/* a stream, such as standard output, has the whole report */
	off_t room;			/* bytes that a report may take */
	int reserve;			/* a file without a name that keeps this room; -1: there is none */
	char temporary[NAME_MAX + 1];	/* the name of a file that is being written; "": there is none */
	struct stat ours, next;		/* the report that is there, and the one that is to replace it */
	const struct signals *signals;	/* one ends the wait for a pipe's reader; set it before a report is saved */
};

/*
 * Open a file that cannot be written to in place of each standard descriptor that
 * is closed. Otherwise messages and reports would go to the next file opened.
 */
void report_file_guard_descriptors(void);

/*
 * Choose the path: name or, if that is NULL, usual, numbered if it is taken. Check that
 * a file can be created there, and reserve room bytes for it. folder: as in struct
 * report_file. Returns 0, or -1 after a warning if the report cannot go there.
 */
int report_file_reserve(struct report_file *file, int folder, const char *name, const char *usual, bool force,
			off_t room);

/* Reserve room bytes in all, where any were reserved. Returns 0, or -1 after a warning. */
int report_file_extend(struct report_file *file, off_t room);

/* For a process that takes over after a kill. */
void report_file_inherit(struct report_file *file);

/*
 * Save the reports under the path, in place of those before. If another file has
 * appeared there, it is left alone, and the path gets the next free number. Returns
 * 0, or -1 with errno: the reports before are then still there. To a pipe or a device,
 * nothing is written before the end of the run, and 0 is returned.
 */
int report_file_checkpoint(struct report_file *file, const struct report *reports);

/*
 * Save the last reports. If that fails they go to standard output, after a
 * warning. Returns 0, or -1 when they are not where the user asked for them.
 */
int report_file_save(struct report_file *file, const struct report *reports);

/* The path, or "standard output". */
const char *report_file_name(const struct report_file *file);

/*
 * Of path.c, for file.c: choose the path as report_file_reserve() does, without reserving anything; change it
 * to the first numbered one that is not taken, or to where the folder was moved during the run, if it was; and are
 * these the same file?
 */
int report_path_choose(struct report_file *file, int folder, const char *name, const char *usual, bool force);
void report_path_take_next(struct report_file *file);
bool report_path_follow(struct report_file *file);
bool report_path_is_same(const struct stat *one, const struct stat *other);

#endif
