/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is being written, in the folder of its later name. It has no name
 * where the file system can do that: then a kill of the process leaves nothing.
 * Elsewhere it has a random temporary name.
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

/* Begin a file for this name. Reserves room bytes where the file system can do that; too little room is an error. */
int report_draft_open(struct report_draft *draft, int folder, const char *name, off_t room);

/* Can a file of that name be created there? Creates one and removes it: there is no other sure way. */
int report_draft_try(struct report_draft *draft, int folder, const char *name);

/* The file ends at the offset of fd: give back the rest of the reserved room, and sync it to the disk. */
int report_draft_finish(struct report_draft *draft);

/*
 * Give the file its name and close it. overwrite: replace a file of that name.
 * Without it, EEXIST means that the draft is still open for another name.
 */
int report_draft_publish(struct report_draft *draft, const char *name, bool overwrite);

/* Close and remove it. Keeps errno. */
void report_draft_discard(struct report_draft *draft);

#endif
