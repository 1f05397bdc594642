// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/libc.h"
#include "host/sysfile.h"
#include "report/file.h"

#define MAX_LINKS 40		/* as in the kernel */

/* What a name leads to, and its folder. Both are held open. */
struct target {
	int folder;
	int fd;				/* -1: nothing is there */
	unsigned links;			/* how many were followed */
	struct stat stat;
};

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *report_path_base(const struct report_path *place)
{
	return base_of(place->path);
}

/* Is there anything of that name, even a link that leads nowhere? */
static bool is_taken(const struct report_path *place, struct stat *found)
{
	return fstatat(place->folder, report_path_base(place), found, AT_SYMLINK_NOFOLLOW) == 0;
}

/* "-2", "-3" ... are inserted before the ending. */
void report_path_take_next(struct report_path *place)
{
	const char *ending = strrchr(base_of(place->first), '.');
	int stem = ending ? ending - place->first : (int)strlen(place->first);
	struct stat found;

	strcpy(place->path, place->first);
	for (int number = 2; is_taken(place, &found); number++)
		snprintf(place->path, PATH_MAX, "%.*s-%d%s", stem, place->first, number, ending ? ending : "");
}

bool report_path_may_replace(const struct report_path *place)
{
	struct stat found;

	return place->force && is_taken(place, &found) && S_ISREG(found.st_mode);
}

/* Is it another user's, in a sticky folder that others may write to? A link there could lead root to a disk. */
static bool is_foreign(const struct target *target)
{
	struct stat folder;

	return fstat(target->folder, &folder) == 0 &&
	       folder.st_mode & S_ISVTX && folder.st_mode & (S_IWOTH | S_IWGRP) &&
	       target->stat.st_uid != geteuid() && target->stat.st_uid != folder.st_uid;
}

/* O_PATH, because opening a pipe for writing waits for a reader, and closing it tells the reader of the end. */
static void hold(struct target *target, const char *name, int flags)
{
	target->fd = openat(target->folder, name, O_PATH | O_CLOEXEC | flags);
	if (target->fd >= 0)
		fstat(target->fd, &target->stat);
}

