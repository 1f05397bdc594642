/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's file is written as a whole or not at all, and replaces another file only on request. */
#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "host/signals.h"
#include "report/draft.h"
#include "report/path.h"

/*
 * Open a file that cannot be written to in place of each standard descriptor that
 * is closed. Otherwise messages and reports would go to the next file opened.
 */
void report_file_guard_descriptors(void);

struct file_identity {
	dev_t device;
	ino_t inode;
};

/* In memory that keeper and standby share. */
struct report_file {
	struct report_path place;
	struct report_draft draft;	/* of the next report */
	off_t room;			/* bytes to reserve for a draft */
	bool common;			/* the draft was opened before the fork: both processes have it */
	struct file_identity ours, next;	/* the report that is there, and the one that is to replace it */
	const struct signals *signals;	/* one ends the wait for a pipe's reader; set it before report_file_save() */
};

/*
 * Choose the path: see report_path_choose(). Check that a file can be created
 * there, and reserve room bytes for it. Returns 0, or -1 after a warning.
 */
int report_file_reserve(struct report_file *file, int folder, const char *name, const char *usual, bool force,
			off_t room);

/* Reserve room bytes in all, where any were reserved. Returns 0, or -1 after a warning. */
int report_file_extend(struct report_file *file, off_t room);

/* For a process that takes over after a kill. */
void report_file_inherit(struct report_file *file);

typedef void report_printer(FILE *out, const void *what);

/*
 * Save a report under the path, in place of the one before. If another file has
 * appeared there, it is left alone, and the path gets the next free number. Returns
 * 0, or -1 with errno: the report before is then still there. To a pipe or a device,
 * nothing is written before the end of the run, and 0 is returned.
 */
int report_file_checkpoint(struct report_file *file, report_printer *print, const void *what);

/*
 * Save the last report. If that fails it goes to standard output, after a
 * warning. Returns 0, or -1 when it is not where the user asked for it.
 */
int report_file_save(struct report_file *file, report_printer *print, const void *what);

/* The path, or "standard output". */
const char *report_file_name(const struct report_file *file);

#endif
