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
#include "report_file.h"

#define ROOM (4 << 20)		/* bytes; the report of a day has 3 MB */

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

	if (try_to_create(draft, output->place.path) == 0 && draft_open(draft, output->place.path, ROOM) == 0) {
		if (draft->named)
			draft_discard(draft);
		return 0;
	}
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
		warn("write %s: %m; make room for %d MB, or name another file with --output",
		     output->place.path, ROOM >> 20);
	else
		warn("write %s: %m; name another file, in a folder that exists and is yours, "
		     "with --output", output->place.path);
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
	signal(SIGXFSZ, SIG_IGN);	/* a limit on the size of files is to be told */
	output->draft.fd = -1;
	output->common = true;
	if (place_choose(&output->place, name, usual, force) < 0)
		return -1;
	return place_is_stream(&output->place) ? 0 : reserve_room(output);
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

/*
 * Only what we have put there ourselves is replaced; a file that has come up
 * under the name in the meantime is left alone. A process that was killed here
 * may have put the next one there, and not have said so.
 */
static int publish(struct output *output)
{
	struct place *place = &output->place;
	bool moved = false, overwrite;

	if (is_there(place->path, output->next))
		output->ours = output->next;
	output->next = identity_of(output->draft.fd);
	overwrite = place->force || is_there(place->path, output->ours);
	while (draft_publish(&output->draft, place->path, overwrite) < 0) {
		if (errno != EEXIST)
			return -1;
		place_take_next(place);
		moved = true;
	}
	output->ours = output->next;
	if (moved && place->named)
		warn("%s has come up during the run; the report is in %s instead",
		     place->first, place->path);
	return 0;
}

static int open_draft(struct output *output, off_t room)
{
	output->common = false;
	return draft_open(&output->draft, output->place.path, room);
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

static int save_stream(const struct place *place, output_printer *print, const void *what)
{
	if (place_is_standard_output(place))
		return write_stream(stdout, print, what);
	return write_descriptor(place_open_stream(place), print, what);
}

int output_checkpoint(struct output *output, output_printer *print, const void *what)
{
	if (place_is_stream(&output->place))
		return 0;
	if (save_file(output, print, what) < 0)
		return -1;
	open_draft(output, ROOM);	/* where there is no room, the next one will tell */
	if (output->draft.named)
		draft_discard(&output->draft);
	return 0;
}

static int save_in_place(struct output *output, output_printer *print, const void *what)
{
	if (place_is_stream(&output->place))
		return save_stream(&output->place, print, what);
	return save_file(output, print, what);
}

/* In the first of the other folders that can be written to. */
static int save_elsewhere(struct output *output, output_printer *print, const void *what)
{
	const char *temporary = getenv("TMPDIR");
	const char *folders[] = { ".", temporary ? temporary : "/tmp" };
	const struct place asked = output->place;

	for (int i = 0; i < 2; i++) {
		place_move(&output->place, &asked, folders[i]);
		if (save_file(output, print, what) == 0)
			return 0;
	}
	output->place = asked;
	return -1;
}

int output_save(struct output *output, output_printer *print, const void *what)
{
	char asked[PATH_MAX];
	int cause;

	if (save_in_place(output, print, what) == 0)
		return place_is_kept(&output->place) ? 0 : -1;
	cause = errno;
	strcpy(asked, output_name(output));
	if (save_elsewhere(output, print, what) == 0) {
		errno = cause;
		warn("write %s: %m; the report is in %s instead", asked, output->place.path);
		return -1;
	}
	errno = cause;
	if (place_is_standard_output(&output->place)) {
		warn("write %s: %m; the report is lost", asked);
		return -1;
	}
	strcpy(output->place.path, "-");
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
	return place_is_standard_output(&output->place) ? "standard output" : output->place.path;
}
