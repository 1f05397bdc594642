/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is being written, beside the path that it is to have: without a
 * name where the file system can do that, so that nothing is left of it when
 * its process is killed, else with a temporary one.
 */
#ifndef REPORT_DRAFT_H
#define REPORT_DRAFT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct report_draft {
	int fd;				/* -1: there is none */
	bool named;			/* it can be seen, under: */
	char temporary[PATH_MAX];
};

/* All return 0, or -1 with errno. */

/* Begin. room bytes are reserved where the file system can, or there is an error. */
int report_draft_open(struct report_draft *draft, const char *path, off_t room);

/* What was written up to fd's position is all of it: give the rest of the room back, and save it. */
int report_draft_finish(struct report_draft *draft);

/*
 * Give it its name, which must be in the same folder, and end it. A file that
 * is there is replaced or, without overwrite, left alone: EEXIST, and another
 * name may be tried.
 */
int report_draft_publish(struct report_draft *draft, const char *path, bool overwrite);

/* Leave nothing of it. errno stays. */
void report_draft_discard(struct report_draft *draft);

#endif
