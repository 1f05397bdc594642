// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Other file systems for tests, which LD_PRELOAD puts between a program and the
 * C library. The environment says what is other:
 *
 * FAKE_LINKS_ERRNO	why none can link, nor rename without overwriting
 * FAKE_LINKS_RANDOM	the kernel's random numbers are 0, 1, 2 ...
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int setting(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : 0;
}

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
