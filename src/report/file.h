/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the report goes: whole or not at all, and never over a file unasked. */
#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "host/signals.h"
#include "report/draft.h"
#include "report/path.h"

/*
 * Where a standard descriptor is closed, the next file to be opened would take
 * its place, and messages and reports go into it. Writing to what this puts
 * there fails instead.
 */
void report_file_guard_descriptors(void);

struct identity {
	dev_t device;
	ino_t inode;
};

/* In memory that keeper and standby share, to be handed over. */
struct report_file {
	struct report_path place;
	struct report_draft draft;	/* of the next report, with room for it */
	off_t room;			/* bytes that are reserved for each */
	bool common;			/* it was opened before the fork: both processes have it */
	struct identity ours, next;	/* the report that is there, and the one that takes its place */
	const struct signals *signals;	/* to be set before a report is saved: one ends the wait for a pipe's reader */
};

/*
 * Choose the place, in that folder: see report_path_choose(). See that it can
 * be written, and reserve so many bytes for a report. Returns 0, or -1 after a
 * warning.
 */
int report_file_reserve(struct report_file *file, int folder, const char *name, const char *usual, bool force,
			off_t room);

/* For a process that goes on where another one was killed. */
void report_file_inherit(struct report_file *file);

typedef void report_printer(FILE *out, const void *what);

/*
 * Save what there is under the path, in place of what was saved there before;
 * a file of others that has come up there is left alone, and place becomes the
 * next number's. Returns 0, or -1 with errno when what was saved before is
 * still there. A report that goes to no file is not saved before its end: 0.
 */
int report_file_checkpoint(struct report_file *file, report_printer *print, const void *what);

/*
 * The same for the last time. What cannot be saved there goes to standard
 * output, after a warning. Returns 0, or -1 when it is not where it was asked for.
 */
int report_file_save(struct report_file *file, report_printer *print, const void *what);

/* For people. */
const char *report_file_name(const struct report_file *file);

#endif
