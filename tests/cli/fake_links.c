// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Other file systems for tests, which LD_PRELOAD puts between a program and the
 * C library. The environment says what is other:
 *
 * FAKE_LINKS_ERRNO	why none can link, nor rename without overwriting
 * FAKE_LINKS_RANDOM	the kernel's random numbers are 0, 1, 2 ...
 * FAKE_LINKS_COMES	a file that comes and goes: it is there, and not at this name with ".away", for each
 * FAKE_LINKS_WHEN	bit of this number, the lowest for the first look at a file of its name
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int setting(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : 0;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Another process might do so between any two calls. */
static void look_at(const char *path)
{
	const char *comes = getenv("FAKE_LINKS_COMES");
	static unsigned looks;
	char away[PATH_MAX];
	int there;

	if (!comes || strcmp(base_of(path), base_of(comes)))
		return;
	snprintf(away, sizeof(away), "%s.away", comes);
	there = setting("FAKE_LINKS_WHEN") >> looks++ & 1;
	syscall(SYS_renameat2, AT_FDCWD, there ? away : comes, AT_FDCWD, there ? comes : away, 0);
}

int openat(int folder, const char *path, int flags, ...)
{
	int (*next)(int, const char *, int, ...);
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	look_at(path);
	*(void **)&next = dlsym(RTLD_NEXT, "openat");
	return next(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));

int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...);
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	look_at(path);
	*(void **)&next = dlsym(RTLD_NEXT, "open");
	return next(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int __openat64_2(int folder, const char *path, int flags)
{
	return openat(folder, path, flags, 0);
}

int fstatat(int folder, const char *path, struct stat *found, int flags)
{
	int (*next)(int, const char *, struct stat *, int);

	look_at(path);
	*(void **)&next = dlsym(RTLD_NEXT, "fstatat");
	return next(folder, path, found, flags);
}

int lstat64(const char *path, struct stat64 *found)
{
	return fstatat(AT_FDCWD, path, (struct stat *)found, AT_SYMLINK_NOFOLLOW);
}

int fstatat64(int folder, const char *path, struct stat64 *found, int flags) __attribute__((alias("fstatat")));

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
	errno = setting("FAKE_LINKS_ERRNO");
	return errno ? -1 : syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to)
{
	return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	errno = flags && setting("FAKE_LINKS_ERRNO") ? EINVAL : 0;
	return errno ? -1 : syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
	static char numbers;

	if (!setting("FAKE_LINKS_RANDOM"))
		return syscall(SYS_getrandom, bytes, size, flags);
	memset(bytes, 0, size);
	*(char *)bytes = numbers++;
	return size;
}
