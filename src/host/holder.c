// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/holder.h"
#include "host/sysfile.h"

/* Not to be asked of a server on the network, which may not answer. */
static bool look(const char *path, struct statx *found)
{
	return statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, found) == 0;
}

/* A device is the same under each of its names, a file under its number. */
static bool is_same(const struct statx *one, const struct statx *other)
{
	if (S_ISCHR(one->stx_mode))
		return S_ISCHR(other->stx_mode) && one->stx_rdev_major == other->stx_rdev_major &&
		       one->stx_rdev_minor == other->stx_rdev_minor;
	return one->stx_ino == other->stx_ino && one->stx_dev_major == other->stx_dev_major &&
	       one->stx_dev_minor == other->stx_dev_minor;
}

bool holder_find(const char *path, struct holder *holder)
{
	struct statx wanted, found;
	glob_t descriptors;

	if (!look(path, &wanted) || glob("/proc/[0-9]*/fd/*", GLOB_NOSORT, NULL, &descriptors))
		return false;
	*holder = (struct holder){ .pid = 0 };
	for (size_t i = 0; i < descriptors.gl_pathc; i++) {
		const char *descriptor = descriptors.gl_pathv[i];
		pid_t pid;

		if ((holder->pid && holder->pid != getpid()) || sscanf(descriptor, "/proc/%d", &pid) != 1)
			break;
		if (look(descriptor, &found) && is_same(&wanted, &found))
			holder->pid = pid;
	}
	globfree(&descriptors);
	return holder->pid &&
	       sysfile_line(sysfile_path("/proc/%d/comm", holder->pid), holder->name, sizeof(holder->name));
}
