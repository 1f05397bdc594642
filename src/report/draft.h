/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is being written, in the folder of its later name. If the file
 * system permits, it has no name, and a kill of the process leaves nothing.
 * Otherwise it has a random temporary name.
 */
#ifndef REPORT_DRAFT_H
#define REPORT_DRAFT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct report_draft {
	int folder;			/* a descriptor that belongs to the caller */
	int fd;				/* -1: there is no draft */
	bool named;			/* it has the temporary name */
	char temporary[NAME_MAX + 1];
};

/* All return 0, or -1 with errno. */

/* Begin a file for this name. Reserves room bytes if the file system can; a full disk is an error. */
int report_draft_open(struct report_draft *draft, int folder, const char *name, off_t room);

/* Reserve room bytes in all. */
int report_draft_extend(const struct report_draft *draft, off_t room);

/* Can a file of that name be created in the folder? The only sure test is to create one and remove it. */
int report_draft_try(struct report_draft *draft, int folder, const char *name);

/* End the file at the offset of fd: release the rest of the reserved room, and sync the file to the disk. */
int report_draft_finish(struct report_draft *draft);

/*
 * Give the file its name and close it. overwrite: replace an existing file.
 * Without it, EEXIST leaves the draft open, to be published under another name.
 */
int report_draft_publish(struct report_draft *draft, const char *name, bool overwrite);

/* Close and remove it. Keeps errno. */
void report_draft_discard(struct report_draft *draft);

#endif
