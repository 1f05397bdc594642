// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "report_path.h"
#include "sysfile.h"

/* The name with "-2", "-3" ... before its ending. */
static void number_path(char numbered[PATH_MAX], const char *path, int number)
{
	const char *base = strrchr(path, '/');
	const char *ending = strrchr(base ? base : path, '.');
	int stem = ending ? ending - path : (int)strlen(path);

	snprintf(numbered, PATH_MAX, "%.*s-%d%s", stem, path, number, ending ? ending : "");
}

/* A link that leads nowhere takes its name, too. */
static bool is_taken(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0;
}

void report_path_take_next(struct report_path *place)
{
	strcpy(place->path, place->first);
	for (int number = 2; is_taken(place->path); number++)
		number_path(place->path, place->first, number);
}

bool report_path_is_standard_output(const struct report_path *place)
{
	return !strcmp(place->path, "-");
}

bool report_path_is_stream(const struct report_path *place)
{
	return place->stream >= 0;
}

int report_path_open_stream(const struct report_path *place)
{
	return open(sysfile_path("/proc/self/fd/%d", place->stream), O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

/*
 * Held, but not opened yet: that could wait for a pipe's reader, or end what it
 * reads when we only look. Returns -1 for a file, or where there is nothing.
 */
static int find_stream(const char *path)
{
	int fd = strcmp(path, "-") ? open(path, O_PATH | O_CLOEXEC) : STDOUT_FILENO;
	struct stat found;

	if (fd <= STDOUT_FILENO ||
	    (fstat(fd, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)))
		return fd;
	close(fd);
	return -1;
}

/* In a folder for all, a link of somebody else may lead anywhere: to a disk, if we are root. */
static bool is_planted(const char *path)
{
	struct stat link, folder;

	return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) &&
	       stat(dirname(strdupa(path)), &folder) == 0 &&
	       (folder.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH) &&
	       link.st_uid != geteuid() && link.st_uid != folder.st_uid;
}

/* One that was closed before the start can be read, but not written to. */
static int check_standard_output(void)
{
	if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY)
		return 0;
	warn("--output=-: standard output is closed; name a file");
	return -1;
}

static int check_stream(const struct report_path *place)
{
	if (report_path_is_standard_output(place))
		return check_standard_output();
	if (!is_planted(place->path))
		return 0;
	warn("--output=%s: is another user's link in a folder that all may write to; name its target",
	     place->path);
	return -1;
}

static int check_named(const struct report_path *place)
{
	struct stat found;

	if (lstat(place->path, &found) < 0)
		return 0;
	if (S_ISDIR(found.st_mode)) {
		warn("--output=%s: is a directory; name a file in it", place->path);
		return -1;
	}
	if (place->force)
		return 0;
	warn("--output=%s: exists; name another, or overwrite it with --force", place->path);
	return -1;
}

int report_path_choose(struct report_path *place, const char *name, const char *usual, bool force)
{
	int length = snprintf(place->first, PATH_MAX, "%s", name ? name : usual);

	strcpy(place->path, place->first);
	place->named = name;
	place->force = force;
	place->stream = -1;
	if (length == 0 || length > PATH_MAX - 64) {
		warn("--output: the name is %s; name another", length ? "too long" : "empty");
		return -1;
	}
	if (!name) {
		report_path_take_next(place);
		return 0;
	}
	place->stream = find_stream(name);
	return report_path_is_stream(place) ? check_stream(place) : check_named(place);
}

bool report_path_is_kept(const struct report_path *place)
{
	return !place->named || !strcmp(place->path, place->first);
}
