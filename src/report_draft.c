// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report_draft.h"
#include "sysfile.h"

/* What a file without a name can be named by. */
static const char *link_of(int fd)
{
	return sysfile_path("/proc/self/fd/%d", fd);
}

/* Returns the descriptor, or -1 with EOPNOTSUPP where it cannot be done here, or another errno. */
static int open_nameless(const char *path)
{
	int fd = open(dirname(strdupa(path)), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

	if (fd < 0) {
		if (errno == EISDIR || errno == EINVAL)	/* a kernel or file system that does not know it */
			errno = EOPNOTSUPP;
		return -1;
	}
	if (access(link_of(fd), F_OK) == 0)
		return fd;
	close(fd);
	errno = EOPNOTSUPP;
	return -1;
}

static bool has_room(int fd, off_t room)
{
	return !room || fallocate(fd, 0, 0, room) == 0 ||
	       errno == EOPNOTSUPP || errno == ENOSYS;
}

int report_draft_open(struct report_draft *draft, const char *path, off_t room)
{
	snprintf(draft->temporary, PATH_MAX, "%.*s.%d.tmp", PATH_MAX - 32, path, getpid());
	draft->fd = open_nameless(path);
	draft->named = draft->fd < 0 && errno == EOPNOTSUPP;
	if (draft->named)
		draft->fd = open(draft->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (draft->fd < 0)
		return -1;
	if (has_room(draft->fd, room))
		return 0;
	report_draft_discard(draft);
	return -1;
}

int report_draft_finish(struct report_draft *draft)
{
	if (ftruncate(draft->fd, lseek(draft->fd, 0, SEEK_CUR)) < 0 || fsync(draft->fd) < 0)
		return -1;
	if (draft->named)
		return 0;
	draft->named = true;	/* before it is: who goes on after a kill looks for the name */
	if (linkat(AT_FDCWD, link_of(draft->fd), AT_FDCWD, draft->temporary, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	draft->named = false;
	return -1;
}

/* Where the file system cannot rename in one step without overwriting, a link can. */
static int give_name(const char *temporary, const char *path, bool overwrite)
{
	if (overwrite)
		return rename(temporary, path);
	if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (link(temporary, path) < 0)
		return -1;
	return unlink(temporary);
}

/* The name itself is to survive a loss of power, too, on file systems that can promise it. */
static void sync_folder(const char *path)
{
	int fd = open(dirname(strdupa(path)), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && fsync(fd) < 0)
		errno = 0;
	if (fd >= 0)
		close(fd);
}

int report_draft_publish(struct report_draft *draft, const char *path, bool overwrite)
{
	if (give_name(draft->temporary, path, overwrite) < 0)
		return -1;
	close(draft->fd);
	draft->fd = -1;
	sync_folder(path);
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
		unlink(draft->temporary);
	errno = cause;
}
