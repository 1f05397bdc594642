/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rights of a process: root's, those granted, and how to give up those no longer needed. */
#ifndef HOST_PRIVILEGE_H
#define HOST_PRIVILEGE_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpus.h"

/* The scheduling and the memory lock that a process asked for, and what was granted. */
struct rights {
	char granted[CPUS_TEXT_SIZE + 512];	/* lines "key: value" of realfeel(5), or "" */
	char refused[256];		/* what was refused, as one clause, or "" */
};

/* Is the capability effective, and not just within a user namespace, as in a container, where it does not count? */
bool privilege_held(int capability);

/* How to get the capability of that name: "run as root", where that helps. Valid until the next call. */
const char *privilege_remedy(const char *name);

struct groups {
	gid_t *ids;
	int count;
};

/* The user behind sudo, or this one. */
struct caller {
	uid_t uid;
	gid_t gid;
	struct groups groups;	/* the other groups that user has after a login */
	struct groups own;	/* those that this process was started with */
	bool owns;		/* the files: the user behind sudo, if allowed to write where they go */
	bool overrides;		/* root, in a folder that only a capability lets it write to */
};

/*
 * Who started the program: root under sudo stands for the user. Holds the folder of the report's path, and uses it to
 * decide what the user may write: *folder is a descriptor, or -errno. Exits when the program is setuid.
 */
struct caller privilege_caller(const char *path, int *folder);

/* Act as the user who owns the files, until on is false; or become the caller for good: 0, or -1 with errno. */
void privilege_borrow(const struct caller *caller, bool on);
int privilege_become(const struct caller *caller);

/*
 * Become the user who owns the files for good, and keep only the capabilities that the files need, those that the
 * source needs (as bits) and, in a process that ends the load, the one to signal it.
 */
void privilege_drop(const struct caller *caller, uint64_t needs, bool ends_load);

#endif
