// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "report/file.h"
#include "report/stream.h"

/* Returns -1 after a warning of errno. */
static int refuse(const struct report_file *file)
{
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
		warn("write %s: %m; make room for %d MB, or name another file with --output",
		     file->place.path, (int)((file->room - 1) >> 20) + 1);
	else
		warn("write %s: %m; name another file, in a folder that exists and is yours, "
		     "with --output", file->place.path);
	return -1;
}

/* A draft with a temporary name is not kept open: a kill would leave it there. */
static int reserve_room(struct report_file *file)
{
	struct report_draft *draft = &file->draft;
	const char *base = report_path_base(&file->place);
	int folder = file->place.folder;

	errno = -folder;
	if (folder >= 0 && report_draft_try(draft, folder, base) == 0 &&
	    report_draft_open(draft, folder, base, file->room) == 0) {
		if (draft->named)
			report_draft_discard(draft);
		return 0;
	}
	return refuse(file);
}

int report_file_reserve(struct report_file *file, int folder, const char *name, const char *usual, bool force,
			off_t room)
{
	sigset_t all, former;
	int result;

	signal(SIGXFSZ, SIG_IGN);	/* to exceed the limit on the size of files is then an error */
	file->draft.fd = -1;
	file->common = true;
	file->room = room;
	if (report_path_choose(&file->place, folder, name, usual, force) < 0)
		return -1;
	if (report_path_is_stream(&file->place))
		return 0;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &former);	/* no signal may end us while a trial has a name */
	result = reserve_room(file);
	sigprocmask(SIG_SETMASK, &former, NULL);
	return result;
}

int report_file_extend(struct report_file *file, off_t room)
{
	file->room = room;
	return file->draft.fd < 0 || report_draft_extend(&file->draft, room) == 0 ? 0 : refuse(file);
}

static bool is_there(const struct report_path *place, struct file_identity identity)
{
	struct stat found;

	return fstatat(place->folder, report_path_base(place), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
	       found.st_dev == identity.device && found.st_ino == identity.inode;
}

/*
 * The killed process may have written a part of the draft, or given it its name
 * without having recorded that. A draft that it opened after the fork is not ours.
 * Its temporary name is recorded before a file has it, and until none has.
 */
void report_file_inherit(struct report_file *file)
{
	struct report_draft *draft = &file->draft;
	bool published = is_there(&file->place, file->next);

	if (published)
		file->ours = file->next;
	if (draft->named)
		unlinkat(draft->folder, draft->temporary, 0);
	if (published || draft->named || !file->common)
		draft->fd = -1;
	if (draft->fd >= 0)
		lseek(draft->fd, 0, SEEK_SET);
}

/* Closes the stream, too. Returns 0, or -1 with errno when not all was written. */
static int write_stream(FILE *out, report_printer *print, const void *what)
{
	int result;

	if (!out)
		return -1;
	print(out, what);
	result = fflush(out) == 0 && !ferror(out) ? 0 : -1;
	return fclose(out) == 0 ? result : -1;
}

static struct file_identity identity_of(int fd)
{
	struct stat found = { 0 };

	fstat(fd, &found);
	return (struct file_identity){ found.st_dev, found.st_ino };
}

/* Replaces only our own report, or a file that --force allows; any other file of that name is left alone. */
static int publish(struct report_file *file)
{
	struct report_path *place = &file->place;
	bool moved = false, overwrite = is_there(place, file->ours) || report_path_may_replace(place);

	file->next = identity_of(file->draft.fd);
	while (report_draft_publish(&file->draft, report_path_base(place), overwrite) < 0) {
		if (errno != EEXIST && errno != EISDIR)
			return -1;
		report_path_take_next(place);
		overwrite = false;
		moved = true;
	}
	file->ours = file->next;
	if (moved && place->named)
		warn("%s appeared during the run; the report is in %s instead",
		     place->first, place->path);
	return 0;
}

static int open_draft(struct report_file *file, off_t room)
{
	file->common = false;
	return report_draft_open(&file->draft, file->place.folder, report_path_base(&file->place), room);
}

static int save_file(struct report_file *file, report_printer *print, const void *what)
{
	struct report_draft *draft = &file->draft;
	int copy;

	if (draft->fd < 0 && open_draft(file, 0) < 0)
		return -1;
	copy = fcntl(draft->fd, F_DUPFD_CLOEXEC, 0);
	if (write_stream(copy < 0 ? NULL : fdopen(copy, "w"), print, what) == 0 &&
	    report_draft_finish(draft) == 0 && publish(file) == 0)
		return 0;
	report_draft_discard(draft);
	return -1;
}

int report_file_checkpoint(struct report_file *file, report_printer *print, const void *what)
{
	if (report_path_is_stream(&file->place))
		return 0;
	if (save_file(file, print, what) < 0)
		return -1;
	open_draft(file, file->room);	/* if this fails for lack of room, so does the next save, with a message */
	if (file->draft.named)
		report_draft_discard(&file->draft);
	return 0;
}

static int save_stream(const struct report_file *file, int held, report_printer *print, const void *what)
{
	return write_stream(report_stream_open(held, report_file_name(file), file->signals), print, what);
}

/* Returns 0, or -1 with errno. */
static int save_in_place(struct report_file *file, report_printer *print, const void *what)
{
	struct report_path *place = &file->place;

	if (report_path_is_stream(place))
		return save_stream(file, place->stream, print, what);
	if (save_file(file, print, what) < 0)
		return -1;
	if (report_path_follow(place))
		warn("the folder of %s was moved during the run; the report is in %s", place->first, place->path);
	return 0;
}

int report_file_save(struct report_file *file, report_printer *print, const void *what)
{
	if (save_in_place(file, print, what) == 0)
		return report_path_is_kept(&file->place) ? 0 : -1;
	if (!report_path_is_standard_output(&file->place)) {
		warn("write %s: %s; the report follows on standard output", file->place.path, report_stream_reason());
		if (save_stream(file, STDOUT_FILENO, print, what) == 0)
			return -1;
	}
	warn("write standard output: %s; the report is lost", report_stream_reason());
	return -1;
}

void report_file_guard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

const char *report_file_name(const struct report_file *file)
{
	return report_path_is_standard_output(&file->place) ? "standard output" : file->place.path;
}
