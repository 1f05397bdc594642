/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is being written, in the folder where it is to have its name:
 * without one where the file system can do that, so that nothing is left of it
 * when its process is killed, else with a temporary one that nobody can foretell.
 */
#ifndef REPORT_DRAFT_H
#define REPORT_DRAFT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct report_draft {
	int folder;			/* held, and not the draft's own */
	int fd;				/* -1: there is none */
	bool named;			/* it can be seen, under: */
	char temporary[NAME_MAX + 1];
};

/* All return 0, or -1 with errno. */

/* Begin what is to have this name. room bytes are reserved where the file system can, or there is an error. */
int report_draft_open(struct report_draft *draft, int folder, const char *name, off_t room);

/* Can a file of that name be made there? The only sure way to know is to make one, which is removed at once. */
int report_draft_try(struct report_draft *draft, int folder, const char *name);

/* What was written up to fd's position is all of it: give the rest of the room back, and save it. */
int report_draft_finish(struct report_draft *draft);

/*
 * Give it its name, and end it. A file that is there is replaced or, without
 * overwrite, left alone: EEXIST, and another name may be tried.
 */
int report_draft_publish(struct report_draft *draft, const char *name, bool overwrite);

/* Leave nothing of it. errno stays. */
void report_draft_discard(struct report_draft *draft);

#endif
