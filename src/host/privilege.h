/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rights that the run does not need any more are given up. */
#ifndef HOST_PRIVILEGE_H
#define HOST_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct groups {
	gid_t *ids;
	int count;
};

/* The user behind sudo, or this one. */
struct caller {
	uid_t uid;
	gid_t gid;
	struct groups groups;	/* the others that a login of that user has, and */
	struct groups own;	/* those that this process was started with */
	bool owns;		/* the files: behind sudo, if the user may write where they go */
	bool overrides;		/* root, in a folder that only a capability lets it write to */
};

/*
 * Exits, after a message, when the program is setuid. Only root behind sudo
 * has another caller than itself. The folder of the report's path is held, and
 * it is this folder that the rights are judged by: a descriptor, or -errno.
 */
struct caller privilege_caller(const char *path, int *folder);

/* Act as the user who owns the files, until the next call with on = false. */
void privilege_borrow(const struct caller *caller, bool on);

/*
 * Become the caller for good, with nothing of root's, and no capability that a
 * program would have which is executed then. Returns 0, or -1 with errno.
 */
int privilege_become(const struct caller *caller);

/*
 * Become the user who owns the files, for good, with no capabilities but those
 * that the files need; those that the source needs, as bits;
 * and with a load (0: none), what it takes to see and to signal all that came of it.
 */
void privilege_drop(const struct caller *caller, uint64_t needs, pid_t load);

#endif
