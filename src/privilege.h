/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rights that the run does not need any more are given up. */
#ifndef PRIVILEGE_H
#define PRIVILEGE_H

#include <stdbool.h>
#include <sys/types.h>

/* Who the files are to belong to: the user behind sudo, where that user may write them, or this one. */
struct caller {
	uid_t uid;
	gid_t gid;
	gid_t groups[64];	/* the others that a login of that user has */
	int group_count;
	bool overrides;		/* root, in a folder that only a capability lets it write to */
};

/*
 * Exits, after a message, when the program is setuid. Only root behind sudo
 * has another caller than itself; path is that of the report.
 */
struct caller privilege_caller(const char *path);

/* Act as the caller until the next call with on = false. */
void privilege_borrow(const struct caller *caller, bool on);

/*
 * Be the caller for good, without capabilities but what the files need and,
 * with rates, what putting a device's rate back may need.
 */
void privilege_drop(const struct caller *caller, bool rates);

#endif
