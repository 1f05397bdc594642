// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/detached.h"

/* Of Linux 5.2; the headers may be older. */
enum { FSOPEN_CLOEXEC = 1, FSMOUNT_CLOEXEC = 1, FSCONFIG_CMD_CREATE = 6 };
#ifndef SYS_fsopen
#define SYS_fsopen 430
#define SYS_fsconfig 431
#define SYS_fsmount 432
#endif

int detached_mount(const char *filesystem)
{
	int context = syscall(SYS_fsopen, filesystem, FSOPEN_CLOEXEC), folder = -1, error;

	if (context < 0)
		return -1;
	if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		folder = syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	error = errno;
	close(context);
	errno = error;
	return folder;
}
