/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that a C library may lack: statx(2) glibc before 2.28 and musl
 * before 1.2.5, renameat2(2) the former and every musl.
 */
#ifndef HOST_LIBC_H
#define HOST_LIBC_H

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef STATX_TYPE
#include <linux/stat.h>

#ifndef AT_STATX_DONT_SYNC
#define AT_STATX_DONT_SYNC 0x4000
#endif

static inline int statx(int folder, const char *path, int flags, unsigned mask, struct statx *found)
{
	return syscall(SYS_statx, folder, path, flags, mask, found);
}
#endif

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1

static inline int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	return syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
#endif

#endif
