// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the report goes: what its name stands for is decided at the start. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/sysfile.h"
#include "report/report.h"

#ifndef STATX_TYPE			/* musl before 1.2.5 has no statx(2) */
#include <linux/stat.h>
#endif

#define MAX_LINKS 40			/* as in the kernel */

/* What a name leads to, and its folder. Both are held open. */
struct target {
	int folder;
	int fd;				/* -1: nothing is there */
	unsigned links;			/* how many were followed */
	struct stat stat;
};

static char *base_of(char *path)
{
	char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool report_path_is_same(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* "-2", "-3" ... are inserted before the ending. A name is also taken by a link that leads nowhere. */
void report_path_take_next(struct report_file *file)
{
	const char *ending = strrchr(base_of(file->first), '.');
	int stem = ending ? ending - file->first : (int)strlen(file->first);
	struct stat found;

	strcpy(file->path, file->first);
	for (int i = 2; fstatat(file->folder, file->base, &found, AT_SYMLINK_NOFOLLOW) == 0; i++)
		snprintf(file->path, PATH_MAX, "%.*s-%d%s", stem, file->first, i, ending ? ending : "");
}

/* Is it another user's, in a sticky folder that others may write to? A link there could make root overwrite a disk. */
static bool is_foreign(const struct target *target)
{
	struct stat folder;

	return fstat(target->folder, &folder) == 0 &&
	       folder.st_mode & S_ISVTX && folder.st_mode & (S_IWOTH | S_IWGRP) &&
	       target->stat.st_uid != geteuid() && target->stat.st_uid != folder.st_uid;
}

/* O_PATH, because opening a pipe for writing waits for a reader, and closing it signals the end to the reader. */
static bool hold(struct target *target, const char *name, int flags)
{
	target->fd = openat(target->folder, name, O_PATH | O_CLOEXEC | flags);
	return target->fd >= 0 && fstat(target->fd, &target->stat) == 0;
}

/* Follows each link by descriptor: a name may come to mean another file. A link in /proc leads to an open file. */
static void find(struct target *target, const char *name)
{
	char text[PATH_MAX];

	while (hold(target, name, O_NOFOLLOW) && S_ISLNK(target->stat.st_mode) && !is_foreign(target) &&
	       target->links++ < MAX_LINKS) {
		int link = target->fd, folder = target->folder;
		struct statfs system;
		ssize_t length;

		if (fstatfs(link, &system) == 0 && system.f_type == PROC_SUPER_MAGIC) {
			hold(target, name, 0);
			close(link);
			return;
		}
		length = readlinkat(link, "", text, sizeof(text) - 1);
		close(link);
		text[length > 0 ? length : 0] = '\0';
		target->folder = sysfile_hold_folder(folder, text);
		close(folder);
		name = base_of(text);
	}
}

/* If it was closed, report_file_guard_descriptors() has put a read-only descriptor in its place. */
static const char *refusal_of_standard_output(struct report_file *file)
{
	bool closed = (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY;

	file->stream = STDOUT_FILENO;
	return closed ? "standard output is closed; name a file" : NULL;
}

/* Is it append-only or immutable, even for root? */
static bool is_fixed(int fd)
{
	struct statx found;

	return syscall(SYS_statx, fd, "", AT_EMPTY_PATH, 0, &found) == 0 &&
	       found.stx_attributes & (STATX_ATTR_APPEND | STATX_ATTR_IMMUTABLE);
}

/* Returns why the report may not go to the target, or NULL. Sets the stream. */
static const char *refusal_of_target(struct report_file *file, struct target *target)
{
	mode_t mode = target->stat.st_mode;
	bool regular = S_ISREG(mode);
	struct stat output;

	if (target->fd < 0 && target->links)
		return "is a link that leads nowhere; name a file";
	if (target->fd < 0)
		return errno == ENAMETOOLONG ? "the name is too long; name another" : NULL;
	if (S_ISDIR(mode))
		return "is a directory; name a file in it";
	if (target->links && fstat(STDOUT_FILENO, &output) == 0 && report_path_is_same(&output, &target->stat))
		return refusal_of_standard_output(file);
	if (regular && target->links)
		return "is a link; name the file that it leads to";
	if (regular && !file->force)
		return "exists; name another, or overwrite it with --force";
	if (is_foreign(target))
		return regular ? "belongs to another user, in a folder that others may write to; name another file" :
		       "belongs to another user, in a folder that others may write to; name a place of your own";
	if (regular)
		return is_fixed(target->fd) ? "is append-only or immutable (lsattr); name another file" : NULL;
	if (S_ISLNK(mode))
		return "leads through too many links; name a file";
	if (S_ISSOCK(mode))
		return "is a socket, which cannot be opened; name a file";
	if (faccessat(AT_FDCWD, sysfile_path("/proc/self/fd/%d", target->fd), W_OK, AT_EACCESS) < 0 && errno == EACCES)
		return "you have no permission to write to it; name another file, or get the permission";
	file->stream = target->fd;
	target->fd = -1;
	return NULL;
}

static const char *refusal_of_path(struct report_file *file)
{
	struct target target = { .fd = -1 };
	const char *refusal = NULL;

	if (!strcmp(file->path, "-"))
		return refusal_of_standard_output(file);
	if (file->folder < 0)		/* report_file_reserve() gives the reason */
		return NULL;
	if (!*file->base)
		return "is a directory; name a file in it";
	if (file->named) {
		target.folder = sysfile_hold_folder(file->folder, "");
		find(&target, file->base);
		refusal = refusal_of_target(file, &target);
		close(target.folder);
		if (target.fd >= 0)
			close(target.fd);
	} else {
		report_path_take_next(file);
	}
	if (!refusal && file->stream < 0 && is_fixed(file->folder))
		return "its folder is append-only or immutable (lsattr -d); name another file";
	return refusal;
}

int report_path_choose(struct report_file *file, int folder, const char *name, const char *usual, bool force)
{
	const char *refusal;
	int length;

	*file = (struct report_file){ .named = name, .force = force, .folder = folder, .stream = -1, .reserve = -1 };
	length = snprintf(file->first, PATH_MAX, "%s", name ? name : usual);
	strcpy(file->path, file->first);
	file->base = base_of(file->path);
	refusal = length == 0 ? "the name is empty; name another" :
		  length > PATH_MAX - 64 ? "the name is too long; name another" : refusal_of_path(file);
	if (refusal)
		warn("--output=%s: %s", file->path, refusal);
	return refusal ? -1 : 0;
}

/* Updates a path whose folder was moved. If we may not look at the path, we assume that it is still the folder's. */
bool report_path_follow(struct report_file *file)
{
	char folder[PATH_MAX] = "", base[PATH_MAX];
	struct stat ours, found;
	bool in_place = stat(sysfile_path("%.*s.", (int)(file->base - file->path), file->path), &found) < 0 ?
			errno != ENOENT && errno != ENOTDIR :
			fstat(file->folder, &ours) == 0 && report_path_is_same(&ours, &found);

	if (in_place || readlink(sysfile_path("/proc/self/fd/%d", file->folder), folder, sizeof(folder) - 1) <= 0)
		return false;
	strcpy(base, file->base);
	if (snprintf(file->path, PATH_MAX, "%s/%s", folder, base) >= PATH_MAX)
		strcpy(file->path, base);
	file->base = base_of(file->path);
	return true;
}
