// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "output.h"

#define ROOM (4 << 20)		/* bytes; the report of a day has 3 MB */

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
	strcpy(output->path, output->first);
	for (int number = 2; is_taken(output->path); number++)
		number_path(output->path, output->first, number);
}

/* A device or a pipe is written to as it is; only plain files are made beside and renamed. */
static bool is_stream(const char *path)
{
	struct stat found;

	return stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

/* In a folder for all, a link of somebody else may lead anywhere: to a disk, if we are root. */
static bool is_planted(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat link, folder;
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%.*s.", slash ? (int)(slash - path) + 1 : 0, path);
	return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && stat(name, &folder) == 0 &&
	       (folder.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH) &&
	       link.st_uid != geteuid() && link.st_uid != folder.st_uid;
}

static int check_stream(const char *path)
{
	if (!is_planted(path))
		return 0;
	warn("--output=%s: is another user's link in a folder for all; name what it leads to", path);
	return -1;
}

static bool is_standard_output(const struct output *output)
{
	return !strcmp(output->path, "-");
}

/* The only sure way to know whether a file can be made is to make it. */
static int try_to_create(struct draft *draft, const char *path)
{
	int result = draft_open(draft, path, 0);

	if (result == 0)
		result = draft_finish(draft);
	draft_discard(draft);
	return result;
}

/* A draft with a temporary name is not kept, for it would stay if we were killed. */
static int reserve_room(struct output *output)
{
	struct draft *draft = &output->draft;

	signal(SIGXFSZ, SIG_IGN);	/* a limit on the size of files is to be told */
	if (try_to_create(draft, output->path) == 0 && draft_open(draft, output->path, ROOM) == 0) {
		if (draft->named)
			draft_discard(draft);
		return 0;
	}
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
		warn("write %s: %m; make room for %d MB, or name another file with --output",
		     output->path, ROOM >> 20);
	else
		warn("write %s: %m; name another file, in a folder that exists and is yours, "
		     "with --output", output->path);
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

struct output *output_create(void)
{
	struct output *output = mmap(NULL, sizeof(*output), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return output == MAP_FAILED ? NULL : output;
}

int output_reserve(struct output *output, const char *name, const char *usual, bool force)
{
	int length = snprintf(output->first, PATH_MAX, "%s", name ? name : usual);

	strcpy(output->path, output->first);
	output->usual = usual;
	output->named = name;
	output->force = force;
	output->draft.fd = -1;
	output->common = true;
	if (length == 0 || length > PATH_MAX - 64) {
		warn("--output: the name is %s; name another", length ? "too long" : "empty");
		return -1;
	}
	if (is_standard_output(output))
		return check_standard_output();
	if (is_stream(output->path))
		return check_stream(output->path);
	if (!name)
		take_next_free_path(output);
	else if (check_named(output) < 0)
		return -1;
	return reserve_room(output);
}

/* The draft may be written in part, or be about to take its name, or not be ours at all. */
void output_inherit(struct output *output)
{
	struct draft *draft = &output->draft;

	if (draft->fd >= 0 && draft->named)
		unlink(draft->temporary);
	if (draft->named || !output->common)
		draft->fd = -1;
	if (draft->fd >= 0)
		lseek(draft->fd, 0, SEEK_SET);
}

/* Returns 0, or -1 with errno when not all of it was written. */
static int write_stream(FILE *out, output_printer *print, const void *what)
{
	print(out, what);
	return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

/* Ends the descriptor, too. */
static int write_descriptor(int fd, output_printer *print, const void *what)
{
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int result;

	if (!out)
		return -1;
	result = write_stream(out, print, what);
	return fclose(out) == 0 ? result : -1;
}

static bool is_there(const char *path, struct identity file)
{
	struct stat found;

	return lstat(path, &found) == 0 && found.st_dev == file.device && found.st_ino == file.inode;
}

static struct identity identity_of(int fd)
{
	struct stat found = { 0 };

	fstat(fd, &found);
	return (struct identity){ found.st_dev, found.st_ino };
}

static void tell_new_path(const struct output *output)
{
	if (output->named)
		warn("%s has come up during the run; the report is in %s instead",
		     output->first, output->path);
}

/*
 * Only what we have put there ourselves is replaced; a file that has come up
 * under the name in the meantime is left alone. A process that was killed here
 * may have put the next one there, and not have said so.
 */
static int publish(struct output *output)
{
	bool moved = false, overwrite;

	if (is_there(output->path, output->next))
		output->ours = output->next;
	output->next = identity_of(output->draft.fd);
	overwrite = output->force || is_there(output->path, output->ours);
	while (draft_publish(&output->draft, output->path, overwrite) < 0) {
		if (errno != EEXIST)
			return -1;
		take_next_free_path(output);
		moved = true;
	}
	output->ours = output->next;
	if (moved)
		tell_new_path(output);
	return 0;
}

static int open_draft(struct output *output, off_t room)
{
	output->common = false;
	return draft_open(&output->draft, output->path, room);
}

static int save_file(struct output *output, output_printer *print, const void *what)
{
	struct draft *draft = &output->draft;
	int copy;

	if (draft->fd < 0 && open_draft(output, 0) < 0)
		return -1;
	copy = fcntl(draft->fd, F_DUPFD_CLOEXEC, 0);
	if (write_descriptor(copy, print, what) == 0 && draft_finish(draft) == 0 &&
	    publish(output) == 0)
		return 0;
	draft_discard(draft);
	return -1;
}

static int save_stream(const struct output *output, output_printer *print, const void *what)
{
	if (is_standard_output(output))
		return write_stream(stdout, print, what);
	return write_descriptor(open(output->path, O_WRONLY | O_CLOEXEC), print, what);
}

int output_checkpoint(struct output *output, output_printer *print, const void *what)
{
	if (is_standard_output(output) || is_stream(output->path))
		return 0;
	if (save_file(output, print, what) < 0)
		return -1;
	open_draft(output, ROOM);	/* where there is no room, the next one will tell */
	if (output->draft.named)
		draft_discard(&output->draft);
	return 0;
}

/* The same name in another folder; a stream's name is no file's. */
static void move_to(struct output *output, const char *folder, const char *name)
{
	snprintf(output->first, PATH_MAX, "%.*s/%.*s", PATH_MAX / 2, folder, NAME_MAX - 16, name);
	take_next_free_path(output);
	output->force = false;
}

static int save_elsewhere(struct output *output, output_printer *print, const void *what,
			  const char *asked, bool streamed)
{
	const char *temporary = getenv("TMPDIR"), *slash = strrchr(asked, '/');
	const char *folders[] = { ".", temporary ? temporary : "/tmp" };
	const char *name = streamed ? output->usual : slash ? slash + 1 : asked;
	int cause = errno;

	for (int i = 0; i < 2; i++) {
		move_to(output, folders[i], name);
		if (save_file(output, print, what) < 0)
			continue;
		errno = cause;
		warn("write %s: %m; the report is in %s instead", asked, output->path);
		return 0;
	}
	errno = cause;
	return -1;
}

int output_save(struct output *output, output_printer *print, const void *what)
{
	bool to_standard = is_standard_output(output);
	bool streamed = to_standard || is_stream(output->path);
	char asked[PATH_MAX];

	if ((streamed ? save_stream(output, print, what) : save_file(output, print, what)) == 0)
		return output->named && strcmp(output->path, output->first) ? -1 : 0;

	strcpy(asked, to_standard ? "standard output" : output->path);
	if (save_elsewhere(output, print, what, asked, streamed) == 0)
		return -1;
	if (to_standard) {
		warn("write %s: %m; the report is lost", asked);
		return -1;
	}
	strcpy(output->path, "-");
	warn("write %s: %m; the report follows on standard output", asked);
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
	return is_standard_output(output) ? "standard output" : output->path;
}
