// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include "host/libc.h"
#include "host/sysfile.h"
#include "report/draft.h"

#define TRIES 100			/* temporary names, until one is free */

/* Returns the descriptor; or -1 with errno, EOPNOTSUPP if every file needs a name here. */
static int open_nameless(int folder)
{
	int fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

	if (fd < 0) {
		if (errno == EISDIR || errno == EINVAL)	/* the kernel or the file system lacks O_TMPFILE */
			errno = EOPNOTSUPP;
		return -1;
	}
	if (access(sysfile_held(fd), F_OK) == 0)
		return fd;
	close(fd);
	errno = EOPNOTSUPP;
	return -1;
}

static int create(struct report_draft *draft)
{
	draft->fd = openat(draft->folder, draft->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return draft->fd < 0 ? -1 : 0;
}

static int link_nameless(const struct report_draft *draft, const char *name)
{
	return linkat(AT_FDCWD, sysfile_held(draft->fd), draft->folder, name, AT_SYMLINK_FOLLOW);
}

/*
 * Give the draft a temporary name. named is set before the file gets the name, so
 * that a process that takes over after a kill in between removes the file.
 */
static int name_temporarily(struct report_draft *draft, const char *name)
{
	int result = -1;

	errno = EEXIST;
	draft->named = true;
	for (int tries = 0; tries < TRIES && result < 0 && errno == EEXIST; tries++) {
		uint64_t random;

		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
			random = tries;
		snprintf(draft->temporary, sizeof(draft->temporary), "%.200s.%016" PRIx64 ".tmp", name, random);
		result = draft->fd < 0 ? create(draft) : link_nameless(draft, draft->temporary);
	}
	draft->named = result == 0;
	return result;
}

int report_draft_extend(const struct report_draft *draft, off_t room)
{
	bool reserved = !room || fallocate(draft->fd, 0, 0, room) == 0 || errno == EOPNOTSUPP || errno == ENOSYS;

	return reserved ? 0 : -1;
}

int report_draft_open(struct report_draft *draft, int folder, const char *name, off_t room)
{
	draft->folder = folder;
	draft->named = false;
	draft->fd = open_nameless(folder);
	if (draft->fd < 0 && (errno != EOPNOTSUPP || name_temporarily(draft, name) < 0))
		return -1;
	if (report_draft_extend(draft, room) == 0)
		return 0;
	report_draft_discard(draft);
	return -1;
}

int report_draft_try(struct report_draft *draft, int folder, const char *name)
{
	int result = report_draft_open(draft, folder, name, 0);

	if (result == 0 && !draft->named)
		result = name_temporarily(draft, name);
	report_draft_discard(draft);
	return result;
}

int report_draft_finish(struct report_draft *draft)
{
	return ftruncate(draft->fd, lseek(draft->fd, 0, SEEK_CUR)) < 0 ? -1 : fsync(draft->fd);
}

/* Create an empty file, which the draft then replaces. A kill in between leaves the empty file. */
static int claim(const struct report_draft *draft, const char *name)
{
	int fd = openat(draft->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return -1;
	close(fd);
	if (renameat(draft->folder, draft->temporary, draft->folder, name) == 0)
		return 0;
	unlinkat(draft->folder, name, 0);
	return -1;
}

/* Never overwrites. A draft with a name needs renameat2(), else a link, else claim(): the file system decides. */
static int give_new_name(const struct report_draft *draft, const char *name)
{
	int folder = draft->folder;

	if (!draft->named)
		return link_nameless(draft, name);
	if (renameat2(folder, draft->temporary, folder, name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (linkat(folder, draft->temporary, folder, name, 0) == 0)
		return unlinkat(folder, draft->temporary, 0);
	return errno == EEXIST ? -1 : claim(draft, name);
}

static int give_name_of_another(struct report_draft *draft, const char *name)
{
	if (!draft->named && name_temporarily(draft, name) < 0)
		return -1;
	return renameat(draft->folder, draft->temporary, draft->folder, name);
}

/* The name must survive a loss of power, too, if the file system can promise that. */
static void sync_folder(int folder)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && fsync(fd) < 0)
		errno = 0;
	if (fd >= 0)
		close(fd);
}

int report_draft_publish(struct report_draft *draft, const char *name, bool overwrite)
{
	if ((overwrite ? give_name_of_another(draft, name) : give_new_name(draft, name)) < 0)
		return -1;
	close(draft->fd);
	draft->fd = -1;
	sync_folder(draft->folder);
	return 0;
}

void report_draft_discard(struct report_draft *draft)
{
	int cause = errno;

	if (draft->fd < 0)
		return;
	close(draft->fd);
	draft->fd = -1;
	if (draft->named)
		unlinkat(draft->folder, draft->temporary, 0);
	errno = cause;
}
