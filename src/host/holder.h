/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has a file open. */
#ifndef HOST_HOLDER_H
#define HOST_HOLDER_H

#include <stdbool.h>
#include <sys/types.h>

struct holder {
	pid_t pid;
	char name[32];		/* of its program */
};

/*
 * A process that has the file or the device open, this one only when there is
 * no other. Returns false when there is none that we may see: those of other
 * users need root.
 */
bool holder_find(const char *path, struct holder *holder);

#endif
