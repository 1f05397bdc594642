// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "output.h"

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

static void take_next_free_path(struct output *output)
{
	snprintf(output->path, PATH_MAX, "%s", output->first);
	for (int number = 2; is_taken(output->path); number++)
		number_path(output->path, output->first, number);
}

/* A device or a pipe is written to as it is; only plain files are made beside and renamed. */
static bool is_stream(const char *path)
{
	struct stat found;

	return stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

/* Where the report is written before it takes its name: in the same folder, for a rename stays in a file system. */
static void temporary_path(char temporary[PATH_MAX], const char *path)
{
	snprintf(temporary, PATH_MAX, "%.*s.%d.tmp", PATH_MAX - 32, path, getpid());
}

/* The only sure way to know whether a file can be made is to make it. */
static int try_to_create(const char *path)
{
	char temporary[PATH_MAX];
	int fd;

	temporary_path(temporary, path);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		close(fd);
		return unlink(temporary);
	}
	warn("write %s: %m; name another file, in a folder that exists and is yours, with --output",
	     path);
	return -1;
}

/* Not when it was closed before the start: see output_guard_descriptors(). */
static int check_standard_output(void)
{
	if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY)
		return 0;
	warn("--output=-: standard output is closed; name a file");
	return -1;
}

static int check_named(const struct output *output)
{
	struct stat found;

	if (lstat(output->path, &found) < 0)
		return 0;
	if (S_ISDIR(found.st_mode)) {
		warn("--output=%s: is a directory; name a file in it", output->path);
		return -1;
	}
	if (output->force)
		return 0;
	warn("--output=%s: exists; name another, or overwrite it with --force", output->path);
	return -1;
}

int output_reserve(struct output *output, const char *name, const char *usual, bool force)
{
	int length = snprintf(output->path, PATH_MAX, "%s", name ? name : usual);

	output->first = name ? name : usual;
	output->named = name;
	output->force = force;
	if (length == 0 || length > PATH_MAX - 64) {
		warn("--output: the name is %s; name another", length ? "too long" : "empty");
		return -1;
	}
	if (!strcmp(output->path, "-"))
		return check_standard_output();
	if (is_stream(output->path))
		return 0;
	if (!name)
		take_next_free_path(output);
	else if (check_named(output) < 0)
		return -1;
	return try_to_create(output->path);
}

/* Returns 0, or -1 with errno when not all of it was written. */
static int write_stream(FILE *out, output_printer *print, const void *what)
{
	print(out, what);
	return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

static int write_file(const char *path, int flags, output_printer *print, const void *what)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int result;

	if (!out)
		return -1;
	result = write_stream(out, print, what);
	if (result == 0 && (flags & O_CREAT))
		result = fsync(fd);
	return fclose(out) == 0 ? result : -1;
}

/*
 * Give the finished file its name. Where the file system cannot do that in one
 * step without overwriting, a link can.
 */
static int publish(const char *temporary, const char *path, bool overwrite)
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

/* A file that has come up under the name in the meantime is left alone. */
static int publish_somewhere(const char *temporary, struct output *output)
{
	while (publish(temporary, output->path, output->force) < 0) {
		if (errno != EEXIST)
			return -1;
		take_next_free_path(output);
	}
	if (!output->named || !strcmp(output->first, output->path))
		return 0;
	warn("%s has come up during the run; the report is in %s instead",
	     output->first, output->path);
	return 1;
}

static int save_file(struct output *output, output_printer *print, const void *what)
{
	char temporary[PATH_MAX];
	int result, cause;

	temporary_path(temporary, output->path);
	result = write_file(temporary, O_CREAT | O_EXCL, print, what);
	if (result == 0)
		result = publish_somewhere(temporary, output);
	cause = errno;
	if (result < 0)
		unlink(temporary);
	errno = cause;
	return result;
}

static int save(struct output *output, output_printer *print, const void *what)
{
	if (!strcmp(output->path, "-"))
		return write_stream(stdout, print, what);
	if (is_stream(output->path))
		return write_file(output->path, 0, print, what);
	return save_file(output, print, what);
}

int output_save(struct output *output, output_printer *print, const void *what)
{
	int result = save(output, print, what);

	if (result == 0)
		return 0;
	if (result > 0)
		return -1;
	if (!strcmp(output->path, "-")) {
		warn("write standard output: %m; the report is lost");
		return -1;
	}
	warn("write %s: %m; the report follows on standard output", output->path);
	if (write_stream(stdout, print, what) < 0)
		warn("write standard output: %m; the report is lost");
	return -1;
}

void output_guard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

const char *output_name(const struct output *output)
{
	return strcmp(output->path, "-") ? output->path : "standard output";
}