/* A link in /proc leads to an open file, whatever its text says. */
static bool is_of_proc(int link)
{
	struct statfs system;

	return fstatfs(link, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* Each link is followed by its descriptor, because its name may come to mean another file meanwhile. */
static void find(struct target *target, const char *name)
{
	char word[PATH_MAX] = "";
	struct target link;

	hold(target, name, O_NOFOLLOW);
	if (target->fd < 0 || !S_ISLNK(target->stat.st_mode) || is_foreign(target) || target->links == MAX_LINKS)
		return;
	link = *target;
	target->fd = -1;
	target->links++;
	if (is_of_proc(link.fd)) {
		hold(target, name, 0);
	} else if (readlinkat(link.fd, "", word, sizeof(word) - 1) > 0) {
		target->folder = sysfile_hold_folder(link.folder, word);
		find(target, base_of(word));
		close(link.folder);
	}
	close(link.fd);
}

/* Has the descriptor this file open? */
static bool is_of(int fd, const struct stat *found)
{
	struct stat held;

	return fstat(fd, &held) == 0 && held.st_dev == found->st_dev && held.st_ino == found->st_ino;
}

/* If it was closed, report_file_guard_descriptors() has put a descriptor in its place that is only readable. */
static const char *refusal_of_standard_output(void)
{
	bool closed = (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY;

	return closed ? "standard output is closed; name a file" : NULL;
}

/* Is it append-only or immutable, even for root? */
static bool is_fixed(int fd)
{
	struct statx found;

	return statx(fd, "", AT_EMPTY_PATH, 0, &found) == 0 &&
	       found.stx_attributes & (STATX_ATTR_APPEND | STATX_ATTR_IMMUTABLE);
}

static const char *refusal_of_file(const struct report_path *place, const struct target *target)
{
	if (target->links)
		return "is a link; name the file that it leads to";
	if (!place->force)
		return "exists; name another, or overwrite it with --force";
	if (is_foreign(target))
		return "belongs to another user, in a folder that others may write to; name another file";
	return is_fixed(target->fd) ? "is append-only or immutable (lsattr); name another file" : NULL;
}

/* Returns why the report may not go to the target, or NULL. Sets the stream. */
static const char *refusal_of(struct report_path *place, struct target *target)
{
	if (target->fd < 0 && target->links)
		return "is a link that leads nowhere; name a file";
	if (target->fd < 0)
		return errno == ENAMETOOLONG ? "the name is too long; name another" : NULL;
	if (S_ISDIR(target->stat.st_mode))
		return "is a directory; name a file in it";
	if (target->links && is_of(STDOUT_FILENO, &target->stat)) {
		place->stream = STDOUT_FILENO;
		return refusal_of_standard_output();
	}
	if (S_ISREG(target->stat.st_mode))
		return refusal_of_file(place, target);
	if (is_foreign(target))
		return "belongs to another user, in a folder that others may write to; name a place of your own";
	if (S_ISLNK(target->stat.st_mode))
		return "leads through too many links; name a file";
	if (S_ISSOCK(target->stat.st_mode))
		return "is a socket, which cannot be opened; name a file";
	if (faccessat(AT_FDCWD, sysfile_held(target->fd), W_OK, AT_EACCESS) < 0 && errno == EACCES)
		return "you have no permission to write to it; name another file, or get the permission";
	place->stream = target->fd;
	target->fd = -1;
	return NULL;
}

static const char *refusal_of_named(struct report_path *place)
{
	struct target target = { .folder = sysfile_hold_folder(place->folder, "") };
	const char *refusal;

	if (!*report_path_base(place))
		return "is a directory; name a file in it";
	find(&target, report_path_base(place));
	refusal = refusal_of(place, &target);
	close(target.folder);
	if (target.fd >= 0)
		close(target.fd);
	return refusal;
}

static const char *refusal_of_path(struct report_path *place)
{
	const char *refusal = NULL;

	if (!strcmp(place->path, "-")) {
		place->stream = STDOUT_FILENO;
		return refusal_of_standard_output();
	}
	if (place->folder < 0)		/* report_file_reserve() gives the reason */
		return NULL;
	if (place->named)
		refusal = refusal_of_named(place);
	else
		report_path_take_next(place);
	if (!refusal && place->stream < 0 && is_fixed(place->folder))
		return "its folder is append-only or immutable (lsattr -d); name another file";
	return refusal;
}

int report_path_choose(struct report_path *place, int folder, const char *name, const char *usual, bool force)
{
	const char *refusal;
	int length;

	*place = (struct report_path){ .named = name, .force = force, .folder = folder, .stream = -1 };
	length = snprintf(place->first, PATH_MAX, "%s", name ? name : usual);
	strcpy(place->path, place->first);
	if (length == 0)
		refusal = "the name is empty; name another";
	else
		refusal = length > PATH_MAX - 64 ? "the name is too long; name another" : refusal_of_path(place);
	if (refusal)
		warn("--output=%s: %s", place->path, refusal);
	return refusal ? -1 : 0;
}

/* If we may not look where the path leads now, we assume that it is the folder. */
bool report_path_follow(struct report_path *place)
{
	char folder[PATH_MAX] = "", base[PATH_MAX];
	int fd = sysfile_hold_folder(AT_FDCWD, place->path);
	bool in_place = errno != ENOENT && errno != ENOTDIR;
	struct stat found;

	if (fd >= 0) {
		in_place = fstat(fd, &found) == 0 && is_of(place->folder, &found);
		close(fd);
	}
	if (in_place || readlink(sysfile_held(place->folder), folder, sizeof(folder) - 1) <= 0)
		return false;
	strcpy(base, report_path_base(place));
	place->moved = true;
	return snprintf(place->path, PATH_MAX, "%s/%s", folder, base) < PATH_MAX;
}
